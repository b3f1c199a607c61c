"""The verdict of scripts/test: `failed` tests also fail alone; `unstable` tests pass alone."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
VERDICT = ROOT / "scripts" / "verdict.py"
TESTS = """
import os
from pathlib import Path
import pytest

@pytest.fixture
def broken():
    yield
    raise OSError("the disk is full")

def test_passes(): pass
def test_fails(): assert 1 == 2, "one is two"
def test_passes_and_then_fails(broken): pass
def test_is_skipped(): pytest.skip("no such service")
def test_that_ends_its_process(): os._exit(1)

def test_unstable():
    before = Path("before")
    if not before.exists():
        before.touch()
        raise ValueError("too early")
"""


def test_verdict_names_failed_and_unstable_tests(tmp_path: Path) -> None:
    """Run tests as scripts/test does, and ask for the verdict."""
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "test_b.py").write_text("import no_such_module")
    (tmp_path / "outcomes").mkdir()
    environment = os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_PLUGINS": "xdist.plugin,pytest_timeout",
        "PYREDISSON_OUTCOMES": str(tmp_path / "outcomes" / "unit.json"),
    }
    tests = ["-m", "pytest", "-q", "-p", "tests.support.outcomes", "-n2"]
    outputs = []
    for words in (tests, [str(VERDICT), "outcomes"]):
        done = subprocess.run(
            [sys.executable, *words],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stdout + done.stderr
        outputs.append(done.stdout)
    at_once = outputs[0].partition("= ERRORS =")[0]
    assert "\nFAILED test_a.py::test_fails - AssertionError: one is two\n" in at_once
    assert at_once.count("\nFAILED test_b.py - ") == 1
    assert " s test_a.py::test_passes\n" in outputs[1].partition("== the 6 slowest tests\n")[2]
    assert "== alone: test_a.py::test_fails\n" in done.stdout
    lines = done.stdout.splitlines()
    assert [line.partition(": ")[0] for line in lines[-6:]] == [
        "failed   test_a.py::test_fails",
        "failed   test_a.py::test_passes_and_then_fails",
        "failed   test_a.py::test_that_ends_its_process",
        "failed   test_b.py",
        "unstable test_a.py::test_unstable",
        "1 passed, 4 failed, 1 unstable, 1 skipped",
    ]
    assert lines[-6].endswith(": AssertionError: one is two")
    assert lines[-2].endswith(": ValueError: too early")


def a_verdict(folder: Path, failed: dict[str, str], unstable: set[str], *failed_steps: str) -> int:
    """Return the exit code for a step with two passed tests, and these failed and unstable ones."""
    spec = importlib.util.spec_from_file_location("verdict", VERDICT)
    assert spec is not None
    assert spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.passes_alone = unstable.__contains__
    slowest = {f"test_c.py::test_{number}": float(number) for number in range(15)}
    outcome = {"passed": 2, "skipped": 0, "failed": failed, "slowest": slowest}
    (folder / "unit.json").write_text(json.dumps(outcome))
    return int(module.main(folder, list(failed_steps)))


@pytest.mark.parametrize(
    ("unstable", "failed", "steps", "code", "last"),
    [
        (0, 0, [], 0, "2 passed, 0 failed"),
        (3, 0, [], 0, "2 passed, 0 failed, 3 unstable"),
        (4, 0, [], 1, "2 passed, 0 failed, 4 unstable"),
        (1, 1, [], 1, "2 passed, 1 failed, 1 unstable"),
        (0, 0, ["lint"], 1, "2 passed, 1 failed"),
        (50, 0, [], 1, "2 passed, 10 failed, 40 unstable"),
    ],
)
def test_verdict_counts_tests_and_sets_the_exit_code(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    unstable: int,
    failed: int,
    steps: list[str],
    code: int,
    last: str,
) -> None:
    passing = {f"test_a.py::test_{number:02}" for number in range(unstable)}
    failing = {f"test_b.py::test_{number:02}" for number in range(failed)}
    tests = dict.fromkeys(passing | failing, "no")
    assert a_verdict(tmp_path, tests, passing, *steps) == code
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == last
    assert ("more than 3 tests are unstable, so this run failed" in lines) == (unstable > 3)
