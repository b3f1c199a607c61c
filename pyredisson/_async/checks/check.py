"""The check and repair of one queue: reads pages, and verifies each suspected problem.

The rule: every step of a repair is one script or command, which itself checks whether the step is
still necessary. So the next repair finishes a repair that was killed.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from pyredisson._async.checks.groups import AsyncCheckGroups
from pyredisson._async.checks.part import AsyncCheckPart
from pyredisson._async.checks.related import AsyncCheckRelated
from pyredisson._async.checks.returned import AsyncCheckReturned
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson.codecs import StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.checks.check import CheckProtocol, chunks, format_of
from pyredisson.protocol.checks.finding import (
    Finding,
    FindingKind,
    Findings,
    Orphans,
)
from pyredisson.protocol.consumers.cleanup import reap
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.choices import require_choice
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.expirable import ExpirableProtocol
from pyredisson.protocol.objects.pages import FIRST, ListWalk, PageSize
from pyredisson.server_errors import ReplyError


class AsyncCheck:
    """One walk over all keys of a queue."""

    def __init__(
        self,
        link: AsyncLink,
        names: ConsumerNames,
        codec: Codec[Any],
        orphans: Orphans,
        *,
        repair: bool,
    ) -> None:
        self._link = link
        self._names = names
        self._protocol = CheckProtocol(names)
        self._orphans = require_choice(orphans, Orphans, "orphans")
        self._repair = repair
        self._action = "repair" if repair else "look"
        self._findings = Findings(orphans)
        self._wrong: set[str] = set()
        self._poison: set[bytes] = set()
        self._twice: set[bytes] = set()
        self._listed: dict[int, bool] = {}
        self._parts: list[AsyncCheckPart] = [
            part(
                link,
                names,
                self._findings,
                codecs=(codec, StringCodec()),
                action=self._action,
                usable=self._usable,
            )
            for part in (AsyncCheckRelated, AsyncCheckGroups, AsyncCheckReturned)
        ]

    async def run(self) -> list[Finding]:
        """Return the problems.

        With `repair`, return the repaired problems, and the problems that no repair changes.
        """
        names, queue = self._names, self._names.queue
        await self._check_server()
        await self._check_keys()
        arriving = await self._arriving()
        if self._usable(queue.delay_list, queue.timeout_set):
            await self._read_set()
            await self._read_list()
            await self._check_orphans()
            await self._check_twice()
            await self._check_poison()
        for part in self._parts:
            await part.run()
        left = Counter(arriving) & Counter(await self._arriving())
        self._findings.add(FindingKind.UNCLAIMED, names.arriving, left.elements())
        if self._repair:
            await self._requeue(any_left=bool(left))
        return self._findings.all()

    def _usable(self, *keys: str) -> bool:
        return self._wrong.isdisjoint(keys)

    async def _check_server(self) -> None:
        with contextlib.suppress(ReplyError):  # INFO is rejected
            if policy := await self._link.request(self._protocol.eviction()):
                key, policy_text = self._names.queue.name, f"maxmemory-policy {policy}: "
                self._findings.add(FindingKind.EVICTION_POLICY, key, count=1, detail=policy_text)

    # -------------------------------------------------------------- keys

    async def _check_keys(self) -> None:
        types = self._protocol.types()
        for key, kind, ttl_ms in await self._link.request(self._protocol.keys()):
            if kind not in ("none", types[key]):
                self._wrong.add(key)
                held = f"holds a {kind} instead of a {types[key]}: "
                self._findings.add(FindingKind.WRONG_TYPE, key, count=1, detail=held)
            elif key == self._protocol.migration and kind != "none":
                self._findings.add(FindingKind.MIGRATION, key, count=1)
            elif ttl_ms >= 0 and key not in self._protocol.fleeting():
                await self._check_time_to_live(key)

    async def _check_time_to_live(self, key: str) -> None:
        if not self._repair or await self._link.request(ExpirableProtocol((key,)).persist()):
            self._findings.add(FindingKind.TIME_TO_LIVE, key, count=1)

    # -------------------------------------------------------------- pending items

    async def _scan(self, key: str) -> AsyncIterator[list[bytes]]:
        cursor, pages = -1, PageSize(FIRST)
        while cursor != 0:
            scan = self._protocol.scan(key, max(cursor, 0), pages.count)
            cursor, page = await self._link.request(scan)
            pages.note(page)
            if page:
                yield page

    async def _read_set(self) -> None:
        """Read the timeout set, and note the hash of each entry, to compare with the delay list."""
        examples: dict[WireFormat, list[bytes]] = {}
        counts: Counter[WireFormat] = Counter()
        async for page in self._scan(self._names.queue.timeout_set):
            for entry in page:
                wire_format = format_of(entry)
                if wire_format is None:
                    self._poison.add(entry)
                elif hash(entry) not in self._listed:  # a scan may return an entry twice
                    self._listed[hash(entry)] = False
                    counts[wire_format] += 1
                    if counts[wire_format] <= 3:
                        examples.setdefault(wire_format, []).append(entry)
        if len(counts) > 1:
            rarer = min(counts, key=counts.__getitem__)
            key = self._names.queue.timeout_set
            self._findings.add(FindingKind.MIXED_FORMATS, key, examples[rarer], counts[rarer])

    async def _read_list(self) -> None:
        """Read the delay list; find entries that the timeout set does not have."""
        counted: set[bytes] = set()
        async for entries, alone, known in self._pages():
            self._poison.update(each for each in entries if format_of(each) is None)
            self._note_listed(entries, known)
            new = sorted({*alone} - counted - self._poison)
            counted.update(new)
            if self._repair:
                new = await self._make_due(new)
            self._findings.add(FindingKind.DELAY_LIST_ONLY, self._names.queue.delay_list, new)

    def _note_listed(self, entries: Sequence[bytes], known: int) -> None:
        """Note the entries of a page; its first `known` entries were in earlier pages, too."""
        here = Counter(entries)
        self._twice.update(
            each
            for place, each in enumerate(entries)
            if here[each] > 1 or (place >= known and self._listed.get(hash(each)))
        )
        self._listed.update(dict.fromkeys(map(hash, entries), True))

    async def _pages(self) -> AsyncIterator[tuple[list[bytes], list[bytes], int]]:
        """Yield the pages of the delay list.

        Each result has three parts: the entries, the entries that the timeout set does not have,
        and the number of entries at the start of the page that were in earlier pages, too.
        """
        walk, size = ListWalk(), self._protocol.size(self._names.queue.delay_list)
        while True:
            page, alone = await self._link.request(self._protocol.listed(walk.start))
            known = walk.new(page.elements)
            if known is None:
                walk.go_back(await self._link.request(size))
                continue
            yield page.elements, alone, known
            if not page.more:
                return

    async def _make_due(self, entries: Sequence[bytes]) -> list[bytes]:
        key, done = self._names.queue.delay_list, list[bytes]()
        if entries:
            now = int((await self._link.clock(key)).latest_ms(monotonic()))
            repair = self._protocol.delay_list_only
            done = await self._settle(lambda some: repair(now, some), entries)
        return done

    async def _settle(
        self, settle: Callable[[Sequence[bytes]], Eval[list[bytes]]], entries: Sequence[bytes]
    ) -> list[bytes]:
        """Run a script on entries, a few at a time; return the entries that the script returns."""
        done = list[bytes]()
        size = await self._link.request(self._protocol.size(self._names.queue.delay_list))
        for some in chunks(entries, size):
            found: list[bytes] = await self._link.request(settle(some))
            done += found
        return done

    async def _check_orphans(self) -> None:
        """Verify the entries that were read in the timeout set, but not in the delay list."""
        orphaned = {each for each, listed in self._listed.items() if not listed}
        if not orphaned:
            return
        key, action = self._names.queue.timeout_set, self._orphans if self._repair else "look"
        async for page in self._scan(key):
            suspects = [each for each in page if hash(each) in orphaned]
            alone = await self._settle(
                lambda some: self._protocol.timeout_set_only(action, some), suspects
            )
            orphaned.difference_update(map(hash, alone))
            self._findings.add(FindingKind.TIMEOUT_SET_ONLY, key, alone)

    async def _check_twice(self) -> None:
        if found := sorted(self._twice - self._poison):
            found = await self._settle(lambda some: self._protocol.twice(self._action, some), found)
            self._findings.add(FindingKind.LISTED_TWICE, self._names.queue.delay_list, found)

    async def _check_poison(self) -> None:
        found = sorted(self._poison)
        if self._repair and not self._usable(self._names.queue.poison):
            return
        if self._repair and found:
            found = await self._settle(self._protocol.poison, found)
        self._findings.add(FindingKind.POISON, self._names.queue.timeout_set, found)

    # -------------------------------------------------------------- consumers

    async def _arriving(self) -> list[bytes]:
        """Return the first page of the list `arriving`, to which BLMOVE moves a taken element.

        Elements of running consumers stay in this list only for a moment.
        """
        if not self._usable(self._names.arriving):
            return []
        return await self._link.request(self._protocol.arriving())

    async def _requeue(self, *, any_left: bool) -> None:
        """Requeue elements that stayed in the list `arriving`, and messages with ended leases."""
        names = self._names
        keys = (names.queue.name, names.arriving, names.leases, names.taken, names.returned)
        if not self._usable(*keys, *names.expiry):
            return
        now = (await self._link.clock(names.leases)).earliest_ms(monotonic())
        # enough rounds: each round requeues at least one message, if any ended lease is left
        rounds = 1 + await self._link.request(self._protocol.lease_count())
        while any_left or rounds > 0:
            ends = (await self._link.request(reap(names))).next_ms
            any_left = bool(any_left and await self._arriving())
            rounds = rounds - 1 if ends is not None and ends <= now else 0
