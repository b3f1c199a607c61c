"""Closes a client: its workers, consumers, background jobs and connections.

The rule: no server can delay the end without a limit. (A handler can, if its worker has no
`stop_timeout`.) If messages could not be released, an error counts them for each queue.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

from pyredisson._async.context import AsyncChild, AsyncContext, AsyncStoppable
from pyredisson._runtime.concurrency import join_async, monotonic, sleep_async
from pyredisson.errors import NotReleasedError

_CHILDREN = 10.0
"""Seconds that consumers and subscriptions have to end and to release their messages."""
_JOBS = 2.0
"""Seconds that background jobs have to finish their current runs."""
_PROCESS = 5.0
"""Seconds after which the transfer process is killed."""
_GRACE = 2.5
"""Seconds that calls have to end. Without permission for CLIENT UNBLOCK, a blocking command lasts
until its slice ends, 2 s at most (see `waits`)."""
_TASKS = 2.0
"""Seconds that tasks have to end after their connections are closed, and again if cancelled."""
_POLL = 0.01


class AsyncClosing:
    """Closes a client. A second `close` tries again to release messages.

    Args:
        context: the context of the client.
    """

    def __init__(self, context: AsyncContext) -> None:
        self._context = context
        self._link = context.link
        self._life = context.link.life
        self._causes: list[Exception] = []

    async def close(self) -> None:
        """Close everything.

        Raises:
            NotReleasedError: everything has ended, but some messages could not be released. They
                are redelivered when their leases end.
            Exception: a consumer or subscription raised it, and no message is left unreleased.
        """
        if any(child._held_count() for child in self._context.children):
            self._link.closed = self._life.ended = False  # a second `close` needs connections
        try:
            await self._end_workers()
            await self._close_children()
            await self._context.background.close(_JOBS)
            await self._end_transfer_process()
            self._link.closed = True
            await self._leave_servers()
        finally:  # also if the caller was interrupted
            self._link.closed = True
            await self._context.background.close(0.0)
            self._context.transfers.close()
            await self._life.cut(_TASKS)
            await self._link.topology.close()
        self._raise_if_unreleased()

    async def _end_workers(self) -> None:
        """Stop each worker, and wait until it has settled or released its messages."""
        workers = tuple(self._context.workers)
        deadlines = [(worker, monotonic() + worker._max_stop_time()) for worker in workers]
        for worker in workers:
            worker.stop()
        for worker, deadline in deadlines:
            await self._ended(worker, deadline)

    async def _ended(self, worker: AsyncStoppable, deadline: float) -> None:
        while worker in self._context.workers and monotonic() < deadline:
            await sleep_async(_POLL)

    async def _close_children(self) -> None:
        by_place: dict[Hashable, list[AsyncChild]] = {}
        for child in tuple(self._context.children):
            child._stop_taking()
            if (place := child._place()) is not None:
                by_place.setdefault(place, []).append(child)
        works = [partial(self._close_all, children) for children in by_place.values()]
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
        """End blocking commands and subscriptions, and let other calls read their replies."""
        deadline = monotonic() + _GRACE
        busy = [server for server in self._link.topology.servers() if server.busy()]
        away = [server.send_away for server in busy]
        await self._life.side_by_side(away, "pyredisson closing", _GRACE)
        await self._link.topology.close()
        await self._life.rest(max(deadline - monotonic(), 0.0))

    def _raise_if_unreleased(self) -> None:
        held: dict[str, int] = {}
        children = self._context.children
        for child in tuple(children):
            if count := child._held_count():
                held[child.name] = held.get(child.name, 0) + count
            else:
                children.discard(child)
        if held:
            raise NotReleasedError(held, self._causes) from next(iter(self._causes), None)
        for cause in self._causes:
            raise cause
