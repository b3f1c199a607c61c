"""Stored entries of recurring work, and their replacement."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest

from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.errors import DecodeError, NotNotifiedError
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.names import ScheduleNames
from pyredisson.protocol.schedules.schedule import Plan, ScheduleProtocol
from tests.support.rows import each_row

HOUR = 3_600_000
NOW = 10 * HOUR + 5
S = ScheduleProtocol(ScheduleNames.of("q"))


def no_zones(name: str) -> tzinfo:
    raise ValueError(f"no zone {name}")


def zones(hours: int) -> Any:
    """Return a time zone database in which each zone is `hours` ahead of UTC."""
    return lambda _: timezone(timedelta(hours=hours))


def utc(_: str) -> tzinfo:
    return UTC


def wanted(**given: Any) -> Plan:
    options = {
        "cron": None,
        "timezone": None,
        "every": None,
        "start": None,
        "missed": "once",
        **given,
    }
    return Plan.from_arguments(b"v", WireFormat.CURRENT, utc, **options)


def stored(plan: Plan, now: int) -> Plan:
    """Return the plan as it is read after it was stored."""
    return Plan.of(bytes(plan.following(None, now, utc)[0]))


def test_stored_plan_is_read_unchanged() -> None:
    plan = replace(stored(wanted(cron="0 * * * *"), NOW), item_id=b"i" * 16)
    assert bytes(plan)[4:].startswith(b'{"cron": "0 * * * *", "timezone": "UTC", ')
    assert bytes(plan).endswith(b"}v")
    again = Plan.of(bytes(plan))
    assert again == plan
    assert again.record == bytes(plan)


@each_row(
    "record", [b"", b"\0\0\0\2{}", b"\0\0\0\2[]", b"\0\0\0\5text", b'\0\0\0\x0f{"id": "zz"}   ']
)  # fmt: skip
def test_invalid_records_are_rejected(record: bytes) -> None:
    with pytest.raises(ValueError, match="another release, or damaged"):
        Plan.of(record)


def test_a_field_of_a_later_release() -> None:
    record = bytes(stored(wanted(every=5), NOW)).replace(b'"due"', b'"new"')
    with pytest.raises(ValueError, match="another release"):
        Plan.of(record)


@each_row(
    ("given", "error", "text"),
    [
        ({}, TypeError, "give either cron= or every="),
        ({"cron": "* * * * *", "every": 5}, TypeError, "give either cron= or every="),
        ({"every": 5, "timezone": "UTC"}, TypeError, "timezone= belongs to cron="),
        ({"cron": "* * * * *", "start": datetime.now(UTC)}, TypeError, "start= belongs to every="),
        ({"cron": 5}, TypeError, "cron must be a str such as"),
        ({"cron": "x"}, ValueError, "'x' is not a cron expression"),
        ({"every": 0}, ValueError, "every must be more than 0"),
        ({"every": 5, "start": 5}, TypeError, "start must be an aware datetime, not int"),
        ({"every": 5, "start": datetime.min}, ValueError, "start is a naive datetime"),
        ({"every": 5, "missed": "none"}, ValueError, "missed must be"),
    ],
)
def test_invalid_arguments_are_rejected(given: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        wanted(**given)


def test_unknown_zone_is_rejected() -> None:
    options: Any = {"every": None, "start": None, "missed": "once"}
    with pytest.raises(ValueError, match="no zone Mars"):
        Plan.from_arguments(
            b"v", WireFormat.CURRENT, no_zones, cron="* * * * *", timezone="Mars", **options
        )


# --- replacing an entry -------------------------------------------------------------------------


def test_a_new_interval_begins_an_interval_from_now() -> None:
    plan, due = wanted(every=3600).following(None, NOW, utc)
    assert due == [NOW + HOUR]
    assert (plan.first_us, plan.due, plan.since) == ((NOW + HOUR) * 1000, NOW + HOUR, NOW)


def test_a_new_interval_with_a_start() -> None:
    start = datetime.fromtimestamp(0.007, UTC)
    assert wanted(every=3600, start=start).following(None, NOW, utc)[1] == [10 * HOUR + 7]


@pytest.mark.parametrize("given", [{"every": 3600}, {"cron": "0 * * * *"}])
def test_the_same_again_changes_nothing(given: Any) -> None:
    old = stored(wanted(**given), NOW)
    plan, _ = wanted(**given).following(old, NOW + HOUR // 2, utc)
    assert plan.same_as(old)


def test_another_value_keeps_the_times() -> None:
    old = stored(wanted(every=3600), NOW)
    new = replace(wanted(every=3600), value=b"w")
    plan, due = new.following(old, NOW + HOUR // 2, utc)
    assert due == [old.due]
    assert not plan.same_as(old)
    assert plan.first_us == old.first_us


@pytest.mark.parametrize(
    "given", [{"every": 60}, {"cron": "5 * * * *"}, {"every": 3600, "start": datetime.now(UTC)}]
)
def test_other_times_begin_anew(given: Any) -> None:
    old = stored(wanted(every=3600), NOW)
    plan, due = wanted(**given).following(old, NOW + 5, utc)
    assert due == wanted(**given).following(None, NOW + 5, utc)[1]
    assert not plan.same_as(old)


def test_the_start_of_before_is_the_same_again() -> None:
    start = datetime.fromtimestamp(0.007, UTC)
    old = stored(wanted(every=3600, start=start), NOW)
    for given in ({"start": start}, {}):
        assert wanted(every=3600, **given).following(old, NOW, utc)[0].same_as(old)


@pytest.mark.parametrize(
    ("missed", "hours"), [("skip", [14]), ("once", [13, 14]), ("all", [12, 13, 14])]
)
def test_missed_occurrences_of_an_entry(missed: Any, hours: list[int]) -> None:
    """The pending item was due at 11:00. The look at 13:30 continues as `missed` says."""
    old = stored(wanted(cron="0 * * * *", missed=missed), NOW)
    plan, due = old.following(old, 13 * HOUR + HOUR // 2, utc)
    assert due == [hour * HOUR for hour in hours]
    assert (plan.due, plan.since) == (14 * HOUR, 13 * HOUR + HOUR // 2)


def test_a_zone_with_other_rules_than_before() -> None:
    """A pending item moves when the entry is added again. Offered items stay."""
    old = stored(wanted(cron="0 12 * * *", timezone="Any/Where"), NOW)
    assert old.due == 12 * HOUR
    plan, due = wanted(cron="0 12 * * *", timezone="Any/Where").following(old, NOW + 5, zones(1))
    assert due == [11 * HOUR]
    assert not plan.same_as(old)
    later = replace(old, due=36 * HOUR, since=12 * HOUR)  # the item of 12:00 was offered
    plan, due = wanted(cron="0 12 * * *", timezone="Any/Where").following(later, NOW, zones(0))
    assert plan.same_as(later)
    _, due = wanted(cron="0 12 * * *", timezone="Any/Where").following(later, NOW, zones(1))
    assert due == [35 * HOUR]


# --- operations ---------------------------------------------------------------------------------


def test_due_item_is_not_cancelled() -> None:
    old = replace(stored(wanted(every=3600), NOW), item_id=b"i" * 16)
    plan = replace(wanted(every=60), due=5)
    for now, back in ((old.due - 1, True), (old.due, False)):
        put = S.put(b"n", old, plan, [5], now=now, random=bytes(8))
        assert bool(put.args[4]) is back
    assert S.remove(b"n", old).args[4]


def test_each_offered_item_has_its_own_id() -> None:
    plan = replace(wanted(every=60), due=7)
    put = S.put(b"n", None, plan, [5, 7], now=NOW, random=bytes(range(16)))
    assert put.args[:2] == (b"n", b"")
    assert put.args[5::2] == (5, 7)
    first, last = put.args[6::2]
    assert first != last
    record: Any = put.args[2]
    assert isinstance(last, bytes)
    assert Plan.of(record).item_id in last
    assert put.safe
    assert not S.remove(b"n", None).safe


def test_an_entry_as_a_program_sees_it() -> None:
    plan = stored(wanted(every=3600), NOW)
    entry = S.entry(b"n", plan, StringCodec())
    assert (entry.name, entry.value, entry.raw, entry.error) == ("n", "v", b"v", None)
    assert (entry.cron, entry.timezone, entry.missed) == (None, None, "once")
    assert entry.every == timedelta(hours=1)
    assert entry.start == entry.next_at == datetime.fromtimestamp((NOW + HOUR) / 1000, UTC)
    undecodable = S.entry(b"n", stored(wanted(cron="* * * * *"), NOW), LongCodec())
    assert (undecodable.value, undecodable.start, undecodable.every) == (None, None, None)
    assert isinstance(undecodable.error, DecodeError)


def test_replies() -> None:
    assert S.read(b"n").decode(None) == b""
    assert S.read_all().decode([b"n", b"r"]) == {b"n": b"r"}
    assert S.check(5, 0, 9).decode([None]) == (None, [])
    assert S.check(5, 0, 9).decode([b"7", b"n", b"r"]) == (7.0, [(b"n", b"r")])
    put = S.put(b"n", None, wanted(every=60), [5], now=NOW, random=bytes(8))
    assert (put.decode(1), put.decode(0)) == (True, False)
    with pytest.raises(NotNotifiedError, match="NOPERM") as caught:
        put.decode(b"NOPERM no channel")
    assert caught.value.receipt.due_ms == 5
