"""Checks of the keys beside a queue: for windows, schedules, pauses and expiry."""

from typing import Any

import pytest

from pyredisson import AsyncDelayedQueue, AsyncRedisson, FindingKind
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.names import ConsumerNames, ScheduleNames, WindowNames
from tests.support.dump import dump
from tests.support.twins import until_async

N, W, S = ConsumerNames.of("q"), WindowNames.of("q"), ScheduleNames.of("q")
LIST, SET, POISON = N.queue.delay_list, N.queue.timeout_set, N.queue.poison
LATER = 2**52
K = FindingKind


@pytest.fixture
def delayed(redisson: AsyncRedisson) -> AsyncDelayedQueue[str]:
    """The queue ``q``, without transfers."""
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)


@pytest.mark.parametrize("key", [N.paused, N.expiring, W.groups, W.started, S.entries, S.times])
async def test_check_reports_a_wrong_type_of_rarely_used_keys(
    delayed: AsyncDelayedQueue[str], raw: Any, key: str
) -> None:
    raw.sadd(key, "text")
    [found] = await delayed.check()
    assert (found.kind, found.key) == (K.WRONG_TYPE, key)
    await delayed.repair(dry_run=False)
    assert raw.smembers(key) == {b"text"}


async def test_a_pause_may_end_by_itself(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    queue = redisson.get_queue("q")
    await queue.pause()
    raw.expire(N.paused, 1000)
    assert await delayed.check() == []
    await queue.resume()
    assert raw.pttl(N.resumed) > 0
    assert await delayed.check() == []


async def test_schedule_continues_after_a_repair(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    resting = redisson.get_schedule(delayed, advance=False)
    await resting.add("lost", "again", every=3600)
    await resting.add("kept", "and again", every=3600)
    [one] = [each for each in await resting.entries() if each.name == "lost"]
    assert await delayed.check() == []
    raw.zrem(S.times, "lost")
    raw.zadd(S.times, {"lone": LATER})
    found = await delayed.check()
    assert [(each.kind, each.key, each.examples) for each in found] == [
        (K.ENTRY_WITHOUT_TIME, S.entries, (b"lost",)),
        (K.TIME_WITHOUT_ENTRY, S.times, (b"lone",)),
    ]
    assert await delayed.repair() == found
    assert await delayed.repair(dry_run=False) == found
    assert await delayed.check() == []
    schedule = redisson.get_schedule(delayed)
    await until_async(lambda: raw.zscore(S.times, "lost") > LATER / 10**4, "it goes on")
    schedule.destroy()
    assert raw.zscore(S.times, "lost") == one.next_at.timestamp() * 1000
    assert sorted(await delayed.read_all()) == ["again", "and again"]


@pytest.mark.parametrize("codec", [StringCodec(), JsonJacksonCodec()], ids=repr)
async def test_check_finds_only_groups_that_are_nowhere(
    redisson: AsyncRedisson, raw: Any, codec: Codec[Any]
) -> None:
    """A group may be in many places. A check reports only the groups that are in none of them."""
    queue = redisson.get_blocking_queue("q", codec=codec)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    window = redisson.get_group_window(queue, size=2, max_wait=3600, transfer=False)
    consumer = redisson.get_consumer(window, transfer=False)
    for key in ("dead", "later", "held", "popped", "waiting", "poison", "arriving"):
        for value in "ab":
            await window.offer(key, value)
    dead, later, _ = await consumer.take_many(3)
    assert await dead.reject("why")
    assert await later.nack(3600)
    popped = raw.lpop("q")
    raw.rpush(N.arriving, raw.rpop("q"))
    raw.rpush(POISON, raw.rpop("q"))
    for key in ("open", "listed", "removed"):
        await window.offer(key, "c")
    removed = raw.hget(W.started, "removed")
    raw.lrem(LIST, 0, removed)
    raw.zrem(SET, removed)
    raw.zrem(SET, raw.hget(W.started, "listed"))
    found = [each for each in await delayed.check() if each.key == W.groups]
    assert [(each.kind, sorted(each.examples)) for each in found] == [
        (K.GROUP_WITHOUT_ITEM, [b"popped", b"removed"])
    ]
    before = dump(raw)
    assert [each for each in await delayed.repair() if each.key == W.groups] == found
    assert dump(raw) == before
    await delayed.repair(dry_run=False)
    assert await delayed.check() == []
    assert raw.lpos("q", popped) is not None
    delivered = [message.value for message in await consumer.take_many(9)]
    assert sorted((each.key, each.values) for each in delivered) == [
        ("arriving", ["a", "b"]),
        ("popped", ["a", "b"]),
        ("removed", ["c"]),
        ("waiting", ["a", "b"]),
    ]
    assert await delayed.check() == []
