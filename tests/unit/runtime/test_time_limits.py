"""A time limit leaves nothing behind in the interpreter, however the function ends."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pyredisson._runtime.user_code import returned

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
def test_profiler_runs_after_a_time_limit(function: str, limit: float, printed: str) -> None:
    program = PROGRAM.format(function=function, limit=limit)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, printed), done.stderr


WORKER = """
import sys
from pyredisson import Redisson, Worker
redisson = Redisson.from_url("redis://127.0.0.1:1")
Worker(redisson, redisson.get_queue("q"), print, time_limit=1)
sys.setprofile(lambda *event: None)
print(redisson.get_queue("q"))
"""


def test_a_profiler_runs_beside_a_worker_with_a_time_limit() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WORKER], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


GREEN = """
import asyncio
from pyredisson import AsyncRedisson, AsyncWorker, Redisson, Worker
async def main():
    redisson = {client}.from_url("redis://127.0.0.1:1")
    queue = redisson.get_queue("q")
    {kind}(redisson, queue, {accepted})
    try:
        {kind}(redisson, queue, print, time_limit=1)
    except ValueError as error:
        print(error)
asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("client", "kind", "accepted"),
    [("Redisson", "Worker", "print"), ("AsyncRedisson", "AsyncWorker", "main, time_limit=1")],
)
def test_green_threads_reject_a_time_limit(
    tmp_path: Path, client: str, kind: str, accepted: str
) -> None:
    program = tmp_path / "green.py"
    program.write_text(GREEN.format(client=client, kind=kind, accepted=accepted))
    paths = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-m", "gevent.monkey", str(program)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"PYTHONPATH": paths},
    )
    assert "use gevent.Timeout in the handler" in done.stdout, done.stderr


def test_without_the_thread_nothing_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The function returns without waiting for an exception that cannot arrive."""

    def late(value: str) -> str:
        time.sleep(0.1)
        return value

    monkeypatch.setattr("threading.get_ident", lambda: 1)
    assert returned(late, "late", 0.01) == "late"
