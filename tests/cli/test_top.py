"""`top`: the counts of queues, live on a terminal."""

from __future__ import annotations

import signal
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest
import redis
from rich.console import Console

from pyredisson import Redisson
from pyredisson.admin.watch import Watch, Watched
from pyredisson.cli.top import screen
from pyredisson.codecs import StringCodec
from pyredisson.protocol.checks.stats import QueueStats
from pyredisson.server_errors import NoPermissionError
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.state import pack
from tests.support.terminal import on_terminal


def test_troubled_queues_come_first_and_rates_are_differences(
    server: RedisServer, raw: redis.Redis
) -> None:
    for name, score in (("late", 1), ("fine", 2**52)):
        raw.zadd(f"redisson_delay_queue_timeout:{{{name}}}", {pack(b"v"): score})
    raw.zadd("pyredisson_dead:{dead}", {"x": 1})
    raw.set("redisson_delay_queue_timeout:{wrong}", "text")
    with Redisson.from_url(server.url) as redisson:
        watch = Watch(redisson)
        first = watch.look()
        assert [each.name for each in first] == ["wrong", "late", "dead", "fine"]
        assert [each.trouble for each in first] == ["wrong type", "no task", "", ""]
        assert first[-1].pending_rate is None
        raw.zadd("redisson_delay_queue_timeout:{fine}", {pack(b"w"): 2**52})
        raw.rpush("late", "a", "b")
        second = {each.name: each for each in watch.look()}
        assert (second["fine"].pending_rate or 0) > 0
        assert second["fine"].ready_rate == 0
        assert (second["late"].ready_rate or 0) > 0
        assert [each.name for each in Watch(redisson, ["fine", "late"]).look()] == ["fine", "late"]


@pytest.fixture
def orders(server: RedisServer) -> str:
    """A server whose queue `orders` has 3 pending items."""
    with Redisson.from_url(server.url) as redisson:
        queue = redisson.get_queue("orders", codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        for number in range(3):
            delayed.offer(f"order-{number}", delay=3600)
    return server.url


@pytest.mark.parametrize("end", ["q", "\x03", signal.SIGTERM])
def test_top_follows_changes_and_restores_the_terminal(
    orders: str, raw: redis.Redis, end: str | signal.Signals
) -> None:
    """A key, Ctrl-C or SIGTERM ends it; afterwards the terminal's settings are as before."""
    with on_terminal("top", "--interval", "0.2", "--url", orders) as terminal:
        before = terminal.settings()
        shown = terminal.read_until("orders")
        assert max(map(len, shown.splitlines())) <= 80
        raw.rpush("orders", "a", "b", "c", "d")
        terminal.read_until(" 4 ")
        assert terminal.settings() != before
        if isinstance(end, str):
            terminal.type(end)
        else:
            terminal.process.send_signal(end)
        assert terminal.end() == (0 if isinstance(end, str) else 128 + signal.SIGTERM)
        assert terminal.settings() == before
        assert terminal.printed.rindex("\x1b[?1049l") > terminal.printed.rindex("\x1b[?1049h")
        assert terminal.printed.rindex("\x1b[?25h") > terminal.printed.rindex("\x1b[?25l")


def test_top_continues_after_a_restart_of_the_server() -> None:
    with (
        RedisServer() as server,
        on_terminal("top", "orders", "--interval", "0.1", "--url", server.url) as terminal,
    ):
        terminal.read_until("orders")
        server.kill()
        terminal.read_until("no answer")
        server.start()
        server.run("RPUSH", "orders", *"a" * 7)
        terminal.read_until(" 7 ")
        terminal.type("q")
        assert terminal.end() == 0


def test_top_needs_a_terminal_and_a_server(orders: str) -> None:
    done = shell("top", url=orders)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "pyredisson stats" in done.err
    for words, term in ((("--url", "redis://127.0.0.1:1"), "xterm"), ((), "dumb")):
        with on_terminal("top", *words, TERM=term) as terminal:
            assert terminal.end() == 2
            assert "\x1b" not in terminal.printed


def test_top_fits_80_columns_with_large_numbers() -> None:
    """Only names are cut. The rows contain their troubles; a queue without a row is counted."""
    name = "orders-of-the-north-western-shop\x1b[31m"
    many = QueueStats(name, 1_234_567, 12, 90_000, 123_456, 1234, 5, 0, paused=False, subscribers=0)
    rows = [
        Watched(name, many, None, -12_345.6, 123.4),
        Watched("q", replace(many, oldest_overdue=0.0, paused=True, dead=-1), None, None, 0.0),
        Watched("rejected", None, NoPermissionError("no"), None, None),
        Watched("left out", many, None, None, None),
    ]
    console = Console(width=80, height=7, file=StringIO())
    console.print(screen(rows, 7, "Redis at h:1", datetime.now(UTC), OSError("gone\x1b")))
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[1] == r"no answer: gone\x1b"
    first = lines[3].split()
    assert first[0].endswith("…")
    assert first[1:] == [
        "1.23M",
        "-12346",
        "1",
        "d",
        "123k",
        "+123",
        "1234",
        "5",
        "0",
        "no",
        "task",
    ]
    assert lines[4].split()[-2:] == ["wrong", "type"]
    assert lines[5].split()[0] == "rejected"
    assert lines[6] == "and 1 more"
