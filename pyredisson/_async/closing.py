"""The end of a client: its workers, its consumers, what runs beside them, its connections.

The rule: whatever a server does, all of it has ended within a bounded time; what could not be given
back by then is told after that.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from pyredisson._async.context import AsyncChild, AsyncContext, AsyncStoppable
from pyredisson._runtime.concurrency import join_async, monotonic, sleep_async
from pyredisson.errors import NotReleasedError

_CHILDREN = 10.0
"""Seconds that consumers have to give back what they hold, and to end what they handle."""
_JOBS = 2.0
"""Seconds that transfers have to end what is under way."""
_PROCESS = 5.0
"""Seconds after which the transfer process is killed."""
_GRACE = 2.5
"""Seconds that calls have to end, among them waits that no right ends before their slice."""
_TASKS = 2.0
"""Seconds for tasks to notice that their connections are closed."""
_LOOK = 0.01


class AsyncClosing:
    """Ends a client; doing so again tries what could not be given back.

    Args:
        context: the client's.
    """

    def __init__(self, context: AsyncContext) -> None:
        self._context = context
        self._link = context.link
        self._life = context.link.life
        self._causes: list[Exception] = []

    async def close(self) -> None:
        """End all of it.

        Raises:
            NotReleasedError: all has ended, and some messages come again when their leases end.
        """
        if any(child._holds() for child in self._context.children):
            self._link.closed = self._life.ended = False  # it may be another try
        try:
            await self._end_workers()
            await self._close_children()
            await self._context.jobs.close(_JOBS)
            await self._end_transfer_process()
            self._link.closed = True
            await self._leave_servers()
        finally:  # also where somebody has interrupted it
            self._link.closed = True
            await self._context.jobs.close(0.0)
            self._context.transfers.close()
            await self._life.cut(_TASKS)
            await self._link.topology.close()
        self._tell_what_is_left()

    async def _end_workers(self) -> None:
        """Stop each, and wait until it has settled or given back what it has in hand."""
        workers = tuple(self._context.workers)
        deadlines = [(worker, monotonic() + worker._patience()) for worker in workers]
        for worker in workers:
            worker.stop()
        for worker, deadline in deadlines:
            await self._ended(worker, deadline)

    async def _ended(self, worker: AsyncStoppable, deadline: float) -> None:
        while worker in self._context.workers and monotonic() < deadline:
            await sleep_async(_LOOK)

    async def _close_children(self) -> None:
        lanes: dict[Hashable, list[AsyncChild]] = {}
        for child in tuple(self._context.children):
            child._shut()
            if (lane := child._lane()) is not None:
                lanes.setdefault(lane, []).append(child)
        works = [partial(self._close_all, children) for children in lanes.values()]
        await self._life.side_by_side(works, "pyredisson closing", _CHILDREN)

    async def _close_all(self, children: list[AsyncChild]) -> None:
        for child in children:
            try:
                await child.close()
            except Exception as error:
                self._causes.append(error)

    async def _end_transfer_process(self) -> None:
        ending = self._context.transfers.close()
        if ending is not None:
            await join_async(ending, _PROCESS)
            self._context.transfers.kill()
            await join_async(ending, _TASKS)

    async def _leave_servers(self) -> None:
        """End waits on the servers, and let calls that are under way have their replies."""
        deadline = monotonic() + _GRACE
        busy = [server for server in self._link.topology.servers() if server.busy()]
        away = [server.send_away for server in busy]
        await self._life.side_by_side(away, "pyredisson closing", _GRACE)
        await self._link.topology.close()
        await self._life.rest(max(deadline - monotonic(), 0.0))

    def _tell_what_is_left(self) -> None:
        held: dict[str, int] = {}
        children = self._context.children
        for child in tuple(children):
            if count := child._holds():
                held[child.name] = held.get(child.name, 0) + count
            else:
                children.discard(child)
        if held:
            raise NotReleasedError(held, self._causes) from next(iter(self._causes), None)
        for cause in self._causes:
            raise cause
