"""The suite runs a part on a server of its own and keeps what it records."""

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks import __main__ as suite
from benchmarks.measure import Bench


def a_part(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a part that asks its server for something and records it."""

    def run(bench: Bench) -> None:
        keys = bench.interleave({"keys": lambda: float(bench.server.run("DBSIZE"))}, what=name)
        bench.record(name, "empty server: keys", keys, unit="")

    part: Any = ModuleType(f"benchmarks.{name}")
    part.run = run
    monkeypatch.setitem(sys.modules, part.__name__, part)


def test_parts_are_run_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "results" / "results.json"
    monkeypatch.setattr(suite, "PARTS", ["one", "absent", "two"])
    for name in ("two", "one"):
        a_part(name, monkeypatch)
    for named in (["two"], ["one", "absent"]):
        words = ["bench", *named, "--no-java", "--rounds", "3", "--json", str(file)]
        monkeypatch.setattr(sys, "argv", words)
        suite.main()
    kept = json.loads(file.read_text("utf-8"))
    assert list(kept) == ["one", "two"]
    assert kept["one"]["cases"][0]["figures"] == {"keys": [0, 0, 0]}
    assert {"python", "pyredisson", "redis"} <= set(kept["two"]["versions"])


def test_an_unknown_part_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bench", "ofers"])
    with pytest.raises(SystemExit):
        suite.main()
    assert "no part ofers; there are offers, " in capsys.readouterr().err
