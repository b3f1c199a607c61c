"""The holds that the threads and tasks of a client have by one lock object.

The rule: a hold belongs to the thread or task that acquired it, and a forked child holds nothing.
"""

from __future__ import annotations

from functools import partial

from pyredisson._async.context import AsyncContext
from pyredisson._async.locks.hold import AsyncHold
from pyredisson._async.locks.renewals import AsyncRenewals
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._runtime.concurrency import process, surroundings_async
from pyredisson._runtime.owners import caller_number_async

_MANY = 100
"""If a lock object has this many holds, it forgets the holds that are over."""


class AsyncHolds:
    """The holds of one lock object.

    Args:
        context: the client's context.
        topology: finds the server of a key.
        watched: whether the client also notices the end of leases that it does not renew.
    """

    def __init__(self, context: AsyncContext, topology: AsyncTopology, *, watched: bool) -> None:
        self._context = context
        self._topology = topology
        self._watched = watched
        self._by_caller: dict[int, AsyncHold] = {}
        self._process = process()

    def mine(self, caller: int | None = None) -> AsyncHold | None:
        """Return this thread's or task's hold, or None. `caller` is its number, None if unknown."""
        if self._process != process():
            self._process, self._by_caller = process(), {}
        return self._by_caller.get(caller_number_async() if caller is None else caller)

    def keep(self, hold: AsyncHold) -> None:
        """Note a hold of this thread or task, and watch it."""
        if len(self._by_caller) >= _MANY:  # some callers let their leases end
            for caller, each in tuple(self._by_caller.items()):
                if each.is_over():
                    self._by_caller.pop(caller, None)
        self._by_caller[hold.caller] = hold
        self.watch(hold)

    def watch(self, hold: AsyncHold) -> None:
        """Let the background job renew a hold, or notice the end of its lease if `watched`."""
        if hold.unwatch is None and (hold.renewed or self._watched):
            background, lease = self._context.background, self._context.lock_watchdog_timeout
            key = ("lock renewals", self._topology.home(hold.name), surroundings_async())
            job = background.work.get(key)
            while not (isinstance(job, AsyncRenewals) and job.add(hold)):
                job = background.acquire(key, partial(AsyncRenewals, background, hold.name, lease))
            background.ensure_running()

    def forget(self, hold: AsyncHold) -> None:
        """Forget a hold of this thread or task, and watch it no longer."""
        self._by_caller.pop(hold.caller, None)
        self.unwatch(hold)

    def unwatch(self, hold: AsyncHold) -> None:
        """Remove a hold from the background job."""
        unwatch, hold.unwatch = hold.unwatch, None
        if unwatch is not None:
            unwatch(hold)
