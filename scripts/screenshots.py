"""Makes the pictures of the docs: of commands on a terminal, as SVG, and of the dashboard.

    python scripts/screenshots.py [NAME ...]     # all, or some of stats items top doctor dashboard

The server has queues in several states. Fonts are those of the reader: nothing is downloaded.
"""

from __future__ import annotations

import base64
import re
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402 - after the path
from rich.text import Text  # noqa: E402 - after the path

from pyredisson import Redisson  # noqa: E402 - after the path
from pyredisson.cli.verbs import VERBS  # noqa: E402 - after the path
from pyredisson.codecs import JsonJacksonCodec  # noqa: E402 - after the path
from pyredisson.dashboard import app  # noqa: E402 - after the path
from tests.support.browser import Page, chromium, serving  # noqa: E402 - after the path
from tests.support.server import RedisServer  # noqa: E402 - after the path
from tests.support.terminal import on_terminal  # noqa: E402 - after the path

IMAGES = ROOT / "docs" / "images"
WIDTH = 80
COMMANDS = {
    "stats": ("stats", "orders", "retries", "mails"),
    "items": ("items", "orders", "--limit", "6"),
    "top": ("top", "--interval", "0.5"),
    "doctor": ("doctor", "retries"),
}
ENVIRONMENT = {"TERM": "xterm-256color", "COLUMNS": f"{WIDTH}"}
_FRAME = "\x1b[H"
_NO_STYLE = re.compile(r"\x1b(\[[0-9;?]*[A-Zac-ln-z]|[()][A-Z0-9])")


def prepare(redisson: Redisson) -> None:
    """Fill the queues: one in order, one paused and without a task, one with dead letters."""
    for name, count in (("orders", 1200), ("retries", 40), ("mails", 7)):
        queue = redisson.get_blocking_queue(name)
        offered = redisson.get_delayed_queue(queue, transfer=name == "orders")
        offered.offer_many(
            ({"order": 1000 + n, "customer": f"c-{n % 7}"}, 40 + 97 * n) for n in range(count)
        )
    for number in range(3):
        retries = redisson.get_blocking_queue("retries")
        redisson.get_delayed_queue(retries, transfer=False).offer({"order": number}, delay=0.01)
    mails = redisson.get_blocking_queue("mails")
    mails.add_all([{"to": f"c-{n}"} for n in range(9)])
    with redisson.get_consumer(mails, transfer=False) as consumer:
        for _ in range(2):
            consumer.take().reject("mailbox is full")
    redisson.get_queue("retries").pause()


def printed(name: str, url: str) -> str:
    """Run a command, and return what its terminal shows at the end."""
    with on_terminal(*COMMANDS[name], columns=WIDTH, lines=9, **ENVIRONMENT) as terminal:
        if name != "top":
            terminal.end()
            return terminal.printed
        terminal.read_until("orders")
        with Redisson.from_url(url, codec=JsonJacksonCodec()) as redisson:
            for _ in range(12):  # so that there is a rate
                redisson.get_queue("mails").add_all([{"to": "c"}] * 10)
                time.sleep(0.15)
            terminal.read_until("mails")
        terminal.type("q")
        terminal.end()
        return terminal.printed.rsplit("\x1b[?1049l", 1)[0].rsplit(_FRAME, 1)[1]


def picture(name: str, output: str) -> None:
    """Write the SVG of a command and its output."""
    console = Console(record=True, width=WIDTH, file=sys.stderr, force_terminal=True)
    console.print(Text(f"$ pyredisson {' '.join(COMMANDS[name])}", "bold green"))
    shown = _NO_STYLE.sub("", output.replace("\r", "")).rstrip()
    console.print(Text.from_ansi(shown), overflow="fold")
    svg = console.export_svg(title=f"pyredisson {name}", unique_id=name)
    svg = re.sub(r"@font-face \{.*?\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / f"{name}.svg").write_text(svg, "utf-8")


def dashboard(redisson: Redisson, url: str) -> None:
    """Write the pictures of the dashboard: all queues after a lively minute, and one of them."""
    tasks = [redisson.get_queue(name) for name in ("invoices:eu", "push", "reports")]
    for number, queue in enumerate(tasks):
        delayed = redisson.get_delayed_queue(queue)
        delayed.offer_many(({"id": n}, 60 + n**1.6) for n in range(90 * (3 - number)))
    orders, mails = redisson.get_queue("orders"), redisson.get_queue("mails")
    with (
        tempfile.TemporaryDirectory() as profile,
        serving(app(url)) as address,
        chromium(Path(profile)) as browser,
    ):
        page = Page(browser, address)
        page.look(1400, 460)
        page.open()
        for second in range(60):
            redisson.get_delayed_queue(orders).offer_many(({"n": n}, 20 + n) for n in range(9))
            redisson.get_delayed_queue(tasks[1], transfer=False).offer({"n": second}, second % 7)
            mails.add({"to": second}) if second % 20 < 12 else mails.poll()
            time.sleep(1)
        shoot(page, "dashboard")
        page.look(1400, 1000)
        page.open("#/queue/retries")
        page.one(".findings li")
        page.one("#items tbody tr")
        shoot(page, "dashboard-queue")


def shoot(page: Page, name: str) -> None:
    """Write what the window shows."""
    shown = page.command("Page.captureScreenshot", format="png")["data"]
    (IMAGES / f"{name}.png").write_bytes(base64.b64decode(shown))


def main(names: list[str]) -> None:
    """Make the pictures."""
    with RedisServer() as server:
        url = f"redis://127.0.0.1:{server.port}/0"
        ENVIRONMENT["PYREDISSON_URL"] = url
        with Redisson.from_url(url, codec=JsonJacksonCodec()) as redisson:
            prepare(redisson)
            time.sleep(12)  # so that items are overdue
            for name in names or [*(each for each in COMMANDS if each in VERBS), "dashboard"]:
                if name == "dashboard":
                    dashboard(redisson, url)
                else:
                    picture(name, printed(name, url))


if __name__ == "__main__":
    main(sys.argv[1:])
