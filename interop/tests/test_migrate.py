"""`pyredisson migrate` on queues of Java: each item arrives once, at its time."""

import json
from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest
import redis

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect, url_without_transfer
from interop.tests.support.state import Item, lay, now_ms
from pyredisson import Redisson, WireFormat
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.entry import unpack
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.twins import until

NAMES = QueueNames.of("q")
BACK = {"3.19.3": "4.7.0", "4.7.0": "3.19.3"}
COUNT = 600


def migrate(server: RedisServer, *words: str) -> dict[str, int]:
    done = shell("migrate", "q", *words, "--json", url=server.url)
    assert done.code in (0, 1), done.err
    found: dict[str, int] = json.loads(done.out)
    assert found["skipped"] == 0
    return found


def times(raw: Any) -> dict[bytes, float]:
    """Return the due time of each value."""
    found = raw.zrange(NAMES.timeout_set, 0, -1, withscores=True)
    return {unpack(each).value: at for each, at in found}


@pytest.mark.parametrize("release", BACK)
def test_java_transfers_what_another_java_has_offered(
    release: str, java: Peers, server: RedisServer
) -> None:
    """The values, the order of the offers, and the due times stay."""
    with ExitStack() as stack:
        raw: Any = stack.enter_context(redis.Redis(port=server.port))
        url = url_without_transfer(server)
        with connect(java(release), url, codec="String") as offering:
            options: Any = {"delay": (3_600_000, 3_700_000), "prefix": "v-"}
            offered = offering.delayed_queue("q").offering(50, **options)
            assert offered.result().result["errors"] == 0
        until(lambda: raw.pubsub_numsub(NAMES.channel)[0][1] == 0, "Java has gone")
        listed = [unpack(each).value for each in raw.lrange(NAMES.delay_list, 0, -1)]
        due = times(raw)
        assert migrate(server, "--to-release", BACK[release])["moved"] == 50
        entries = raw.lrange(NAMES.delay_list, 0, -1)
        assert [unpack(each).value for each in entries] == listed
        wanted = {WireFormat.of(BACK[release])}
        assert {unpack(each).wire_format for each in entries} == wanted
        assert times(raw) == due

        other = stack.enter_context(connect(java(BACK[release]), server.url, codec="String"))
        queue = other.delayed_queue("q").open()
        assert queue.call("size") == 50
        assert queue.call("contains", "v-7")
        raw.zadd(NAMES.timeout_set, dict.fromkeys(entries, 1))
        raw.publish(NAMES.channel, "1")
        taken = other.blocking_queue("q").drain(30, count=50).values
        assert Counter(taken) == Counter(f"v-{number}" for number in range(50))
        until(lambda: not raw.exists(NAMES.timeout_set, NAMES.delay_list), "it is empty")


@pytest.mark.parametrize("release", BACK)
def test_while_java_offers_transfers_and_consumes(
    release: str, java: Peers, server: RedisServer
) -> None:
    """Each run converts items of the other format, and lets those of this one pass."""
    with ExitStack() as stack:
        raw: Any = stack.enter_context(redis.Redis(port=server.port))
        due = now_ms(raw) + 3_600_000
        other = WireFormat.of(BACK[release])
        laid = [Item(b"old-%d" % n, due + n // 3, b"%08d" % n, other) for n in range(100)]
        lay(raw, "q", laid)
        client = stack.enter_context(connect(java(release), server.url, codec="String"))
        offering = client.delayed_queue("q").offering(COUNT, delay=(0, 1500), prefix="v-")
        draining = client.blocking_queue("q").draining(60, count=COUNT)
        moved = 0
        for _ in range(12):
            moved += migrate(server, "--to-release", release, "--force")["moved"]
        assert moved == 100
        assert offering.result().result["errors"] == 0
        taken = client.blocking_queue("q").drained(draining).values
        assert Counter(taken) == Counter(f"v-{number}" for number in range(COUNT))
        assert [unpack(each).value for each in raw.lrange(NAMES.delay_list, 0, -1)] == [
            item.value for item in laid
        ]
        assert times(raw) == {item.value: item.due for item in laid}


@pytest.mark.parametrize("release", BACK)
def test_to_another_queue_while_java_uses_both(
    release: str, java: Peers, server: RedisServer
) -> None:
    with ExitStack() as stack:
        raw: Any = stack.enter_context(redis.Redis(port=server.port))
        client = stack.enter_context(connect(java(release), server.url, codec="String"))
        client.delayed_queue("new").open()
        offering = client.delayed_queue("q").offering(COUNT, delay=(0, 1500), prefix="v-")
        at_old = client.blocking_queue("q").draining(4)
        at_new = client.blocking_queue("new").draining(4)
        for _ in range(12):
            migrate(server, "--rename", "new")
        assert offering.result().result["errors"] == 0
        old = client.blocking_queue("q").drained(at_old).values
        new = client.blocking_queue("new").drained(at_new).values
        with Redisson(raw) as redisson:
            for name in ("q", "new"):
                queue = redisson.get_queue(name, codec=StringCodec())
                new += queue.read_all()
        assert Counter([*old, *new]) == Counter(f"v-{number}" for number in range(COUNT))
        assert new
