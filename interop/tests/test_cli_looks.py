"""`queues`, `stats` and `items` of queues that only Java has touched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect, url_without_transfer
from tests.support.server import RedisServer
from tests.support.shell import shell

RELEASES = pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])


@RELEASES
def test_commands_show_what_java_has_offered(
    java: Peers, shared_server: RedisServer, raw: Any, release: str
) -> None:
    """They read both formats of entries and change nothing. Java continues."""
    url = shared_server.url
    with connect(java(release), url_without_transfer(shared_server)) as client:
        delayed = client.delayed_queue("orders", codec="JsonJackson")
        for name, delay in (("a", 0), ("b", 3600), ("c", 7200)):
            delayed.call("offer", {"name": name}, delay, "SECONDS")
        client.blocking_queue("orders", codec="JsonJackson").call("offer", "ready")
        before = raw.dump("redisson_delay_queue_timeout:{orders}")
        found = shell("queues", "--json", url=url).json()["queues"]
        assert found == [{"name": "orders", "pending": 3, "ready": 1}]
        (counts,) = shell("stats", "orders", "--json", url=url).json()["queues"]
        assert (counts["pending"], counts["due"], counts["ready"]) == (3, 1, 1)
        assert counts["oldest_overdue"] > 0
        assert (counts["dead"], counts["poison"], counts["paused"]) == (0, 0, False)
        items = []
        after: tuple[str, ...] = ()
        while True:
            page = shell("items", "orders", "--limit", "2", "--json", *after, url=url).json()
            items += page["items"]
            if page["next"] is None:
                break
            after = ("--after", page["next"])
        assert [each["value"]["name"] for each in items] == ["a", "b", "c"]
        due = datetime.fromisoformat(items[1]["due_at"]) - datetime.now(UTC)
        assert timedelta(minutes=50) < due < timedelta(minutes=70)
        assert all(each["receipt"] and each["id"] for each in items)
        words = ("items", "orders", "--state", "ready", "--codec", "json", "--json")
        (ready,) = shell(*words, url=url).json()["items"]
        assert ready["value"] == "ready"
        assert raw.dump("redisson_delay_queue_timeout:{orders}") == before
        assert delayed.call("size") == 3
        delayed.destroy()


@RELEASES
def test_an_empty_queue_with_javas_transfer_task(
    java: Peers, shared_server: RedisServer, raw: Any, release: str
) -> None:
    """The queue has no key; only its channel has a subscriber."""
    assert raw.dbsize() == 0
    url = shared_server.url
    with connect(java(release), url) as client:
        delayed = client.delayed_queue("{shop}:waiting", codec="String")
        delayed.call("offer", "v", 0, "SECONDS")
        assert client.blocking_queue("{shop}:waiting", codec="String").call("take") == "v"
        found = shell("queues", "--json", url=url).json()["queues"]
        assert found == [{"name": "{shop}:waiting", "pending": 0, "ready": 0}]
        (counts,) = shell("stats", "{shop}:waiting", "--json", url=url).json()["queues"]
        assert counts["subscribers"] == 1
        assert shell("items", "{shop}:waiting", url=url).code == 1
        delayed.destroy()
    assert shell("queues", url=url).code == 1
