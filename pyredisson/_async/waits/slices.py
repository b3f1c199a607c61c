"""Waits for an element for any length of time, in short slices.

The rule: no blocking command is longer than a slice. Therefore a wait leaves a silently broken
connection within seconds, and each slice goes to the current master. If a server rejects blocking
commands, the queue is polled instead. Transient errors are retried until the caller's timeout. Only
the first contact fails at once, because a wrong address must not look like an empty queue. For
all waits at a server, its failure is logged once, and its recovery once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeGuard, TypeVar

from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.connections import refuses_tls
from pyredisson._transport.errors import WrongClientError
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.capabilities import CHECK_INTERVAL, blocking_word
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import (
    LOST,
    AuthenticationError,
    ClusterDownError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    ReplyError,
    TryAgainError,
)

T = TypeVar("T")

SLICE = 2.0
"""The maximum seconds of one blocking command."""

_PASSING = (*LOST, ReadOnlyError, ClusterDownError, TryAgainError, MasterDownError)
_PASSING_CODES = ("BUSY", "UNBLOCKED")
_NO_WRITES = ("MISCONF", "NOREPLICAS")


def is_transient(error: BaseException, *, reached: bool = True) -> bool:
    """Return whether an error is transient: the server will probably serve again.

    A failed authentication and a client of the wrong class are not transient. A TLS certificate
    that fails before the server was ever `reached` is not transient either.
    """
    if isinstance(error, (AuthenticationError, WrongClientError)) or (
        not reached and refuses_tls(error)
    ):
        return False
    return isinstance(error, _PASSING) or (
        isinstance(error, ReplyError) and error.code in _PASSING_CODES
    )


def is_wrong_client(error: BaseException) -> bool:
    """Return whether the client is of the wrong class for the server, and no wait can succeed."""
    return isinstance(error, WrongClientError)


def rejects(error: BaseException) -> TypeGuard[ReplyError | WrongClientError]:
    """Return whether a server lastingly rejects an operation, though it may serve others."""
    return isinstance(error, ReplyError | WrongClientError) and not is_transient(error)


def is_waitable(error: BaseException, *, reached: bool = True) -> bool:
    """Return whether a wait continues: the error is transient, or the server accepts no writes."""
    return (
        is_transient(error, reached=reached)
        or isinstance(error, OutOfMemoryError)
        or (isinstance(error, ReplyError) and error.code in _NO_WRITES)
    )


def _found_nothing(error: BaseException) -> bool:
    """Return whether a server ended a wait because its role changed: no element had arrived."""
    return isinstance(error, ReplyError) and error.code == "UNBLOCKED"


Checks: TypeAlias = Callable[[], Sequence[Operation[T | None]]]


class AsyncAsk(Protocol[T]):
    """Sends a command once; returns whether an element arrived, and the element."""

    async def __call__(self, command: Operation[T | None], /) -> tuple[bool, T | None]:
        """Send the command."""


async def wait_for_async(
    link: AsyncLink,
    command: Callable[[float], Operation[T | None]],
    timeout: float | None,
    in_flight: AsyncInFlightRequest | None = None,
    checks: Checks[T] | None = None,
) -> T | None:
    """Run a blocking command, slice after slice, until it returns an element.

    Args:
        link: runs the command.
        command: makes the command for a slice of the given seconds.
        timeout: the maximum wait in seconds. With 0 or less the command runs once. With None the
            wait has no limit.
        in_flight: keeps the state of the command that is under way; by default a new object.
        checks: makes the commands that poll, if the server rejects the blocking command.
    """
    deadline = math.inf if timeout is None else monotonic() + timeout
    under_way = in_flight or AsyncInFlightRequest()

    # a function, since Ctrl-C may be raised at the return of a `partial`, but not of a function
    async def ask(asked: Operation[T | None]) -> tuple[bool, T | None]:
        return await link.arrival(asked, under_way)

    try:
        return await slices_async(link, command, deadline, ask, checks)
    except BaseException:  # not `finally`: after an arrival only returns may follow
        await under_way.leave()
        raise


async def slices_async(
    link: AsyncLink,
    command: Callable[[float], Operation[T | None]],
    deadline: float,
    ask: AsyncAsk[T],
    checks: Checks[T] | None = None,
) -> T | None:
    """Run slice after slice until an element arrives; return None after the deadline."""
    backoff: Pauses | None = None
    while True:
        left = deadline - monotonic()
        asked = command(SLICE if left >= SLICE else max(left, 0.0))
        word = blocking_word(asked) if checks is not None else ""
        polling = bool(word) and link.rejections.now(word)
        try:
            for each in checks() if checks is not None and polling else (asked,):
                arrived, found = await ask(each)
                if arrived:
                    return found  # no statement before this one: Ctrl-C would lose the element
        except Exception as error:
            if word and not polling and link.rejections.note_if_missing(word, error):
                continue
            left = deadline - monotonic()
            if left <= 0 and _found_nothing(error):
                return None
            if not is_waitable(error) or not link.reached or left <= 0:
                raise
            link.wait_failed(asked.key, error)
            backoff = backoff or Pauses(longest=1.0)
            await link.life.pause(min(backoff.pause(), left))
            continue
        backoff = None
        if monotonic() >= deadline:
            return None
        if polling:
            await link.life.pause(min(CHECK_INTERVAL, max(deadline - monotonic(), 0.0)))
        elif word:
            link.rejections.granted(word)
