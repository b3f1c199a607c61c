"""The check of the companion keys of a queue: leases, dead letters, recurring work."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import count

from pyredisson._async.checks.part import AsyncCheckPart
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.checks.check import UNSEEN_MS, Pair, chunks
from pyredisson.protocol.checks.finding import FindingKind
from pyredisson.protocol.objects.collection import PAGE


class AsyncCheckRelated(AsyncCheckPart):
    """Checks these keys in one walk."""

    async def run(self) -> None:
        """Add the problems to the findings; the action "repair" also repairs them."""
        for pair in self._protocol.pairs():
            if self._usable(pair.times, pair.records):
                await self._check_pair(pair)
                if pair.times == self._names.leases:
                    await self._check_leases(pair)

    async def _check_pair(self, pair: Pair) -> None:
        """Check each record, then each time; truncated records are a separate finding."""
        keeps = self._usable(self._names.queue.poison)
        action, short = self._action if keeps else "look", set[bytes]()
        async for names in self._pages(partial(self._halves.fields, pair.records)):
            for some in chunks(names, 0):
                found = await self._link.request(self._halves.cut_short(action, pair, some))
                short.update(found)
                await self._check_halves(pair, [each for each in some if each not in short])
        if action == self._action:
            self._findings.add(FindingKind.CUT_SHORT, pair.records, sorted(short))
        async for names in self._pages(partial(self._protocol.scan, pair.times)):
            for some in chunks([each for each in names if each not in short], 0):
                await self._check_halves(pair, some)

    async def _check_leases(self, pair: Pair) -> None:
        """Find messages whose leases have ended; the last step of a repair requeues them."""
        allowed = 0 if self._action == "repair" else UNSEEN_MS
        now = (await self._link.clock(pair.times)).earliest_ms(monotonic())
        for start in count(0, PAGE):
            page = await self._link.request(self._protocol.ended(int(now) - allowed, start))
            for some in chunks(page, 0):
                lone, _ = await self._link.request(self._protocol.unpaired("look", pair, some))
                held = [each for each in some if each not in lone]
                self._findings.add(FindingKind.LEASE_ENDED, pair.times, held)
            if len(page) < PAGE:
                return

    async def _check_halves(self, pair: Pair, names: Sequence[bytes]) -> None:
        if not names:
            return
        if pair.records == self._names.letters:
            unpaired = self._halves.letters(self._action, names)
        else:
            unpaired = self._protocol.unpaired(self._action, pair, names)
        times, records = await self._link.request(unpaired)
        self._findings.add(pair.kinds[0], pair.times, times)
        self._findings.add(pair.kinds[1], pair.records, records)
