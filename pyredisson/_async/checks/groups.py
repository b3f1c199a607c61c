"""The check of the groups of a window (see `protocol/windows/window`).

The hash `groups` has for each group a head, with the number of the group's values, and the values.
The hash `open` maps each key to the pending entry of the key's newest group. The group's token is
an item of the queue. The rule: any of these can be missing, and a script verifies each suspected
finding.
"""

from __future__ import annotations

from functools import partial

from pyredisson._async.checks.part import AsyncCheckPart
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.checks.check import chunks, value_in
from pyredisson.protocol.checks.finding import FindingKind
from pyredisson.protocol.checks.halves import GroupHead, head_named_by
from pyredisson.protocol.windows.window import texts_of


class AsyncCheckGroups(AsyncCheckPart):
    """Checks the values, the keys and the tokens of groups; with "repair", repairs them."""

    async def run(self) -> None:
        """Add the problems to the findings; the action "repair" also repairs them."""
        window = self._protocol.window
        if self._usable(window.groups, window.started):
            if self._action == "look" or self._usable(self._names.queue.poison):
                await self._check_values()
            await self._check_keys()
        if self._usable(*self._protocol.kept_in):
            await self._check_texts()

    async def _check_values(self) -> None:
        """Check each group whose head has another number than the group has values."""
        suspects = set[bytes]()
        async for some in self._pages(self._halves.values):
            suspects.update(some)
        if not suspects:
            return
        key, heads = self._protocol.window.groups, dict[bytes, GroupHead]()
        async for entries in self._pages(self._halves.started):
            named = [head_named_by(each, entries[each], self._codecs) for each in entries]
            heads.update(each for each in named if each and each[0] in suspects)
        for sha in sorted(suspects):
            check = self._halves.group(self._action, sha, heads.get(sha, GroupHead()))
            lacks, uncounted = await self._link.request(check)
            self._findings.add(FindingKind.GROUP_WITHOUT_VALUES, key, [sha] * lacks)
            self._findings.add(FindingKind.VALUE_WITHOUT_GROUP, key, [sha], uncounted)

    async def _check_keys(self) -> None:
        key = self._protocol.window.started
        async for keys in self._pages(partial(self._halves.fields, key)):
            for some in chunks(keys, 0):
                alone = await self._link.request(self._halves.keys_alone(self._action, some))
                self._findings.add(FindingKind.KEY_WITHOUT_GROUP, key, alone)

    async def _check_texts(self) -> None:
        """Check groups whose token is nowhere, and pending groups that `open` does not have."""
        texts = set[bytes]()
        async for heads in self._pages(self._protocol.heads):
            texts.update(texts_of(heads, self._codecs))
        await self._exclude_waiting(texts)
        lost = {*await self._lost("look", None, texts)}
        pending = await self._pending(lost)
        for some in chunks([*pending.values()], 0):
            named = await self._link.request(self._halves.unnamed(self._action, some))
            self._findings.add(FindingKind.GROUP_WITHOUT_KEY, self._protocol.window.started, named)
        if lost := lost - pending.keys():
            clock = await self._link.clock(self._names.queue.name)
            since = int(clock.earliest_ms(monotonic()))
            await self._exclude_dead_letters(lost)
            found = await self._lost(self._action, since, lost)
            key = self._protocol.window.groups
            self._findings.add(FindingKind.GROUP_WITHOUT_ITEM, key, found.values())

    async def _lost(
        self, action: str, since_ms: int | None, texts: set[bytes]
    ) -> dict[bytes, bytes]:
        """Return the tokens that the script does not find, each with the key of its group.

        The script finds a pending token only if `open` has its entry. The script reads the dead
        letters that failed at `since_ms` or later. If `since_ms` is None, it reads no dead letters.
        """
        found = dict[bytes, bytes]()
        if texts:
            size = await self._link.request(self._protocol.size(self._names.queue.name))
            for some in chunks(sorted(texts), size):
                lost = await self._link.request(self._protocol.groups(action, since_ms, some))
                found |= lost
        return found

    async def _exclude_waiting(self, texts: set[bytes]) -> None:
        """Remove from `texts` the tokens that are in the queue."""
        if texts:
            async for values in self._waiting():
                texts.difference_update(values)
                if not texts:
                    return

    async def _exclude_dead_letters(self, texts: set[bytes]) -> None:
        """Remove from `texts` the tokens that are in dead letters."""
        async for values in self._pages(self._halves.dead_values):
            texts.difference_update(values)

    async def _pending(self, values: set[bytes]) -> dict[bytes, bytes]:
        """Return those of the tokens `values` that are pending, each with its entry."""
        found, key = dict[bytes, bytes](), self._names.queue.timeout_set
        if values:
            async for entries in self._pages(partial(self._protocol.scan, key)):
                named = {value_in(entry) or b"": entry for entry in entries}
                found |= {value: entry for value, entry in named.items() if value in values}
        return found
