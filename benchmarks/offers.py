"""Offers: one by one, many at once, and lists, beside redis-benchmark, redis-py and Java.

The rule: each contestant offers the same text of 70 bytes with delays drawn from 1 to 2 hours. It
has a process of its own, and a queue of its own that is empty at the start of its turn. C is
redis-benchmark with pyredisson's offer script, 50 connections and pipelines of 100. c1 is the same
with one connection and no pipeline. Both run before and after each round.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import redis

from benchmarks.measure import PAYLOAD, Bench
from benchmarks.producers import (
    SCRIPT,
    Outcome,
    asynchronous,
    many,
    pipelines,
    pyredisson,
    redis_py,
    words,
)

NAME = "offers"
AT_ONCE = (1, 10, 50, 500)
FEW = {"nettyThreads": 1, "connectionPoolSize": 4, "connectionMinimumIdleSize": 4}
"""Redisson's best setting for offers, together with its script cache."""

FIGURES = {"offers": "/s", "the client's CPU": "us", "the server's CPU": "us"}
"""The figures of a turn, in their order, with their units."""


class Turn(NamedTuple):
    """One contestant's turn: offers a second, and microseconds of CPU per offer."""

    rate: float
    client: float
    server: float

    @classmethod
    def between(cls, first: Turn, second: Turn) -> Turn:
        """Return the mean of two turns."""
        return cls(*map(statistics.fmean, zip(first, second, strict=True)))


def _children() -> float:
    """Return the processor time of the programs that this process has run."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Contest:
    """The contestants by case and name, and how a turn of each is measured."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.seconds = 0.2 if bench.quick else 0.5
        self.client: Any = bench.stack.enter_context(redis.Redis(port=bench.server.port))
        self.client.script_load(SCRIPT.text)
        self.turns: dict[tuple[str, str], Callable[[], Turn]] = {}

    def add(self, case: str, name: str, work: Callable[[float], Outcome], warm: float) -> None:
        """Add a contestant; before it counts, let it offer for `warm` seconds."""
        work(warm)
        self.turns[case, name] = lambda: self._turn(work)

    def _cpu(self) -> float:
        used = self.client.info("cpu")
        return float(used["used_cpu_user"] + used["used_cpu_sys"])

    def _turn(self, work: Callable[[float], Outcome]) -> Turn:
        self.client.flushdb()
        before = self._cpu()
        count, seconds, cpu = work(self.seconds)
        server = self._cpu() - before
        return Turn(count / seconds, cpu / count * 1e6, server / count * 1e6)

    def ceiling(self, connections: int, pipeline: int, rate: int) -> Callable[[], Turn]:
        """Return redis-benchmark's turn; `rate` is about the rate that it will reach."""
        count = int(rate * self.seconds)
        program = shutil.which("redis-benchmark") or "valkey-benchmark"
        command = [program, "-p", self.bench.server.port, "-c", connections, "-P", pipeline]
        command += ["-n", count, "-r", 2**31 - 1, "--csv", "evalsha", *words("bench")]
        command += ["9__rand_int__", "__rand_int__", PAYLOAD, "Bc0Lc0"]  # far in the future

        def turn() -> Turn:
            self.client.flushdb()
            server, client = self._cpu(), _children()
            done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=True)
            reached = float(done.stdout.splitlines()[-1].split('","')[1].strip('"'))
            spent = _children() - client, self._cpu() - server
            return Turn(reached, *(each / count * 1e6 for each in spent))

        return turn


def _python(contest: Contest) -> None:
    bench, url, warm = contest.bench, contest.bench.server.url, 0.3
    plain, with_transfer = bench.child(redis_py, url), bench.child(pyredisson, url, True)
    without = bench.child(pyredisson, url, False)
    for threads, case in ((1, "sync, 1 thread"), (8, "sync, 8 threads")):
        contest.add(case, "redis-py", partial(plain, threads), warm)
        contest.add(case, "pyredisson", partial(with_transfer, threads), warm)
        contest.add(case, "pyredisson, transfer=False", partial(without, threads), warm)
    loops: dict[str, Any] = {"": None}
    try:
        import uvloop  # noqa: PLC0415 - only where it is installed

        loops[", uvloop"] = uvloop.new_event_loop
    except ImportError:
        print("without uvloop: it is not installed")
    for suffix, loop in loops.items():
        for ours, name in ((False, "redis.asyncio"), (True, "pyredisson")):
            work = bench.child(asynchronous, url, ours, loop)
            for number in AT_ONCE:
                case = f"async, {number} at once"
                contest.add(case, f"{name}{suffix}", partial(work, number), warm + number / 500)


def _java(contest: Contest) -> None:
    bench, warm = contest.bench, 0.5 if contest.bench.quick else 2.0
    few = bench.peer.client(bench.server.url, use_script_cache=True, settings=FEW)
    clients = {"Redisson": bench.java, "Redisson, few": bench.stack.enter_context(few)}
    for number, (name, client) in enumerate(clients.items()):
        delayed = client.delayed_queue(f"bench-java-{number}", codec="String")
        bench.stack.callback(delayed.destroy)

        def work(seconds: float, delayed: Any = delayed, **mode: int) -> Outcome:
            done = delayed.measure_offers(PAYLOAD, seconds, **mode)
            return int(done["count"]), done["seconds"], done["cpu"]

        for threads, case in ((1, "sync, 1 thread"), (8, "sync, 8 threads")):
            contest.add(case, name, partial(work, threads=threads), warm)
        for window in AT_ONCE[-2:]:
            contest.add(f"async, {window} at once", name, partial(work, window=window), warm)


def _lists(contest: Contest) -> dict[str, Callable[[float], Outcome]]:
    """Add the bulk contestants; return those of pyredisson."""
    bench, url, case = contest.bench, contest.bench.server.url, "many"
    contest.add(case, "redis-py, pipelines of 1,000", bench.child(pipelines, url), 0.2)
    child = bench.child(many, url)
    ours: dict[str, Callable[[float], Outcome]] = {
        "pyredisson, lists of 1,000": partial(child, False),
        "pyredisson, an iterator": partial(child, True),
    }
    for name, work in ours.items():
        contest.add(case, name, work, 0.2)
    return ours


def _blocks(contest: Contest, works: dict[str, Callable[[float], Outcome]]) -> None:
    """Record how long the server does nothing else: the script's time in SLOWLOG."""
    client = contest.client
    client.config_set("slowlog-max-len", 100_000)
    found: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(contest.bench.rounds):
        for name, work in works.items():
            client.flushdb()
            client.slowlog_reset()
            client.config_set("slowlog-log-slower-than", 0)
            work(contest.seconds)
            client.config_set("slowlog-log-slower-than", 10_000)  # its default
            calls = client.slowlog_get(100_000)
            spent = [each["duration"] / 1000 for each in calls if b"EVAL" in each["command"]]
            found[name].append(statistics.quantiles(spent, n=20)[-1])
    contest.bench.record(NAME, "many: 95th percentile of a block", found, unit="ms")


def run(bench: Bench) -> None:
    """Measure offers."""
    contest = Contest(bench)
    ceilings = {"C": contest.ceiling(50, 100, 160_000), "c1": contest.ceiling(1, 1, 12_000)}
    for name, turn in ceilings.items():
        contest.turns["before", name] = turn
    _python(contest)
    if bench.java is not None:
        _java(contest)
    ours = _lists(contest)
    for name, turn in ceilings.items():
        contest.turns["after", name] = turn
    found = bench.interleave(contest.turns, what=NAME)
    limits = {
        name: [*map(Turn.between, found["before", name], found["after", name])] for name in ceilings
    }
    for case in dict.fromkeys(case for case, _ in contest.turns):
        if case not in ("before", "after"):
            turns = {name: values for (kind, name), values in found.items() if kind == case}
            limit, plain = "c1" if case == "sync, 1 thread" else "C", next(iter(turns))
            turns[limit] = limits[limit]
            for place, (figure, unit) in enumerate(FIGURES.items()):
                figures = {name: [turn[place] for turn in turns[name]] for name in turns}
                references = (plain,) if place else (limit, plain)
                bench.record(NAME, f"{case}: {figure}", figures, unit=unit, reference=references)
    _blocks(contest, ours)
