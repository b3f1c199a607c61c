"""`items`: pages of each state; undecodable values and huge values."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
import redis

from pyredisson import Receipt, Redisson
from pyredisson.admin.items import State, page_of_items
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from tests._sync.objects.test_long_values import (
    ORDERS,
    fill_dead,
    fill_list,
    fill_pending,
    fill_poison,
    fill_taken,
)
from tests.support.server import RedisServer
from tests.support.shell import shell
from tests.support.state import pack, pack_old
from tests.support.terminal import on_terminal

TIMES, LIST = "redisson_delay_queue_timeout:{orders}", "redisson_delay_queue:{orders}"
UNREADABLE = b"\xff\xfe\x00"


@pytest.fixture
def redisson(server: RedisServer) -> Iterator[Redisson]:
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        yield redisson


def pages(url: str, *words: str) -> Iterator[list[dict[str, object]]]:
    """Iterate over the pages of a queue; each page has the cursor of the next one."""
    after: tuple[str, ...] = ()
    while True:
        page = shell("items", "orders", "--json", *words, *after, url=url).json()
        yield page["items"]
        if page["next"] is None:
            return
        after = ("--after", page["next"])


def test_pages_while_items_are_taken(server: RedisServer, raw: redis.Redis) -> None:
    """Several items are due at the same time. Each item that is not taken is shown once."""
    entries = {pack(b"%d" % n, b"%08d" % n): 1000 + n // 7 for n in range(100)}
    raw.zadd(TIMES, entries)
    shown: list[object] = []
    for page in pages(server.url, "--limit", "9"):
        shown += [each["text"] for each in page]
        raw.zrem(TIMES, pack(b"%d" % (len(shown) - 1), b"%08d" % (len(shown) - 1)))
    assert shown == [str(n) for n in range(100)]


@pytest.mark.parametrize(
    ("state", "fill"),
    [
        ("pending", fill_pending),
        ("ready", fill_list),
        ("in-progress", fill_taken),
        ("dead", fill_dead),
        ("poison", fill_poison),
    ],
)
def test_pages_of_long_values(
    redisson: Redisson, raw: redis.Redis, state: State, fill: Callable[[Any, list[str]], None]
) -> None:
    """A page has as many items as `limit` says, although long values are read one by one."""
    values = ORDERS["mixed"]
    fill(raw, values)
    found, sizes, after = list[str](), list[int](), None
    while after is not None or not found:
        page = page_of_items(redisson, "q", StringCodec(), state, limit=25, after=after)
        found += [each.value for each in page.items]
        sizes.append(len(page.items))
        after = page.next
    assert found == values
    assert sizes == [25, 25, 10]


def test_undecodable_items_are_shown_in_each_state(
    server: RedisServer, raw: redis.Redis, redisson: Redisson
) -> None:
    raw.zadd(TIMES, {b"rubbish": 1000, pack(UNREADABLE): 2000, pack_old(b"fine", 7.0): 3000})
    raw.rpush("orders", UNREADABLE, "fine")
    raw.rpush("pyredisson_poison:{orders}", UNREADABLE, "fine")
    words = ("items", "orders", "--codec", "string", "--json")
    rubbish, unreadable, fine = shell(*words, url=server.url).json()["items"]
    assert rubbish["bytes"] == rubbish["text"] == b"rubbish".hex()
    assert (rubbish["id"], rubbish["receipt"], rubbish["value"]) == (None, None, None)
    assert rubbish["due_at"] == "1970-01-01T00:00:01.000Z"
    assert "neither Bc0Lc0" in rubbish["error"]
    assert (unreadable["bytes"], unreadable["value"]) == (UNREADABLE.hex(), None)
    assert "StringCodec" in unreadable["error"]
    assert unreadable["receipt"]
    assert (fine["value"], "error" in fine) == ("fine", False)
    for state in ("ready", "poison"):
        broken, whole = shell(*words, "--state", state, url=server.url).json()["items"]
        assert (broken["text"], whole["text"]) == (UNREADABLE.hex(), "fine")
        assert "StringCodec" in broken["error"]
    assert UNREADABLE.hex() in shell(*words[:-1], url=server.url).out


def test_messages_in_progress_and_dead_letters(server: RedisServer, redisson: Redisson) -> None:
    """JSON and the table contain consumers, ends of leases and reasons, on several pages."""
    queue = redisson.get_blocking_queue("orders")
    queue.add_all([f"v{n}" for n in range(5)])
    with redisson.get_consumer(queue, lease=600, consumer_name="worker-7") as consumer:
        held = [consumer.take() for _ in range(5)]
        items = [
            each
            for page in pages(server.url, "--state", "in-progress", "--limit", "2")
            for each in page
        ]
        assert sorted(str(each["value"]) for each in items) == [f"v{n}" for n in range(5)]
        assert {each["consumer"] for each in items} == {"worker-7"}
        assert {each["attempts"] for each in items} == {1}
        table = shell("items", "orders", "--state", "in-progress", url=server.url).out
        assert table.splitlines()[0].split() == ["lease", "ends", "attempt", "consumer", "value"]
        assert "in 10 min" in table
        for each in held:
            each.reject("out of \x1b[31m paper")
    dead = [each for page in pages(server.url, "--state", "dead", "--limit", "2") for each in page]
    assert [each["reason"] for each in dead] == ["out of \x1b[31m paper"] * 5
    assert all(each["failed_at"] for each in dead)
    table = shell("items", "orders", "--state", "dead", url=server.url).out
    assert r"out of \x1b[31m paper" in table
    assert str(dead[0]["id"]) in table


def test_a_huge_value_is_cut_on_a_terminal_only(server: RedisServer, redisson: Redisson) -> None:
    """The next cursor and the item's receipt stay short enough for a command line."""
    orders = redisson.get_queue("orders")
    delayed = redisson.get_delayed_queue(orders, transfer=False)
    for number, value in enumerate(("x" * 1_000_000, "second")):
        delayed.offer(value, delay=7205 + number)
    first = shell("items", "orders", "--limit", "1", "--json", url=server.url).json()
    (huge,) = first["items"]
    assert len(huge["value"]) == 1_000_000
    assert len(huge["receipt"]) < 1000
    assert len(first["next"]) < 10_000
    assert delayed.remaining_delay(Receipt.parse(huge["receipt"])) is not None
    rest = shell("items", "orders", "--after", first["next"], "--json", url=server.url).json()
    assert [each["value"] for each in rest["items"]] == ["second"]
    assert len(shell("items", "orders", url=server.url).out) > 1_000_000
    with on_terminal("items", "orders", "--url", server.url, COLUMNS="80") as terminal:
        assert terminal.end() == 0
        lines = terminal.printed.replace("\r", "").splitlines()
        assert max(map(len, lines[1:3])) <= 80
        assert "in 2 h" in lines[1]
        assert "--json they are whole" in terminal.printed


def test_values_as_json_and_as_text(server: RedisServer, redisson: Redisson) -> None:
    queue = redisson.get_queue("orders", codec=JsonJacksonCodec())
    queue.add({"n": 1.5, "é": [None, True]})
    redisson.get_queue("orders").add('{"@class":"com.example.Order","id":7}')
    words = ("items", "orders", "--state", "ready", "--codec", "json", "--json")
    redisson.get_queue("orders").add(r'"half \ud800"')
    plain, order, half = shell(*words, url=server.url).json()["items"]
    assert half["value"] == "half \ud800"
    assert plain["value"] == {"n": 1.5, "é": [None, True]}
    assert order["value"] == {"@class": "com.example.Order", "id": 7}
    assert order["text"] == '{"@class": "com.example.Order", "id": 7}'


def test_a_character_that_stdout_cannot_encode(server: RedisServer, redisson: Redisson) -> None:
    redisson.get_queue("orders").add("für")
    environment = {"PYTHONIOENCODING": "ascii", "PYREDISSON_URL": server.url}
    with patch.dict("os.environ", environment):
        words = [sys.executable, "-m", "pyredisson", "items", "orders", "--state", "ready"]
        shown = subprocess.run(words, capture_output=True, timeout=60, check=True).stdout
    assert rb"f\xfcr" in shown


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--after", "nix"), "not a cursor of this state"),
        (("--after", "1:zz"), "not a cursor of this state"),
        (("--state", "dead", "--after", "-1"), "not a cursor of this state"),
        (("--codec", "nix"), "no codec is called 'nix'"),
        (("--limit", "0"), "--limit"),
        (("--state", "lost"), "--state"),
        (("--schemas", "/nowhere.py"), "--schemas"),
    ],
)
def test_wrong_arguments_print_one_line(
    server: RedisServer, words: tuple[str, ...], said: str
) -> None:
    done = shell("items", "orders", *words, url=server.url)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert said in done.err


def test_200_000_items_in_pages(server: RedisServer, raw: redis.Redis) -> None:
    """The last page costs as much as the first: no page reads the items before it."""
    pack_all = "struct.pack('Bc0Lc0', 8, string.format('%08d', i), 1, 'v')"
    fill = f"for i = 1, 200000 do redis.call('zadd', KEYS[1], i, {pack_all}) end"
    raw.eval(fill, 1, TIMES)
    cursor = f"199000:{pack(b'v', b'00199000').hex()}"
    start = time.monotonic()
    first = shell("items", "orders", "--limit", "1000", "--json", url=server.url).json()
    middle = time.monotonic()
    last = shell("items", "orders", "--limit", "1000", "--after", cursor, "--json", url=server.url)
    end = time.monotonic()
    assert len(first["items"]) == len(last.json()["items"]) == 1000
    assert last.json()["next"] is None
    assert end - middle < 5 * (middle - start) + 1
