"""Expired items far behind others are checked in turn. Each is dead-lettered once."""

from typing import Any

from pyredisson import AsyncRedisson
from pyredisson.protocol.consumers.cleanup import reap as reap_of
from tests._async.delayed.test_expiry import SOON, expiring, move, reap
from tests.support.consuming import NAMES, texts
from tests.support.state import server_ms
from tests.support.twins import sleep_async

LATER = """
for _, entry in ipairs(redis.call('zrange', KEYS[1], 0, -1)) do
    redis.call('zincrby', KEYS[1], -1000, entry)
end
"""
"""Makes all checks of expired items due a second earlier."""


async def test_thousands_far_behind_are_checked_in_turn(redisson: AsyncRedisson, raw: Any) -> None:
    """Most seconds need fewer than ten scripts. An earlier version needed one per 100 items."""
    raw.rpush("q", *range(1_001))
    await expiring(redisson, SOON).offer_many([(f"v{n}", 0) for n in range(5_000)], receipts=False)
    await move(redisson)
    await sleep_async(2 * SOON)
    scripts, last = list[int](), 0.0
    for _ in range(60):
        scripts.append(0)
        while last <= server_ms(raw):
            last = await reap(redisson) or 0.0
            scripts[-1] += 1
        raw.eval(LATER, 1, NAMES.expiring)
        last -= 1000
    assert sum(scripts[30:]) < 10 * 30
    assert raw.zcard(NAMES.expiring) == raw.zcard(NAMES.expiries) == 5_000
    checked_by = raw.zrange(NAMES.expiring, -1, -1, withscores=True)[0][1]
    assert checked_by < server_ms(raw) + 100_000
    raw.ltrim("q", 1_001, -1)
    for _ in range(100):
        raw.eval(LATER, 1, NAMES.expiring)
        while await reap(redisson) is not None and raw.zcount(NAMES.expiring, 0, server_ms(raw)):
            pass
    assert raw.llen("q") == 0
    assert raw.zcard(NAMES.dead) == 5_000


async def test_cleanup_also_checks_the_head_of_the_queue(redisson: AsyncRedisson, raw: Any) -> None:
    """Java must not get the expired items at the head, although their next check is later."""
    delayed = expiring(redisson, SOON)
    raw.rpush("q", *range(1_001), "java")
    await delayed.offer_many([(f"near {n}", 0) for n in range(30)])
    await move(redisson)
    raw.rpush("q", *range(1_001))
    far = await delayed.offer("far", 0)
    await move(redisson)
    await sleep_async(2 * SOON)
    assert await reap(redisson) is not None
    raw.ltrim("q", 1_001, -1)
    raw.zadd(NAMES.expiring, dict.fromkeys(raw.zrange(NAMES.expiring, 0, -1), 4e12))
    raw.zadd(NAMES.expiring, {far.entry: 1})
    assert await reap(redisson) is not None
    assert raw.zcard(NAMES.dead) == 30
    assert raw.lrange("q", 0, 1) == [b"java", b"0"]
    assert raw.zcard(NAMES.expiring) == raw.zcard(NAMES.expiries) == 1


async def test_each_expired_item_is_dead_lettered_once(redisson: AsyncRedisson, raw: Any) -> None:
    """An item at the head and one far behind are checked together. Equal values are not removed."""
    delayed = expiring(redisson, SOON)
    await delayed.offer_many([("same", 0), ("same", 0)])
    await move(redisson)
    assert raw.lpop("q") == b"same"  # Java takes one, and its record stays
    raw.rpush("q", *range(1_001), "same", "near")
    await delayed.offer("far", 0)
    await move(redisson)
    await sleep_async(2 * SOON)
    later, *_ = raw.zrangebyscore(NAMES.expiring, 0, "inf", 0, 1)
    raw.zadd(NAMES.expiring, {later: 4e12})
    found = await redisson._context.link.request(reap_of(NAMES))
    assert len(found.expired) == raw.zcard(NAMES.dead) == 1
    assert texts(raw)[-3:] == ["same", "near", "far"]
    assert len(texts(raw)) == 1_004
