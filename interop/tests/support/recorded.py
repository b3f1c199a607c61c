"""The recording of Redisson 3.27.2 in the cases of the tables, so that no third JVM is needed.

`python -m interop.vectors.record_objects` writes the file.
"""

import ast
import json
from functools import cache
from pathlib import Path
from typing import Any

from interop.tests.support.trace import Run

RELEASE = "3.27.2"
LACKING = "error: unsupported"
FILE = Path(__file__).resolve().parents[3] / "tests" / "vectors" / f"objects-{RELEASE}.json"


def save(runs: dict[str, Run]) -> None:
    """Write the runs, each under the kind of its object and the name of its case."""
    kept = {
        name: None if run.result == LACKING else [run.commands, repr(run.keys), repr(run.result)]
        for name, run in sorted(runs.items())
    }
    FILE.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


@cache
def _kept() -> dict[str, Any]:
    kept: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return kept


def recorded(name: str) -> Run | None:
    """Return the run of a case; None if that release does not have the method."""
    assert name in _kept(), f"{name!r} is not in {FILE.name}: record it"
    if (run := _kept()[name]) is None:
        return None
    commands, keys, result = run
    return Run(list(commands), ast.literal_eval(keys), ast.literal_eval(result), [])
