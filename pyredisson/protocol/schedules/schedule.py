"""The operations of a schedule: its entries are recurring work that a queue receives as items.

The next occurrence of each entry is pending in the queue. An entry is stored as the length of its
plan (4 bytes, big-endian), the plan as JSON, and the bytes of its value.

The rule: one script changes an entry and offers its occurrences, and only if the stored entry is
still the entry that was read. So each occurrence is offered once, even if several clients run the
schedule.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, Generic, TypeAlias, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError, NotNotifiedError
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.delayed.item_id import new_item_ids
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.choices import require_choice
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.due import Seconds, from_epoch_ms, moment_us
from pyredisson.protocol.kernel.names import ScheduleNames
from pyredisson.protocol.kernel.replies import readable
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.schedules.cron import Cron
from pyredisson.protocol.schedules.recurrence import Every, Missed, Timing, occurrences

__all__ = ["Plan", "ScheduleEntry", "ScheduleProtocol"]

V = TypeVar("V")
Zones: TypeAlias = Callable[[str], tzinfo]
"""Returns the time zone with a name. The caller passes this function, because it reads files."""

_LENGTH = struct.Struct(">I")


@dataclass(frozen=True, slots=True)
class ScheduleEntry(Generic[V]):
    """Recurring work, by a cron expression or by an interval.

    Attributes:
        name: the name of the entry.
        value: the value as the queue's codec decodes it; None if the codec cannot.
        raw: the value's bytes.
        error: why the codec cannot decode the value; None if the codec can.
        cron, timezone: the cron expression and its time zone; None for an interval.
        every, start: the interval and its first occurrence; None for a cron expression.
        missed: which missed occurrences are offered.
        next_at: when the occurrence that was offered last is due.
    """

    name: str
    value: V | None
    raw: bytes
    error: DecodeError | None
    cron: str | None
    timezone: str | None
    every: timedelta | None
    start: datetime | None
    missed: Missed
    next_at: datetime


@dataclass(frozen=True, slots=True)
class Plan:
    """An entry without its name.

    Either `cron` with `timezone`, or `every_us` with `first_us`, define when the work recurs. For
    an interval without a start, `following` sets `first_us` by the server's time. `due` is the
    occurrence that was offered last: the first one after `since`, both in epoch milliseconds.
    `item_id` is the id of its item. `record` is the entry in Redis; it is empty if the plan was not
    read from Redis.
    """

    value: bytes
    missed: Missed
    cron: str | None = None
    timezone: str | None = None
    every_us: int | None = None
    first_us: int | None = None
    due: int = 0
    since: int = 0
    item_id: bytes = b""
    wire_format: WireFormat = WireFormat.CURRENT
    record: bytes = field(default=b"", compare=False)

    def __bytes__(self) -> bytes:
        """Encode the plan and the value."""
        plan = {
            "cron": self.cron,
            "timezone": self.timezone,
            "every_us": self.every_us,
            "first_us": self.first_us,
            "missed": self.missed,
            "due": self.due,
            "since": self.since,
            "id": self.item_id.hex(),
            "format": self.wire_format.value,
        }
        known = {key: value for key, value in plan.items() if value is not None}
        encoded = json.dumps(known).encode()
        return _LENGTH.pack(len(encoded)) + encoded + self.value

    @classmethod
    def of(cls, record: bytes) -> Plan:
        """Read a stored entry.

        Raises:
            ValueError: the entry is from another release, or damaged.
        """
        try:
            (size,) = _LENGTH.unpack_from(record)
            start = _LENGTH.size + size
            plan: dict[str, Any] = json.loads(record[_LENGTH.size : start])
            return cls(
                value=record[start:],
                record=record,
                item_id=bytes.fromhex(plan.pop("id")),
                wire_format=WireFormat(plan.pop("format")),
                **plan,
            )
        except (ValueError, TypeError, KeyError, AttributeError, struct.error) as error:
            raise ValueError(f"the entry is from another release, or damaged: {error}") from error

    def timing(self, zone: Zones) -> Timing:
        """Return the cron expression or the interval of the plan."""
        if self.cron is not None:
            return Cron(self.cron, zone("UTC" if self.timezone is None else self.timezone))
        return Every(self.every_us or 1, self.first_us or 0)

    @classmethod
    def from_arguments(
        cls,
        value: bytes,
        wire_format: WireFormat,
        zone: Zones,
        *,
        cron: str | None,
        timezone: str | None,
        every: Seconds | None,
        start: datetime | None,
        missed: Missed,
    ) -> Plan:
        """Check the arguments of the user, and return a plan with them, still without due times.

        Raises:
            ImportError: `cron` is given, but cronsim is not installed.
            TypeError, ValueError: the arguments are not valid.
        """
        plan = cls(value, require_choice(missed, Missed, "missed"), wire_format=wire_format)
        if (cron is None) == (every is None):
            raise TypeError("give either cron= or every=")
        if every is not None:
            if timezone is not None:
                raise TypeError("timezone= belongs to cron=; every= is elapsed time")
            first = None if start is None else moment_us(start, "start")
            return replace(plan, every_us=Every.length(every), first_us=first)
        if start is not None:
            raise TypeError("start= belongs to every=; cron= sets the times itself")
        if not isinstance(cron, str):
            raise TypeError(f"cron must be a str such as '0 9 * * MON-FRI', not {cron!r}")
        chosen = "UTC" if timezone is None else timezone
        plan = replace(plan, cron=" ".join(cron.split()), timezone=chosen)
        plan.timing(zone).after(0)
        return plan

    def recurs_as(self, other: Plan) -> bool:
        """Return whether both plans recur at the same times; `self.first_us` None fits any time."""
        return (self.cron, self.timezone, self.every_us) == (
            other.cron,
            other.timezone,
            other.every_us,
        ) and self.first_us in (None, other.first_us)

    def same_as(self, stored: Plan) -> bool:
        """Return whether the stored plan equals this plan, apart from `since` and `item_id`."""
        return self == replace(stored, since=self.since, item_id=self.item_id)

    def following(self, stored: Plan | None, now: int, zone: Zones) -> tuple[Plan, list[int]]:
        """Return the plan that replaces the stored plan, and the occurrences to offer.

        If both plans recur at the same times, the pending occurrence keeps its time, unless the
        rules of the zone have changed. If that occurrence is due already, `self.missed` decides
        which missed occurrences are offered before the next one. Plans that recur at other times
        offer only the next occurrence. `now` and the occurrences are epoch milliseconds.
        """
        if stored is not None and self.recurs_as(stored):
            plan = replace(self, first_us=stored.first_us)
            if stored.due <= now:
                due = occurrences(plan.timing(zone), self.missed, stored.due, now)
                return replace(plan, due=due[-1], since=now), due
            since = max(now, stored.since)
        else:
            first = now * 1000 + (self.every_us or 0) if self.first_us is None else self.first_us
            plan, since = replace(self, first_us=None if self.cron else first), now
        due = [plan.timing(zone).after(since)]
        return replace(plan, due=due[0], since=since), due


@dataclass(frozen=True, slots=True)
class ScheduleProtocol:
    """The operations of one queue's schedule."""

    names: ScheduleNames

    def read(self, name: bytes) -> Command[bytes]:
        """HGET: the record of an entry; empty if there is no entry."""
        key = self.names.entries

        def record(reply: Any) -> bytes:
            return reply or b""

        return Command(("HGET", key, name), record, key, safe=True)

    def read_all(self) -> Command[dict[bytes, bytes]]:
        """HGETALL: the records of all entries by name."""
        key = self.names.entries

        def records(reply: list[bytes]) -> dict[bytes, bytes]:
            return dict(zip(reply[::2], reply[1::2], strict=True))

        return Command(("HGETALL", key), records, key, safe=True)

    def check(
        self, now: int, skip: int, limit: int
    ) -> Eval[tuple[float | None, list[tuple[bytes, bytes]]]]:
        """Read the earliest due time after `now`, and the names and records of due entries.

        The due time is None if no entry is due after `now`. Of the entries that are due at `now`,
        skip the first `skip`, and return at most `limit`. A record is empty if Redis has only the
        entry's due time.
        """

        def read(reply: list[Any]) -> tuple[float | None, list[tuple[bytes, bytes]]]:
            later = None if reply[0] is None else float(reply[0])
            return later, [*zip(reply[1::2], reply[2::2], strict=True)]

        keys = (self.names.times, self.names.entries)
        return Eval(load("schedules/look"), keys, (now, skip, limit), read, safe=True)

    def put(
        self,
        name: bytes,
        stored: Plan | None,
        plan: Plan,
        due: Sequence[int],
        *,
        now: int,
        random: bytes,
    ) -> Eval[bool]:
        """Replace `stored` with `plan` and offer its occurrences, if `stored` is still the entry.

        The pending occurrence of `stored` is cancelled, unless it is due. If the script
        runs again after a lost reply, it finds the new entry and does nothing: the result is False.

        Args:
            name: the entry's name.
            stored: the entry that was read; None if there was none.
            plan: the plan to store.
            due: its occurrences in epoch milliseconds; the last one is `plan.due`.
            now: the current time in epoch milliseconds.
            random: random bytes, 8 for each occurrence.

        Returns:
            Whether `stored` was still the entry.
        """
        known = b"" if stored is None else stored.record
        back = self._pending(stored) if stored is not None and stored.due > now else b""
        ids = new_item_ids(now * 1000, random, plan.wire_format)
        plan = replace(plan, item_id=ids[-1])
        receipts = [self._receipt(plan, at, each) for at, each in zip(due, ids, strict=True)]
        args: list[Arg] = [name, known, bytes(plan), plan.due, back]
        for receipt in receipts:
            args += (receipt.due_ms, receipt.entry)
        return self._exchange(args, receipts[0])

    def remove(self, name: bytes, stored: Plan | None) -> Eval[bool]:
        """Remove `stored` and its pending occurrence; return whether it was still the entry.

        If `stored` is None, remove the due time of a name that has no entry.
        """
        known, back = (b"", b"") if stored is None else (stored.record, self._pending(stored))
        return self._exchange((name, known, b"", 0, back), None)

    def _exchange(self, args: Sequence[Arg], offered: Receipt | None) -> Eval[bool]:
        queue = self.names.queue

        def read(reply: Any) -> bool:
            if isinstance(reply, bytes):
                text = reply.decode("utf-8", "replace")
                raise NotNotifiedError(queue.channel, text, offered, returns=True)
            return bool(reply)

        own = (self.names.entries, self.names.times)
        keys = (queue.timeout_set, queue.delay_list, queue.channel, *own)
        script = load("schedules/exchange")
        return Eval(script, keys, tuple(args), read, safe=offered is not None)

    def _receipt(self, plan: Plan, due: int, item_id: bytes) -> Receipt:
        return Receipt(self.names.queue.name, due, item_id, plan.value, plan.wire_format)

    def _pending(self, plan: Plan) -> bytes:
        return self._receipt(plan, plan.due, plan.item_id).entry

    def entry(self, name: bytes, plan: Plan, codec: Codec[V]) -> ScheduleEntry[V]:
        """Return an entry with its decoded value."""
        value, error = readable(codec, plan.value)
        every = None if plan.every_us is None else timedelta(microseconds=plan.every_us)
        start = None if plan.first_us is None else from_epoch_ms(plan.first_us / 1000)
        return ScheduleEntry(
            name.decode(),
            value,
            plan.value,
            error,
            plan.cron,
            plan.timezone,
            every,
            start,
            plan.missed,
            from_epoch_ms(plan.due),
        )
