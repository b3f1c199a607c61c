"""Recurring work on a delayed queue: by cron expression or interval, each occurrence offered once.

The rule: any number of clients can advance an entry, that is, offer its next occurrence. Each
client runs one script, which does nothing if another client was first.
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

    The next occurrence of each entry is pending in the queue, as any other item. When it is due, a
    client offers the following occurrence. For this, at least one client must have the schedule
    open with `advance`.
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
        """Add a recurring entry, or replace the entry of this name.

        Adding an equal entry changes nothing, except that the call offers the following occurrence
        if the pending one is due. So each process can add its entries when it starts. If only the
        value of an entry is new, the entry keeps its times.

        Args:
            name: the name of the entry.
            value: any value that the codec can encode; all occurrences have the same bytes.
            cron: five fields, such as "0 9 * * MON-FRI"; or six, the first one for seconds.
            timezone: the time zone of `cron`, such as "Europe/Berlin"; UTC by default.
            every: an interval of elapsed time instead of `cron`, in seconds or as a timedelta, from
                0.1 s to 100 years.
            start: the occurrence from which `every` counts, an aware datetime; it may be past. By
                default, the first occurrence is one interval after this call.
            missed: which occurrences are offered late, if no client offered them in time. "skip":
                none. "once" (the default): the latest. "all": all, at most the latest 1000.

        Returns:
            The entry, with the time of its next occurrence.

        Raises:
            EncodeError, TypeError, ValueError: an argument is wrong, or the stored entry cannot be
                read; nothing was written.
            ImportError: `cron` needs cronsim, which is not installed.
            NotNotifiedError: the entry is stored, but the server rejected the notification.
        """
        key = _key(name)
        wanted = Plan.from_arguments(
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
                f"delete it with HDEL there and ZREM at {names.times!r}"
            ) from error

    async def _put(
        self, key: bytes, stored: Plan | None, plan: Plan, due: Sequence[int], now: int
    ) -> bool:
        random = b"".join(random_8() for _ in due)
        try:
            return await self._run(
                self._protocol.put(key, stored, plan, due, now=now, random=random)
            )
        finally:  # also after an error: the entry may be stored
            self._context.transfers.announced(self._protocol.names.queue, due[0])
            self._context.schedules.announced(self._protocol.names, plan.due)

    async def remove(self, name: str) -> bool:
        """Remove an entry and cancel its pending occurrence; return whether there was an entry.

        A transferred occurrence stays, and so do earlier occurrences that are still pending.

        Raises:
            ValueError: the stored entry cannot be read; the text has the commands to delete it.
        """
        key = _key(name)
        while record := await self._run(self._protocol.read(key)):
            if await self._run(self._protocol.remove(key, self._plan(key, record))):
                return True
        return False

    async def entries(self) -> list[ScheduleEntry[V]]:
        """Return all entries, the one with the earliest next occurrence first.

        Raises:
            ValueError: a stored entry cannot be read.
        """
        records = await self._run(self._protocol.read_all())
        found = [
            self._protocol.entry(name, self._plan(name, record), self._queue.codec)
            for name, record in records.items()
        ]
        return sorted(found, key=lambda entry: (entry.next_at, entry.name))

    def destroy(self) -> None:
        """Release this object's share in advancing the entries; the entries stay in Redis."""
        if self._advances:
            self._advances = False
            self._context.schedules.release(self._protocol.names)


def _key(name: str) -> bytes:
    if not isinstance(name, str):
        raise TypeError(f"the name of an entry must be str, not {name!r}")
    if not name:
        raise ValueError("the name of an entry must not be empty")
    return name.encode()
