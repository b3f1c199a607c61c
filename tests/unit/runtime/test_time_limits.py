"""A time limit leaves nothing behind in the interpreter, however the function ends."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys, time
from pyredisson import TimeLimitError
from pyredisson._runtime.user_code import returned

def quick(value):
    return value

def slow(value):
    until = time.monotonic() + 10
    while time.monotonic() < until:
        pass

def deaf(value):
    try:
        slow(value)
    except TimeLimitError:
        return value

def late(value):
    time.sleep(0.2)  # a call of the system is not interrupted
    return value

try:
    print(returned({function}, "done", {limit}))
except TimeLimitError:
    print("over")
sys.setprofile(lambda *event: None)  # Python 3.11 hangs here if something seems to be pending
for _ in range(10):
    quick(1)
"""


@pytest.mark.parametrize(
    ("function", "limit", "printed"),
    [("quick", 30, "done"), ("slow", 0.05, "over"), ("deaf", 0.05, "done"), ("late", 0.05, "over")],
)
def test_a_profiler_runs_after_it(function: str, limit: float, printed: str) -> None:
    program = PROGRAM.format(function=function, limit=limit)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, printed), done.stderr
