"""Offers with a dedup key: rejected arguments, the rights that they need, and a bounded queue."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncDelayedQueue,
    AsyncRedisson,
    FindingKind,
    KeyTypeError,
    QueueFullError,
)
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.dedup import IfExists
from pyredisson.protocol.kernel.names import QueueNames
from tests.support import rights
from tests.support.state import shape, unpack
from tests.support.twins import sleep_async, start_async, until_async

STRINGS = StringCodec()
NAMES = QueueNames.of("q")
LIST, KEYS = NAMES.delay_list, NAMES.dedup
HOUR = timedelta(hours=1)
FAR = 4_000_000_000
OFFERING = (
    *("+eval", "+evalsha", "+zadd", "+rpush", "+zrem", "+zrange", "+publish", "+time", "+llen"),
    *("+lrem", "+hget", "+hset", "+hdel", "+hlen", "+hrandfield", "+del", "+zscore", "+zcard"),
)


def delayed_queue(redisson: AsyncRedisson, **options: Any) -> AsyncDelayedQueue[str]:
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False, **options)


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(FAR + seconds, UTC)


def listed(raw: Any) -> list[str]:
    """The pending values in the order of their offers."""
    return [unpack(entry).decode() for entry in raw.lrange(LIST, 0, -1)]


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "rule_alone": ({"if_exists": "ignore"}, TypeError, "if_exists='ignore' needs a key: dedup="),
    "rule": ({"dedup": "k", "if_exists": "later"}, ValueError, "must be one of .*, not 'later'"),
    "rule_type": ({"dedup": "k", "if_exists": ["ignore"]}, ValueError, "must be one of"),
    "number": ({"dedup": 5}, TypeError, "dedup must be str, not 5"),
    "bytes": ({"dedup": b"k"}, TypeError, "dedup must be str, not b'k'"),
    "empty": ({"dedup": ""}, ValueError, "dedup is empty"),
    "surrogate": ({"dedup": "\ud800"}, ValueError, "surrogates not allowed"),
    "delay": ({"dedup": "k", "delay": -1}, ValueError, "negative"),
    "both": ({"dedup": "k", "delay": 5, "at": at(5)}, TypeError, "either delay= or at="),
    "neither": ({"dedup": "k", "delay": None}, TypeError, "either delay= or at="),
}


@pytest.mark.parametrize(("options", "kind", "match"), BAD.values(), ids=BAD)
async def test_bad_input_sends_nothing(
    redisson: AsyncRedisson, raw: redis.Redis, options: Any, kind: type[Exception], match: str
) -> None:
    delayed = delayed_queue(redisson)
    words = {"delay": 5, **options}
    with pytest.raises(kind, match=match):
        await delayed.offer("v", **words)
    assert shape(raw) == {}


async def test_wrong_type_of_the_dedup_hash_is_reported(
    redisson: AsyncRedisson, raw: redis.Redis, url: str
) -> None:
    raw.set(KEYS, "something else")
    delayed = delayed_queue(redisson)
    with pytest.raises(KeyTypeError, match=r"'pyredisson_dedup:{q}' should hold a hash"):
        await delayed.offer("v", HOUR, dedup="k")
    assert not raw.exists(LIST)
    (found,) = await delayed.check()
    assert (found.kind, found.key) == (FindingKind.WRONG_TYPE, KEYS)
    async with AsyncRedisson.from_url(url, codec=STRINGS, safety_interval=0.1) as other:
        target = other.get_blocking_queue("q")
        for value in "ab":  # transfers continue, and so do redeliveries
            await other.get_delayed_queue(target).offer(value, 0)
            assert await target.poll(timeout=5) == value
        raw.rpush("pyredisson_arriving:{q}", "left")
        assert await target.poll(timeout=5) == "left"
    raw.delete(KEYS)
    await delayed.offer("v", HOUR, dedup="k")
    raw.expire(KEYS, 1000)
    (found,) = await delayed.repair(dry_run=False)
    assert (found.kind, found.key) == (FindingKind.TIME_TO_LIVE, KEYS)
    assert await delayed.check() == []


async def test_offer_with_a_key_needs_additional_rights(
    root: Any, login: Callable[..., AsyncRedisson]
) -> None:
    """A transfer needs no additional rights.

    A client that has more rights removes the unused keys.
    """
    redisson = login(*rights.KEYS, f"~{KEYS}", f"&{NAMES.channel}", *OFFERING)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    await delayed.offer("a", delay=3600, dedup="k")
    rules: tuple[IfExists, ...] = ("ignore", "extend", "earliest", "replace")
    for rule in rules:
        await delayed.offer("b", delay=1800, dedup="k", if_exists=rule)
    await delayed.offer("now", delay=0, dedup="k", if_exists="replace")
    few = login(
        *rights.KEYS, rights.POISON, f"&{NAMES.channel}", *rights.TRANSFER, safety_interval=0.05
    )
    few.get_delayed_queue(few.get_queue("q", codec=STRINGS))
    await until_async(lambda: root.lrange("q", 0, -1) == [b"now"], "it is moved")
    assert root.hlen(KEYS) == 1
    forgetting = ("+exists", "+zcard", "+hlen", "+hrandfield", "+zscore", "+hdel", "+del", "+llen")
    other = login(
        *rights.KEYS, "~pyredisson_*:{q}", f"&{NAMES.channel}", *rights.TRANSFER, *forgetting
    )
    other.get_delayed_queue(other.get_queue("q", codec=STRINGS))
    await until_async(lambda: not root.exists(KEYS), "the key is forgotten")


async def test_offer_with_a_key_in_a_bounded_queue(redisson: AsyncRedisson, raw: Any) -> None:
    """An offer whose key is pending needs no room. Any other is rejected, or waits for room."""
    delayed = delayed_queue(redisson, max_size=2)
    raw.rpush("q", "ready")
    await delayed.offer("a", HOUR, dedup="k")
    with pytest.raises(QueueFullError) as caught:
        await delayed.offer("b", HOUR, dedup="other")
    assert (caught.value.size, caught.value.limit) == (2, 2)
    assert not (await delayed.offer("b", HOUR, dedup="k")).stored
    assert (await delayed.offer("b", HOUR, dedup="k", if_exists="replace")).stored
    patient = delayed_queue(redisson, max_size=2, when_full="wait", full_timeout=10)
    offer = start_async(lambda: patient.offer("c", HOUR, dedup="other"))
    await sleep_async(0.05)
    assert listed(raw) == ["b"]
    raw.delete("q")
    assert (await offer.result()).stored
    assert listed(raw) == ["b", "c"]
    with pytest.raises(QueueFullError):
        await delayed_queue(redisson, max_size=2, when_full="wait", full_timeout=0.1).offer(
            "d", HOUR, dedup="third"
        )
