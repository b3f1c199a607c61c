"""Long values: each is returned once, and no command or script reads many of them."""

from collections.abc import AsyncIterable, Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from pyredisson import AsyncRedisson
from pyredisson._async.maps import map as map_module
from pyredisson._async.objects import named_object
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.delivery import RECORD
from pyredisson.protocol.dead_letters.dead_letters import encode_reason
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.pages import FIRST, PageSize
from tests.support.monitor import Executed, Monitor, scripts
from tests.support.server import RedisServer
from tests.support.state import pack

NAMES = ConsumerNames.of("q")
LONG = 600_000
"""Bytes of a long value. One such value fills a page."""
READS = {"LRANGE", "LINDEX", "ZRANGE", "ZSCAN", "HGET", "HMGET", "HVALS", "HSCAN", "LPOP"}


def value(number: int, *, long: bool) -> str:
    return f"{number:04}".ljust(LONG if long else 20, ".")


ORDERS = {
    "long ones first": [value(number, long=number < 24) for number in range(60)],
    "mixed": [value(number, long=number % 3 == 0) for number in range(60)],
}


def id_of(number: int) -> bytes:
    return number.to_bytes(16, "big")


def fill_list(raw: Any, values: list[str]) -> None:
    raw.rpush("q", *values)


def fill_poison(raw: Any, values: list[str]) -> None:
    raw.rpush(NAMES.queue.poison, *values)


def fill_pending(raw: Any, values: list[str]) -> None:
    for number, each in enumerate(values):
        entry = pack(each.encode(), number.to_bytes(8, "big"))
        raw.rpush(NAMES.queue.delay_list, entry)
        raw.zadd(NAMES.queue.timeout_set, {entry: 1e13 + number})


def fill_taken(raw: Any, values: list[str]) -> None:
    for number, each in enumerate(values):
        raw.hset(NAMES.taken, id_of(number), RECORD.pack(id_of(number), 1, 1, 1, 0) + each.encode())
        raw.zadd(NAMES.leases, {id_of(number): 1e13 + number})


def fill_dead(raw: Any, values: list[str]) -> None:
    why = encode_reason("bad", None)
    for number, each in enumerate(values):
        record = RECORD.pack(id_of(number), 1, 1, 1, 0) + each.encode()
        raw.hset(NAMES.letters, id_of(number), len(why).to_bytes(4, "big") + why + record)
        raw.zadd(NAMES.dead, {id_of(number): 1_000 + number})


async def every(values: AsyncIterable[str]) -> list[str]:
    return [each async for each in values]


async def pending(r: AsyncRedisson) -> list[Any]:
    delayed = r.get_delayed_queue(r.get_queue("q"), transfer=False)
    return [item.value async for item in delayed.items()]


async def in_flight(r: AsyncRedisson) -> list[Any]:
    return [message.value for message in await r.get_queue("q").in_flight()]


async def dead(r: AsyncRedisson) -> list[Any]:
    return [letter.value for letter in await r.get_dead_letters(r.get_queue("q")).read_all()]


async def poison(r: AsyncRedisson) -> list[Any]:
    return [each.value async for each in r.get_poison_list(r.get_queue("q"))]


class Kind(NamedTuple):
    """A function that stores values, one that reads them, and the most long values in one reply."""

    fill: Callable[[Any, list[str]], None]
    read: Callable[[AsyncRedisson], Any]
    most: int


KINDS = {
    "queue": Kind(fill_list, lambda r: every(r.get_queue("q")), 16),
    "list": Kind(fill_list, lambda r: every(r.get_list("q")), 16),
    "poison": Kind(fill_poison, poison, 16),
    "pending": Kind(fill_pending, pending, 2),
    "in flight": Kind(fill_taken, in_flight, 1),
    "dead": Kind(fill_dead, dead, 1),
}


def length(reply: Any) -> int:
    """Return the number of bytes in a reply."""
    if isinstance(reply, list):
        return sum(map(length, reply))
    return len(reply) if isinstance(reply, bytes) else 0


@pytest.fixture(autouse=True)
def first_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make iterations start as after a page of long values.

    Otherwise they start with 500 values.
    """
    for module in (named_object, map_module):
        monkeypatch.setattr(module, "PageSize", lambda _=FIRST, least=1: PageSize(FIRST, least))


@pytest.fixture
def replies(redisson: AsyncRedisson, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the number of long values of each reply."""
    link, found = redisson._context.link, list[int]()

    async def request(operation: Any, real: Any = link.request) -> Any:
        def decode(reply: Any) -> Any:
            found.append(length(reply) // LONG)
            return operation.decode(reply)

        spied = isinstance(operation, Command | Eval)
        return await real(replace(operation, decode=decode) if spied else operation)

    monkeypatch.setattr(link, "request", request)
    return found


def long_ones(server: RedisServer, commands: list[Executed]) -> list[int]:
    """Return the number of long values that each command or script has read."""
    return [
        sum(
            length(server.run(*each.arguments)) for each in inner or [command] if each.name in READS
        )
        // LONG
        for command, inner in scripts(commands)
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", ORDERS)
async def test_iteration_returns_few_long_values_per_page(
    redisson: AsyncRedisson, raw: Any, replies: list[int], kind: str, order: str
) -> None:
    values, (fill, read, most) = ORDERS[order], KINDS[kind]
    fill(raw, values)
    assert await read(redisson) == values
    assert sum(replies) >= 20
    assert max(replies) <= most


async def fill_by_client(redisson: AsyncRedisson, kind: str, values: list[str]) -> Any:
    """Store values, and return an iterable of them."""
    if kind == "set":
        await redisson.get_set("s").add_all(values)
        return redisson.get_set("s")
    if kind == "sorted set":
        await redisson.get_scored_sorted_set("s").add_all(dict.fromkeys(values, 1.0))
        return redisson.get_scored_sorted_set("s")
    if kind == "set cache":
        for each in values:
            await redisson.get_set_cache("s").add(each, 1_000)
        return redisson.get_set_cache("s")
    made = redisson.get_map("s") if kind == "map" else redisson.get_map_cache("s")
    await made.put_all({each[:4]: each for each in values})
    return made.values()


def in_a_bucket(raw: Any, scan: str, key: str) -> int:
    """Return the size of the fullest hash bucket. A scan for one entry returns whole buckets."""
    cursor, most = 0, 0
    while True:
        cursor, page = raw.execute_command(scan, key, cursor, "COUNT", 1)
        most = max(most, len(page))
        if cursor == 0:
            return most


SCANS = {"set": "SSCAN", "sorted set": "ZSCAN", "set cache": "ZSCAN"}


@pytest.mark.parametrize("kind", ["set", "sorted set", "set cache", "map", "map cache"])
async def test_scan_returns_few_long_values_per_page(
    redisson: AsyncRedisson, raw: Any, replies: list[int], kind: str
) -> None:
    values = [value(number, long=True) for number in range(40)]
    stored = await fill_by_client(redisson, kind, values)
    bucket = in_a_bucket(raw, SCANS.get(kind, "HSCAN"), "s")
    del replies[:]
    assert sorted([each async for each in stored]) == values
    first, *others = sorted(replies, reverse=True)
    assert first < FIRST + bucket
    assert max(others) <= bucket


async def test_check_reads_few_pending_items_at_once(
    redisson: AsyncRedisson, raw: Any, replies: list[int]
) -> None:
    fill_pending(raw, [value(number, long=True) for number in range(40)])
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    bucket = in_a_bucket(raw, "ZSCAN", NAMES.queue.timeout_set)
    assert await delayed.check() == []
    assert sum(replies) >= 80
    first, *others = sorted(replies, reverse=True)
    assert first < FIRST + bucket
    assert max(others) <= bucket


async def test_a_check_reads_few_records_at_once(
    redisson: AsyncRedisson, raw: Any, server: RedisServer
) -> None:
    values = [value(number, long=True) for number in range(24)]
    fill_taken(raw, values)
    fill_dead(raw, values)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    window = redisson.get_group_window(delayed, size=2, max_wait=10_000)
    for number, each in enumerate(values):
        await window.offer(str(number), each)
    with Monitor(server) as monitor:
        assert await delayed.check() == []
    found = long_ones(server, monitor.commands)
    assert sum(found) >= 72
    assert max(found) <= 12  # a scan may return some more than requested


@pytest.mark.parametrize("limit", [None, 30])
async def test_redrive_moves_few_long_values_at_once(
    redisson: AsyncRedisson, raw: Any, limit: int | None
) -> None:
    values = ORDERS["mixed"]
    fill_dead(raw, values)
    raw.hdel(NAMES.letters, id_of(1), id_of(30))
    expected = [each for number, each in enumerate(values) if number not in (1, 30)][:limit]
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    raw.config_resetstat()
    assert await letters.redrive(limit) == len(expected)
    assert [each.decode() for each in raw.lrange("q", 0, -1)] == expected
    assert raw.zcard(NAMES.dead) == len(values) - len(expected)
    long = [each for each in expected if len(each) == LONG]
    assert raw.info("commandstats")["cmdstat_evalsha"]["calls"] >= len(long)


@pytest.mark.parametrize("limit", [None, 30])
async def test_drop_of_poison_reads_few_long_values_at_once(
    redisson: AsyncRedisson, raw: Any, replies: list[int], limit: int | None
) -> None:
    fill_poison(raw, ORDERS["long ones first"])
    dropped = await redisson.get_poison_list(redisson.get_queue("q")).drop(limit)
    assert dropped == (limit or 60)
    assert raw.llen(NAMES.queue.poison) == 60 - dropped
    assert max(replies) <= 16


async def test_groups_in_flight_are_read_one_long_value_at_a_time(
    redisson: AsyncRedisson, raw: Any, replies: list[int]
) -> None:
    window = redisson.get_group_window(
        redisson.get_queue("q"), size=2, max_wait=1, transfer=False, codec=StringCodec()
    )
    values = ORDERS["mixed"][:20]
    for number, each in enumerate(values):
        await window.offer(str(number // 2), each)
    texts = raw.lrange("q", 0, -1)
    raw.delete("q")
    fill_taken(raw, [each.decode() for each in texts])
    del replies[:]
    held = [each.value for each in await window.in_flight()]
    assert [each for group in held if group for each in group.values] == values
    assert sum(replies) == 7
    assert max(replies) == 1
