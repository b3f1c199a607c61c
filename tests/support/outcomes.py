"""A plugin of pytest for scripts/test: it writes the outcome of each test to $PYREDISSON_OUTCOMES.

The file is JSON: the numbers of passed and skipped tests, and the first line of the error of each
failed one. With xdist only the controller writes it.
"""

import json
import os
from pathlib import Path

import pytest


class Outcomes:
    """The worst outcome of each test: a test may pass, and its teardown fail."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._passed: set[str] = set()
        self._skipped: set[str] = set()
        self._failed: dict[str, str] = {}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._failed[report.nodeid] = first_line(report)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self._failed.setdefault(report.nodeid, first_line(report))
        elif report.skipped:
            self._skipped.add(report.nodeid)
        elif report.when == "call":
            self._passed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        outcome = {
            "passed": len(self._passed - self._failed.keys()),
            "skipped": len(self._skipped - self._failed.keys()),
            "failed": self._failed,
        }
        self._path.write_text(json.dumps(outcome), "utf-8")


def first_line(report: pytest.CollectReport | pytest.TestReport) -> str:
    """The first line of the error, 200 characters at most."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else report.longreprtext
    return (text.strip() or "no message").splitlines()[0][:200]


def pytest_configure(config: pytest.Config) -> None:
    path = os.environ.get("PYREDISSON_OUTCOMES")
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Outcomes(Path(path)))
