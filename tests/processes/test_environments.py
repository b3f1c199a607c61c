"""The smoke run in processes whose interpreter or libraries differ from this test run's.

Each run is a process of its own, since it changes the interpreter or the libraries as a whole.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.server import RedisServer
from tests.support.smoking import Result, surprises

ROOT = Path(__file__).resolve().parents[2]
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


RUNS = {
    "asserts are left out, asyncio": ("-OO", SMOKE, "--variant", "async"),
    "asserts are left out, threads": ("-OO", SMOKE, "--variant", "sync"),
    "uvloop": (SMOKE, "--variant", "async", "--loop", "uvloop"),
    "gevent has patched all": ("-m", "gevent.monkey", SMOKE, "--variant", "sync"),
    "a child by fork": ("PARENT", "fork", "--variant", "sync"),
    "a child by spawn": ("PARENT", "spawn", "--variant", "sync"),
}
"""Python's arguments; the server's URL comes before the first option of the smoke run.

A child of a process whose client is open has clients of its own. `-OO` removes assertions and
docstrings, so nothing that the package does may depend on one.
"""
AT_ONCE = 3
"""How many runs work at the same time; they mostly wait."""


def smoke(words: Sequence[str], url: str, parent: str) -> list[str]:
    """Make one of the runs; return its results that are not as expected."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "scripts")])
    first = words.index("--variant")
    words = [parent if word == "PARENT" else word for word in words]
    done = subprocess.run(
        [sys.executable, *words[:first], url, *words[first:], "--json"],
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


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[list[str]]]]:
    """Start all runs, and yield their futures."""
    parent = tmp_path_factory.mktemp("parent") / "parent.py"
    parent.write_text(CHILD)
    with RedisServer() as server, ThreadPoolExecutor(AT_ONCE) as pool:
        yield {
            name: pool.submit(smoke, words, server.url, str(parent)) for name, words in RUNS.items()
        }


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", RUNS)
def test_all_features_work_in_other_environments(
    outcomes: dict[str, Future[list[str]]], name: str
) -> None:
    assert outcomes[name].result() == []
