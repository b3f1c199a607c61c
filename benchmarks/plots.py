"""The plots of a run: lateness, the cost of the transfer, offers against concurrency.

The rule: they show what is in the JSON. A part that was not run has no plot.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measure import ratios

__all__ = ["PLOTS", "draw"]

Curves = dict[str, list[tuple[float, float]]]


def curves(cases: Sequence[Mapping[str, Any]], pattern: str, reference: str | None) -> Curves:
    """Return the points of each contestant.

    The pattern matches whole cases; its group "x" is the place, its group "kind", if it has one,
    is a part of the curve's name. A point is the median, or that of the ratios to the reference.
    """
    found: Curves = {}
    for case in cases:
        match = re.fullmatch(pattern, case["case"])
        for name, values in case["figures"].items() if match else ():
            if match and name != reference:
                kind = match.groupdict().get("kind")
                shown = ratios(values, case["figures"][reference]) if reference else values
                point = float(match["x"].replace(",", "")), statistics.median(shown)
                found.setdefault(f"{name}, {kind}" if kind else name, []).append(point)
    return found


def _lines(axes: Any, found: Curves) -> None:
    for name, points in found.items():
        axes.plot(*zip(*sorted(points), strict=True), marker="o", markersize=3, label=name)
    axes.set_xscale("log")


def _offers(part: Mapping[str, Any], figure: Any) -> None:
    axes = figure.subplots()
    _lines(axes, curves(part["cases"], r"async, (?P<x>\d+) at once: offers", "C"))
    axes.set(xlabel="offers under way", ylabel="offers a second, as a part of C")
    axes.axhline(1, color="grey", linewidth=0.5)
    axes.legend(fontsize="small")


def _transfer(part: Mapping[str, Any], figure: Any) -> None:
    axes = figure.subplots()
    _lines(axes, curves(part["cases"], r"(?P<kind>.+), (?P<x>[\d,]+) pending: an item", None))
    axes.set(xlabel="pending items", ylabel="us of the server for an item", yscale="log")
    axes.legend(fontsize="small")


def _lateness(part: Mapping[str, Any], figure: Any) -> None:
    names = list(dict.fromkeys(each["case"] for each in part["samples"]))
    for axes, case in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
        for each in part["samples"]:
            if each["case"] == case:
                values = each["values"]
                beyond = [1 - place / len(values) for place in range(len(values))]
                axes.plot([max(late, 0.01) for late in values], beyond, label=each["name"])
        axes.set(xscale="log", yscale="log", xlabel="ms late")
        axes.set_ylabel("part of the items that are later")
        axes.set_title(case, fontsize="small", wrap=True)
        axes.legend(fontsize="small")


class Plot(NamedTuple):
    """The function that draws the plot of a part, the plot's width in inches, and what it shows."""

    draw: Callable[[Mapping[str, Any], Any], None]
    width: float
    shows: str


PLOTS = {
    "offers": Plot(_offers, 7, "Offers a second as a part of C, against the offers under way"),
    "transfer": Plot(_transfer, 7, "What an item costs the server, against the pending items"),
    "lateness": Plot(_lateness, 16, "Which part of the items is later than so many milliseconds"),
    "peers": Plot(_lateness, 12, "Which part of the tasks is later than so many milliseconds"),
}


def draw(results: Mapping[str, Any], folder: Path) -> None:
    """Write the plots of all parts that have one, PART.svg."""
    try:
        import matplotlib as mpl  # noqa: PLC0415 - only where it is installed
        from matplotlib.figure import Figure  # noqa: PLC0415 - only where it is installed
    except ImportError:
        print("without plots: matplotlib is not installed")
        return
    mpl.rcParams.update(
        {"svg.fonttype": "none", "svg.hashsalt": "pyredisson", "path.simplify_threshold": 1.0}
    )
    for name, plot in PLOTS.items():
        if name in results and (results[name]["cases"] or results[name]["samples"]):
            figure = Figure(figsize=(plot.width, 4.5), layout="constrained")
            plot.draw(results[name], figure)
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
