"""RBlockingQueue: waits. Each timeout ends; in Redisson some short ones wait forever."""

import math
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncBlockingDeque,
    AsyncBlockingQueue,
    AsyncRedisson,
    BatchDecodeError,
    End,
)
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.state import shape
from tests.support.twins import PATIENCE, run_together_async, sleep_async, start_async, until_async

ABC = ["A", "B", "C"]
STRINGS = StringCodec()

Call = Callable[[AsyncBlockingDeque[str]], Any]


async def drained(queue: AsyncBlockingQueue[str], limit: int | None) -> tuple[int, list[str]]:
    target: list[str] = []
    return await queue.drain_to(target, limit), target


async def capacity(queue: AsyncBlockingQueue[str]) -> int:
    return queue.remaining_capacity()


AVAILABLE: dict[str, tuple[Call, Any, dict[str, list[str]]]] = {
    "put": (lambda q: q.put("x"), None, {"q": [*ABC, "x"]}),
    "take": (lambda q: q.take(), "A", {"q": ["B", "C"]}),
    "poll_2s": (lambda q: q.poll(timeout=2), "A", {"q": ["B", "C"]}),
    "poll_300ms": (lambda q: q.poll(timeout=0.3), "A", {"q": ["B", "C"]}),
    "poll_0": (lambda q: q.poll(timeout=0), "A", {"q": ["B", "C"]}),
    "poll_timedelta": (lambda q: q.poll(timeout=timedelta(seconds=1)), "A", {"q": ["B", "C"]}),
    "poll_for_ever": (lambda q: q.poll(timeout=math.inf), "A", {"q": ["B", "C"]}),
    "poll": (lambda q: q.poll(), "A", {"q": ["B", "C"]}),
    "poll2": (lambda q: q.poll(2), ["A", "B"], {"q": ["C"]}),
    "remainingCapacity": (capacity, 2147483647, {"q": ABC}),
    "takeLastAndOfferFirstTo": (
        lambda q: q.take_last_and_offer_first_to("other"),
        "C",
        {"q": ["A", "B"], "other": ["C"]},
    ),
    "pollLastAndOfferFirstTo_t": (
        lambda q: q.poll_last_and_offer_first_to("other", 2),
        "C",
        {"q": ["A", "B"], "other": ["C"]},
    ),
    "pollLastAndOfferFirstTo": (
        lambda q: q.poll_last_and_offer_first_to("other"),
        "C",
        {"q": ["A", "B"], "other": ["C"]},
    ),
    "takeFirst": (lambda q: q.take_first(), "A", {"q": ["B", "C"]}),
    "takeLast": (lambda q: q.take_last(), "C", {"q": ["A", "B"]}),
    "pollFirst_2s": (lambda q: q.poll_first(timeout=2), "A", {"q": ["B", "C"]}),
    "pollLast_2s": (lambda q: q.poll_last(timeout=2), "C", {"q": ["A", "B"]}),
    "pollLast": (lambda q: q.poll_last(), "C", {"q": ["A", "B"]}),
    "pollLast2": (lambda q: q.poll_last(2), ["C", "B"], {"q": ["A"]}),
    "putFirst": (lambda q: q.put_first("x"), None, {"q": ["x", *ABC]}),
    "putLast": (lambda q: q.put_last("x"), None, {"q": [*ABC, "x"]}),
    "move": (
        lambda q: q.move("other", End.FIRST, End.LAST, timeout=2),
        "A",
        {"q": ["B", "C"], "other": ["A"]},
    ),
    "move_now": (
        lambda q: q.move("other", End.LAST, End.LAST),
        "C",
        {"q": ["A", "B"], "other": ["C"]},
    ),
    "drainTo": (lambda q: drained(q, None), (3, ABC), {}),
    "drainTo_2": (lambda q: drained(q, 2), (2, ["A", "B"]), {"q": ["C"]}),
    "drainTo_9": (lambda q: drained(q, 9), (3, ABC), {}),
    "drainTo_0": (lambda q: drained(q, 0), (0, []), {"q": ABC}),
    "drainTo_minus1": (lambda q: drained(q, -1), (0, []), {"q": ABC}),
}


@pytest.mark.parametrize(("call", "result", "after"), AVAILABLE.values(), ids=AVAILABLE)
async def test_available_values_are_taken_at_once(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    call: Call,
    result: Any,
    after: dict[str, list[str]],
) -> None:
    raw.rpush("q", *ABC)
    assert await call(redisson.get_blocking_deque("q")) == result
    assert shape(raw) == after


async def test_an_empty_queue_drains_to_nothing(redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    assert await drained(queue, None) == (0, [])
    assert await drained(queue, 5) == (0, [])


async def test_drain_to_an_invalid_target_takes_nothing(redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    await queue.add("x")
    target: Any = ()
    with pytest.raises(TypeError, match=r"target must be a list, or have extend\(\), not"):
        await queue.drain_to(target)
    assert await queue.size() == 1


WAITING: dict[str, Call] = {
    "take": lambda q: q.take(),
    "takeLast": lambda q: q.take_last(),
    "poll": lambda q: q.poll(timeout=PATIENCE),
    "pollLast": lambda q: q.poll_last(timeout=timedelta(seconds=PATIENCE)),
    "takeLastAndOfferFirstTo": lambda q: q.take_last_and_offer_first_to("other"),
    "pollLastAndOfferFirstTo": lambda q: q.poll_last_and_offer_first_to("other", PATIENCE),
    "move": lambda q: q.move("other", End.FIRST, End.LAST, timeout=PATIENCE),
}


@pytest.mark.parametrize("call", WAITING.values(), ids=WAITING)
async def test_waiting_call_gets_a_new_value(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call
) -> None:
    queue = redisson.get_blocking_deque("q", codec=STRINGS)
    waiting = start_async(lambda: call(queue))
    await until_async(lambda: blocked(raw) == 1, "the command waits on the server")
    raw.rpush("q", "x")
    assert await waiting.result() == "x"
    assert raw.llen("q") == 0


def blocked(raw: redis.Redis) -> int:
    """Return the number of clients that wait on the server."""
    return int(raw.info("clients")["blocked_clients"])


async def test_wait_lasts_longer_than_one_blocking_command(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    waiting = start_async(queue.take)
    await sleep_async(2.5)
    assert not waiting.done
    raw.rpush("q", "x")
    assert await waiting.result() == "x"


NOTHING: dict[str, Call] = {
    "poll_0": lambda q: q.poll(timeout=0),
    "poll_minus1": lambda q: q.poll(timeout=-1),
    "poll_minus300ms": lambda q: q.poll(timeout=timedelta(milliseconds=-300)),
    "poll_tiny": lambda q: q.poll(timeout=1e-9),
    "poll_timedelta0": lambda q: q.poll(timeout=timedelta(0)),
    "pollLast_0": lambda q: q.poll_last(timeout=0),
    "pollFirst_0": lambda q: q.poll_first(timeout=0),
    "pollLastAndOfferFirstTo_0": lambda q: q.poll_last_and_offer_first_to("other", 0),
    "pollLastAndOfferFirstTo_neg": lambda q: q.poll_last_and_offer_first_to("other", -1),
    "move_0": lambda q: q.move("other", End.FIRST, End.LAST, timeout=0),
    "pollFromAny_0": lambda q: q.poll_from_any(0, "q2"),
    "pollFromAny_neg": lambda q: q.poll_from_any(-1, "q2"),
    "pollFromAnyWithName_0": lambda q: q.poll_from_any_with_name(0, "q2"),
    "poll_half": lambda q: q.poll(timeout=0.05),
    "pollFromAny_half": lambda q: q.poll_from_any(timedelta(milliseconds=50), "q2"),
    "move_half": lambda q: q.move("other", End.FIRST, End.LAST, timeout=0.05),
}


@pytest.mark.parametrize("call", NOTHING.values(), ids=NOTHING)
async def test_a_short_timeout_ends(redisson: AsyncRedisson, call: Call) -> None:
    """In Redisson 0 waits forever, and so do Durations below a second in some operations."""
    queue = redisson.get_blocking_deque("q", codec=STRINGS)
    assert await start_async(lambda: call(queue)).result() is None


async def test_a_timeout_counts_parts_of_a_second(redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    spent = []
    for timeout in (0.2, 0.6):
        started = monotonic()
        assert await queue.poll(timeout=timeout) is None
        spent.append(monotonic() - started)
    assert spent[0] >= 0.2
    assert spent[1] >= 0.6


async def test_no_command_waits_longer_than_the_user(
    redisson: AsyncRedisson, server: RedisServer
) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    with Monitor(server) as monitor:
        for timeout in (0, 0.25, 3.5):
            assert await queue.poll(timeout=timeout) is None
    pops = [command.arguments for command in monitor.commands if command.name == "BLPOP"]
    waits = [float(arguments[-1]) for arguments in pops]
    assert all(0 < wait <= 2 for wait in waits)
    assert waits[0] < 0.01
    assert 0 < waits[1] <= 0.25
    assert len(waits) > 3
    assert 2 < sum(waits[2:]) <= 3.6


@pytest.mark.parametrize("timeout", [True, "5", b"5", [5]], ids=repr)
async def test_a_timeout_of_another_type_is_refused(redisson: AsyncRedisson, timeout: Any) -> None:
    with pytest.raises(TypeError, match="timeout must be seconds or a timedelta"):
        await redisson.get_blocking_queue("q").poll(timeout=timeout)


async def test_nan_is_no_timeout(redisson: AsyncRedisson) -> None:
    with pytest.raises(ValueError, match="NaN"):
        await redisson.get_blocking_queue("q").poll(timeout=math.nan)


async def polled_together(url: str, raw: redis.Redis) -> None:
    """Poll up to a limit: from each end, no value, fewer than the limit, and during a wait."""
    async with AsyncRedisson.from_url(url, codec=STRINGS) as redisson:
        queue = redisson.get_blocking_deque("q")
        assert await queue.poll(0, timeout=PATIENCE) == []
        assert await queue.poll(3, timeout=0) == []
        assert await queue.poll(3, timeout=0.05) == []
        await queue.add_all([*ABC, "D", "E"])
        assert await queue.poll(2, timeout=PATIENCE) == ["A", "B"]
        assert await queue.poll_first(1, timeout=0) == ["C"]
        assert await queue.poll_last(3, timeout=PATIENCE) == ["E", "D"]
        waiting = start_async(lambda: queue.poll(3, timeout=PATIENCE))
        await until_async(lambda: blocked(raw) == 1, "it waits")
        raw.rpush("q", "F", "G")
        assert await waiting.result() == ["F", "G"]
        with pytest.raises(TypeError, match="limit must be a number"):
            await queue.poll(2.5, timeout=1)  # type: ignore[call-overload]  # refused


async def test_poll_waits_only_with_an_explicit_timeout(url: str) -> None:
    """`poll(5)` takes up to 5 values, as in Redisson. `timeout=None` is rejected."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        queue: Any = redisson.get_blocking_deque("q")
        assert await queue.poll(5) == []
        for poll in (queue.poll, queue.poll_first, queue.poll_last):
            with pytest.raises(TypeError, match=r"poll\(timeout=5\) .* take\(\) waits"):
                await poll(timeout=None)
            with pytest.raises(TypeError, match="use timeout= to wait"):
                await poll(0.5)


async def test_poll_with_a_limit_returns_as_soon_as_a_value_exists(
    url: str, raw: redis.Redis
) -> None:
    await polled_together(url, raw)


async def test_poll_with_a_limit_on_a_server_without_blmpop() -> None:
    """Redis 6.2 does not have BLMPOP."""
    with RedisServer("--rename-command", "BLMPOP", "") as server, server.client() as raw:
        await polled_together(server.url, raw)


async def test_poll_with_a_limit_keeps_undecodable_values(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.rpush("q", b"1", b"two", b"3", b"four")
    queue = redisson.get_blocking_queue("q", codec=LongCodec())
    assert await queue.poll(3, timeout=PATIENCE) == [1, 3]
    with pytest.raises(BatchDecodeError):
        await queue.poll(3, timeout=PATIENCE)
    assert raw.lrange("pyredisson_poison:{q}", 0, -1) == [b"two", b"four"]


async def test_many_waiters_get_each_value_once(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    queue = redisson.get_blocking_queue("q", codec=LongCodec())

    async def consume() -> list[int]:
        taken = []
        while (number := await queue.poll(timeout=PATIENCE)) is not None and number >= 0:
            taken.append(number)
        return taken

    async def produce() -> list[int]:
        for number in range(500):
            await queue.put(number)
        for _ in range(4):
            await queue.put(-1)
        return []

    taken = await run_together_async(produce, consume, consume, consume, consume)
    assert sorted(number for one in taken for number in one) == list(range(500))
    for one in taken:
        assert one == sorted(one)
    assert raw.llen("q") == 0


async def test_waiting_calls_hold_one_connection_each_and_release_it(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    before = len(raw.client_list())
    for _ in range(3):
        waiting = [start_async(queue.take) for _ in range(5)]
        await until_async(lambda: blocked(raw) == 5, "five wait")
        raw.rpush("q", *"abcde")
        assert sorted([await one.result() for one in waiting]) == list("abcde")
    assert len(raw.client_list()) - before <= 6
