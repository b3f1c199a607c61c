"""A check of the groups of a window."""

from __future__ import annotations

from functools import partial

from pyredisson._async.checks.part import AsyncCheckPart
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.checks.check import CheckProtocol, chunks, value_in
from pyredisson.protocol.checks.finding import FindingKind
from pyredisson.protocol.checks.halves import GroupHead, HalvesProtocol, head_named_by
from pyredisson.protocol.windows.window import texts_of


class AsyncCheckGroups(AsyncCheckPart):
    """One walk over the groups, their values, and their keys."""

    @property
    def _protocol(self) -> CheckProtocol:
        return CheckProtocol(self._names)

    @property
    def _halves(self) -> HalvesProtocol:
        return HalvesProtocol(self._names)

    async def run(self) -> None:
        """Add to the findings what is wrong, or was repaired."""
        window = self._protocol.window
        if self._usable(window.groups, window.begun):
            if self._action == "look" or self._usable(self._names.queue.poison):
                await self._check_values()
            await self._check_keys()
        if self._usable(*self._protocol.kept_in):
            await self._check_texts()

    async def _check_values(self) -> None:
        """Look again at each group that lacks values, or does not count all of them."""
        suspects = set[bytes]()
        async for some in self._pages(self._halves.values):
            suspects.update(some)
        if not suspects:
            return
        key, heads = self._protocol.window.groups, dict[bytes, GroupHead]()
        async for members in self._pages(self._halves.begun):
            named = [head_named_by(each, members[each], self._codecs) for each in members]
            heads.update(each for each in named if each and each[0] in suspects)
        for sha in sorted(suspects):
            look = self._halves.group(self._action, sha, heads.get(sha, GroupHead()))
            lacks, uncounted = await self._link.request(look)
            self._findings.add(FindingKind.GROUP_WITHOUT_VALUES, key, [sha] * lacks)
            self._findings.add(FindingKind.VALUE_WITHOUT_GROUP, key, [sha], uncounted)

    async def _check_keys(self) -> None:
        key = self._protocol.window.begun
        async for keys in self._pages(partial(self._halves.fields, key)):
            for some in chunks(keys, 0):
                alone = await self._link.request(self._halves.keys_alone(self._action, some))
                self._findings.add(FindingKind.KEY_WITHOUT_GROUP, key, alone)

    async def _check_texts(self) -> None:
        """Look for groups that nobody delivers any more."""
        texts = set[bytes]()
        async for heads in self._pages(self._protocol.heads):
            texts.update(texts_of(heads, self._codecs))
        await self._pass_over_waiting(texts)
        lost = {*await self._lost("look", None, texts)}
        pending = await self._pending(lost)
        for some in chunks([*pending.values()], 0):
            named = await self._link.request(self._halves.unnamed(self._action, some))
            self._findings.add(FindingKind.GROUP_WITHOUT_KEY, self._protocol.window.begun, named)
        if lost := lost - pending.keys():
            clock = await self._link.clock(self._names.queue.name)
            since = int(clock.earliest_ms(monotonic()))
            await self._pass_over_dead(lost)
            found = await self._lost(self._action, since, lost)
            key = self._protocol.window.groups
            self._findings.add(FindingKind.GROUP_WITHOUT_ITEM, key, found.values())

    async def _lost(
        self, action: str, since_ms: int | None, texts: set[bytes]
    ) -> dict[bytes, bytes]:
        """Return texts that are nowhere, each with the key of its group."""
        found = dict[bytes, bytes]()
        if texts:
            size = await self._link.request(self._protocol.size(self._names.queue.name))
            for some in chunks(sorted(texts), size):
                lost = await self._link.request(self._protocol.groups(action, since_ms, some))
                found |= lost
        return found

    async def _pass_over_waiting(self, texts: set[bytes]) -> None:
        """Take out those that are in the queue, read from its tail, which no taker moves."""
        page, values = 0, [b""]
        while texts and values:
            values = await self._link.request(self._protocol.waiting(page))
            texts.difference_update(values)
            page += 1

    async def _pass_over_dead(self, texts: set[bytes]) -> None:
        """Take out those that dead letters have."""
        async for values in self._pages(self._halves.dead_values):
            texts.difference_update(values)

    async def _pending(self, values: set[bytes]) -> dict[bytes, bytes]:
        """Return those of the values that are pending, each with a member."""
        found, key = dict[bytes, bytes](), self._names.queue.timeout_set
        if values:
            async for members in self._pages(partial(self._protocol.scan, key)):
                named = {value_in(member) or b"": member for member in members}
                found |= {value: member for value, member in named.items() if value in values}
        return found
