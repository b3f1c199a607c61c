"""Recurring work on a delayed queue: by cron expression or interval, each occurrence offered once.

The rule: an entry is looked at by any number of clients, and what each does is one script that does
nothing where another one was first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson._runtime.concurrency import monotonic, random_8
from pyredisson._support.time_zones import zone
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.names import QueueNames, ScheduleNames
from pyredisson.protocol.schedules.recurrence import Missed
from pyredisson.protocol.schedules.schedule import Plan, ScheduleEntry, ScheduleProtocol

V = TypeVar("V")


class AsyncSchedule(AsyncNamedObject, Generic[V]):
    """The recurring work of a delayed queue.

    Of each entry the next occurrence is pending in the queue, like any other item. While any client
    has the schedule open, the one after it is offered when it is due.
    """

    _kind = "a queue"

    def __init__(
        self, context: AsyncContext, queue: AsyncDelayedQueue[V], *, advance: bool
    ) -> None:
        self._queue = queue._protocol
        self._advances = False
        super().__init__(context, queue.name)
        if advance:
            self._advances = True
            context.schedules.acquire(self._protocol.names)

    def _keys_of(self, name: str) -> dict[str, str]:
        names = ScheduleNames.of(name)
        return {names.times: "zset", names.entries: "hash"}

    def _one_slot(self, name: str) -> Iterable[str]:
        return self._keys_of(name)

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._protocol = ScheduleProtocol(ScheduleNames.of(self._redis_name))

    def _others_of(self, name: str) -> dict[str, str]:
        queue = QueueNames.of(name)
        return {queue.delay_list: "list", queue.timeout_set: "zset"}

    async def _ready(self) -> None:
        self._context.jobs.ensure_running()
        await super()._ready()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._queue.codec!r}>"

    async def add(
        self,
        name: str,
        value: V,
        *,
        cron: str | None = None,
        timezone: str | None = None,
        every: Seconds | None = None,
        start: datetime | None = None,
        missed: Missed = "once",
    ) -> ScheduleEntry[V]:
        """Let a value recur, in place of the entry that has this name.

        To add what is there already changes nothing, so every process may do it when it starts.
        What has the same times and another value keeps its times.

        Args:
            name: the entry's.
            value: what the codec can encode; each occurrence has its bytes of now.
            cron: five fields, such as "0 9 * * MON-FRI"; or six, with seconds in front.
            timezone: of `cron`, such as "Europe/Berlin"; UTC by default.
            every: instead of `cron` an interval, seconds or a timedelta, of elapsed time.
            start: an occurrence from which `every` counts, an aware datetime; by default the
                first one is an interval from now.
            missed: what becomes of occurrences for which no client was there: "skip" them, offer
                the latest "once", or "all" of them, the latest 1000.

        Returns:
            the entry, with the time of its next occurrence.

        Raises:
            EncodeError, TypeError, ValueError: before anything was written.
            ImportError: a cron expression, and cronsim is missing.
            NotNotifiedError: it is stored, the notification was refused.
        """
        key = _key(name)
        wanted = Plan.wanted(
            self._queue.encode(value),
            self._queue.wire_format,
            zone,
            cron=cron,
            timezone=timezone,
            every=every,
            start=start,
            missed=missed,
        )
        while True:
            record = await self._run(self._protocol.read(key))
            stored = self._plan(key, record) if record else None
            clock = await self._link.clock(self._main_key)
            now = math.floor(clock.earliest_ms(monotonic()))
            plan, due = wanted.following(stored, now, zone)
            if stored is not None and plan.same_as(stored):
                return self._protocol.entry(key, stored, self._queue.codec)
            if await self._put(key, stored, plan, due, now):
                return self._protocol.entry(key, plan, self._queue.codec)

    def _plan(self, key: bytes, record: bytes) -> Plan:
        try:
            return Plan.of(record)
        except ValueError as error:
            names = self._protocol.names
            raise ValueError(
                f"entry {key.decode(errors='replace')!r} of {names.entries!r}: {error}; "
                f"HDEL there and ZREM at {names.times!r} forget it"
            ) from error

    async def _put(
        self, key: bytes, stored: Plan | None, plan: Plan, due: Sequence[int], now: int
    ) -> bool:
        random = b"".join(random_8() for _ in due)
        try:
            return await self._run(
                self._protocol.put(key, stored, plan, due, now=now, random=random)
            )
        finally:  # also when it may be stored, or nobody else was told
            self._context.transfers.announced(self._protocol.names.queue, due[0])
            self._context.schedules.announced(self._protocol.names, plan.due)

    async def remove(self, name: str) -> bool:
        """Let an entry recur no more, and take its pending occurrence back; was there one?

        What consumers have taken by then, or is in the target queue, stays.
        """
        key = _key(name)
        while record := await self._run(self._protocol.read(key)):
            if await self._run(self._protocol.remove(key, self._plan(key, record))):
                return True
        return False

    async def entries(self) -> list[ScheduleEntry[V]]:
        """Return all entries, that which is due next first."""
        records = await self._run(self._protocol.read_all())
        found = [
            self._protocol.entry(name, self._plan(name, record), self._queue.codec)
            for name, record in records.items()
        ]
        return sorted(found, key=lambda entry: (entry.next_at, entry.name))

    def destroy(self) -> None:
        """Give up this handle's share in keeping the entries going; they stay in Redis."""
        if self._advances:
            self._advances = False
            self._context.schedules.release(self._protocol.names)


def _key(name: str) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"the name of an entry must be str, not {name!r}")
    if not name:
        raise ValueError("the name of an entry must not be empty")
    return name.encode()
