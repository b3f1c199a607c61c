"""Checks of data that was deleted in part, and its state after a repair."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncDelayedQueue, AsyncRedisson, FindingKind
from pyredisson._async.link.link import AsyncLink
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.names import ConsumerNames, WindowNames
from tests.support.consuming import end_leases, texts
from tests.support.state import pack
from tests.support.twins import run_together_async

N, W = ConsumerNames.of("q"), WindowNames.of("q")
LIST, SET, POISON = N.queue.delay_list, N.queue.timeout_set, N.queue.poison
LATER, LONG = 2**52, 3600
K = FindingKind
Alone = Callable[..., AsyncConsumer[str]]


@pytest.fixture
def delayed(redisson: AsyncRedisson) -> AsyncDelayedQueue[str]:
    """The queue ``q``, without transfers."""
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)


async def counts(delayed: AsyncDelayedQueue[str]) -> dict[str, int]:
    return {str(each.kind): each.count for each in await delayed.check()}


# ------------------------------------------------------------------ the delay list


@pytest.mark.parametrize(
    "places", [(0, 1), (0, 1199), (440, 450), (449, 500), (460, 520), (499, 501), (3, 700, 1100)]
)
async def test_check_finds_an_entry_that_is_listed_twice(
    delayed: AsyncDelayedQueue[str], raw: Any, places: tuple[int, ...]
) -> None:
    """The places may be on one page of the list or on different pages."""
    entries = [pack(b"%d" % number, b"%08d" % number) for number in range(1200)]
    raw.zadd(SET, dict.fromkeys(entries, LATER))
    listed = list(entries)
    for place in places[1:]:
        listed.insert(place, entries[places[0]])
    raw.rpush(LIST, *listed)
    [found] = await delayed.check()
    assert (found.kind, found.key, found.count) == (K.LISTED_TWICE, LIST, 1)
    assert found.examples == (entries[places[0]],)
    assert await delayed.repair() == [found]
    assert raw.lrange(LIST, 0, -1) == listed
    assert await delayed.repair(dry_run=False) == [found]
    assert await delayed.check() == []
    assert raw.lrange(LIST, 0, -1) == entries


@pytest.mark.parametrize("removed", [30, 400, 460, 3000, 9000])
async def test_check_reads_a_list_whose_head_is_removed_meanwhile(
    delayed: AsyncDelayedQueue[str], raw: Any, monkeypatch: pytest.MonkeyPatch, removed: int
) -> None:
    """After some pages, `removed` entries are removed from the head. The check sees the others."""
    entries = [pack(b"%d" % number, b"%08d" % number) for number in range(removed * 3 + 6000)]
    alone, twice = pack(b"alone", b"12345678"), entries[-1000]
    for start in range(0, len(entries), 5000):
        raw.zadd(SET, dict.fromkeys(entries[start : start + 5000], LATER))
        raw.rpush(LIST, *entries[start : start + 5000])
    raw.linsert(LIST, "AFTER", entries[-2000], alone)
    raw.rpush(LIST, twice)
    request, looks, asked = AsyncLink.request, list[bytes](), set[bytes]()

    async def moved(self: AsyncLink, operation: Any) -> Any:
        script = getattr(getattr(operation, "script", None), "name", "")
        reply = await request(self, operation)
        if script == "checks/twice":
            asked.update(operation.args[1:])
        if script == "checks/listed":
            looks.append(b"")
            if len(looks) in (2, 4, 5):
                raw.zrem(SET, *raw.lrange(LIST, 0, removed - 1))
                raw.ltrim(LIST, removed, -1)
        return reply

    monkeypatch.setattr(AsyncLink, "request", moved)
    found = await delayed.check()
    assert [(each.kind, each.examples) for each in found] == [
        (K.DELAY_LIST_ONLY, (alone,)),
        (K.LISTED_TWICE, (twice,)),
    ]
    assert asked == {twice}, "each look for one passes along the list"


async def test_entry_that_is_listed_twice_is_delivered_once(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """Redisson up to 3.16.3 leaves such entries. A repair makes an entry without a time due."""
    twice, lost = pack(b"twice", b"12345678"), pack(b"lost", b"abcdefgh")
    raw.zadd(SET, {twice: 1})
    raw.rpush(LIST, twice, lost, twice, lost)
    assert await counts(delayed) == {"delay_list_only": 1, "listed_twice": 2}
    await delayed.repair(dry_run=False)
    assert await delayed.check() == []
    transfer = DelayedQueueProtocol(N.queue, StringCodec()).transfer(LATER, 9)
    await redisson._context.link.request(transfer)
    assert sorted(texts(raw)) == ["lost", "twice"]
    assert raw.exists(LIST, SET) == 0


# ------------------------------------------------------------------ dead letters


async def test_letters_without_their_times(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    raw.rpush("q", *map(str, range(1100)))
    for message in await alone().take_many(1000) + await alone().take_many(1000):
        assert await message.reject("why")
    raw.delete(N.dead)
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    assert await letters.read_all() == []
    [found] = await delayed.check()
    assert (found.kind, found.key, found.count) == (K.LETTER_WITHOUT_TIME, N.letters, 1100)
    [done] = await delayed.repair(dry_run=False)
    assert (done.kind, done.count) == (found.kind, found.count)
    assert await delayed.check() == []
    read = await letters.read_all()
    assert {letter.value for letter in read} == {*map(str, range(1100))}
    assert all(letter.failed_at == letter.received_at for letter in read)
    assert await letters.redrive() == 1100
    assert raw.exists(N.dead, N.letters) == 0


async def test_letters_without_their_contents(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    raw.rpush("q", "gone", "cut", "whole")
    for message in await alone().take_many(3):
        assert await message.reject("why")
    gone, cut, _ = raw.zrange(N.dead, 0, -1)
    raw.hdel(N.letters, gone)
    raw.hset(N.letters, cut, b"cut")
    found = await delayed.check()
    assert [(each.kind, each.key, each.examples) for each in found] == [
        (K.TIME_WITHOUT_LETTER, N.dead, (gone,)),
        (K.CUT_SHORT, N.letters, (cut,)),
    ]
    assert await delayed.repair(dry_run=False) == found
    assert await delayed.check() == []
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    assert await letters.size() == raw.hlen(N.letters) == len(await letters.read_all()) == 1
    assert raw.lrange(POISON, 0, -1) == [b"cut"]


async def test_truncated_message_does_not_block_the_others(
    delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    """Unlike other messages, it is not requeued when its lease ends."""
    raw.rpush("q", "a")
    await alone().take()
    [token] = raw.hkeys(N.taken)
    raw.hset(N.taken, token, b"cut")
    end_leases(raw)
    raw.rpush("q", "b")
    assert await counts(delayed) == {"cut_short": 1}
    await delayed.repair(dry_run=False)
    message = await alone().poll()
    assert message is not None
    assert message.value == "b"
    assert await message.ack()
    assert raw.exists(N.leases, N.taken) == 0
    assert raw.lrange(POISON, 0, -1) == [b"cut"]


# ------------------------------------------------------------------ groups


async def test_repair_restores_the_key_of_an_open_group(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """The group is pending. Its text is not added to the queue, because that would duplicate it."""
    window = redisson.get_group_window(delayed.target, size=3, max_wait=LONG, transfer=False)
    await window.offer("key", "a")
    first = await window.offer("key", "b")
    raw.delete(W.started)
    [found] = await delayed.check()
    assert (found.kind, found.key, found.examples) == (K.GROUP_WITHOUT_KEY, W.started, (b"key",))
    assert await delayed.repair(dry_run=False) == [found]
    assert await delayed.check() == []
    assert texts(raw) == []
    last = await window.offer("key", "c")
    assert (last.id, last.size, last.closed) == (first.id, 3, True)
    message = await redisson.get_consumer(window, transfer=False).take()
    assert message.value.values == ["a", "b", "c"]


@pytest.mark.parametrize("codec", [StringCodec(), JsonJacksonCodec()], ids=repr)
async def test_repair_of_values_without_their_groups(
    redisson: AsyncRedisson, raw: Any, codec: Codec[Any]
) -> None:
    """The key of an open group is known. Values of other groups are moved to the poison list."""
    queue = redisson.get_blocking_queue("q", codec=codec)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    values = StringCodec()
    window = redisson.get_group_window(queue, size=3, max_wait=LONG, codec=values, transfer=False)
    for key, some in (("full", "abc"), ("open", "de")):
        for value in some:
            await window.offer(key, value)
    for field in raw.hkeys(W.groups):
        if len(field) == 40:
            raw.hdel(W.groups, field)
    [found] = await delayed.check()
    assert (found.kind, found.key, found.count) == (K.VALUE_WITHOUT_GROUP, W.groups, 5)
    assert await delayed.repair(dry_run=False) == [found]
    assert await delayed.check() == []
    assert raw.lrange(POISON, 0, -1) == [b"a", b"b", b"c"]
    await window.offer("open", "f")
    consumer = redisson.get_consumer(window, transfer=False)
    message = await consumer.take()
    assert (message.value.key, message.value.values) == ("open", ["d", "e", "f"])
    assert await message.ack()
    assert await consumer.poll() is None
    assert raw.exists("q", W.started, W.groups) == 0


async def test_group_is_delivered_without_its_deleted_values(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """The remaining values are delivered. A group without any values is removed."""
    window = redisson.get_group_window(delayed.target, size=4, max_wait=LONG, transfer=False)
    for key in ("first", "middle", "last", "all"):
        for value in "abcd":
            await window.offer(key, value)
    for head in [field for field in raw.hkeys(W.groups) if len(field) == 40]:
        key = raw.hget(W.groups, head)[20:].decode()
        gone = {"first": "1", "middle": "23", "last": "4", "all": "1234"}[key]
        raw.hdel(W.groups, *(head + number.encode() for number in gone))
    assert await counts(delayed) == {"group_without_values": 4}
    await delayed.repair(dry_run=False)
    assert await delayed.check() == []
    messages = await redisson.get_consumer(window, transfer=False).take_many(9)
    assert {message.value.key: "".join(message.value.values) for message in messages} == {
        "first": "bcd",
        "middle": "ad",
        "last": "abc",
    }
    for message in messages:
        assert await message.ack()
    assert raw.exists(W.groups) == 0


# ------------------------------------------------------------------ beside running work


async def test_check_beside_running_work_finds_nothing(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """Messages are taken, rejected, redriven and dropped. Groups are opened, filled and settled."""
    window = redisson.get_group_window(
        redisson.get_blocking_queue("w"), size=3, max_wait=LONG, transfer=False
    )
    consumers: list[AsyncConsumer[Any]] = [
        redisson.get_consumer(delayed.target, transfer=False),
        redisson.get_consumer(window, transfer=False),
    ]
    letters = redisson.get_dead_letters(delayed.target)
    groups = redisson.get_dead_letters(window)
    others = redisson.get_delayed_queue(window.queue, transfer=False)
    over = list[bool]()

    async def working() -> list[Any]:
        done = 0
        while not over or done < 10:
            done += 1
            raw.rpush("q", *map(str, range(20)))
            for number in range(20):
                await window.offer(f"{number % 7}", "value")
            for consumer in consumers:
                for place, message in enumerate(await consumer.take_many(50, timeout=0)):
                    assert await (message.ack() if place % 2 else message.reject("why"))
            await letters.redrive(5)
            await letters.drop(5)
            await groups.redrive(1)
            await groups.drop(1)
            await window.cancel("3")
        return []

    async def checking() -> list[Any]:
        try:
            return [await each.check() for _ in range(10) for each in (delayed, others)]
        finally:
            over.append(True)

    found, _ = await run_together_async(checking, working)
    assert found == [[]] * 20
    assert await delayed.repair(dry_run=False) == await others.repair(dry_run=False) == []
