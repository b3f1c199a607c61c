"""Every feature once where programs are not as this test run is: the smoke run in other processes.

Each is a process of its own, since it changes the interpreter or the libraries as a whole.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.server import RedisServer
from tests.support.smoking import Result, surprises

ROOT = Path(__file__).resolve().parent.parent
SMOKE = str(ROOT / "scripts" / "smoke.py")

CHILD = """
import multiprocessing, sys
from pyredisson import Redisson
import smoke

if __name__ == "__main__":
    method, *words = sys.argv[1:]
    with Redisson.from_url(words[0]) as redisson:
        redisson.get_queue("q").size()
        child = multiprocessing.get_context(method).Process(target=smoke.main, args=(words,))
        child.start()
        child.join()
"""


@pytest.fixture
def child(tmp_path: Path) -> str:
    """A program whose child, started as its first argument says, runs the rest of them."""
    path = tmp_path / "parent.py"
    path.write_text(CHILD)
    return str(path)


def smoke(*words: str) -> list[str]:
    """Run a Python with these arguments; what of its smoke run did not end well."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "scripts")])
    done = subprocess.run(
        [sys.executable, *words, "--json"],
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
        env=os.environ | {"PYTHONPATH": paths},
    )
    assert done.stdout, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    results = [Result(**each) for ones in found.values() for each in ones]
    assert results
    return surprises(results, {})


@pytest.mark.timeout(600)
@pytest.mark.parametrize("variant", ["async", "sync"])
def test_without_assertions(server: RedisServer, variant: str) -> None:
    """`python -O` and `-OO`: nothing that the package does is an assertion or a docstring."""
    assert smoke("-OO", SMOKE, server.url, "--variant", variant) == []


@pytest.mark.timeout(600)
def test_uvloop(server: RedisServer) -> None:
    """The event loop may be uvloop's."""
    assert smoke(SMOKE, server.url, "--variant", "async", "--loop", "uvloop") == []


@pytest.mark.timeout(600)
def test_gevent(server: RedisServer) -> None:
    """All that blocks may be patched by gevent, before the first import."""
    assert smoke("-m", "gevent.monkey", SMOKE, server.url, "--variant", "sync") == []


@pytest.mark.timeout(600)
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child(server: RedisServer, child: str, method: str) -> None:
    """A child of a process whose client is open has clients of its own."""
    assert smoke(child, method, server.url, "--variant", "sync") == []
