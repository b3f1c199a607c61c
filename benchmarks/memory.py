"""The cost of a client with 2,000 delayed queues, and the time until a first delivery.

The server counts the connections. Memory is the growth of the process (its resident set). Processor
time is measured while nothing is due. The start runs from the beginning of the process, with
Python's or the JVM's own start, until a due item is taken. The package is compiled before, as pip
does when it installs it, and as Java's classes are.
"""

from __future__ import annotations

import compileall
import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import redis

import pyredisson
from benchmarks.measure import Bench
from pyredisson import Redisson
from pyredisson.codecs import StringCodec

NAME = "memory"
QUEUE = "bench-start"
QUEUES = 2_000

_START = f"""
import sys
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
with Redisson.from_url(sys.argv[1], codec=StringCodec()) as redisson:
    queue = redisson.get_blocking_queue({QUEUE!r})
    delayed = redisson.get_delayed_queue(queue)
    delayed.offer("item", 0)
    queue.take()
    print(flush=True)
"""


def run(bench: Bench) -> None:
    """Measure the queues at rest, then the start."""
    at_rest = bench.child(_many, bench.server.url, bench.server.port)
    figures = at_rest(5.0 if bench.quick else 30.0)
    for figure, unit in (("connections", ""), ("memory", "MB"), ("idle CPU", "%")):
        case = f"{QUEUES:,} delayed queues in one client: {figure}"
        bench.record(NAME, case, {"threads": figures[figure]}, unit=unit)
    compileall.compile_dir(str(Path(pyredisson.__file__).parent), quiet=2)
    starts: dict[str, Callable[[], float]] = {"pyredisson": lambda: _start(bench)}
    if bench.peer is not None:
        starts["Java"] = lambda: _start_java(bench)
    found = bench.interleave(starts, what="process start")
    bench.record(NAME, "process start: first delivery", found, unit="s", reference="Java")


def _start(bench: Bench) -> float:
    begin = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", _START, bench.server.url], stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        return time.perf_counter() - begin


def _start_java(bench: Bench) -> float:
    """Do the same in a JVM of its own, with the default options."""
    from interop.peer import JavaPeer  # noqa: PLC0415 - only with Java

    begin = time.perf_counter()
    with (
        JavaPeer(bench.peer.release, quick=False) as peer,
        peer.client(bench.server.url) as java,
    ):
        queue = java.blocking_queue(QUEUE, codec="String")
        java.delayed_queue(QUEUE, codec="String").call("offer", "item", 0, "MILLISECONDS")
        queue.call("take")
        return time.perf_counter() - begin


@contextlib.contextmanager
def _many(url: str, port: int) -> Iterator[Callable[[float], dict[str, float]]]:
    with (
        redis.Redis(port=port) as client,
        Redisson.from_url(url, codec=StringCodec(), client_name=NAME) as redisson,
    ):
        redisson.get_queue("warm").size()
        before = _resident()
        handles = [
            redisson.get_delayed_queue(redisson.get_queue(f"bench-{number}"))
            for number in range(QUEUES)
        ]
        while not all(each.subscribed and each.runs for each in redisson.transfer_stats()):
            time.sleep(0.1)

        def at_rest(seconds: float) -> dict[str, float]:
            time.sleep(6)  # one round of safety polls after the start
            spent = time.process_time()
            time.sleep(seconds)
            return {
                "idle CPU": (time.process_time() - spent) / seconds * 100,
                "memory": _resident() - before,
                "connections": _connected(client),
            }

        yield at_rest
        del handles


def _connected(client: redis.Redis) -> float:
    """Return how many connections have this part's name."""
    clients: Any = client.client_list()
    return float(sum(each["name"] == NAME for each in clients))


def _resident() -> float:
    """Return this process's resident set in MB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6
