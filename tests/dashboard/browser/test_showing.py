"""The contents of the page, its updates, and values that try to attack it."""

import pytest
import redis
from selenium.webdriver.common.keys import Keys

from pyredisson import Redisson
from pyredisson.dashboard import app, items
from tests.support.browser import Page, serving
from tests.support.proxy import FaultProxy

BIG = 9007199254740993  # a Java long that a JavaScript number cannot represent


def offer(redisson: Redisson, name: str, *values: object, delay: float = 3600) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue(name), transfer=False)
    delayed.offer_many((value, delay) for value in values)


def test_overview_is_live_and_in_order_of_trouble(page: Page, redisson: Redisson) -> None:
    redisson.get_delayed_queue(redisson.get_queue("calm"), transfer=True).offer("x", delay=3600)
    offer(redisson, "late", "x", delay=0)
    page.open()
    assert page.text("h1") == "Queues"
    page.one("tr", "calm")
    names = [each.text for each in page.all(".queues .name")]
    assert names == ["late", "calm"]
    assert "no transfer task" in page.text(".queues tbody tr:first-child .reasons")
    offer(redisson, "calm", *range(1233))
    page.one("td[data-label=Pending]", "1,234")
    page.one("#filter").send_keys("LAT")
    page.gone(".queues .name", "calm")
    page.click(".queues .name", "late")
    page.one("h1", "late")
    assert page.focused == "late"
    assert page.browser.title == "late · pyredisson"
    page.browser.back()
    page.one("h1", "Queues")


def test_the_page_of_an_empty_server(page: Page) -> None:
    page.open()
    assert "No delayed queue yet" in page.text(".empty")
    page.open("#/queue/nothing")
    page.one(".foot", "Nothing is pending.")


def test_a_hidden_page_sends_no_requests(page: Page, redisson: Redisson) -> None:
    offer(redisson, "orders", "x")
    page.open()
    page.one(".live", "Live")
    hidden = "Object.defineProperty(document, 'hidden', {configurable: true, get: () => arguments})"
    page.run(hidden.replace("arguments", "true"))
    page.poll()
    offer(redisson, "orders", "y")
    asked = "return performance.getEntriesByType('resource').length"
    before = page.run(asked)
    page.browser.set_script_timeout(10)
    page.browser.execute_async_script("setTimeout(arguments[0], 2500)")
    assert page.run(asked) == before
    page.run(hidden.replace("arguments", "false"))
    page.poll()
    page.one("td[data-label=Pending]", "2")
    page.click("#hold")
    assert page.text("#live") == "Updates paused"


def test_the_page_keeps_old_data_while_redis_does_not_answer(
    page: Page, redisson: Redisson, proxy: FaultProxy
) -> None:
    offer(redisson, "orders", "x")
    with serving(app(f"redis://127.0.0.1:{proxy.port}/0"), "/ops/queues") as address:
        page.address = address
        page.open()
        page.one("tr", "orders")
        proxy.black_hole()
        page.one("#banner", "These data are from")
        assert page.all("tr", "orders")
        proxy.heal()
        page.gone("#banner", "These data")
        assert any("503" in line for line in page.console())


def test_items_in_pages_and_a_search(
    page: Page, redisson: Redisson, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(items, "_SECONDS", 600)  # no page ends early
    offer(redisson, "orders", *({"order": number, "id": BIG} for number in range(120)))
    page.open("#/queue/orders")
    page.one(".foot", "50 items shown, there are more.")
    page.click(".foot button")
    page.one(".foot", "100 items shown")
    page.one("#search").send_keys('"order": 77')
    page.one(".foot", "1 match in 120 items.")
    page.click("#items .open")
    details = page.one(".details", "order")
    assert str(BIG) in details.text
    page.command("Browser.grantPermissions", permissions=["clipboardReadWrite"])
    page.click(".details button", "Copy value")
    page.one("#notice", "Copied.")
    script = "navigator.clipboard.readText().then(arguments[0])"
    copied = page.browser.execute_async_script(script)
    assert f'"id": {BIG}' in copied


def test_items_of_each_state(page: Page, redisson: Redisson, raw: redis.Redis) -> None:
    mails = redisson.get_blocking_queue("mails")
    mails.add_all([{"to": "a"}, {"to": "b"}])
    with redisson.get_consumer(mails, transfer=False) as consumer:
        consumer.take().reject("mailbox is full")
        consumer.take()
        raw.rpush("mails", b"\xac\xed\x00\x05broken")
        page.open("#/queue/mails/dead")
        assert "mailbox is full" in page.one("#items tbody tr", '"to": "a"').text
        page.click("[role=tab]", "In progress")
        assert "ago" not in page.one("#items tbody tr", '"to": "b"').text
        page.type(Keys.ARROW_LEFT)  # selects the next tab
        page.click("#items .open")
        assert "ac ed 00 05 62 72" in page.text(".details .hex")
        assert page.run("return location.hash") == "#/queue/mails/ready"


def test_hostile_names_and_values_are_only_text(page: Page, redisson: Redisson) -> None:
    attack = "<script>window.hit = 1</script><img src=x onerror='window.hit = 2'>"
    name = f"{attack}\u202egnp/?#%."
    values = (
        attack,
        {attack: [attack]},
        "\u202eevil\x1b[31m",
        {"__proto__": {"hit": 3}},
        "x" * 1_000_000,
    )
    offer(redisson, name, *values)
    offer(redisson, "n" * 300, "x")
    for width in (390, 1400):
        page.look(width)
        page.open()
        page.one(".queues .name", "nnn")
        assert page.run("return document.documentElement.scrollWidth") <= width
    page.click(".queues .name", "<script>")
    assert page.text("h1") == f"{attack}\\u202egnp/?#%."
    page.one(".foot", "5 items shown.")
    for each in page.all("#items .open"):
        each.click()
    page.one(".details", "This is its start: the value has 1.0 MB.")
    assert "\u202e" not in page.text("main")
    for each in page.all(".tree summary"):
        each.click()
    page.look(390)
    assert page.run("return document.documentElement.scrollWidth") == 390
    assert page.run(
        "return [window.hit, ({}).hit, document.querySelectorAll('main script, main img').length]"
    ) == [None, None, 0]


def test_the_overview_shows_100_of_500_queues(
    page: Page, redisson: Redisson, raw: redis.Redis
) -> None:
    raw.rpush("redisson_delay_queue:{x}", "x")
    with raw.pipeline() as pipeline:
        for number in range(500):
            pipeline.zadd(f"redisson_delay_queue_timeout:{{queue-{number:03}}}", {"x" * 20: 4e12})
        pipeline.execute()
    page.open()
    page.until(lambda: len(page.browser.find_elements("css selector", ".queues tbody tr")) == 100)
    page.one("#filter").send_keys("queue-499")
    page.one(".queues .name", "queue-499")
