"""The end of scripts/test: the slowest tests, each failed test again, alone, and the numbers.

    verdict.py FOLDER [FAILED_STEP...]

FOLDER has a STEP.json of each step with tests (tests/support/outcomes.py); FAILED_STEPs failed for
another reason than a test, and count as a failed test each. A test is `failed` if it fails alone,
too, and `unstable` if it passes alone. The exit code is 0 if nothing failed, and at most
MAY_BE_UNSTABLE tests are unstable.
"""

import json
import subprocess
import sys
from heapq import nlargest
from pathlib import Path
from typing import Any

MAY_BE_UNSTABLE = 3
SLOWEST = 15
RUN_AGAIN = 40
"""At most this many failed tests are run again; the others count as failed."""
ALONE = ["-q", "-n0", "-p", "no:cacheprovider", "--timeout=600"]


def passes_alone(test: str) -> bool:
    """Run a test; print its output if it fails again."""
    command = [sys.executable, "-m", "pytest", *ALONE, test]
    print(f"\n== alone: {test}", flush=True)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    except subprocess.TimeoutExpired:
        print("it did not end within 900 s", flush=True)
        return False
    print(done.stdout + done.stderr if done.returncode else "it passes", flush=True)
    return done.returncode == 0


def print_slowest(outcomes: list[dict[str, Any]]) -> None:
    """Print the slowest tests of all steps, with their seconds."""
    seconds = {test: took for outcome in outcomes for test, took in outcome["slowest"].items()}
    slowest = nlargest(SLOWEST, seconds, key=seconds.__getitem__)
    if slowest:
        print(f"\n== the {len(slowest)} slowest tests")
    for test in slowest:
        print(f"{seconds[test]:6.1f} s {test}")


def main(folder: Path, failed_steps: list[str]) -> int:
    """Print the slowest tests, those that failed, those that are unstable, and the numbers."""
    outcomes = [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))]
    print_slowest(outcomes)
    failed = dict(sorted(each for outcome in outcomes for each in outcome["failed"].items()))
    again = list(failed)[:RUN_AGAIN]
    if again:
        print(f"\n== {len(again)} of {len(failed)} failed tests again, each alone", flush=True)
    unstable = {test: failed.pop(test) for test in again if passes_alone(test)}
    for kind, tests in (("failed", failed), ("unstable", unstable)):
        for test, line in tests.items():
            print(f"{kind:8} {test}: {line}")
    if len(unstable) > MAY_BE_UNSTABLE:
        print(f"more than {MAY_BE_UNSTABLE} tests are unstable, so this run failed")
    passed, skipped = (sum(outcome[each] for outcome in outcomes) for each in ("passed", "skipped"))
    numbers = {"unstable": len(unstable), "skipped": skipped}
    more = "".join(f", {number} {kind}" for kind, number in numbers.items() if number)
    print(f"{passed} passed, {len(failed) + len(failed_steps)} failed{more}")
    return 1 if failed or failed_steps or len(unstable) > MAY_BE_UNSTABLE else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
