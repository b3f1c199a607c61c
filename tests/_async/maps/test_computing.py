"""Values that functions compute, under the lock of their key."""

from functools import partial

import pytest
import redis

from pyredisson import AsyncMap, AsyncRedisson, LockError
from pyredisson.codecs import CompositeCodec, LongCodec, StringCodec
from tests.support.locks import unfinished
from tests.support.twins import AsyncStarted, sleep_async, until_async

Counts = AsyncMap[str, int]


@pytest.fixture
def counts(redisson: AsyncRedisson) -> Counts:
    return redisson.get_map("counts", CompositeCodec(StringCodec(), LongCodec(), StringCodec()))


async def test_compute_depends_on_current_value(counts: Counts, raw: redis.Redis) -> None:
    assert await counts.compute_if_present("a", lambda key, old: old + 1) is None
    assert await counts.compute_if_absent("a", len) == 1
    assert await counts.compute_if_absent("a", lambda key: 9) == 1
    assert await counts.compute_if_present("a", lambda key, old: old + 1) == 2
    assert await counts.compute("a", lambda key, old: (old or 0) * 10) == 20
    assert await counts.compute("b", lambda key, old: 5 if old is None else 6) == 5
    assert await counts.merge("b", 7, max) == 7
    assert await counts.merge("c", 7, max) == 7
    assert await counts.compute("c", lambda key, old: None) is None
    assert await counts.compute("c", lambda key, old: None) is None
    assert await counts.merge("b", 1, lambda old, new: None) is None
    assert raw.hgetall("counts") == {b"a": b"20"}
    assert raw.keys() == [b"counts"], "no lock is left"


async def test_function_that_raises_leaves_no_keys(counts: Counts, raw: redis.Redis) -> None:
    def fail(key: str) -> int:
        raise KeyError(key)

    with pytest.raises(KeyError, match="'a'"):
        await counts.compute_if_absent("a", fail)
    with pytest.raises(TypeError, match="must not be None"):
        await counts.merge("a", None, max)  # type: ignore[arg-type]  # on purpose
    assert raw.keys() == []


async def test_functions_of_same_key_run_one_at_a_time(counts: Counts, url: str) -> None:
    """Two clients exclude each other. Each key has its own lock."""
    async with AsyncRedisson.from_url(url) as client:
        other: Counts = client.get_map("counts", counts.codec)
        async with counts.get_lock("a"):
            waiting = AsyncStarted(lambda: other.merge("a", 1, max))
            assert await other.merge("b", 1, max) == 1
            await sleep_async(0.2)
            assert not waiting.done
        assert await waiting.result() == 1

        async def count(by: Counts) -> None:
            for _ in range(20):
                await by.merge("n", 1, lambda old, new: old + new)

        started = [AsyncStarted(partial(count, by)) for by in (counts, other)]
        for each in started:
            await each.result()
        assert await counts.get("n") == 40
        await until_async(lambda: not unfinished(client), "nothing is left")


async def test_holder_of_key_lock_cannot_acquire_it_again(
    redisson: AsyncRedisson, counts: Counts
) -> None:
    lock = counts.get_lock("a")
    async with lock:
        with pytest.raises(LockError):
            await lock.acquire()
