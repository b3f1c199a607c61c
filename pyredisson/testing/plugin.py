"""The fixtures of pytest; the extra `pyredisson[pytest]` installs the packages that they need.

The rule: pytest loads this module at each start. So it imports the client and the server only when
a test uses a fixture.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Generator, Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyredisson import AsyncRedisson, Redisson
    from pyredisson.testing.clock import Clock
    from pyredisson.testing.server import RedissonServer

_SERVER = pytest.StashKey["RedissonServer"]()


@pytest.fixture(scope="session")
def redisson_server(pytestconfig: pytest.Config) -> Iterator[RedissonServer]:
    """A server for all tests, which is emptied before each test; `url` is its address."""
    from pyredisson.testing.server import RedissonServer  # noqa: PLC0415 - most tests need none

    with RedissonServer() as server:
        pytestconfig.stash[_SERVER] = server
        yield server
        del pytestconfig.stash[_SERVER]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Delete all keys of the server, and set its clock to the real time."""
    server = item.config.stash.get(_SERVER, None)
    if server is not None:
        server.reset()


@pytest.fixture
def redisson_clock(redisson_server: RedissonServer) -> Clock:
    """The clock of the server: `redisson_clock.advance(minutes=30)`."""
    return redisson_server.clock


@pytest.fixture
def redisson_options() -> dict[str, Any]:
    """The arguments of the clients, such as `codec`; override it in conftest.py."""
    return {}


@pytest.fixture
def redisson(
    redisson_server: RedissonServer, redisson_options: dict[str, Any]
) -> Iterator[Redisson]:
    """A client of the server, which is closed after the test."""
    from pyredisson import Redisson  # noqa: PLC0415 - most tests need none

    with Redisson.from_url(redisson_server.url, **redisson_options) as client:
        yield client


async def _make_async_redisson(
    redisson_server: RedissonServer, redisson_options: dict[str, Any]
) -> AsyncIterator[AsyncRedisson]:
    """A client of the server for asyncio, which is closed after the test."""
    from pyredisson import AsyncRedisson  # noqa: PLC0415 - most tests need none

    async with AsyncRedisson.from_url(redisson_server.url, **redisson_options) as client:
        yield client


_FOR_ANYIO = FunctionType(_make_async_redisson.__code__, globals(), "async_redisson")

async_redisson = pytest.fixture(name="async_redisson")(_make_async_redisson)


def pytest_configure() -> None:
    """Let pytest-asyncio run the asynchronous fixture in its strict mode, too."""
    if "pytest_asyncio" in sys.modules:
        from pytest_asyncio import fixture  # noqa: PLC0415 - it may be missing

        fixture(_make_async_redisson)  # marks the function


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, Any, Any]:
    """For a test of anyio, let anyio and not pytest-asyncio run the asynchronous fixture.

    Fail a test that uses the fixture if neither plugin can run it.
    """
    if fixturedef.func is not _make_async_redisson:
        return (yield)
    if "anyio_backend" in request.fixturenames:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(fixturedef, "func", _FOR_ANYIO)
            return (yield)
    if "pytest_asyncio" not in sys.modules:
        pytest.fail(
            "async_redisson needs a plugin that runs asynchronous tests: install pytest-asyncio, "
            "or mark the test with pytest.mark.anyio",
            pytrace=False,
        )
    return (yield)
