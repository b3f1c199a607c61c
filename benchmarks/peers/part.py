"""The part: each peer in each of its settings, one after the other, on the suite's server.

A peer's producer runs throughout. For each setting the workers are started twice, on an empty
server: for tasks that fall due while they run, and for tasks that are due when they start.
"""

from __future__ import annotations

import math
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from benchmarks.measure import Bench
from benchmarks.peers import NAME, environments
from benchmarks.peers.client import Order
from benchmarks.peers.contestants import PEERS, Peer, Setting
from benchmarks.peers.processes import FailedError, Producer, Stage

PROBE = Order(count=1, after=0.1, first=-1)
"""Due before the worker starts: its arrival shows that the worker is ready."""


@dataclass(frozen=True)
class Sizes:
    """The sizes of a measurement."""

    tasks: int
    span: float
    """Seconds within which the tasks are due, at random."""
    offers: int
    due: int
    """Tasks that wait for the worker, or as many as are offered in 1.5 s."""
    drain: float
    """Seconds that the worker has for these tasks."""


LONG = Sizes(tasks=500, span=5, offers=2000, due=3000, drain=3)
QUICK = Sizes(tasks=200, span=2, offers=500, due=1000, drain=2)


@dataclass
class Figures:
    """The figures of one setting of a peer."""

    late: list[float]
    """Milliseconds after the task was due, in order; if a task came twice, of the first time."""
    missing: int
    twice: int
    server: float
    """Redis's CPU time for each task, from the first offer to the last run, in us."""
    drain: float
    """Tasks a second."""


class Measurement:
    """One peer, its producer and its workers."""

    def __init__(self, server: redis.Redis, sizes: Sizes, stage: Stage, producer: Producer) -> None:
        self._server = server
        self._sizes = sizes
        self._stage = stage
        self._producer = producer

    def offers(self) -> tuple[float, float]:
        """Offer tasks due in an hour; return how many a second, and the CPU time of each in us."""
        self._server.flushall()
        self._producer.offer(PROBE)  # connects
        answer = self._producer.offer(Order(self._sizes.offers, after=3600, seconds=5))
        return len(answer.dues) / answer.seconds, answer.cpu / len(answer.dues) * 1e6

    def of(self, setting: Setting) -> Figures:
        """Measure one setting."""
        late, missing, twice, server = self._lateness(setting)
        drain, twice_in_drain = self._drain(setting)
        return Figures(late, missing, twice + twice_in_drain, server, drain)

    def _server_cpu(self) -> float:
        info: Any = self._server.info("cpu")
        return float(info["used_cpu_user"] + info["used_cpu_sys"])

    def _lateness(self, setting: Setting) -> tuple[list[float], int, int, float]:
        self._server.flushall()
        self._producer.offer(PROBE)
        with self._stage.workers(setting):
            cpu = self._server_cpu()
            dues = self._producer.offer(Order(self._sizes.tasks, 1, self._sizes.span)).dues
            runs = self._stage.received(len(dues) + 1, max(dues) + setting.patience)
            cpu = (self._server_cpu() - cpu) / len(dues) * 1e6
        first: dict[int, float] = {}
        for number, moment in runs:
            first.setdefault(number, moment)
        late = sorted((moment - dues[n]) * 1000 for n, moment in first.items() if n >= 0)
        if len(late) < 2:
            raise FailedError(f"{len(late)} of {len(dues)} tasks came, {setting.name}")
        return late, len(dues) - len(late), len(runs) - len(first), cpu

    def _drain(self, setting: Setting) -> tuple[float, int]:
        self._server.flushall()
        dues = self._producer.offer(Order(self._sizes.due, after=0.2, seconds=1.5)).dues
        time.sleep(max(math.ceil(max(dues)) - time.time(), 0))  # some have whole seconds only
        with self._stage.workers(setting):
            runs = self._stage.received(len(dues), time.time() + self._sizes.drain)
        times = [moment for _, moment in runs]
        different = len({number for number, _ in runs})
        return (different - 1) / (max(times) - min(times)), len(runs) - different


class Report:
    """The measurements; a figure of every setting is one case."""

    def __init__(self, bench: Bench, sizes: Sizes) -> None:
        self._bench = bench
        self._sizes = sizes
        self._found: dict[str, Figures] = {}
        self._offers: dict[str, tuple[float, float]] = {}
        self._begun, self._all = 0, sum(len(self._settings(peer)) for peer in PEERS)

    def _settings(self, peer: Peer) -> Sequence[Setting]:
        """Return the settings to measure: in a short run, only the best one of a peer."""
        return peer.settings[-1:] if self._bench.quick else peer.settings

    def measure(self, peer: Peer, stage: Stage, server: redis.Redis) -> None:
        """Measure a peer; report a setting that fails, and continue with the next one."""
        with stage.producer() as producer:
            name = f"{peer.name} {producer.version}"
            measurement = Measurement(server, self._sizes, stage, producer)
            self._offers[name] = measurement.offers()
            for setting in self._settings(peer):
                self._begun += 1
                print(f"{self._begun} of {self._all}: {name}, {setting.name}", flush=True)
                try:
                    figures = measurement.of(setting)
                except FailedError as error:
                    print(f"not measured: {error}\n{stage.log_end()}", flush=True)
                    continue
                self._found[f"{name}, {setting.name}"] = figures
                for case, shown in (("defaults", 0), ("best settings", -1)):
                    if setting is peer.settings[shown]:
                        self._bench.samples(NAME, case, name, figures.late)

    def record(self) -> None:
        """Record all figures."""

        def case(what: str, unit: str, figure: Callable[[Figures], float]) -> None:
            figures = {name: figure(each) for name, each in self._found.items()}
            self._bench.record(NAME, f"tasks: {what}", figures, unit=unit)

        case("median lateness", "ms", lambda each: _percentile(each.late, 50))
        case("99th percentile", "ms", lambda each: _percentile(each.late, 99))
        case("the latest", "ms", lambda each: each.late[-1])
        case("the earliest", "ms", lambda each: each.late[0])
        case("missing", "", lambda each: each.missing)
        case("twice", "", lambda each: each.twice)
        case("the server's CPU", "us", lambda each: each.server)
        case("drain", "/s", lambda each: each.drain)
        rates = {name: rate for name, (rate, _) in self._offers.items()}
        self._bench.record(NAME, "offers, one by one: offers", rates, unit="/s")
        cpu = {name: cost for name, (_, cost) in self._offers.items()}
        self._bench.record(NAME, "offers, one by one: the client's CPU", cpu, unit="us")


def _percentile(late: list[float], percent: int) -> float:
    return statistics.quantiles(late, n=100, method="inclusive")[percent - 1]


def measure(bench: Bench) -> None:
    """Measure all peers; report one that cannot be installed or started, and leave it out."""
    report = Report(bench, QUICK if bench.quick else LONG)
    with (
        redis.Redis(port=bench.server.port) as server,
        tempfile.TemporaryDirectory(prefix="pyredisson-peers-") as directory,
    ):
        for peer in PEERS:
            stage = Stage(peer, bench.server.url, Path(directory))
            try:
                environments.make(peer)
                report.measure(peer, stage, server)
            except FailedError as error:
                print(f"{peer.name} not measured: {error}\n{stage.log_end()}", flush=True)
    report.record()
