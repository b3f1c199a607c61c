"""The tables of benchmarks/README.md, made of the figures of a run.

    python -m benchmarks.report [FILE]

The rule: nothing between the two markers is written by hand, nothing outside them is touched.
A case "what: figure" is a cell: its row is "what" with the contestant's name, its column "figure".
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measure import told
from benchmarks.plots import PLOTS

HERE = Path(__file__).parent
README = HERE / "README.md"
RESULTS = HERE / "results" / "results.json"
BEGIN, END = "<!-- made by python -m benchmarks.report -->\n", "<!-- end of the tables -->\n"


def table(cases: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of one part."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    columns: dict[str, None] = {}
    for case in cases:
        what, _, figure = case["case"].rpartition(": ")
        column = ", ".join(filter(None, [figure if what else "", case["unit"]]))
        columns[column] = None
        for name in case["figures"]:
            row = rows.setdefault((what or figure, name), {})
            row[column] = "<br>".join(told(case["figures"], name, case["references"]))
    lines = [["", "", *columns], ["---"] * (len(columns) + 2)]
    shown = ""
    for (what, name), cells in rows.items():
        lines.append(["" if what == shown else what, name, *(cells.get(c, "") for c in columns)])
        shown = what
    filled = (" |".join(f" {text}" if text else "" for text in line) for line in lines)
    return "".join(f"|{line} |\n" for line in filled)


def section(name: str, part: Mapping[str, Any]) -> str:
    """Return a part's heading, what it was measured with, its plot, and its table."""
    versions = ", ".join(f"{what} {release}" for what, release in part["versions"].items())
    quick = "a quick run; " if part["quick"] else ""
    rounds = sorted({len(each) for case in part["cases"] for each in case["figures"].values()})
    shown = " to ".join(map(str, dict.fromkeys([rounds[0], rounds[-1]])))
    about = f"{quick}{part['date']}, {part['cpus']} CPUs, rounds: {shown}; {versions}."
    plot = f"![{PLOTS[name].shows}](results/{name}.svg)\n\n" if name in PLOTS else ""
    return f"### {name}\n\n{about}\n\n{plot}{table(part['cases'])}\n"


def tables(results: Mapping[str, Any]) -> str:
    """Return all parts that have figures."""
    return "".join(section(name, part) for name, part in results.items() if part["cases"])


def renewed(page: str, made: str) -> str:
    """Return the page with `made` between its markers."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has not both markers, {BEGIN.strip()} and {END.strip()}")
    return f"{before}{begin}\n{made}{end}{after}"


def main(path: Path = RESULTS) -> None:
    """Renew the README."""
    results = json.loads(path.read_text("utf-8"))
    README.write_text(renewed(README.read_text("utf-8"), tables(results)), "utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
