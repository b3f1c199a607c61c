"""Settling handled messages: simultaneous acknowledgements of a queue are sent in one script.

Tasks, one for each server, send acknowledgements, and repeat failed settlements until the leases
have ended. The rule: an acknowledgement never delays the next message of its handler, not even in
an outage. Any other settlement delays the next message only by its first try. No server delays
another one.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pyredisson._async.consumers.consumer import MAX_MESSAGES
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.one_of_many import NODE_TIMEOUT
from pyredisson._async.waits.slices import is_waitable
from pyredisson._async.worker.per_server import AsyncPerServer
from pyredisson._async.worker.tracker import AsyncDeliveryTracker
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic
from pyredisson.errors import ClosedError, NotReplicatedError
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.worker.outcome import Fate
from pyredisson.server_errors import ServerError

log = logging.getLogger("pyredisson")

_IDLE = 10.0
"""Seconds without settlements after which the task of a server ends."""
_FAILURES = (ServerError, OSError, ClosedError)


@dataclass(slots=True)
class AsyncSettlement:
    """The planned outcome of a message.

    Attributes:
        settle: settles the message. If it is None, one script acknowledges this message and other
            messages of its queue.
        hook: the name and the arguments of the hook that is called afterwards.
        until: the time of `monotonic` after which no try follows: one lease after `put` or
            `at_once` was called.
    """

    message: AsyncMessage[Any]
    fate: Fate
    settle: Callable[[], Any] | None = None
    hook: tuple[Any, ...] = ("on_ack",)
    until: float = 0.0


@dataclass(slots=True)
class _Waiting:
    """The settlements of one server."""

    settlements: deque[AsyncSettlement] = field(default_factory=deque)
    working: bool = False
    """Whether a task settles them."""
    waits: bool = False
    """Whether that task waits for `wakeup`."""
    since: float | None = None
    """When the current outage was first logged, in monotonic seconds; None without an outage."""
    wakeup: AsyncEvent = field(default_factory=AsyncEvent)


class AsyncSettlements:
    """Settles the messages of one worker.

    Args:
        link: finds the server of each message.
        tracker: counts the outcomes.
        lease: seconds after which a message that could not be settled is redelivered.
    """

    def __init__(self, link: AsyncLink, tracker: AsyncDeliveryTracker, lease: float) -> None:
        self._link = link
        self._tracker = tracker
        self._lease = lease
        self._lock = StateLock()
        self._waiting: dict[Address | None, _Waiting] = {}
        self._beside = AsyncPerServer(link.life, "pyredisson settling")
        self._closed = False
        self.given_up = 0
        """How many messages could not be settled."""

    def put(self, settlement: AsyncSettlement) -> None:
        """Settle a message soon, in the task of its server."""
        settlement.until = settlement.until or monotonic() + self._lease
        home = self._link.topology.home(settlement.message.consumer.key)
        with self._lock.held:
            waiting = self._waiting.get(home)
            if waiting is None:
                waiting = self._waiting[home] = _Waiting()
            waiting.settlements.append(settlement)
            working, waiting.working = waiting.working, True
        if not working:
            self._beside.put(home, partial(self._work, waiting))
        elif waiting.waits:
            waiting.wakeup.set()

    async def at_once(self, settlements: list[AsyncSettlement]) -> None:
        """Settle messages now; in a cluster, wait for `NODE_TIMEOUT` seconds at most.

        Messages that cannot be settled now go to `put`.
        """
        work = partial(self._try_now, settlements)
        if self._link.topology.clustered and settlements:
            await self._beside.within(NODE_TIMEOUT, work)
        else:
            await work()

    async def stop(self, seconds: float) -> None:
        """Settle the messages that wait, for up to `seconds`."""
        self._closed = True
        for waiting in tuple(self._waiting.values()):
            waiting.wakeup.set()
        await self._beside.stop(seconds)

    async def _try_now(self, settlements: Iterable[AsyncSettlement]) -> None:
        for each in settlements:
            each.until = monotonic() + self._lease
            try:
                await self._settled([each])
            except _FAILURES:
                self.put(each)

    # -------------------------------------------------------------- beside

    async def _work(self, waiting: _Waiting) -> None:
        """Settle until nothing comes for a while; after an error, the next `put` starts a task."""
        try:
            await self._settle_all(waiting)
        except BaseException:
            with self._lock.held:
                waiting.working = False
            raise

    async def _settle_all(self, waiting: _Waiting) -> None:
        backoff = Pauses()
        while True:
            if not (batch := self._batch(waiting)):
                if waiting.working:
                    await self._link.life.pause(_IDLE, waiting.wakeup)
                    continue
                return
            problem = await self._round(waiting, batch)
            if problem is None or isinstance(problem, ClosedError):  # closed: no pause
                backoff.reset()
                if waiting.since is not None and problem is None:
                    seconds, waiting.since = monotonic() - waiting.since, None
                    log.warning("handled messages are settled again after %.1f s", seconds)
                continue
            level = logging.DEBUG if waiting.since is not None else logging.WARNING
            log.log(level, "handled messages cannot be settled now: %s", problem)
            waiting.since, waiting.waits = waiting.since or monotonic(), True
            await self._link.life.pause(backoff.pause(), waiting.wakeup)

    def _batch(self, waiting: _Waiting) -> list[AsyncSettlement]:
        """Return the next settlements; set `working` to False if the task must end.

        The task must end after two empty batches in a row, or after one if `stop` was called.
        """
        with self._lock.held:
            found = waiting.settlements
            batch = [found.popleft() for _ in range(min(len(found), MAX_MESSAGES))]
            rested, waiting.waits = waiting.waits, not batch
            waiting.working = bool(batch) or not (rested or self._closed)
        return batch

    async def _round(self, waiting: _Waiting, batch: list[AsyncSettlement]) -> Exception | None:
        """Settle each queue's acknowledgements together; return the last error."""
        groups, problem = _groups(batch), None
        while groups:
            group = groups.popleft()
            try:
                await self._settled(group)
            except _FAILURES as error:
                problem = error
                self._again(waiting, group, error)
                if is_waitable(error):  # the server has failed: the other groups must wait, too
                    rest = [each for group in groups for each in group]
                    self._again(waiting, rest, error, first=True)
                    break
        return problem

    def _again(
        self,
        waiting: _Waiting,
        group: list[AsyncSettlement],
        error: Exception,
        *,
        first: bool = False,
    ) -> None:
        """Keep settlements for another try, unless it comes too late, or is useless."""
        hopeless = isinstance(error, ClosedError) or (self._closed and not is_waitable(error))
        until = math.inf if hopeless else monotonic()
        kept = [each for each in group if each.until > until]
        for each in group:
            if each.until <= until:
                self.lose(each.message, error)
        with self._lock.held:
            if first:
                waiting.settlements.extendleft(reversed(kept))
            else:
                waiting.settlements.extend(kept)

    # -------------------------------------------------------------- outcomes

    async def _settled(self, group: list[AsyncSettlement]) -> None:
        """Settle one message, or acknowledge several of one queue."""
        for each in group:
            if each.message.settled:
                self.settled(each.message)
        group = [each for each in group if not each.message.settled]
        if not group:
            return
        settle = group[0].settle or partial(
            group[0].message.consumer.ack_many, [each.message for each in group]
        )
        try:
            await settle()
        except NotReplicatedError as error:
            queue = group[0].message.consumer.key
            log.warning("not replicated: %s", error, extra=about(queue))
        for each in group:
            became = each.message._became
            as_planned = became is (Fate.DONE if each.settle is None else each.fate)
            # otherwise the handler had settled the message, or its lease had ended
            fate = each.fate if as_planned else became and Fate.DONE
            if not self._close(each.message, fate):
                continue
            if as_planned:
                self._tracker.emit(each.hook[0], each.message, *each.hook[1:])
            else:
                self._tracker.emit_settled(each.message)

    def settled(self, message: AsyncMessage[Any]) -> None:
        """Count a message that its handler has settled."""
        if self._close(message, Fate.DONE if message._became else None):
            self._tracker.emit_settled(message)

    def _close(self, message: AsyncMessage[Any], fate: Fate | None) -> bool:
        first = self._tracker.close(message, fate)
        if first and fate is None:
            log.warning(
                "message %s was handled after its lease: it is redelivered, unless it was deleted",
                message.id,
                extra=about(message.consumer.key, message),
            )
        return first

    def lose(self, message: AsyncMessage[Any], error: object) -> None:
        """Give up a message that could not be settled."""
        if self._tracker.close(message, None):
            self.given_up += 1
            what = "may be redelivered" if message._tried else "is redelivered"
            log.warning(
                "message %s could not be settled and %s: %s",
                message.id,
                what,
                error,
                extra=about(message.consumer.key, message),
            )


def _groups(batch: list[AsyncSettlement]) -> deque[list[AsyncSettlement]]:
    """Return a group for each consumer's acknowledgements, and one for each other settlement."""
    groups: dict[Any, list[AsyncSettlement]] = {}
    for each in batch:
        key = each.message.consumer if each.settle is None else each.message.delivery_id
        groups.setdefault(key, []).append(each)
    return deque(groups.values())
