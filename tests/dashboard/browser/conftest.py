"""A browser for the tests of a module, and a dashboard of an empty server for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from pyredisson import Redisson
from pyredisson.codecs import JsonJacksonCodec
from pyredisson.dashboard import app
from tests.support.browser import Page, chromium, serving
from tests.support.server import RedisServer

TOKEN = "correct horse"


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    """A headless Chromium."""
    with chromium(Path(tmp_path_factory.mktemp("chromium"))) as browser:
        yield browser


@pytest.fixture
def redisson(server: RedisServer) -> Iterator[Redisson]:
    """A client that fills queues."""
    with Redisson.from_url(server.url, codec=JsonJacksonCodec()) as redisson:
        yield redisson


@pytest.fixture
def page(browser: webdriver.Chrome, server: RedisServer) -> Iterator[Page]:
    """The page of a dashboard without actions; the test fails if the console is not empty."""
    yield from _page(browser, server, None)


@pytest.fixture
def acting(browser: webdriver.Chrome, server: RedisServer) -> Iterator[Page]:
    """The page of a dashboard with actions and a token."""
    yield from _page(browser, server, TOKEN)


def _page(browser: webdriver.Chrome, server: RedisServer, token: str | None) -> Iterator[Page]:
    dashboard = app(server.url, actions=token is not None, token=token)
    with serving(dashboard) as address:
        page = Page(browser, address)
        page.command("Network.clearBrowserCookies")  # the browser sends cookies to all ports
        page.look()
        page.console()
        yield page
        said = page.console()
        browser.get("about:blank")
    assert said == []
