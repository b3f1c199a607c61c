"""How late items come: the time from an item's due time until a consumer has its value.

Producer, transfer task and consumer are a process each, so that none of them slows another one
down. "busy" is the opposite: a consumer whose process computes in a second thread. Items are
offered before the run and fall due at random moments in it, with two seconds between the last offer
and the first item. All clocks are this machine's, and due times are whole milliseconds. Java is one
JVM that transfers and takes; it reads its clock in whole milliseconds, rounded down.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import redis

from benchmarks.measure import Bench
from pyredisson import AsyncRedisson, Redisson
from pyredisson.codecs import StringCodec

NAME = "lateness"
QUEUE = "bench-late"
AHEAD = 2.0
"""Seconds between the last offer and the first due item."""

Taken = dict[str, float]
"""When a consumer had each value, in epoch milliseconds."""


def run(bench: Bench) -> None:
    """Measure each rate, then a process that has other work."""
    seconds = 2 if bench.quick else 6
    bench.rounds = min(bench.rounds, 1 if bench.quick else 2)  # each is long, and has many items
    if bench.java is not None:
        _java(bench, 1000, 3)  # until its code is compiled
    for per_second in (10, 100, 1000)[bench.quick :]:
        kinds: dict[str, Callable[[], dict[str, Any]]] = {
            "threads": _kind(bench, _transfers, _takes, per_second, seconds),
            "asyncio": _kind(bench, _transfers_async, _takes_async, per_second, seconds),
        }
        if bench.java is not None:
            kinds["Java"] = lambda n=per_second: _java(bench, n, seconds)  # type: ignore[misc]  # mypy does not see the default
        _record(bench, f"{per_second:,} items a second", kinds)
    _record(
        replace(bench, rounds=1),
        "100 items a second, a CPU-bound thread beside the consumer",
        {
            "transfer in that process": _kind(bench, None, _takes_busy, 100, seconds),
            "transfer_process": _kind(bench, None, _takes_busy_apart, 100, seconds),
            "transfer_process, poll(100)": _kind(bench, None, _polls_busy_apart, 100, seconds),
            "transfer_process, switches each ms": _kind(
                bench, None, _takes_busy_switching, 100, seconds
            ),
        },
    )


def _record(bench: Bench, case: str, kinds: dict[str, Callable[[], dict[str, Any]]]) -> None:
    found = bench.interleave(kinds, what=f"lateness, {case}")
    for figure, unit in (("p50", "ms"), ("p99", "ms"), ("max", "ms"), ("least", "ms")):
        figures = {kind: [each[figure] for each in rounds] for kind, rounds in found.items()}
        reference = "Java" if "Java" in found and figure in ("p50", "p99") else None
        bench.record(NAME, f"{case}: {figure}", figures, unit=unit, reference=reference)
    for figure, unit in (("scripts", ""), ("server us", "us")):
        figures = {kind: [each[figure] for each in rounds] for kind, rounds in found.items()}
        bench.record(NAME, f"{case}: {figure} an item", figures, unit=unit)
    for kind, rounds in found.items():
        bench.samples(NAME, case, kind, [late for each in rounds for late in each["late"]])


# -------------------------------------------------------------------- one run


def _kind(
    bench: Bench, transfers: Any, takes: Any, per_second: int, seconds: int
) -> Callable[[], dict[str, Any]]:
    """Return a run with these processes, which exist for that run only."""

    def measure() -> dict[str, Any]:
        with contextlib.ExitStack() as stack:
            once = Bench(bench.server, stack=stack)
            take = once.child(takes, bench.server.url)
            if transfers is not None:
                once.child(transfers, bench.server.url)
            offer = once.child(_offers, bench.server.url)
            return _measured(bench, offer, take, per_second * seconds, seconds)

    return measure


def _measured(
    bench: Bench,
    offer: Callable[..., Any],
    take: Callable[[int], Taken],
    count: int,
    seconds: int,
) -> dict[str, Any]:
    with redis.Redis(port=bench.server.port) as client:
        client.flushdb()
        due: Taken = offer(count, seconds)
        client.config_resetstat()
        taken = take(count)
        calls: Any = client.info("commandstats")
    late = sorted(taken[value] - due[value] for value in due)
    scripts = [v for k, v in calls.items() if k in ("cmdstat_evalsha", "cmdstat_eval")]
    return {
        "late": late,
        "p50": late[len(late) // 2],
        "p99": late[min(int(len(late) * 0.99), len(late) - 1)],
        "max": late[-1],
        "least": late[0],
        "scripts": sum(each["calls"] for each in scripts) / count,
        "server us": sum(each["usec"] for each in scripts) / count,
    }


def _java(bench: Bench, per_second: int, seconds: int) -> dict[str, Any]:
    """Let one JVM transfer and take, while Python offers."""
    delayed = bench.java.delayed_queue(QUEUE, codec="String").open()
    queue = bench.java.blocking_queue(QUEUE, codec="String")

    def take(count: int) -> Taken:
        drained = queue.drain(seconds + AHEAD + 10, count)
        return dict(zip(drained.values, map(float, drained.at), strict=True))

    try:
        with contextlib.ExitStack() as stack:
            offer = Bench(bench.server, stack=stack).child(_offers, bench.server.url)
            return _measured(bench, offer, take, per_second * seconds, seconds)
    finally:
        delayed.destroy()


# -------------------------------------------------------------------- the processes


@contextlib.contextmanager
def _offers(url: str) -> Iterator[Callable[[int, float], Taken]]:
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue(QUEUE), transfer=False)

        def offer(count: int, seconds: float) -> Taken:
            generator = random.Random(count)
            first = time.monotonic() + AHEAD + count / 5000
            moments = sorted(generator.random() * seconds for _ in range(count))
            return {
                str(number): float(
                    delayed.offer(str(number), delay=first + moment - time.monotonic()).due_ms
                )
                for number, moment in enumerate(moments)
            }

        yield offer


@contextlib.contextmanager
def _transfers(url: str, *, apart: bool = False) -> Iterator[Callable[[], None]]:
    with Redisson.from_url(url, codec=StringCodec(), transfer_process=apart) as redisson:
        redisson.get_delayed_queue(redisson.get_queue(QUEUE))
        while not any(each.runs for each in redisson.transfer_stats()):
            time.sleep(0.01)
        yield lambda: None


@contextlib.contextmanager
def _takes(url: str) -> Iterator[Callable[[int], Taken]]:
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue(QUEUE)
        queue.poll(timeout=0)

        def take(count: int) -> Taken:
            return {queue.take(): time.time() * 1000 for _ in range(count)}

        yield take


@contextlib.contextmanager
def _takes_busy(url: str, *, apart: bool = False) -> Iterator[Callable[[int], Taken]]:
    with _transfers(url, apart=apart), _takes(url) as take, _computing():
        yield take


@contextlib.contextmanager
def _takes_busy_apart(url: str) -> Iterator[Callable[[int], Taken]]:
    with _takes_busy(url, apart=True) as take:
        yield take


@contextlib.contextmanager
def _takes_busy_switching(url: str) -> Iterator[Callable[[int], Taken]]:
    sys.setswitchinterval(0.001)
    with _takes_busy(url, apart=True) as take:
        yield take


@contextlib.contextmanager
def _polls_busy_apart(url: str) -> Iterator[Callable[[int], Taken]]:
    with (
        _transfers(url, apart=True),
        Redisson.from_url(url, codec=StringCodec()) as redisson,
        _computing(),
    ):
        queue = redisson.get_blocking_queue(QUEUE)
        queue.poll(100, timeout=0)

        def take(count: int) -> Taken:
            taken: Taken = {}
            while len(taken) < count:
                values = queue.poll(100, timeout=5)
                now = time.time() * 1000
                taken |= dict.fromkeys(values, now)
            return taken

        yield take


@contextlib.contextmanager
def _computing() -> Iterator[None]:
    """Keep a thread computing, without a wait."""
    over = threading.Event()

    def compute() -> None:
        while not over.is_set():
            sum(range(1000))

    thread = threading.Thread(target=compute)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextlib.contextmanager
def _transfers_async(url: str) -> Iterator[Callable[[], None]]:
    """Transfer in an event loop that a thread of this process runs."""

    async def transfer() -> None:
        async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
            delayed = redisson.get_delayed_queue(redisson.get_queue(QUEUE))
            await delayed.size()
            ready.set()
            await asyncio.Event().wait()

    ready = threading.Event()
    threading.Thread(target=lambda: asyncio.run(transfer()), daemon=True).start()
    ready.wait(20)
    yield lambda: None


@contextlib.contextmanager
def _takes_async(url: str) -> Iterator[Callable[[int], Taken]]:
    async def take(count: int) -> Taken:
        async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
            queue = redisson.get_blocking_queue(QUEUE)
            return {await queue.take(): time.time() * 1000 for _ in range(count)}

    yield lambda count: asyncio.run(take(count))
