"""Old and new releases on one queue: where Java loops on the other's format, Python repairs it.

Java's transfer script stops at an entry of the other format. The items before it have then been
delivered and stay in the timeout set, so every retry delivers them again. The items behind it wait
for ever. In such a fleet Python's task promises that nothing is lost and nothing waits. Each item
arrives once where Python transfers first. Otherwise it arrives again as often as Java has tried
before.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from interop.tests.support.state import Item, lay, now_ms, read
from interop.tests.support.trace import calls_of, until_called
from pyredisson import Redisson, WireFormat
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import until

NAMES = QueueNames.of("q")
OTHER = {"4.7.0": WireFormat.LEGACY, "3.19.3": WireFormat.CURRENT}
"""The format that the release cannot read."""


@contextmanager
def _python(server: RedisServer) -> Iterator[Redisson]:
    with Redisson.from_url(server.url) as redisson:
        redisson.get_delayed_queue(redisson.get_queue("q", codec=StringCodec()))
        yield redisson


def _let_java_transfer(raw: redis.Redis) -> None:
    """Publish a time, so that Java looks; its own retry comes only every 5 s."""
    before = calls_of(raw, "zrangebyscore")
    raw.publish(NAMES.channel, "1")
    until_called(raw, "zrangebyscore", before)


def _nothing_pending(raw: redis.Redis) -> bool:
    return not raw.exists(NAMES.timeout_set, NAMES.delay_list)


@pytest.mark.parametrize("release", OTHER)
@pytest.mark.parametrize("what", ["of the other format", "of no format"])
def test_python_repairs_a_queue_on_which_java_loops(
    release: str, what: str, java: Peers, server: RedisServer
) -> None:
    ours = WireFormat.of(release)
    with ExitStack() as stack:
        raw = stack.enter_context(redis.Redis(port=server.port))
        due = now_ms(raw) - 1000
        middle = Item(b"middle", due + 1, b"2" * 8, OTHER[release])
        items = [Item(b"before", due, b"1" * 8, ours), Item(b"behind", due + 2, b"3" * 8, ours)]
        lay(raw, "q", [items[0], middle, items[1]])
        if what == "of no format":
            raw.zrem(NAMES.timeout_set, middle.entry)
            raw.zadd(NAMES.timeout_set, {b"poison": due + 1})
        client = stack.enter_context(connect(java(release), server.url, codec="String"))
        client.delayed_queue("q").open()
        until(lambda: raw.llen("q") >= 1, "Java's first try")
        _let_java_transfer(raw)
        until(lambda: raw.llen("q") >= 2, "Java's second try, which delivers again")

        python = stack.enter_context(_python(server))
        until(lambda: not raw.exists(NAMES.timeout_set), "our transfer")
        found = Counter(raw.lrange("q", 0, -1))
        if what == "of no format":
            assert not found.pop(b"middle", 0)
            until(lambda: python.transfer_stats()[0].poisoned == 1, "it is counted")
            assert read(raw, NAMES)["poison"].value == (b"poison",)
        else:
            assert found.pop(b"middle") == 1
        assert found.pop(b"behind") == 1
        assert found.pop(b"before") >= 3  # twice by Java, once by Python
        assert not found

        before = raw.llen("q")
        for _ in range(3):
            _let_java_transfer(raw)
        client.delayed_queue("q").call("offer", "next", 0, "MILLISECONDS")
        until(lambda: raw.llen("q") == before + 1, "what was offered afterwards")
        assert raw.lindex("q", -1) == b"next"


@pytest.mark.parametrize("releases", [("4.7.0", "3.19.3"), ("3.21.1", "3.21.0")], ids=str)
def test_each_item_arrives_once_where_python_transfers_first(
    releases: tuple[str, str], java: Peers, server: RedisServer
) -> None:
    """Java receives no due time here, as when it is busy. So Python is the first each time."""
    with ExitStack() as stack:
        raw = stack.enter_context(redis.Redis(port=server.port))
        proxy = stack.enter_context(FaultProxy(server))
        proxy.drop_published()
        clients = [
            stack.enter_context(connect(java(release), proxy.url, codec="String"))
            for release in releases
        ]
        for client in clients:  # its subscription makes it look once, however late
            before = calls_of(raw, "zrangebyscore")
            client.delayed_queue("q").open()
            until_called(raw, "zrangebyscore", before)
        stack.enter_context(_python(server))
        values = _offer_everywhere(clients, releases)
        taken = clients[0].blocking_queue("q").drain(30, count=len(values)).values
        assert sorted(taken) == sorted(values)
        assert raw.keys() == []
        proxy.heal()
        _let_java_transfer(raw)
        assert raw.keys() == []


def test_nothing_is_lost_where_all_transfer(java: Peers, server: RedisServer) -> None:
    releases = ("4.7.0", "3.19.3")
    with ExitStack() as stack:
        raw = stack.enter_context(redis.Redis(port=server.port))
        clients = [
            stack.enter_context(connect(java(release), server.url, codec="String"))
            for release in releases
        ]
        stack.enter_context(_python(server))
        values = _offer_everywhere(clients, releases)
        until(lambda: _nothing_pending(raw), "the end of all transfers")
        found = Counter(value.decode() for value in raw.lrange("q", 0, -1))
        assert set(found) == set(values)  # some more than once: by Java, before Python came
        assert not raw.exists(NAMES.poison)


def _offer_everywhere(clients: list[JavaClient], releases: tuple[str, str]) -> list[str]:
    """Let both releases offer items that fall due in turn; return the values."""
    pending = [
        client.delayed_queue("q").offering(60, delay=(100, 500), prefix=f"{release}-", seed=7)
        for client, release in zip(clients, releases, strict=True)
    ]
    for each in pending:
        assert each.result().result["errors"] == 0
    return [f"{release}-{number}" for release in releases for number in range(60)]
