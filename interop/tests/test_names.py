"""Both languages find the same queue under a name: braces, Unicode, mapped names, clusters."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from interop.peer import JavaError
from interop.peer.redisson import JavaClient
from interop.tests.conftest import Clients, Peers
from pyredisson import InvalidNameError, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import until

NAMES = [
    "orders",
    "app:{1}:q",
    "{x}",
    "x{y}{z}",
    "a{}b",
    "a{b",
    "a}b",
    "",
    "two words",
    "line\nbreak",
    "Aufträge",
    "订单",
    "😀",
]
SPREAD = ["a{}b", "a{b", "a}b", ""]
"""Names whose keys Redisson's rule spreads over several slots of a cluster."""

HOUR = (1, "HOURS")


class Prefix:
    """A NameMapper; the peer's with ``name_prefix`` is the same."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def map(self, name: str) -> str:
        return self.prefix + name

    def unmap(self, name: str) -> str:
        return name.removeprefix(self.prefix)


@pytest.fixture(scope="module")
def client(java: Peers, shared_server: RedisServer) -> Iterator[JavaClient]:
    with java("4.7.0").client(shared_server.url, codec="String") as made:
        yield made


def _keys(raw: redis.Redis) -> set[str]:
    found: Any = raw.keys()
    return {key.decode() for key in found}


def _channels(raw: redis.Redis) -> set[str]:
    found: Any = raw.pubsub_channels()
    return {channel.decode() for channel in found}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_means_the_same_keys(
    name: str, client: JavaClient, server: RedisServer, raw: redis.Redis
) -> None:
    names = QueueNames.of(name)
    delayed = client.delayed_queue(name).open()
    assert names.channel in _channels(raw)
    delayed.call("offer", "from Java", *HOUR)
    assert _keys(raw) == {names.delay_list, names.timeout_set}
    with Redisson.from_url(server.url) as redisson:
        queue = redisson.get_blocking_queue(name, codec=StringCodec())
        ours = redisson.get_delayed_queue(queue, transfer=False)
        ours.offer("from Python", 3600)
        assert ours.read_all() == delayed.call("readAll") == ["from Java", "from Python"]
        client.queue(name).call("add", "due")
        assert _keys(raw) == {names.delay_list, names.timeout_set, name}
        assert queue.take() == "due"
    delayed.destroy()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_transferred_by_either(
    name: str, client: JavaClient, server: RedisServer
) -> None:
    with Redisson.from_url(server.url) as redisson:
        queue = redisson.get_blocking_queue(name, codec=StringCodec())
        ours = redisson.get_delayed_queue(queue)
        ours.offer("by Python", 0.01)
        assert queue.poll(timeout=20) == "by Python"
        ours.destroy()
        theirs = client.delayed_queue(name)
        theirs.call("offer", "by Java", 10, "MILLISECONDS")
        assert queue.poll(timeout=20) == "by Java"
        theirs.destroy()


@pytest.mark.parametrize("prefix", ["app:", "{app}:", "a{b", "ä😀"])
@pytest.mark.parametrize("release", ["4.7.0", "3.19.3"])
def test_a_mapped_name_means_the_same_keys(
    prefix: str, release: str, java_client: Clients, server: RedisServer, raw: redis.Redis
) -> None:
    names = QueueNames.of(f"{prefix}orders")
    client = java_client(release, codec="String", name_prefix=prefix)
    delayed = client.delayed_queue("orders").open()
    until(lambda: _channels(raw) == {names.channel}, "nobody else is left")
    delayed.call("offer", "from Java", *HOUR)
    client.queue("orders").call("add", "due")
    assert _keys(raw) == {names.name, names.delay_list, names.timeout_set}
    with Redisson.from_url(server.url, name_mapper=Prefix(prefix), wire_format=release) as redisson:
        queue = redisson.get_blocking_queue("orders", codec=StringCodec())
        ours = redisson.get_delayed_queue(queue)
        assert (queue.name, ours.name) == ("orders", "orders")
        ours.offer("from Python", 3600)
        assert ours.read_all() == delayed.call("readAll") == ["from Java", "from Python"]
        assert queue.poll_from_any_with_name(5, "others") == ("orders", "due")
        assert _keys(raw) == {names.delay_list, names.timeout_set}


@pytest.mark.parametrize("blocking", [False, True])
def test_java_maps_the_other_queue_of_a_move_only_if_it_waits(
    blocking: bool, java_client: Clients, server: RedisServer, raw: redis.Redis
) -> None:
    """Up to 4.7.0, RPOPLPUSH and LMOVE use the name as it was passed. Python always maps it."""
    client = java_client("4.7.0", codec="String", name_prefix="app:")
    queue = client.blocking_queue("q")
    queue.call("addAll", ["a", "b"])
    queue.call("pollLastAndOfferFirstTo", "other", *((1, "SECONDS") if blocking else ()))
    assert _keys(raw) == {"app:q", "app:other" if blocking else "other"}
    raw.delete("app:other", "other")
    with Redisson.from_url(server.url, name_mapper=Prefix("app:")) as redisson:
        ours = redisson.get_blocking_queue("q", codec=StringCodec())
        ours.poll_last_and_offer_first_to("other", *((1,) if blocking else ()))
        assert _keys(raw) == {"app:other"}


def test_only_python_maps_the_other_queue_of_a_delayed_move(
    java_client: Clients, server: RedisServer, raw: redis.Redis
) -> None:
    client = java_client("4.7.0", codec="String", name_prefix="app:")
    delayed = client.delayed_queue("q")
    delayed.call("offer", "a", *HOUR)
    assert delayed.call("pollLastAndOfferFirstTo", "other") == "a"
    assert _keys(raw) == {"other"}
    raw.delete("other")
    with Redisson.from_url(server.url, name_mapper=Prefix("app:")) as redisson:
        ours = redisson.get_delayed_queue(
            redisson.get_queue("q", codec=StringCodec()), transfer=False
        )
        ours.offer("a", 3600)
        assert ours.poll_last_and_offer_first_to("other") == "a"
        assert _keys(raw) == {"app:other"}


@pytest.fixture(scope="module")
def both_in_a_cluster(java: Peers, cluster: RedisCluster) -> Iterator[tuple[JavaClient, Redisson]]:
    with (
        java("4.7.0").client(cluster.url, mode="cluster", codec="String") as client,
        Redisson(redis.RedisCluster.from_url(cluster.url)) as redisson,
    ):
        yield client, redisson


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SPREAD])
def test_a_cluster_serves_both(name: str, both_in_a_cluster: tuple[JavaClient, Redisson]) -> None:
    client, redisson = both_in_a_cluster
    queue = redisson.get_blocking_queue(name, codec=StringCodec())
    ours, theirs = redisson.get_delayed_queue(queue), client.delayed_queue(name)
    theirs.call("offer", "from Java", 50, "MILLISECONDS")
    assert queue.poll(timeout=20) == "from Java"
    ours.offer("from Python", 0.05)
    assert client.blocking_queue(name).call("poll", 20, "SECONDS") == "from Python"
    theirs.destroy()
    ours.destroy()


@pytest.mark.parametrize("name", SPREAD)
def test_name_that_a_cluster_cannot_serve_is_refused(
    name: str, both_in_a_cluster: tuple[JavaClient, Redisson]
) -> None:
    """Java makes the object, and each of its offers fails."""
    client, redisson = both_in_a_cluster
    with pytest.raises(JavaError, match="CROSSSLOT"):
        client.delayed_queue(name).call("offer", "x", *HOUR)
    with pytest.raises(InvalidNameError, match="one slot"):
        redisson.get_delayed_queue(redisson.get_queue(name, codec=StringCodec()))
