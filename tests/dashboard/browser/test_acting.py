"""The actions of the page: it signs in, asks before each action, and shows the result."""

import redis
from selenium.webdriver.common.keys import Keys

from pyredisson import Redisson
from pyredisson.codecs import JsonJacksonCodec
from tests.dashboard.browser.conftest import TOKEN
from tests.support.browser import Page

DEAD = "#/queue/mails/dead"


def dead_letters(redisson: Redisson, count: int) -> None:
    mails = redisson.get_blocking_queue("mails")
    mails.add_all([{"to": number} for number in range(count)])
    with redisson.get_consumer(mails, transfer=False) as consumer:
        for _ in range(count):
            consumer.take().reject("mailbox is full")


def test_sign_in_and_sign_out(acting: Page, redisson: Redisson) -> None:
    redisson.get_delayed_queue(redisson.get_queue("orders"), transfer=False).offer("x", delay=60)
    acting.open()
    acting.one("dialog input[type=password]").send_keys("wrong\n")
    assert acting.text("dialog [role=alert]")
    assert any("403" in line for line in acting.console())
    acting.type(Keys.ESCAPE)
    acting.one("main", "This dashboard asks for a token")
    assert "orders" not in acting.text("body")
    acting.click("#sign")
    acting.sign_in(TOKEN)
    acting.one("tr", "orders")
    assert TOKEN not in acting.browser.current_url
    acting.click("#sign")
    acting.one("main", "This dashboard asks for a token")


def test_page_sends_no_question_behind_a_sign_out(acting: Page, redisson: Redisson) -> None:
    """The server would reject it, and the browser would write that to the console."""
    redisson.get_delayed_queue(redisson.get_queue("orders"), transfer=False).offer("x", delay=60)
    acting.open()
    acting.sign_in(TOKEN)
    acting.one("tr", "orders")
    acting.browser.execute_script("""
        const send = window.fetch;
        window.fetch = async (path, options) => {
            const answer = await send(path, options);
            if (String(path).includes("sign-out")) await new Promise((go) => setTimeout(go, 2500));
            return answer;
        };
    """)
    acting.click("#sign")
    acting.one("main", "This dashboard asks for a token")


def test_dead_letters_are_redriven_and_dropped(acting: Page, redisson: Redisson) -> None:
    dead_letters(redisson, 3)
    acting.open(DEAD)
    acting.sign_in(TOKEN)
    acting.click("#items input.pick")
    acting.click(".bulk button", "Drop selected (1)")
    acting.one("dialog", "Drop 1 dead letter?")
    assert acting.focused == "Cancel"
    acting.type(Keys.ESCAPE)
    acting.gone("dialog")
    assert acting.focused == "Drop selected (1)…"
    letters = redisson.get_dead_letters(redisson.get_queue("mails"))
    assert letters.size() == 3
    acting.type(Keys.ENTER, Keys.TAB, Keys.ENTER)
    acting.one("#notice", "dropped")
    acting.one(".foot", "2 items shown")
    assert letters.size() == 2
    acting.click("#items .open")
    acting.click(".details button", "Redrive…")
    acting.click("dialog button", "Redrive")
    acting.one(".foot", "1 item shown")
    acting.click(".bulk button", "Redrive all")
    acting.click("dialog button", "Redrive")
    acting.one(".foot", "No dead letters.")
    assert redisson.get_queue("mails").size() == 2


def test_a_pending_item_is_rescheduled_and_cancelled(
    acting: Page, redisson: Redisson, raw: redis.Redis
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("orders"), transfer=False)
    delayed.offer({"order": 1}, delay=60)
    acting.open("#/queue/orders")
    acting.sign_in(TOKEN)
    acting.click("#items .open")
    acting.click(".details button", "Reschedule…")
    number = acting.one("dialog input[type=number]")
    number.clear()
    number.send_keys("2")
    acting.one("dialog select").send_keys("hours")
    acting.click("dialog button.primary")
    acting.one("#items tbody tr", "in 2 h")
    (item,) = delayed.items()
    assert 7000 < item.due_at.timestamp() - raw.time()[0] <= 7201
    acting.click("#items .open")
    acting.click(".details button", "Cancel…")
    acting.click("dialog button", "Cancel the item")
    acting.one(".foot", "Nothing is pending.")
    assert delayed.size() == 0


def test_a_queue_is_offered_to_paused_and_repaired(
    acting: Page, redisson: Redisson, raw: redis.Redis
) -> None:
    orders = redisson.get_queue("orders", codec=JsonJacksonCodec())
    delayed = redisson.get_delayed_queue(orders, transfer=False)
    acting.open("#/queue/orders")
    acting.sign_in(TOKEN)
    acting.click(".verbs button", "Offer…")
    acting.one("dialog textarea").send_keys("hello")
    acting.click("dialog button", "Offer")
    assert 'A text needs quotes: "hello"' in acting.text("dialog [role=alert]")
    text = acting.one("dialog textarea")
    text.clear()
    text.send_keys('"hello"')
    acting.click("dialog button", "Offer")
    acting.one("#items tbody tr", "hello")
    assert delayed.size() == 1
    acting.click(".verbs button", "Pause…")
    acting.click("dialog button", "Pause")
    acting.one(".badge", "paused")
    assert orders.is_paused()
    acting.click(".verbs button", "Resume…")
    acting.click("dialog button", "Resume")
    acting.gone(".badge", "paused")
    acting.click(".verbs button", "Repair…")
    acting.until(lambda: acting.all("#notice", " "))
    raw.zadd("redisson_delay_queue_timeout:{orders}", {"no entry": 1})
    acting.click(".verbs button", "Repair…")
    acting.click("dialog button", "Repair")
    acting.one(".badge, .tile.bad .number, #notice", "")
    acting.gone("dialog")
