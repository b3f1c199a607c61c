"""Runs operations: one round trip each, sent once.

What may go wrong, and the rule for each:

* nothing was done (no connection, MOVED, ASK, TRYAGAIN, NOSCRIPT): done again by itself;
* the reply was lost: a `safe` operation is sent once more, any other raises;
* the caller was interrupted (cancelled, Ctrl-C): a pop is read to its end and
  what it took is given back, so no element is lost.
"""

from __future__ import annotations

import logging
from typing import Any, TypeVar

from redis.exceptions import (
    AskError,
    BusyLoadingError,
    MasterDownError,
    MovedError,
    NoPermissionError,
    NoScriptError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson._async.topology import AsyncTopology
from pyredisson._async.wire import AsyncPool, AsyncWire
from pyredisson._compat import AsyncInterrupts, finish_async, monotonic, sleep_async, wall_ms
from pyredisson.errors import ClosedError
from pyredisson.protocol.clock import ServerClock
from pyredisson.protocol.cluster import Redirection
from pyredisson.protocol.command import Command, Operation

T = TypeVar("T")
log = logging.getLogger("pyredisson")

LOST = (RedisConnectionError, RedisTimeoutError, OSError)
"""What redis-py raises when a connection is of no more use."""

_UNREAD = object()
_REDIRECTS = 5
_TRY_AGAIN_PAUSE = 0.02


def _refused(error: BaseException) -> bool:
    """Tell whether redis-py spells as a connection error what was a reply: nothing was done."""
    return isinstance(error, BusyLoadingError) or isinstance(error.__context__, ReadOnlyError)


def redirected(error: ResponseError) -> Redirection | None:
    """Read MOVED and ASK from redis-py's errors; 5.0.1 has no classes for them, later ones do."""
    text = str(error)
    if isinstance(error, AskError):  # MovedError is one, too
        text = f"{'MOVED' if isinstance(error, MovedError) else 'ASK'} {text}"
    return Redirection.parse(text)


class AsyncExecutor:
    """Runs operations on the connections of one client."""

    def __init__(self, topology: AsyncTopology, timeout: float) -> None:
        self.topology = topology
        self.timeout = timeout
        self.closed = False
        self.reached = False
        self._warned = False
        self.checked: set[str] = set()

    async def run(self, operation: Operation[T]) -> T:
        """Run one operation and read its reply.

        Raises:
            redis.exceptions.RedisError: as the server or the connection has it.
            CodecError: the reply holds what the codec cannot read.
        """
        self._require_open()
        if operation.undo is not None:
            return (await self._run_pop(operation, None))[1]
        return operation.decode(await self.reply(operation))

    async def reply(self, operation: Operation[Any]) -> Any:
        """Run one operation and return the raw reply."""
        deadline = monotonic() + self.timeout
        while True:
            try:
                return await self._sent_once_or_safely(operation)
            except TryAgainError:
                if monotonic() >= deadline:
                    raise
                await sleep_async(_TRY_AGAIN_PAUSE)

    async def _sent_once_or_safely(self, operation: Operation[Any]) -> Any:
        for last in (not operation.safe, True):
            wire, pool = await self._acquire(operation.key)
            try:
                return await self._exchange(wire, pool, operation)
            except LOST:
                await self.topology.lost()
                if last:
                    raise
        raise AssertionError  # pragma: no cover - the loop returns or raises

    async def pop(self, command: Command[T], seconds: float) -> tuple[bool, T]:
        """Run a command that may wait for `seconds` on the server: did anything come, and what."""
        self._require_open()
        return await self._run_pop(command, seconds)

    def _require_open(self) -> None:
        if self.closed:
            raise ClosedError("this Redisson client is closed")

    async def _acquire(self, key: str) -> tuple[AsyncWire, AsyncPool]:
        """Return a connection to the key's server; after an error look around once more."""
        try:
            pool = await self.topology.pool(key)
            return await pool.acquire(), pool
        except LOST:
            await self.topology.lost()
            if not self.topology.clustered:
                raise
            pool = await self.topology.pool(key)
            return await pool.acquire(), pool

    async def _exchange(self, wire: AsyncWire, pool: AsyncPool, operation: Operation[Any]) -> Any:
        """Send, read, and go where the server points; the connection is given back or closed."""
        words = operation.request()
        for _ in range(_REDIRECTS):
            try:
                await wire.send(*words)
                reply = await wire.read()
            except NoScriptError:
                words = operation.fallback() or words
                continue
            except ResponseError as error:
                await self._keep(wire, pool, error)
                wire, pool = await self._redirected(error)
                continue
            except LOST as error:
                await wire.close()
                if operation.lost is None or _refused(error):
                    raise
                raise operation.lost(error) from error
            except BaseException:
                await wire.close()
                raise
            await pool.release(wire)
            self.reached = True
            return reply
        await pool.release(wire)
        raise RedisConnectionError(f"redirected more than {_REDIRECTS} times for {operation.key!r}")

    async def _keep(self, wire: AsyncWire, pool: AsyncPool, error: Exception) -> None:
        """Take a connection back after an error reply, unless it leads to a master no more."""
        if isinstance(error, ReadOnlyError | MasterDownError):
            await wire.close()
            await self.topology.lost()
        else:
            await pool.release(wire)

    async def _redirected(self, error: ResponseError) -> tuple[AsyncWire, AsyncPool]:
        """Return where a reply points; one that points nowhere is raised."""
        redirection = redirected(error)
        if redirection is None:
            raise error
        pool = await self.topology.redirect(redirection)
        wire = await pool.acquire()
        if not redirection.moved:
            await wire.learn_client_id()  # ASKING is for the one command that follows
            await wire.call("ASKING")
        return wire, pool

    # -------------------------------------------------------------- pops

    async def _run_pop(self, operation: Operation[T], seconds: float | None) -> tuple[bool, T]:
        """Run a pop so that an interruption gives back what it took."""
        place: tuple[AsyncWire, AsyncPool] | None = None
        for _ in range(_REDIRECTS):
            try:
                return await self._pop_once(place, operation, seconds)
            except ResponseError as error:
                place = await self._redirected(error)
        if place is not None:
            await place[1].release(place[0])
        raise RedisConnectionError(f"redirected more than {_REDIRECTS} times for {operation.key!r}")

    async def _pop_once(
        self,
        place: tuple[AsyncWire, AsyncPool] | None,
        operation: Operation[T],
        seconds: float | None,
    ) -> tuple[bool, T]:
        reply: Any = _UNREAD
        try:
            async with AsyncInterrupts():  # after it there are only returns, up to the caller's
                wire, pool = place = place or await self._acquire(operation.key)
                if seconds is not None:
                    await wire.learn_client_id()
                reply = await self._pop_reply(wire, operation, seconds)
                await pool.release(wire)
                self.reached = True
                value = operation.decode(reply)
        except LOST:
            if place is not None:
                await place[0].close()
            await self.topology.lost()
            raise
        except Exception as error:
            if (
                place is not None and reply is _UNREAD
            ):  # else it cannot be decoded; the error has it
                await self._keep(*place, error)
            raise
        except BaseException:
            if place is not None:
                await finish_async(self._give_back(*place, operation, reply, seconds))
            raise
        return reply is not None, value

    async def _pop_reply(
        self, wire: AsyncWire, operation: Operation[Any], seconds: float | None
    ) -> Any:
        try:
            await wire.send(*operation.request())
            return await wire.wait((seconds or 0) + self.timeout)
        except NoScriptError:
            await wire.send(*(operation.fallback() or operation.request()))
            return await wire.wait(self.timeout)

    async def _give_back(
        self,
        wire: AsyncWire,
        pool: AsyncPool,
        operation: Operation[Any],
        reply: Any,
        seconds: float | None,
    ) -> bool:
        """End an interrupted pop: learn what it took, and put that back; did it take any?"""
        async with AsyncInterrupts(deaf=True):
            try:
                if reply is _UNREAD:
                    if seconds is not None and wire.client_id not in (None, -1):
                        await self._unblock(pool, wire)
                    reply = await wire.wait((seconds or 0) + self.timeout)
                    await pool.release(wire)
            except (RedisError, OSError):
                await wire.close()
                return False
            undo = operation.undo(reply) if operation.undo else None
            if undo is None:
                return False
            try:
                await self.reply(undo)
            except (RedisError, OSError) as error:
                log.error(
                    "an interrupted pop on %r took %r and could not give it back: %s",
                    operation.key,
                    undo.args[2:],
                    error,
                )
            return True

    async def _unblock(self, pool: AsyncPool, wire: AsyncWire) -> None:
        """Tell the server to answer a blocked connection now."""
        try:
            other = await pool.acquire()
        except LOST:
            return
        try:
            await other.call("CLIENT", "UNBLOCK", wire.client_id or -1)
        except ResponseError:
            await pool.release(other)
        except LOST:
            await other.close()
        else:
            await pool.release(other)

    # -------------------------------------------------------------- the server's clock

    async def clock(self, key: str) -> ServerClock:
        """Return the clock of the key's server, with a sample that is fresh.

        Where an ACL refuses TIME, this machine's clock has to do; a warning says so once.
        """
        self._require_open()
        try:
            return (await self._timed_pool(key)).clock
        except ResponseError as error:
            if not isinstance(error, NoPermissionError) and "unknown command" not in str(error):
                raise
            if not self._warned:
                self._warned = True
                log.warning("TIME is refused (%s): due times follow this machine's clock", error)
            clock = ServerClock()
            now = monotonic()
            clock.sample(now, now, wall_ms())
            return clock

    async def _timed_pool(self, key: str) -> AsyncPool:
        for last in (False, True):
            try:
                pool = await self.topology.pool(key)
                await pool.learn_time()
            except LOST:
                await self.topology.lost()
                if last:
                    raise
            else:
                return pool
        raise AssertionError  # pragma: no cover - the loop returns or raises
