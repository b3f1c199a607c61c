"""RIdGenerator: unique ids. Each object takes a block of ids at a time.

The rule: no id is returned twice. A forked child does not use its parent's block.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._runtime.concurrency import AsyncLock, StateLock, process, surroundings_async
from pyredisson.protocol.counters.id_generator import IdGeneratorProtocol


class AsyncIdGenerator(AsyncExpirableObject):
    """Ids that are unique among all programs, also those in Java that use RIdGenerator.

    Keep the object: each object takes its own blocks of ids. The unused ids of a block are lost
    with the object. Threads and tasks may share an object. The ids of one object grow. A later id
    of another object may be lower.
    """

    _kind = "an id generator"

    def __init__(self, context: AsyncContext, name: str) -> None:
        self._state = StateLock()
        self._here: object = None
        self._lock = AsyncLock()
        self._failing = False
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r}>"

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._ids: Iterator[int] = iter(())
        self._process = process()

    def _keys_of(self, name: str) -> dict[str, str]:
        return dict.fromkeys(IdGeneratorProtocol(name).keys, "string")

    def _one_slot(self, name: str) -> tuple[str, str]:
        return IdGeneratorProtocol(name).keys

    @property
    def _protocol(self) -> IdGeneratorProtocol:
        return IdGeneratorProtocol(self._main_key)

    async def try_init(self, value: int, allocation_size: int) -> bool:
        """Set the first id, unless it is set, and the size of blocks, unless it is set.

        Args:
            value: the first id.
            allocation_size: how many ids an object takes at once, at least 1. Without `try_init`
                ids start at 1, and a block has 5000 ids.

        Returns:
            True if this call has set the size of blocks.

        Raises:
            UncertainError: the reply was lost.
        """
        return await self._run(self._protocol.try_init(value, allocation_size))

    async def next_id(self) -> int:
        """Return an id that no other call returns; one request fetches a block of them."""
        while (found := self._next()) is None:
            async with self._allocating():  # one call fetches a block, other calls wait
                if (found := self._next()) is not None:
                    return found
                if not self._failing:
                    await self._allocate()
                    continue
            await self._allocate()  # in an outage calls do not wait for each other
        return found

    def _next(self) -> int | None:
        """Return an id of this process's block; None if the block is used up."""
        with self._state.held:
            if self._process != process():
                self._process, self._ids = process(), iter(())
            return next(self._ids, None)

    def _allocating(self) -> AsyncLock:
        """Return the lock of this process and event loop."""
        with self._state.held:
            if self._here != surroundings_async():
                self._here, self._lock = surroundings_async(), AsyncLock()
            return self._lock

    async def _allocate(self) -> None:
        """Take the next block of ids."""
        self._failing = True
        block = await self._run(self._protocol.allocate())
        with self._state.held:
            self._ids = chain(self._ids, block)
        self._failing = False
