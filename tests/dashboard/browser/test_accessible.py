"""Accessibility of the page: axe's rules, keyboard, screen reader, phone, reduced motion."""

import pytest
import redis
from selenium.webdriver.common.keys import Keys

from pyredisson import Redisson
from tests.dashboard.browser.conftest import TOKEN
from tests.support.browser import Page


@pytest.fixture
def filled(redisson: Redisson, raw: redis.Redis) -> None:
    orders = redisson.get_blocking_queue("orders")
    delayed = redisson.get_delayed_queue(orders, transfer=False)
    delayed.offer({"order": 1, "lines": [1, 2]}, delay=0)
    delayed.offer({"order": 2}, delay=3600)
    orders.add_all([{"order": 3}, {"order": 4}])
    with redisson.get_consumer(orders, transfer=False) as consumer:
        consumer.take().reject("no stock")
    raw.rpush("pyredisson_poison:{orders}", b"\xac\xed\x00\x05broken")


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("width", "scheme", "state"), [(1400, "light", "dead"), (390, "dark", "poison")]
)
def test_the_page_follows_the_rules_of_axe(
    acting: Page, width: int, scheme: str, state: str
) -> None:
    acting.look(width, prefers_color_scheme=scheme)
    acting.open()
    acting.sign_in(TOKEN)
    acting.one("tr", "orders")
    if scheme == "light":  # axe takes a second
        assert acting.violations() == []
    acting.open(f"#/queue/orders/{state}")
    acting.click("#items .open")
    acting.one(".findings li")
    assert acting.violations() == []
    assert acting.run("return document.documentElement.scrollWidth") <= width
    acting.click(".details button", "Drop…")
    if scheme == "dark":
        assert acting.violations() == []


@pytest.mark.usefixtures("filled")
def test_the_page_can_be_used_by_keyboard(acting: Page) -> None:
    acting.open()
    acting.sign_in(TOKEN)
    acting.one("tr", "orders")
    seen = []
    for _ in range(30):
        acting.type(Keys.TAB)
        seen.append(acting.focused)
        if acting.focused == "orders":
            break
    assert seen[-1] == "orders", seen
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert acting.run(outline) == "solid"
    acting.type(Keys.ENTER)
    acting.one("h1", "orders")
    while acting.run("return document.activeElement.role") != "tab":
        acting.type(Keys.TAB)
    acting.type(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    acting.one("[aria-selected=true]", "Dead letters")
    acting.one("#items tbody tr", "no stock")
    while "details of" not in acting.focused:
        acting.type(Keys.TAB)
    acting.type(Keys.ENTER)
    acting.one(".details", "no stock")
    while acting.focused != "Drop…":
        acting.type(Keys.TAB)
    acting.type(Keys.ENTER)
    acting.one("dialog")
    for _ in range(3):  # the focus stays in the dialog
        acting.type(Keys.TAB)
        assert acting.run("return document.activeElement.matches('body, dialog *')")
    acting.type(Keys.ESCAPE)
    acting.gone("dialog")
    assert acting.focused == "Drop…"


@pytest.mark.usefixtures("filled")
def test_the_page_has_roles_and_respects_reduced_motion(page: Page) -> None:
    page.look(prefers_reduced_motion="reduce")
    page.open()
    page.one("tr", "orders")
    assert (
        page.run(
            "return getComputedStyle(document.querySelector('.live'), '::before').animationName"
        )
        == "none"
    )
    nodes = page.command("Accessibility.getFullAXTree")["nodes"]
    roles = {
        (node["role"]["value"], node.get("name", {}).get("value", ""))
        for node in nodes
        if "role" in node
    }
    assert {"main", "banner", "navigation", "table", "columnheader", "rowheader", "status"} <= {
        role for role, _ in roles
    }
    assert ("searchbox", "Find") in roles
    page.look(390)  # rows that look like cards still have the role of rows
    nodes = page.command("Accessibility.getFullAXTree")["nodes"]
    assert {"row", "cell", "rowheader"} <= {
        node["role"]["value"] for node in nodes if "role" in node
    }
