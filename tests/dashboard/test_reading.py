"""The data that the dashboard shows; reading does not change the queues."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from pyredisson import Redisson
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from pyredisson.dashboard import app, items
from tests.support.dashboards import OWN, TOKEN, viewer
from tests.support.dump import dump


@pytest.fixture
def url(url: str) -> str:
    """A server whose queue `orders` has 100 pending items, one of them due, and two ready items."""
    with Redisson.from_url(url) as redisson:
        orders = redisson.get_queue("orders", codec=StringCodec())
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        delayed.offer_many([(f"order-{number}", 60 * number) for number in range(99)])
        delayed.offer("far away", delay=timedelta(days=3000))
        orders.add_all(["ready", '<b onclick="x()">\u202e\x1b[31m'])
    return url


async def test_the_overview_lists_queues_with_trouble_first(url: str, raw: redis.Redis) -> None:
    raw.set("other", "1")
    raw.zadd("pyredisson_dead:{broken}", {b"1": 1})
    raw.set("redisson_delay_queue_timeout:{wrong}", "text")
    before = dump(raw)
    async with viewer(app(url)) as page:
        found = await page.get("overview")
        assert found["server"] == url
        assert not found["actions"]
        assert not found["token"]
        wrong, broken, orders = found["queues"]
        assert (wrong["name"], wrong["trouble"], wrong["pending"]) == ("wrong", 3, None)
        assert (broken["trouble"], broken["reasons"]) == (2, ["1 dead letter"])
        assert (orders["name"], orders["pending"], orders["due"]) == ("orders", 100, 1)
        assert orders["history"]["pending"] == [100]
        assert orders["history"]["seconds"] == [0]
    assert dump(raw) == before


async def test_many_viewers_cost_one_read(url: str, raw: redis.Redis) -> None:
    async with viewer(app(url)) as page:
        await page.get("overview")
        raw.config_resetstat()
        for _ in range(20):
            await page.get("overview")
        calls = raw.info("commandstats").get("cmdstat_evalsha", {}).get("calls", 0)
        assert calls <= 3  # one read a second; 20 requests take less than 3 s


async def test_the_page_of_a_queue_has_a_chart_of_due_times(url: str) -> None:
    async with viewer(app(url)) as page:
        found = await page.get("queue", name="orders")
        assert found["codec"] == "string"
        assert found["parts"] == {}
        chart = found["chart"]
        assert chart[0]["overdue"]
        assert chart[0]["count"] == 1
        assert chart[-1]["later"]
        assert sum(each["count"] for each in chart) == 100
        assert len(chart) <= 60
        edges = [datetime.fromisoformat(each["to"]) for each in chart]
        assert edges == sorted(edges)
        assert edges[-1] > datetime.now(UTC) + timedelta(days=2999)  # the last item has its own bar
        empty = await page.get("queue", name="nobody uses it")
        assert (empty["queue"]["pending"], empty["chart"], empty["codec"]) == (0, [], None)


async def test_schedules_and_windows(url: str) -> None:
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_queue("q")
        schedule = redisson.get_schedule(redisson.get_delayed_queue(queue, transfer=False))
        schedule.add("nightly", "report", cron="0 3 * * *", timezone="Europe/Berlin")
        schedule.add("often", "ping", every=60)
        window = redisson.get_group_window(queue, size=10, max_wait=60)
        for value in ("a", "b"):
            window.offer("customer-1", value)
    async with viewer(app(url)) as page:
        found = await page.get("queue", name="q")
    often, nightly = found["schedules"]
    assert (often["name"], often["every"], often["text"]) == ("often", 60, "ping")
    assert (nightly["cron"], nightly["timezone"]) == ("0 3 * * *", "Europe/Berlin")
    assert nightly["next"] < nightly["then"][0] < nightly["then"][1]
    (group,) = found["windows"]
    assert (group["group"], group["count"]) == ("customer-1", 2)


async def test_items_in_pages_and_a_search(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "_SECONDS", 600)  # no page ends early
    async with viewer(app(url)) as page:
        words: dict[str, Any] = {"name": "orders", "state": "pending"}
        first = await page.get("items", limit=60, **words)
        rest = await page.get("items", limit=60, after=first["next"], **words)
        texts = [each["text"] for each in first["items"] + rest["items"]]
        assert texts == [*(f"order-{number}" for number in range(99)), "far away"]
        assert rest["next"] is None
        found = await page.get("items", search="RDER-7", **words)
        assert len(found["items"]) == 11
        assert found["searched"] == 100
        by_id = await page.get("items", search=first["items"][5]["id"], **words)
        assert [each["text"] for each in by_id["items"]] == ["order-5"]
        ready = await page.get("items", name="orders", state="ready")
        assert ready["items"][1]["text"] == r'<b onclick="x()">\u202e\x1b[31m'


async def test_a_slow_page_ends_early(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next page continues at its end."""
    monkeypatch.setattr(items, "_SECONDS", 0)
    async with viewer(app(url)) as page:
        words: dict[str, Any] = {"name": "orders", "state": "pending", "limit": 60}
        texts: list[str] = []
        while words.get("after", "") is not None:
            found = await page.get("items", **words)
            assert found["searched"] == len(found["items"]) == 10
            texts += [each["text"] for each in found["items"]]
            words["after"] = found["next"]
    assert texts == [*(f"order-{number}" for number in range(99)), "far away"]


async def test_a_search_ends_early_and_continues(url: str, raw: redis.Redis) -> None:
    raw.rpush("orders", *([b"x" * 100_000] * 40), b"here")
    async with viewer(app(url)) as page:
        words: dict[str, Any] = {"name": "orders", "state": "ready", "search": "HERE"}
        found = await page.get("items", **words)
        assert found["items"] == []
        calls = 1
        while found["next"] is not None:
            found = await page.get("items", after=found["next"], **words)
            calls += 1
        assert [each["text"] for each in found["items"]] == ["here"]
        assert calls > 1
        long = (await page.get("items", name="orders", state="ready"))["items"][2]
        assert (long["cut"], len(long["text"]), long["size"]) == (True, 4096, 100_000)


async def test_dead_letters_poison_and_messages_in_progress(url: str, raw: redis.Redis) -> None:
    with Redisson.from_url(url, codec=JsonJacksonCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        queue.add_all([{"a": 1}, {"a": 2}])
        with redisson.get_consumer(queue, consumer_name="worker-1") as consumer:
            first, _second = consumer.take(), consumer.take()
            first.reject("it broke")
            raw.rpush("pyredisson_poison:{q}", b"\xac\xed\x00\x05t\x00\x01a")
            async with viewer(app(url)) as page:
                (held,) = (await page.get("items", name="q", state="in-progress"))["items"]
                (dead,) = (await page.get("items", name="q", state="dead"))["items"]
                (poison,) = (await page.get("items", name="q", state="poison"))["items"]
    assert held["consumer"] == "worker-1"
    assert held["attempts"] == 1
    assert held["lease_ends_at"] > datetime.now(UTC).isoformat()[:19]
    assert (dead["value"], dead["reason"], dead["attempts"]) == ({"a": 1}, "it broke", 1)
    assert dead["failed_at"] is not None
    assert "traceback" in dead
    assert poison["looks_like"] == "serialization"
    assert poison["id"]


async def test_findings_are_those_of_doctor(url: str) -> None:
    async with viewer(app(url)) as page:
        found = await page.get("findings", name="orders")
        kinds = {each["kind"]: each for each in found["findings"]}
        assert kinds["no-transfer"]["remedy"] == "pyredisson transfer orders"
        assert kinds["no-transfer"]["level"] in ("warning", "error")
        assert found["looked_at"]
        again = await page.get("findings", name="orders")
        assert again["findings"] == found["findings"]


WRONG: list[tuple[str, dict[str, Any], int]] = [
    ("queue", {}, 400),
    ("queue", {"name": "x" * 2000}, 400),
    ("items", {"name": "orders", "state": "nix"}, 400),
    ("items", {"name": "orders", "limit": "0"}, 400),
    ("items", {"name": "orders", "limit": "1e9"}, 400),
    ("items", {"name": "orders", "after": "nix"}, 400),
    ("items", {"name": "orders", "search": "x" * 9000}, 400),
    ("items", {"name": "hash", "state": "ready"}, 409),
    ("nix", {}, 404),
]


async def test_wrong_requests_are_rejected(url: str, raw: redis.Redis) -> None:
    raw.hset("hash", "a", "b")
    async with viewer(app(url)) as page:
        for path, words, status in WRONG:
            found = await page.get(path, status, **words)
            assert found.keys() == {"error"}
            assert "\n" not in found["error"]


async def test_names_with_special_characters(url: str) -> None:
    async with viewer(app(url, actions=True, token=TOKEN)) as page:
        await page.sign_in()
        for name in ("a\0b", "ü\n\x1b[31m", "{a}", "a{b", "x" * 1000, "../..", "<b>"):
            assert (await page.get("queue", name=name))["queue"]["pending"] == 0
            assert (await page.get("items", name=name))["items"] == []
        body = b'{"name": "\\ud800"}'
        headers = OWN | {"Content-Type": "application/json"}
        found = await page.http.post("api/actions/pause", headers=headers, content=body)
        assert found.status_code == 400


async def test_a_long_queue_needs_few_more_commands(url: str, raw: redis.Redis) -> None:
    async def calls() -> int:
        raw.config_resetstat()
        await page.get("queue", name="orders")
        await page.get("items", name="orders", limit=20)
        stats = raw.info("commandstats")
        return sum(each["calls"] for name, each in stats.items() if "config" not in name)

    async with viewer(app(url)) as page:
        before = [await calls() for _ in range(2)][-1]
        first: Any = raw.zrange("redisson_delay_queue_timeout:{orders}", 0, 0, withscores=True)
        ((entry, now),) = first
        for start in range(0, 20_000, 5000):
            scores = {entry + b"%d" % each: now + 100 * each for each in range(start, start + 5000)}
            raw.zadd("redisson_delay_queue_timeout:{orders}", scores)
        assert await calls() <= before + 60  # one more call for each of at most 60 bars


async def test_lone_surrogates_are_shown_escaped(url: str, raw: redis.Redis) -> None:
    raw.rpush("q", json.dumps("\ud800"))
    async with viewer(app(url, codec=JsonJacksonCodec())) as page:
        (item,) = (await page.get("items", name="q", state="ready"))["items"]
    assert item["text"] == r"\ud800"


def test_wrong_arguments_of_app_are_rejected() -> None:
    with pytest.raises(TypeError, match="a URL, a Redisson or an AsyncRedisson"):
        app(redis.Redis())  # type: ignore[arg-type]  # that is the test
    mistakes: list[Any] = ["redis://:SECRETab/cd@h", b"redis://:SECRETab@h"]
    for each in mistakes:
        with pytest.raises((TypeError, ValueError)) as caught:
            app(each)
        assert "SECRET" not in str(caught.value)
    several: list[dict[str, Any]] = [{"actions": True}, {"allowed_hosts": ["x"]}, {"token": " "}]
    hosts = ("", "*", "http://ops.example.com", "a b")
    several += [{"token": "x", "allowed_hosts": ["ops.example.com", each]} for each in hosts]
    for wrong in several:
        with pytest.raises(ValueError, match=r"token|must be names"):
            app("redis://127.0.0.1:1", **wrong)
