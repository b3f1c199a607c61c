"""A plugin of pytest for scripts/test: it writes the outcome of each test to $PYREDISSON_OUTCOMES.

The file is JSON: the numbers of passed and skipped tests, the first line of the error of each
failed one, and the seconds of the slowest ones. With xdist only the controller writes it. A failed
test is also printed at once.
"""

import json
import os
from collections import defaultdict
from heapq import nlargest
from pathlib import Path

import pytest

SLOWEST = 15


class Outcomes:
    """The worst outcome of each test: a test may pass while its teardown fails."""

    def __init__(self, path: Path, terminal: pytest.TerminalReporter) -> None:
        self._path = path
        self._terminal = terminal
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._passed: set[str] = set()
        self._skipped: set[str] = set()
        self._failed: dict[str, str] = {}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._fail(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._seconds[report.nodeid] += report.duration
        if report.failed:
            self._fail(report)
        elif report.skipped:
            self._skipped.add(report.nodeid)
        elif report.when == "call":
            self._passed.add(report.nodeid)

    def _fail(self, report: pytest.CollectReport | pytest.TestReport) -> None:
        if report.nodeid not in self._failed:
            self._failed[report.nodeid] = first_line(report)
            self._terminal.write(f"\nFAILED {report.nodeid} - {first_line(report)}\n", flush=True)

    def pytest_sessionfinish(self) -> None:
        slowest = nlargest(SLOWEST, self._seconds, key=self._seconds.__getitem__)
        outcome = {
            "passed": len(self._passed - self._failed.keys()),
            "skipped": len(self._skipped - self._failed.keys()),
            "failed": self._failed,
            "slowest": {test: self._seconds[test] for test in slowest},
        }
        self._path.write_text(json.dumps(outcome), "utf-8")


def first_line(report: pytest.CollectReport | pytest.TestReport) -> str:
    """The first line of the error, 200 characters at most."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else report.longreprtext
    return (text.strip() or "no message").splitlines()[0][:200]


@pytest.hookimpl(trylast=True)  # after the one that makes the terminal's reporter
def pytest_configure(config: pytest.Config) -> None:
    path = os.environ.get("PYREDISSON_OUTCOMES")
    if path and not hasattr(config, "workerinput"):
        terminal = config.pluginmanager.getplugin("terminalreporter")
        config.pluginmanager.register(Outcomes(Path(path), terminal))
