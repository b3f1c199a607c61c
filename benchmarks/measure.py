"""Shared by all parts of the suite: a quiet server, interleaved rounds, medians, ratios.

The rule: a figure is a ratio of two things measured in turns in one run on one server.
Rates of their own mean nothing on another machine.
"""

from __future__ import annotations

import itertools
import multiprocessing
import statistics
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from tests.support.server import RedisServer

__all__ = ["PAYLOAD", "Bench", "RedisServer", "quartiles", "ratios", "told"]

PAYLOAD = "x" * 70
T = TypeVar("T")
K = TypeVar("K")
Figures = Mapping[str, float | Sequence[float]]


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the first quartile, the median and the third quartile; for one value, that value."""
    if len(values) == 1:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def ratios(values: Sequence[float], reference: Sequence[float]) -> list[float]:
    """Return the ratio of each round; a reference of one value applies to every round.

    Rounds in which the reference is 0 have no ratio.
    """
    if len(reference) == 1:
        reference = list(reference) * len(values)
    return [value / beside for value, beside in zip(values, reference, strict=True) if beside]


def number(value: float, digits: int = 3) -> str:
    """Format a number with `digits` digits, or as a whole number from 100 on."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.{digits}g}"


def told(figures: Mapping[str, Sequence[float]], name: str, references: Sequence[str]) -> list[str]:
    """Return a contestant's median, and its ratios to the references with their quartiles.

    A reference is compared only with the references before it.
    """
    words = [number(quartiles(figures[name])[1])]
    for beside in itertools.takewhile(name.__ne__, references):
        found = ratios(figures[name], figures[beside])
        if found:
            low, middle, high = (number(each, 2) for each in quartiles(found))
            words.append(f"{middle}{f' [{low}-{high}]' if len(found) > 1 else ''} of {beside}")
    return words


def _tracked(steps: Iterable[T], total: int, what: str) -> Iterable[T]:
    """Show a progress bar on a terminal, if `rich` is installed."""
    if not sys.stdout.isatty():
        return steps
    try:
        from rich.progress import track  # noqa: PLC0415 - only where it is installed
    except ImportError:
        return steps
    shown: Iterable[T] = track(steps, what, total, transient=True, refresh_per_second=1)
    return shown


def _serve(pipe: Connection, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Run in the child: make the work once, do it on each request, and end with the parent."""
    try:
        with make(*arguments) as work:
            pipe.send((None, None))
            while True:
                words = pipe.recv()
                pipe.send((work(*words), None))
    except (EOFError, KeyboardInterrupt):
        pass
    except Exception:
        pipe.send((None, traceback.format_exc()))


@dataclass
class Bench:
    """The arguments of a part: the server, the length of the run, and where its figures go."""

    server: RedisServer
    java: Any = None
    """A `JavaClient` with Redisson's defaults, or None: then leave Java's cases out."""
    peer: Any = None
    """The `JavaPeer`, for clients with other settings; None together with `java`."""
    rounds: int = 4
    quick: bool = False
    """A short run: fewer rounds, items and seconds, for a look and not for the record."""
    cases: list[dict[str, Any]] = field(default_factory=list)
    distributions: list[dict[str, Any]] = field(default_factory=list)
    stack: ExitStack = field(default_factory=ExitStack)
    """Closed when the part ends; a part may enter what it opens."""

    def interleave(
        self, contestants: Mapping[K, Callable[[], T]], *, what: str
    ) -> dict[K, list[T]]:
        """Run each contestant once a round, in turns; return its results of all rounds."""
        turns = [turn for _ in range(self.rounds) for turn in contestants.items()]
        found: dict[K, list[T]] = {name: [] for name in contestants}
        for name, measure in _tracked(turns, len(turns), what):
            found[name].append(measure())
        return found

    def child(
        self, make: Callable[..., AbstractContextManager[Callable[..., T]]], *arguments: Any
    ) -> Callable[..., T]:
        """Make work in a process of its own; return a function that does it there once per call.

        `make` is at the top level of a module. It returns the work as a context, which ends when
        the part ends. The call returns or raises what the work returns or raises.
        """
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, make, arguments), daemon=True)
        process.start()
        there.close()
        self.stack.callback(process.join, 10)
        self.stack.callback(here.close)

        def answer() -> Any:
            value, error = here.recv()
            if error:
                raise RuntimeError(f"in the process of {make.__qualname__}: {error}")
            return value

        def work(*words: Any) -> T:
            here.send(words)
            done: T = answer()
            return done

        answer()  # the process is ready
        return work

    def record(
        self,
        part: str,
        case: str,
        figures: Figures,
        *,
        unit: str,
        reference: str | Sequence[str] | None = None,
    ) -> None:
        """Keep a case for the report and print it: medians, and ratios to the reference.

        Args:
            part: the part's name.
            case: what all of `figures` did, and after a colon what the figures are: "8 threads:
                offers". The report makes rows of the first and columns of the second.
            figures: of each contestant a figure of every round, or one figure alone.
            unit: "/s", "us", "ms"...
            reference: the contestants that others are ratios to, round by round.
        """
        kept = {
            name: [
                float(f"{each:.6g}")
                for each in (values if isinstance(values, Sequence) else [values])
            ]
            for name, values in figures.items()
        }
        given = [reference] if isinstance(reference, str) else list(reference or ())
        references = [name for name in given if name in kept]
        entry = {"part": part, "case": case, "unit": unit, "references": references}
        self.cases.append({**entry, "figures": kept})
        print(f"\n{part}: {case}")
        for name in kept:
            median, *words = told(kept, name, references)
            print(f"  {name:<32} {median:>10} {unit:<3} {', '.join(words)}".rstrip(), flush=True)

    def samples(self, part: str, case: str, name: str, values: Sequence[float]) -> None:
        """Keep a distribution for a plot, in order; of many values keep 1,001, with both ends."""
        ordered = sorted(values)
        last = len(ordered) - 1
        places = range(last + 1) if last < 1000 else (last * n // 1000 for n in range(1001))
        kept = [round(ordered[place], 4) for place in places]
        self.distributions.append({"part": part, "case": case, "name": name, "values": kept})
