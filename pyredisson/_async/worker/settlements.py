"""Settling what was handled: acknowledgements of one moment travel in one step.

What fails is tried again until the lease is over, beside all else. The rule: a handler that is done
waits for no outage, the next message does not either, and no server waits for another one.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pyredisson._async.consumers.consumer import MOST
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.one_of_many import PATIENCE
from pyredisson._async.waits.slices import waits_out
from pyredisson._async.worker.accounts import AsyncAccounts
from pyredisson._async.worker.beside import AsyncBeside
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic
from pyredisson.errors import ClosedError, NotReplicatedError
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.worker.outcome import Fate
from pyredisson.server_errors import ServerError

log = logging.getLogger("pyredisson")

_IDLE = 10.0
"""Seconds without anything to settle after which nobody waits for it."""
_FAILURES = (ServerError, OSError, ClosedError)


@dataclass(slots=True)
class AsyncSettlement:
    """What is to become of a message.

    Attributes:
        settle: does it; None to acknowledge it together with others.
        hook: the name of the hook that is called when it is done, and its arguments.
        until: when its lease is over, in monotonic seconds.
    """

    message: AsyncMessage[Any]
    fate: Fate
    settle: Callable[[], Any] | None = None
    hook: tuple[Any, ...] = ("on_ack",)
    until: float = 0.0


@dataclass(slots=True)
class _Waiting:
    """What is to be settled at one server."""

    settlements: deque[AsyncSettlement] = field(default_factory=deque)
    working: bool = False
    """Whether anybody settles them."""
    waits: bool = False
    """Whether that one waits to be told of more."""
    since: float | None = None
    """When a failure was said that has not ended."""
    wakeup: AsyncEvent = field(default_factory=AsyncEvent)


class AsyncSettlements:
    """Settles the messages of one worker.

    Args:
        link: knows which server has which.
        accounts: note what became of each.
        lease: seconds; after so long a message that could not be settled comes again.
    """

    def __init__(self, link: AsyncLink, accounts: AsyncAccounts, lease: float) -> None:
        self._link = link
        self._accounts = accounts
        self._lease = lease
        self._lock = StateLock()
        self._waiting: dict[Address | None, _Waiting] = {}
        self._beside = AsyncBeside(link.life, "pyredisson settling")
        self._closed = False
        self.given_up = 0
        """How many messages could not be settled."""

    def put(self, settlement: AsyncSettlement) -> None:
        """Settle a message soon."""
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
        """Settle messages now; of several servers one that is silent keeps nobody long."""
        work = partial(self._tried, settlements)
        if self._link.topology.clustered and settlements:
            await self._beside.within(PATIENCE, work)
        else:
            await work()

    async def stop(self, seconds: float) -> None:
        """Settle what waits, for so many seconds at most."""
        self._closed = True
        for waiting in tuple(self._waiting.values()):
            waiting.wakeup.set()
        await self._beside.stop(seconds)

    async def _tried(self, settlements: Iterable[AsyncSettlement]) -> None:
        for each in settlements:
            each.until = monotonic() + self._lease
            try:
                await self._settled([each])
            except _FAILURES:
                self.put(each)

    # -------------------------------------------------------------- beside

    async def _work(self, waiting: _Waiting) -> None:
        """Settle until nothing has waited for a while."""
        backoff = Backoff()
        while True:
            if not (batch := self._batch(waiting)):
                if waiting.working:
                    await self._link.life.pause(_IDLE, waiting.wakeup)
                    continue
                return
            problem = await self._round(waiting, batch)
            if problem is None or isinstance(problem, ClosedError):  # with its client
                backoff.reset()
                if waiting.since is not None and problem is None:
                    seconds, waiting.since = monotonic() - waiting.since, None
                    log.warning("what was handled is settled again after %.1f s", seconds)
                continue
            level = logging.DEBUG if waiting.since is not None else logging.WARNING
            log.log(level, "what was handled waits to be settled: %s", problem)
            waiting.since, waiting.waits = waiting.since or monotonic(), True
            await self._link.life.pause(backoff.pause(), waiting.wakeup)

    def _batch(self, waiting: _Waiting) -> list[AsyncSettlement]:
        """Return what is next; when there was nothing twice, there is nobody who settles."""
        with self._lock.held:
            found = waiting.settlements
            batch = [found.popleft() for _ in range(min(len(found), MOST))]
            rested, waiting.waits = waiting.waits, not batch
            waiting.working = bool(batch) or not (rested or self._closed)
        return batch

    async def _round(self, waiting: _Waiting, batch: list[AsyncSettlement]) -> Exception | None:
        """Settle each queue's acknowledgements together; return what kept any from it."""
        groups, problem = _groups(batch), None
        while groups:
            group = groups.popleft()
            try:
                await self._settled(group)
            except _FAILURES as error:
                problem = error
                self._again(waiting, group, error)
                if waits_out(error):  # it is the server's, so the others have to wait as well
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
        """Let settlements wait, but for those whose leases are over, or which nobody waits for."""
        hopeless = isinstance(error, ClosedError) or (self._closed and not waits_out(error))
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

    # -------------------------------------------------------------- what became of them

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
            ours = became is (Fate.DONE if each.settle is None else each.fate)
            fate = each.fate if ours else became and Fate.DONE  # by the handler, before
            if self._close(each.message, fate) and ours:
                self._accounts.emit(each.hook[0], each.message, *each.hook[1:])

    def settled(self, message: AsyncMessage[Any]) -> None:
        """Count a message that its handler has settled."""
        self._close(message, Fate.DONE if message._became else None)

    def _close(self, message: AsyncMessage[Any], fate: Fate | None) -> bool:
        first = self._accounts.close(message, fate)
        if first and fate is None:
            log.warning(
                "message %s was handled after its lease: it is redelivered",
                message.id,
                extra=about(message.consumer.key, message),
            )
        return first

    def lose(self, message: AsyncMessage[Any], error: object) -> None:
        """Give up a message."""
        if self._accounts.close(message, None):
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
    """Return what is settled in one step each."""
    groups: dict[Any, list[AsyncSettlement]] = {}
    for each in batch:
        key = each.message.consumer if each.settle is None else each.message.delivery_id
        groups.setdefault(key, []).append(each)
    return deque(groups.values())
