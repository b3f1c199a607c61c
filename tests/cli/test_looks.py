"""`queues`, `stats` and `items`: commands that only read."""

from datetime import UTC, datetime

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import Kryo5Codec, StringCodec
from tests.support.server import RedisServer
from tests.support.shell import shell


@pytest.fixture
def url(server: RedisServer, raw: redis.Redis) -> str:
    """A server whose queue `orders` has 3 pending items, one of them due, and one ready item."""
    with Redisson.from_url(server.url) as redisson:
        orders = redisson.get_queue("orders", codec=StringCodec())
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        for number, delay in enumerate((0, 3600, 7200)):
            delayed.offer(f"order-{number}", delay=delay)
        orders.add("ready")
    raw.set("other", "1")
    return server.url


def test_queues_lists_names_with_counts(url: str) -> None:
    done = shell("queues", "--json", url=url)
    assert done.code == 0
    assert done.json() == {"queues": [{"name": "orders", "pending": 3, "ready": 1}]}
    assert shell("queues", "ord*", url=url).out.splitlines()[1].split() == ["orders", "3", "1"]
    none = shell("queues", "x*", url=url)
    assert none.code == 1
    assert "no delayed queue matches 'x*'" in none.out


def test_stats_counts_each_state(url: str) -> None:
    (found,) = shell("stats", "orders", "--json", url=url).json()["queues"]
    late = found.pop("oldest_overdue")
    assert late >= 0
    assert found == {
        "name": "orders",
        "pending": 3,
        "due": 1,
        "ready": 1,
        "in_progress": 0,
        "dead": 0,
        "poison": 0,
        "paused": False,
        "subscribers": 0,
    }


def test_items_in_pages(url: str) -> None:
    first = shell("items", "orders", "--limit", "2", "--json", url=url).json()
    assert [each["value"] for each in first["items"]] == ["order-0", "order-1"]
    due = datetime.fromisoformat(first["items"][0]["due_at"])
    assert due.tzinfo == UTC
    rest = shell("items", "orders", "--json", "--after", first["next"], url=url).json()
    assert [each["text"] for each in rest["items"]] == ["order-2"]
    assert rest["next"] is None
    assert shell("items", "orders", "--state", "dead", url=url).code == 1


def test_an_undecodable_item_is_shown_among_the_others(url: str) -> None:
    with Redisson.from_url(url) as redisson:
        redisson.get_queue("orders", codec=Kryo5Codec()).add({"a": [1, 2]})
    words = ("items", "orders", "--state", "ready", "--codec", "kryo5", "--json")
    broken, whole = shell(*words, url=url).json()["items"]
    assert broken["bytes"] == b"ready".hex()
    assert "Kryo5Codec" in broken["error"]
    assert whole["value"] == {"a": [1, 2]}


def test_markup_and_control_characters_of_a_value_are_escaped(url: str) -> None:
    with Redisson.from_url(url) as redisson:
        redisson.get_queue("orders", codec=StringCodec()).add("\x1b[31m[bold]x[/bold]\r\n")
    shown = shell("items", "orders", "--state", "ready", url=url).out
    assert r"\x1b[31m[bold]x[/bold]\r\n" in shown


def test_wrong_commands_exit_with_2() -> None:
    for words in (("items",), ("nix",), ("items", "q", "--url", "redis://127.0.0.1:1")):
        done = shell(*words)
        assert done.code == 2
        assert done.err.startswith("pyredisson: ")
        assert done.err.count("\n") == 1
        assert "--" in done.err  # the error names an option that helps
