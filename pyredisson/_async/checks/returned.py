"""A check of what is known of messages that came back, and of items that expire."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from pyredisson._async.checks.part import AsyncCheckPart
from pyredisson.protocol.checks.check import CheckProtocol, chunks
from pyredisson.protocol.checks.returned import (
    Known,
    ReturnedProtocol,
    member_of,
    place_of_entry,
    place_of_member,
    sha_in,
)
from pyredisson.protocol.delayed.entry import sha_of

_MOST = 100


class AsyncCheckReturned(AsyncCheckPart):
    """A walk over the entries and their times."""

    @property
    def _protocol(self) -> ReturnedProtocol:
        return ReturnedProtocol(self._names)

    async def run(self) -> None:
        """Add to the findings what is wrong, or was repaired."""
        queue = self._names.queue
        for known in self._protocol.known():
            if self._usable(known.times, known.entries, queue.timeout_set, queue.name):
                await self._check(known)

    async def _check(self, known: Known) -> None:
        """Look at each time, and at the entries where there are more of them."""
        times_alone = await self._check_times(known)
        times = await self._link.request(self._protocol.count(known.times))
        if times_alone or await self._link.request(self._protocol.count(known.entries)) > times:
            await self._check_entries(known)

    async def _check_times(self, known: Known) -> int:
        action, found = known.repair if self._action == "repair" else "look", 0
        async for members in self._pages(partial(self._protocol.scan, known.times)):
            for some in chunks(members, 0):
                look = self._protocol.times_alone(action, known, some)
                alone = await self._link.request(look)
                self._findings.add(known.kinds[0], known.times, alone)
                found += len(alone)
        return found

    async def _check_entries(self, known: Known) -> None:
        """Look for entries that are there before and after all times have been read."""
        suspects = set[int]()
        async for entries in self._pages(partial(self._protocol.scan, known.entries)):
            suspects.update(hash(place_of_entry(each)) for each in entries)
        async for members in self._pages(partial(self._protocol.scan, known.times)):
            suspects.difference_update(hash(place_of_member(each)) for each in members)
        alone = dict[int, bytes]()
        async for entries in self._pages(partial(self._protocol.scan, known.entries)):
            places = {hash(place_of_entry(each)): each for each in entries}
            alone.update((place, places[place]) for place in places.keys() & suspects)
        if self._action == "repair":
            await self._settle_pending(known, alone)
            await self._settle_waiting(known, alone)
        await self._settle(known, [(each, b"") for each in alone.values()])

    async def _settle_pending(self, known: Known, alone: dict[int, bytes]) -> None:
        """Repair entries whose members are pending, and take them out."""
        timeouts = self._names.queue.timeout_set
        async for members in self._pages(partial(self._protocol.scan, timeouts)):
            places = {hash(place_of_member(each)): each for each in members}
            found = [(alone.pop(place), places[place]) for place in places.keys() & alone.keys()]
            await self._settle(known, found)

    async def _settle_waiting(self, known: Known, alone: dict[int, bytes]) -> None:
        """Repair entries whose values are in the queue, and take them out."""
        places = defaultdict[bytes, list[int]](list)
        for place, entry in alone.items():
            places[sha_in(entry)].append(place)
        page, values = 0, [b""]
        while places and values:
            values = await self._link.request(CheckProtocol(self._names).waiting(page))
            found = list[tuple[bytes, bytes]]()
            for value in reversed(values):
                if left := places.get(sha_of(value)):
                    entry = alone.pop(left.pop())
                    found.append((entry, member_of(entry, value)))
            await self._settle(known, found)
            page += 1

    async def _settle(self, known: Known, found: Sequence[tuple[bytes, bytes]]) -> None:
        for start in range(0, len(found), _MOST):
            some = found[start : start + _MOST]
            alone = await self._link.request(
                self._protocol.entries_alone(self._action, known, some)
            )
            self._findings.add(known.kinds[1], known.entries, alone)
