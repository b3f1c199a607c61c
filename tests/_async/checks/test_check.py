"""A check finds the faults of a queue. A repair corrects them, and changes nothing else."""

import hashlib
import signal
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import AsyncConsumer, AsyncDelayedQueue, AsyncRedisson, FindingKind
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.delivery import RECORD
from pyredisson.protocol.kernel.names import ConsumerNames, ScheduleNames, WindowNames
from tests.support.consuming import end_leases, texts, traces
from tests.support.dump import dump
from tests.support.faults_tools import Repeatedly
from tests.support.rights import CHANNEL, CHECKS, KEYS, REPAIRS
from tests.support.state import pack, pack_old, server_ms
from tests.support.twins import aside_async, run_together_async, until_async

N, W, S = ConsumerNames.of("q"), WindowNames.of("q"), ScheduleNames.of("q")
LIST, SET, POISON = N.queue.delay_list, N.queue.timeout_set, N.queue.poison
LATER = 2**52
K = FindingKind
Alone = Callable[..., AsyncConsumer[str]]
Login = Callable[..., AsyncRedisson]


@pytest.fixture
def delayed(redisson: AsyncRedisson) -> AsyncDelayedQueue[str]:
    """The queue ``q``, without transfers."""
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)


def entry(number: int, kind: str = "m") -> bytes:
    return pack(f"{kind}{number}".encode(), f"{kind}{number:07}".encode())


def diverge(raw: Any, size: int = 1) -> None:
    """Create `size` faults of each of four repairable kinds."""
    for number in range(size):
        both, listed, timed = (entry(number, kind) for kind in "blt")
        raw.rpush(LIST, both, listed)
        raw.zadd(SET, {both: LATER, timed: LATER})
        raw.zadd(N.leases, {f"lone{number}": 5})
        raw.hset(N.taken, f"lost{number}", record(f"o{number}"))


def group(number: int) -> tuple[str, bytes]:
    """A group without a value, and without a text in the queue."""
    text = b"pyredisson_group:%032x" % number
    return hashlib.sha1(text).hexdigest(), struct.pack(">I", 0) + number.to_bytes(16) + b"key"


def record(value: str) -> bytes:
    return RECORD.pack(b"i" * 16, 1, 5, 6, 0) + value.encode()


async def counts(delayed: AsyncDelayedQueue[str]) -> dict[str, int]:
    return {str(each.kind): each.count for each in await delayed.check()}


async def test_nothing_is_wrong(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    assert await delayed.check() == []
    await delayed.offer_many([(str(n), 60) for n in range(1200)])
    raw.rpush("q", "a", "b", "c")
    _, second, third = await alone().take_many(3)
    assert await second.nack(3600)
    assert await third.reject("why")
    before = dump(raw)
    assert await delayed.check() == []
    assert await delayed.repair(dry_run=False) == []
    assert dump(raw) == before


async def test_each_kind_is_found_and_repaired(delayed: AsyncDelayedQueue[str], raw: Any) -> None:
    diverge(raw)
    raw.rpush(LIST, b"bad", b"bad")
    raw.zadd(SET, {b"worse": LATER})
    raw.rpush(N.arriving, b"left")
    raw.expire(SET, 1000)
    before = dump(raw)
    found = await delayed.check()
    assert [(each.kind, each.key, each.count, each.examples) for each in found] == [
        (K.TIME_TO_LIVE, SET, 1, ()),
        (K.POISON, SET, 2, (b"bad", b"worse")),
        (K.TIMEOUT_SET_ONLY, SET, 1, (entry(0, "t"),)),
        (K.DELAY_LIST_ONLY, LIST, 1, (entry(0, "l"),)),
        (K.LEASE_WITHOUT_MESSAGE, N.leases, 1, (b"lone0",)),
        (K.MESSAGE_WITHOUT_LEASE, N.taken, 1, (b"lost0",)),
        (K.UNCLAIMED, N.arriving, 1, (b"left",)),
    ]
    assert await delayed.repair() == found
    assert {key: each.value for key, each in dump(raw).items()} == {
        key: each.value for key, each in before.items()
    }
    done = await delayed.repair(dry_run=False)
    assert [(each.kind, each.count) for each in done] == [(e.kind, e.count) for e in found]
    assert await delayed.check() == []
    assert raw.lrange(LIST, 0, -1) == [entry(0, kind) for kind in "blt"]
    assert sorted(raw.zrange(SET, 0, -1)) == sorted(entry(0, kind) for kind in "blt")
    assert abs(raw.zscore(SET, entry(0, "l")) - server_ms(raw)) < 60_000
    assert raw.zscore(SET, entry(0, "t")) == LATER
    assert sorted(raw.lrange(POISON, 0, -1)) == [b"bad", b"bad", b"worse"]
    assert sorted(texts(raw)) == ["left", "o0"]
    assert traces(raw) == {"poison", "returned"}
    assert raw.ttl(SET) == -1


async def test_messages_whose_leases_have_ended(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    """Their consumer was killed, and no other one runs. Several scripts requeue them."""
    values = [f"{number:04}" for number in range(1_230)]
    raw.rpush("q", *values)
    consumer = alone()
    tokens = [each._token for _ in range(2) for each in await consumer.take_many(1_000, 0)]
    assert await delayed.check() == []
    raw.zadd(N.leases, dict.fromkeys(tokens[:1_200], server_ms(raw) - 20_000))
    raw.zadd(N.leases, dict.fromkeys(tokens[1_200:1_210], server_ms(raw) - 1_000))
    raw.zadd(N.leases, {"lone": 5})
    found = await counts(delayed)
    assert found == {"lease_without_message": 1, "lease_ended": 1_200}
    before = dump(raw)
    assert {str(each.kind): each.count for each in await delayed.repair()} == found
    assert dump(raw) == before
    done = {str(each.kind): each.count for each in await delayed.repair(dry_run=False)}
    assert done == {"lease_without_message": 1, "lease_ended": 1_210}
    assert sorted(texts(raw)) == sorted(values[:1_210])
    assert await delayed.check() == await delayed.repair(dry_run=False) == []
    assert raw.zcard(N.leases) == 20


async def test_orphans_are_dropped_only_when_asked(
    delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    diverge(raw)
    [would] = [e for e in await delayed.repair(orphans="drop") if e.kind is K.TIMEOUT_SET_ONLY]
    assert would.text.endswith("drops them")
    await delayed.repair(dry_run=False, orphans="drop")
    assert sorted(raw.zrange(SET, 0, -1)) == sorted(entry(0, kind) for kind in "bl")
    assert await delayed.check() == []
    with pytest.raises(ValueError, match="orphans must be one of"):
        await delayed.repair(orphans="keep")  # type: ignore[arg-type]  # a wrong word


async def test_mixed_formats_are_reported_and_stay(
    delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    old = [pack_old(b"old", number) for number in (1.5, 2.5)]
    for each in (*old, *map(entry, range(5))):
        raw.rpush(LIST, each)
        raw.zadd(SET, {each: LATER})
    [found] = await delayed.check()
    assert (found.kind, found.count, found.repairable) == (K.MIXED_FORMATS, 2, False)
    assert sorted(found.examples) == sorted(old)
    assert await delayed.repair(dry_run=False) == []
    assert raw.zcard(SET) == raw.llen(LIST) == 7


@pytest.mark.parametrize("key", ["q", LIST, SET, POISON, N.leases, N.taken, N.arriving])
async def test_wrong_type_is_reported_and_the_rest_is_repaired(
    delayed: AsyncDelayedQueue[str], raw: Any, key: str
) -> None:
    diverge(raw)
    raw.rpush(LIST, b"bad")
    raw.delete(key)
    raw.set(key, "text")
    found = await delayed.check()
    assert [each.key for each in found if each.kind is K.WRONG_TYPE] == [key]
    assert "holds a string instead of a " in found[0].text
    await delayed.repair(dry_run=False)
    assert raw.get(key) == b"text"
    left = {each.kind for each in await delayed.check()}
    assert left == {K.WRONG_TYPE} | ({K.POISON} if key == POISON else set())


async def test_many_faults_are_found_and_repaired(
    delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """Each kind has more faults than a page, in a list of several pages."""
    pipe = raw.pipeline()
    diverge(pipe, 700)
    pipe.rpush(N.arriving, *map(str, range(1100)))
    pipe.execute()
    kinds = [
        K.TIMEOUT_SET_ONLY,
        K.DELAY_LIST_ONLY,
        K.LEASE_WITHOUT_MESSAGE,
        K.MESSAGE_WITHOUT_LEASE,
    ]
    found = await counts(delayed)
    assert found.pop(K.UNCLAIMED) > 0
    assert found == dict.fromkeys(map(str, kinds), 700)
    await delayed.repair(dry_run=False)
    assert await delayed.check() == []
    assert raw.llen(LIST) == raw.zcard(SET) == 2100
    assert raw.llen("q") == 1800


CHURN = """
local some = redis.call('lrange', KEYS[1], 0, 299)
for i = 1, #some, 3 do
    if tonumber(redis.call('zscore', KEYS[2], some[i])) == tonumber(ARGV[1]) then
        redis.call('lrem', KEYS[1], 1, some[i])
        redis.call('zrem', KEYS[2], some[i])
        local number = string.format('%08d', redis.call('incr', KEYS[3]))
        local new = string.char(8) .. number .. struct.pack('<L', 8) .. number
        redis.call('rpush', KEYS[1], new)
        redis.call('zadd', KEYS[2], ARGV[1], new)
    end
end
"""
"""Does in one step what transfers and offers do. Items with another due time stay."""


async def test_no_race_is_taken_for_a_fault(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone, url: str
) -> None:
    """Offers, transfers, cancellations and consumers run meanwhile. None causes a finding."""
    pipe = raw.pipeline()
    for number in range(3000):
        pipe.rpush(LIST, entry(number))
        pipe.zadd(SET, {entry(number): LATER})
    pipe.zadd(SET, {entry(0, "t"): LATER})
    pipe.execute()
    consumer, over = alone(prefetch=5), list[bool]()
    moving = redisson.get_delayed_queue(redisson.get_queue("q"))

    async def working() -> list[Any]:
        while not over:
            await moving.offer_many([(str(n), 0) for n in range(20)])
            assert await moving.cancel(await moving.offer("x", 60))
            for message in await consumer.take_many(50):
                assert await message.ack()
        return []

    async def checking() -> list[Any]:
        try:
            found = list[dict[str, int]]()
            while len(found) < 8 or churning.times <= 8:
                found.append(await counts(delayed))
            return found
        finally:
            over.append(True)

    with redis.Redis.from_url(url) as other:
        churn = partial(other.eval, CHURN, 3, LIST, SET, "counter", LATER)
        with Repeatedly(churn, pause=0) as churning:
            found, _ = await run_together_async(checking, working)
    assert found == [{"timeout_set_only": 1}] * len(found)


KILLED = """
import os, signal, sys
from pyredisson import Redisson
from pyredisson._sync.link.link import Link
from pyredisson.codecs import StringCodec
left, request = int(sys.argv[2]), Link.request
def counted(self, operation):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return request(self, operation)
Link.request = counted
with Redisson.from_url(sys.argv[1]) as redisson:
    queue = redisson.get_queue("q", StringCodec())
    redisson.get_delayed_queue(queue, transfer=False).repair(dry_run=False)
"""


async def test_repairs_that_are_killed(url: str, delayed: AsyncDelayedQueue[str], raw: Any) -> None:
    """They are killed in the middle of each part. The next one continues. Each item exists once."""
    size = 250
    pipe = raw.pipeline()
    diverge(pipe, size)
    pipe.rpush(LIST, *(b"bad%d" % number for number in range(size)))
    pipe.hset(S.entries, mapping={f"e{number}": "a record" for number in range(size)})
    pipe.hset(W.groups, mapping=dict(map(group, range(size))))
    pipe.execute()
    steps, status = 6, -signal.SIGKILL
    while status == -signal.SIGKILL:
        command = [sys.executable, "-c", KILLED, url, str(steps)]
        status = (await aside_async(partial(subprocess.run, command, check=False))).returncode
        steps += 6
    assert status == 0
    assert steps > 18
    assert await delayed.check() == []
    expected = Counter(entry(number, kind) for number in range(size) for kind in "blt")
    assert Counter(raw.lrange(LIST, 0, -1)) == Counter(raw.zrange(SET, 0, -1)) == expected
    groups = [f"pyredisson_group:{number:032x}" for number in range(size)]
    assert sorted(texts(raw)) == sorted([*groups, *(f"o{number}" for number in range(size))])
    assert raw.zcard(S.times) == size
    assert Counter(raw.lrange(POISON, 0, -1)) == Counter(b"bad%d" % n for n in range(size))


async def test_repaired_items_are_delivered(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    diverge(raw)
    await delayed.repair(dry_run=False)
    redisson.get_delayed_queue(redisson.get_queue("q"))
    message = await alone().take()
    assert (message.value, message.attempt) == ("o0", 2)
    await until_async(lambda: texts(raw) == ["l0"], "it is due")
    end_leases(raw)


async def test_check_and_repair_need_only_their_rights(root: Any, login: Login) -> None:
    own = (*KEYS, "~pyredisson_*:{q}", f"&{CHANNEL}")
    diverge(root)
    root.rpush(LIST, b"bad")
    root.rpush(N.arriving, b"left")
    root.expire(SET, 1000)
    root.hset(S.entries, "e", "a record")
    root.hset(W.groups, *group(1))

    def queue(*rights: str) -> AsyncDelayedQueue[str]:
        redisson = login(*own, *rights)
        target = redisson.get_queue("q", codec=StringCodec())
        return redisson.get_delayed_queue(target, transfer=False)

    looking = queue(*CHECKS)
    assert len(await looking.check()) == 9
    assert len(await queue(*CHECKS, *REPAIRS).repair(dry_run=False)) == 9
    assert await looking.check() == []
