"""The check of the records of messages requeued with a delay, and of items that expire."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from pyredisson._async.checks.part import AsyncCheckPart
from pyredisson.protocol.checks.check import chunks
from pyredisson.protocol.checks.returned import (
    Known,
    ReturnedProtocol,
    entry_of,
    place_of_entry,
    place_of_record,
    sha_in,
)
from pyredisson.protocol.delayed.entry import sha_of


class AsyncCheckReturned(AsyncCheckPart):
    """Reads the records and their times."""

    @property
    def _returned(self) -> ReturnedProtocol:
        return ReturnedProtocol(self._names)

    async def run(self) -> None:
        """Add the problems to the findings; the action "repair" also repairs them."""
        queue = self._names.queue
        for known in self._returned.known():
            if self._usable(known.times, known.records, queue.timeout_set, queue.name):
                await self._check(known)

    async def _check(self, known: Known) -> None:
        """Check the times. Check the records if a time has no record, or if records are more."""
        times_alone = await self._check_times(known)
        times = await self._link.request(self._returned.count(known.times))
        if times_alone or await self._link.request(self._returned.count(known.records)) > times:
            await self._check_records(known)

    async def _check_times(self, known: Known) -> int:
        action, found = known.repair if self._action == "repair" else "look", 0
        async for entries in self._pages(partial(self._returned.scan, known.times)):
            for some in chunks(entries, 0):
                check = self._returned.times_alone(action, known, some)
                alone = await self._link.request(check)
                self._findings.add(known.kinds[0], known.times, alone)
                found += len(alone)
        return found

    async def _check_records(self, known: Known) -> None:
        """Find records that exist before and after all times are read, and have no time.

        The action "repair" also repairs them.
        """
        suspects = set[int]()
        async for records in self._pages(partial(self._returned.scan, known.records)):
            suspects.update(hash(place_of_record(each)) for each in records)
        async for entries in self._pages(partial(self._returned.scan, known.times)):
            suspects.difference_update(hash(place_of_entry(each)) for each in entries)
        alone = dict[int, bytes]()
        async for records in self._pages(partial(self._returned.scan, known.records)):
            places = {hash(place_of_record(each)): each for each in records}
            alone.update((place, places[place]) for place in places.keys() & suspects)
        if self._action == "repair":
            await self._settle_pending(known, alone)
            await self._settle_waiting(known, alone)
        await self._settle(known, [(each, b"") for each in alone.values()])

    async def _settle_pending(self, known: Known, alone: dict[int, bytes]) -> None:
        """Repair records whose entries are pending, and remove them from `alone`."""
        timeouts = self._names.queue.timeout_set
        async for entries in self._pages(partial(self._returned.scan, timeouts)):
            places = {hash(place_of_entry(each)): each for each in entries}
            found = [(alone.pop(place), places[place]) for place in places.keys() & alone.keys()]
            await self._settle(known, found)

    async def _settle_waiting(self, known: Known, alone: dict[int, bytes]) -> None:
        """Repair records whose values are in the queue, and remove them from `alone`."""
        places = defaultdict[bytes, list[int]](list)
        for place, record in alone.items():
            places[sha_in(record)].append(place)
        async for values in self._waiting():
            if not places:
                return
            found = list[tuple[bytes, bytes]]()
            for value in reversed(values):
                if left := places.get(sha_of(value)):
                    record = alone.pop(left.pop())
                    found.append((record, entry_of(record, value)))
            await self._settle(known, found)

    async def _settle(self, known: Known, found: Sequence[tuple[bytes, bytes]]) -> None:
        passed = 0
        for some in chunks([entry for _, entry in found], 0):
            part = found[passed : passed + len(some)]
            passed += len(some)
            alone = await self._link.request(
                self._returned.records_alone(self._action, known, part)
            )
            self._findings.add(known.kinds[1], known.records, alone)
