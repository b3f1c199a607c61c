"""Schedules on a real server: entries, and the occurrences that clients offer once."""

import logging
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pyredisson import AsyncRedisson, NotNotifiedError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.schedules.schedule import Plan
from tests.support.rights import CHANNEL, KEYS
from tests.support.state import scores, server_ms, shape
from tests.support.twins import run_together_async, until_async

STRINGS = StringCodec()
ENTRIES, TIMES = "pyredisson_schedule:{q}", "pyredisson_schedule_times:{q}"
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
HOUR = timedelta(hours=1)
HOUR_MS = 3_600_000
NOTHING: dict[str, list[str]] = {}
Login = Callable[..., AsyncRedisson]


def schedule(redisson: AsyncRedisson, name: str = "q", *, advance: bool = False) -> Any:
    """The schedule of a queue without a transfer task: offered items stay pending."""
    queue = redisson.get_queue(name, codec=STRINGS)
    return redisson.get_schedule(redisson.get_delayed_queue(queue, transfer=False), advance=advance)


def later(raw: Any, name: str, hours: int) -> Plan:
    """Move an entry some hours into the past, and remove its pending occurrence."""
    plan = Plan.of(raw.hget(ENTRIES, name))
    back = hours * HOUR_MS
    first = None if plan.first_us is None else plan.first_us - 1000 * back
    plan = replace(plan, due=plan.due - back, since=plan.since - back, first_us=first)
    raw.delete(LIST, SET)
    raw.hset(ENTRIES, name, bytes(plan))
    raw.zadd(TIMES, {name: plan.due})
    return plan


def pending_entries(raw: Any) -> list[bytes]:
    found: list[bytes] = raw.zrange(SET, 0, -1)
    return found


# --- entries ------------------------------------------------------------------------------------


async def test_occurrences_come_one_after_the_other(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    recurring = redisson.get_schedule(redisson.get_delayed_queue(queue))
    entry = await recurring.add("ping", "v", every=0.1)
    for number in range(4):
        assert await queue.poll(timeout=30) == "v"
        assert server_ms(raw) >= entry.next_at.timestamp() * 1000 + 100 * number
    assert await recurring.remove("ping")
    raw.delete("q")
    assert shape(raw) == NOTHING


async def test_the_next_occurrence_is_pending_like_any_item(
    redisson: AsyncRedisson, raw: Any
) -> None:
    recurring = schedule(redisson)
    before = math.floor(server_ms(raw))  # due times are whole milliseconds
    entry = await recurring.add("ping", "v", every=HOUR)
    assert raw.lrange(LIST, 0, -1) == pending_entries(raw)
    assert scores(raw) == {"v": entry.next_at.timestamp() * 1000}
    assert 0 <= scores(raw)["v"] - HOUR_MS - before < 60_000
    assert (entry.name, entry.value, entry.every, entry.start) == ("ping", "v", HOUR, entry.next_at)
    pending = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    assert [(item.value, item.due_at) async for item in pending.items()] == [("v", entry.next_at)]


async def test_entries_returns_all_entries_by_time(redisson: AsyncRedisson) -> None:
    recurring = schedule(redisson)
    assert await recurring.entries() == []
    report = await recurring.add("report", "r", cron=" 0 9  * * MON-FRI", timezone="Europe/Berlin")
    ping = await recurring.add("ping", "p", every=60, missed="skip")
    assert await recurring.entries() == sorted([report, ping], key=lambda entry: entry.next_at)
    assert (report.cron, report.timezone, report.missed) == (
        "0 9 * * MON-FRI",
        "Europe/Berlin",
        "once",
    )
    assert report.next_at.tzinfo is UTC
    assert (ping.cron, ping.timezone, ping.missed) == (None, None, "skip")


async def test_to_add_the_same_again_changes_nothing(redisson: AsyncRedisson, raw: Any) -> None:
    recurring = schedule(redisson)
    entry = await recurring.add("ping", "v", every=HOUR)
    before = pending_entries(raw)
    assert await schedule(redisson).add("ping", "v", every=3600) == entry
    assert pending_entries(raw) == before


async def test_adding_again_replaces_value_and_times(redisson: AsyncRedisson, raw: Any) -> None:
    """The pending occurrence is replaced. Another interval starts anew."""
    recurring = schedule(redisson)
    first = await recurring.add("ping", "v", every=HOUR)
    second = await recurring.add("ping", "w", every=HOUR)
    assert scores(raw) == {"w": first.next_at.timestamp() * 1000}
    assert second.next_at == first.next_at
    third = await recurring.add("ping", "w", every=60)
    assert scores(raw) == {"w": third.next_at.timestamp() * 1000}
    assert third.next_at < first.next_at
    assert raw.llen(LIST) == raw.hlen(ENTRIES) == raw.zcard(TIMES) == 1


async def test_only_one_of_concurrent_removes_returns_true(
    redisson: AsyncRedisson, raw: Any
) -> None:
    recurring = schedule(redisson)
    await recurring.add("ping", "v", every=HOUR)
    results = await run_together_async(*[lambda: recurring.remove("ping")] * 4)
    assert sorted(results) == [False, False, False, True]
    assert shape(raw) == NOTHING


async def test_concurrent_adds_store_one_entry(redisson: AsyncRedisson, raw: Any) -> None:
    recurring = schedule(redisson)
    added = await run_together_async(*[lambda: recurring.add("ping", "v", every=HOUR)] * 8)
    assert all(entry == added[0] for entry in added)
    assert raw.zcard(SET) == raw.llen(LIST) == 1


@pytest.mark.parametrize(
    ("name", "given", "error", "text"),
    [
        ("", {"every": 5}, ValueError, "name of an entry must not be empty"),
        (5, {"every": 5}, TypeError, "name of an entry must be str"),
        ("a", {}, TypeError, "either cron= or every="),
        ("a", {"every": 0}, ValueError, "every must be more than 0"),
        ("a", {"every": 0.01}, ValueError, "every must be from 0.1 s to 100 years"),
        ("a", {"cron": "9 o'clock"}, ValueError, "not a cron expression"),
        ("a", {"cron": "0 0 * * *", "timezone": "Mars"}, ValueError, "no time zone 'Mars'"),
        ("a", {"cron": "0 0 * * *", "timezone": ""}, ValueError, "no time zone ''"),
        ("a", {"cron": "0 0 * * *", "timezone": UTC}, TypeError, "timezone must be a name"),
        ("a", {"every": 5, "start": datetime.min}, ValueError, "start is a naive"),
    ],
)
async def test_invalid_entry_is_rejected_before_anything_is_sent(
    name: Any, given: Any, error: type[Exception], text: str
) -> None:
    async with AsyncRedisson.from_url("redis://127.0.0.1:1/0") as nowhere:
        with pytest.raises(error, match=text):
            await schedule(nowhere).add(name, "v", **given)


async def test_an_entry_that_cannot_be_read(redisson: AsyncRedisson, raw: Any) -> None:
    raw.hset(ENTRIES, "strange", "no record")
    recurring = schedule(redisson)
    for call in (
        lambda: recurring.add("strange", "v", every=5),
        lambda: recurring.remove("strange"),
        recurring.entries,
    ):
        with pytest.raises(ValueError, match=r"entry .strange. of .* another release.* HDEL"):
            await call()


async def test_a_schedule_is_of_a_delayed_queue(redisson: AsyncRedisson) -> None:
    queue: Any = redisson.get_queue("q")
    with pytest.raises(TypeError, match="queue that get_delayed_queue"):
        redisson.get_schedule(queue)


async def test_the_format_is_that_of_the_delayed_queue(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_delayed_queue(
        redisson.get_queue("q", codec=STRINGS), transfer=False, wire_format="3.19.3"
    )
    recurring = redisson.get_schedule(queue, advance=False)
    await recurring.add("ping", "v", every=HOUR)
    assert len(pending_entries(raw)[0]) == 17
    assert await schedule(redisson).remove("ping")
    assert shape(raw) == NOTHING


# --- later occurrences --------------------------------------------------------------------------


@pytest.mark.parametrize(("missed", "count"), [("skip", 1), ("once", 2), ("all", 5)])
async def test_missed_occurrences_are_offered_by_their_policy(
    redisson: AsyncRedisson, raw: Any, missed: Any, count: int
) -> None:
    """The pending one was due 4:30 h ago. Four were missed, and the next is due in half an hour."""
    start = datetime.fromtimestamp((server_ms(raw) + HOUR_MS // 2) / 1000, UTC)
    entry = await schedule(redisson).add("ping", "v", every=HOUR, start=start, missed=missed)
    next_ms = entry.next_at.timestamp() * 1000
    later(raw, "ping", 5)
    schedule(redisson, advance=True)
    await until_async(lambda: raw.zcard(SET) == count, "all is offered")
    times = [score for _, score in raw.zrange(SET, 0, -1, withscores=True)]
    assert times == [next_ms - n * HOUR_MS for n in reversed(range(count))]
    assert raw.zscore(TIMES, "ping") == next_ms


async def test_concurrent_clients_offer_each_occurrence_once(url: str, raw: Any) -> None:
    clients = [AsyncRedisson.from_url(url) for _ in range(4)]
    start = datetime.fromtimestamp(server_ms(raw) / 1000 + 0.5, UTC)
    first: dict[bytes, int] = {}
    for client in clients:
        recurring = schedule(client, advance=True)
        for n in range(5):
            entry = await recurring.add(f"e{n}", f"v{n}", every=0.2, start=start, missed="all")
            first.setdefault(b"e%d" % n, round(entry.next_at.timestamp() * 1000))
    await until_async(lambda: raw.zcard(SET) >= 40, "they recur")
    for client in clients:
        await client.aclose()
    for name, score in raw.zrange(TIMES, 0, -1, withscores=True):
        value = b"v" + name[1:]
        times = [
            due for entry, due in raw.zrange(SET, 0, -1, withscores=True) if entry.endswith(value)
        ]
        assert times == list(range(first[name], int(score) + 1, 200))


async def test_another_client_continues_the_entry(url: str, raw: Any) -> None:
    """The client that added the entry is closed. Any client with the schedule open continues it."""
    async with AsyncRedisson.from_url(url, safety_interval=0.2) as other:
        schedule(other, advance=True)
        async with AsyncRedisson.from_url(url) as gone:
            await schedule(gone).add("ping", "v", every=0.2)
        await until_async(lambda: raw.zcard(SET) >= 4, "it recurs")


async def test_many_schedules_of_a_client(redisson: AsyncRedisson, raw: Any) -> None:
    """All entries are due at the same time, and each schedule continues."""
    names = [f"q{number}" for number in range(12)]
    start = datetime.fromtimestamp(server_ms(raw) // 1000 + 1, UTC)
    for name in names:
        await schedule(redisson, name, advance=True).add("ping", "v", every=0.2, start=start)
    keys = [QueueNames.of(name).timeout_set for name in names]
    await until_async(lambda: all(raw.zcard(key) >= 3 for key in keys), "they recur")


async def test_destroy_of_the_last_handle_ends_the_job(redisson: AsyncRedisson, raw: Any) -> None:
    """The entries stay."""
    first, second = schedule(redisson, advance=True), schedule(redisson, advance=True)
    await first.add("ping", "v", every=0.1)
    first.destroy()
    first.destroy()
    await until_async(lambda: raw.zcard(SET) >= 3, "the other one goes on")
    second.destroy()
    count = raw.zcard(SET)
    await first.add("more", "v", every=HOUR)
    late = raw.zscore(TIMES, "ping") + 800
    await until_async(lambda: server_ms(raw) > late, "it had time")
    assert raw.zcard(SET) <= count + 4  # from the run that was in progress


async def test_schedule_with_a_transfer_process(url: str) -> None:
    async with AsyncRedisson.from_url(url, transfer_process=True) as redisson:
        queue = redisson.get_blocking_queue("q", codec=STRINGS)
        recurring = redisson.get_schedule(redisson.get_delayed_queue(queue))
        await recurring.add("ping", "v", every=0.1)
        assert [await queue.poll(timeout=30) for _ in range(3)] == ["v"] * 3


async def test_unusable_entries_do_not_block_the_others(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """This client does not know the zone, or cannot read the record. The log reports each once."""
    recurring = schedule(redisson)
    for number in range(120):  # more than one run reads
        await recurring.add(f"far {number}", "v", cron="0 0 * * *")
        record = raw.hget(ENTRIES, f"far {number}").replace(b'"UTC"', b'"U?C"')
        raw.hset(ENTRIES, f"far {number}", record)
        raw.zadd(TIMES, {f"far {number}": 5})
    raw.zadd(TIMES, {"gone": 6, "strange": 7})
    raw.hset(ENTRIES, "strange", "no record")
    with caplog.at_level(logging.ERROR, "pyredisson"):
        keeps = schedule(redisson, advance=True)
        await keeps.add("ping", "good", every=0.1)
        await until_async(lambda: raw.zcount(SET, 0, "+inf") >= 123, "the good one goes on")
        await until_async(lambda: raw.zscore(TIMES, "gone") is None, "what is no entry is gone")
        said = [record.getMessage() for record in caplog.records]
        assert len(said) == 121
        assert (
            "schedule of queue 'q': the next occurrence of 'far 0' is not offered by this client"
            in said[0]
        )
        assert "no time zone 'U?C'" in said[0]
        assert "'strange'" in said[-1]
        raw.hset(ENTRIES, "far 7", raw.hget(ENTRIES, "far 7").replace(b'"U?C"', b'"UTC"'))
        raw.zadd(TIMES, {"far 7": 4})
        await until_async(lambda: "continues with 'far 7'" in caplog.text, "it is repaired")


async def test_missing_right_is_logged_once(
    root: Any, login: Login, caplog: pytest.LogCaptureFixture
) -> None:
    """The log reports once that the right is missing, and once that the entries continue."""
    rights = ("+eval", "+evalsha", "+time", "+hget", "+hgetall", "+hset", "+hdel", "+zscore")
    more = ("+zadd", "+zrem", "+rpush", "+lrem", "+zrange", "+publish")
    user = login(*KEYS, "~pyredisson_schedule*:{q}", f"&{CHANNEL}", *rights, *more,
                 safety_interval=0.1)  # fmt: skip
    with caplog.at_level(logging.ERROR, "pyredisson"):
        recurring = schedule(user, advance=True)
        await until_async(lambda: "are not offered by this client" in caplog.text, "it is said")
        await recurring.add("ping", "v", every=HOUR)
        refused = root.info("stats")["total_error_replies"]
        await until_async(
            lambda: root.info("stats")["total_error_replies"] > refused + 3, "it tries again"
        )
        root.execute_command("ACL", "SETUSER", "user0", "+zrangebyscore")
        await until_async(lambda: "continues with its entries" in caplog.text, "it is repaired")
        assert len(caplog.records) == 2
        later(root, "ping", 1)
        await until_async(lambda: root.zcard(SET) == 1, "it goes on")
    assert len(await recurring.entries()) == 1
    assert await recurring.remove("ping")
    assert shape(root) == NOTHING


async def test_the_notification_is_refused(root: Any, login: Login) -> None:
    """The entry is stored and continues. `add` raises `NotNotifiedError`."""
    user = login("~*", "+@all", "-publish", safety_interval=0.1)
    recurring = schedule(user, advance=True)
    with pytest.raises(NotNotifiedError):
        await recurring.add("ping", "v", every=0.1)
    assert [entry.name for entry in await recurring.entries()] == ["ping"]
    await until_async(lambda: root.zcard(SET) >= 3, "it recurs")
