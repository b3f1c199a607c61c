"""A headless Chromium that uses the dashboard as its users do.

Rule: a test waits for the contents of the page, never for a time. The messages of the console are
collected; if some remain after a test, the fixture `page` fails it.
"""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import pytest
import uvicorn
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait
from starlette.applications import Starlette
from starlette.routing import Mount

from pyredisson.dashboard import Dashboard
from tests.support.ports import free_port
from tests.support.services import unavailable

__all__ = ["Page", "chromium", "serving"]

T = TypeVar("T")

PATIENCE = 20.0
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --disable-dev-shm-usage"
)


@contextmanager
def chromium(profile: Path) -> Iterator[webdriver.Chrome]:
    """Start a browser with an empty profile."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        unavailable("no chromium with its chromedriver: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (*_FLAGS.split(), f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options, webdriver.ChromeService(driver))
    try:
        yield browser
    finally:
        browser.quit()


@contextmanager
def serving(app: Dashboard, prefix: str = "") -> Iterator[str]:
    """Serve a dashboard, or an application that has it below a prefix; return its address."""
    served = Starlette(routes=[Mount(prefix, app)]) if prefix else app
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(served, port=port, log_level="warning", lifespan="off"))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.02)
    try:
        yield f"http://127.0.0.1:{port}{prefix}/"
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        app.close()


class Page:
    """The page of a dashboard."""

    def __init__(self, browser: webdriver.Chrome, address: str) -> None:
        self.browser, self.address = browser, address

    def open(self, fragment: str = "") -> None:
        """Load the page again, with a fragment."""
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}{fragment}")

    def look(self, width: int = 1400, height: int = 900, **media: str) -> None:
        """Set the window's size and media features, such as `prefers_color_scheme="dark"`."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 700,
        )  # fmt: skip
        features = [{"name": k.replace("_", "-"), "value": v} for k, v in media.items()]
        self.command("Emulation.setEmulatedMedia", features=features)

    def command(self, name: str, **parameters: Any) -> Any:
        """Send a command of Chrome's DevTools."""
        return self.browser.execute_cdp_cmd(name, parameters)

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript, and return its result."""
        return self.browser.execute_script(script, *arguments)

    def poll(self) -> None:
        """Let the page request data now, as it does when it becomes visible."""
        self.run("document.dispatchEvent(new Event('visibilitychange'))")

    def until(self, ask: Callable[[], T | None]) -> T:
        """Wait until a function returns a true value, and return it."""

        def answer(_browser: object) -> T | None:
            try:
                return ask()
            except StaleElementReferenceException:  # the page has redrawn the element
                return None

        try:
            found = WebDriverWait(self.browser, PATIENCE, 0.05).until(answer)
        except TimeoutException:
            shown = self.browser.find_element(By.TAG_NAME, "body").text
            pytest.fail(f"the page does not show it, but:\n{shown}\n{self.console()}")
        assert found is not None
        return found

    def all(self, css: str, text: str = "") -> Sequence[WebElement]:
        """Return the visible elements that contain a text."""
        return [
            each
            for each in self.browser.find_elements(By.CSS_SELECTOR, css)
            if each.is_displayed() and text in each.text
        ]

    def one(self, css: str, text: str = "") -> WebElement:
        """Wait for a visible element that contains a text, and return it."""
        return self.until(lambda: next(iter(self.all(css, text)), None))

    def gone(self, css: str, text: str = "") -> None:
        """Wait until no visible element contains the text."""
        self.until(lambda: not self.all(css, text))

    def text(self, css: str) -> str:
        """Return the text of an element."""
        return self.one(css).text

    def click(self, css: str, text: str = "") -> None:
        """Click on an element; retry if it was redrawn or has moved away from the pointer."""
        listen = "arguments[0].addEventListener('click', () => (window.clicked = true), true)"

        def click() -> bool:
            for each in self.all(css, text)[:1]:
                self.run(f"window.clicked = false; {listen}", each)
                each.click()
                return bool(self.run("return window.clicked"))
            return False

        self.until(click)

    def type(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.browser).send_keys(*keys).perform()

    @property
    def focused(self) -> str:
        """The text or the label of the focused element."""
        script = "const e = document.activeElement; return e.innerText || e.ariaLabel || e.id || ''"
        return str(self.run(script)).strip()

    def sign_in(self, token: str) -> None:
        """Enter the token in the dialog, and submit it."""
        self.one("dialog input[type=password]").send_keys(token)
        self.click("dialog button.primary")
        self.gone("dialog")

    def console(self) -> list[str]:
        """Return the messages of the console since the last call."""
        found = self.browser.execute("getLog", {"type": "browser"})  # get_log has no types
        return [each["message"] for each in found["value"]]

    def violations(self) -> list[str]:
        """Return the findings of axe: violated rules, with the elements that violate them."""
        script = files("axe_core_python").joinpath("axe.min.js").read_text("utf-8")
        self.run(script)
        found = self.browser.execute_async_script(
            "const done = arguments[0]; axe.run().then((found) => done(found.violations))"
        )
        return [f"{rule['id']}: {node['html']}" for rule in found for node in rule["nodes"]]
