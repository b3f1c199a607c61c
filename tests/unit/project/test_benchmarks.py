"""The benchmarks' frame: rounds in turns, child processes, kept figures, and the report."""

import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from benchmarks import plots, report
from benchmarks.measure import Bench, ratios, told

OFFERS: dict[str, Any] = {
    "case": "8 threads: offers",
    "unit": "/s",
    "references": ["C"],
    "figures": {"ours": [10000.0, 30000.0, 20000.0], "C": [20000.0, 20000.0, 20000.0]},
}
CPU: dict[str, Any] = {
    "case": "8 threads: CPU",
    "unit": "us",
    "references": [],
    "figures": {"ours": [1.234, 5, 1]},
}
PART: dict[str, Any] = {
    "date": "2026-01-02",
    "cpus": 2,
    "quick": False,
    "seconds": 1.0,
    "versions": {"python": "3.11.7", "redis-server": "7.0.15"},
    "cases": [OFFERS, CPU],
    "samples": [],
}


def a_bench(rounds: int = 3) -> Bench:
    server: Any = None  # the frame does not use it
    return Bench(server, rounds=rounds)


def test_contestants_take_turns() -> None:
    turn = itertools.count(1).__next__
    found = a_bench().interleave({"a": turn, "b": turn}, what="turns")
    assert found == {"a": [1, 3, 5], "b": [2, 4, 6]}


@contextmanager
def adding(number: int) -> Iterator[Callable[[Any], Any]]:
    yield lambda other: number + other


def test_a_child_works_until_the_part_ends() -> None:
    bench = a_bench()
    with bench.stack:
        work = bench.child(adding, 5)
        assert [work(1), work(2)] == [6, 7]
        with pytest.raises(RuntimeError, match=r"(?s)process of adding.*TypeError"):
            work("text")
    with pytest.raises(OSError, match="closed"):
        work(1)


def test_a_record_prints_ratios_of_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    bench = a_bench()
    bench.record("part", OFFERS["case"], OFFERS["figures"], unit="/s", reference=("C", "absent"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "part: 8 threads: offers"
    assert lines[2].split() == ["ours", "20,000", "/s", "1", "[0.75-1.2]", "of", "C"]
    assert lines[3].split() == ["C", "20,000", "/s"]
    assert bench.cases == [{"part": "part", **OFFERS}]


def test_a_round_without_a_reference_has_no_ratio() -> None:
    assert ratios([1, 2, 3], [2, 0, 6]) == [0.5, 0.5]
    assert ratios([1, 2, 3], [2]) == [0.5, 1, 1.5]
    assert told({"ours": [1.0], "theirs": [0.0]}, "ours", ["theirs"]) == ["1"]


def test_samples_keep_the_ends_of_a_distribution() -> None:
    bench = a_bench()
    bench.samples("part", "case", "ours", [float(each) for each in range(20_000)])
    (kept,) = bench.distributions
    assert len(kept["values"]) == 1001
    assert (kept["values"][0], kept["values"][-1]) == (0, 19_999)


def test_the_report_is_a_table_for_each_part() -> None:
    made = report.tables({"frame": PART, "offers": PART, "empty": PART | {"cases": []}})
    made, heading, second = made.partition("### offers\n")
    assert made == (
        "### frame\n\n"
        "2026-01-02, 2 CPUs, rounds: 3; python 3.11.7, redis-server 7.0.15.\n\n"
        "| | | offers, /s | CPU, us |\n"
        "| --- | --- | --- | --- |\n"
        "| 8 threads | ours | 20,000<br>1 [0.75-1.2] of C | 1.23 |\n"
        "| | C | 20,000 | |\n\n"
    )
    assert heading
    assert "\n\n![Offers a second as a part of C" in second


def test_the_report_replaces_what_is_between_its_markers() -> None:
    page = f"before\n{report.BEGIN}old\n{report.END}after\n"
    assert report.renewed(page, "new\n") == f"before\n{report.BEGIN}\nnew\n{report.END}after\n"
    with pytest.raises(ValueError, match="markers"):
        report.renewed("no markers", "new\n")


def test_the_readme_shows_the_figures_that_are_kept() -> None:
    page = report.README.read_text("utf-8")
    results = json.loads(report.RESULTS.read_text("utf-8"))
    assert report.renewed(page, report.tables(results)) == page


def test_curves_are_ratios_by_place() -> None:
    cases = [
        OFFERS | {"case": "async, 10 at once: offers"},
        OFFERS | {"case": "async, 500 at once: offers", "figures": {"ours": [1.0], "C": [2.0]}},
        CPU,
    ]
    pattern = r"async, (?P<x>\d+) at once: offers"
    assert plots.curves(cases, pattern, "C") == {"ours": [(10, 1.0), (500, 0.5)]}
