"""Waiting for an element for as long as the user likes, in slices that are short.

No blocking command is out for more than a slice, so a connection that died
without a word is left within seconds, and each slice goes to whoever is the
master then.  Where a server lets nobody wait, the queue is looked at instead.
Errors of a server that is changing are waited out until the user's timeout;
the first contact alone fails at once, because a wrong address should not look
like an empty queue.  All who wait at a server say once between them that it is
out of order, and once that it serves again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.connections import refuses_tls
from pyredisson._transport.errors import WrongClientError
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.capabilities import LOOKS, blocking_word
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
"""Seconds that one blocking command is out, at most."""

_PASSING = (*LOST, ReadOnlyError, ClusterDownError, TryAgainError, MasterDownError)
_PASSING_CODES = ("BUSY", "UNBLOCKED")
_NO_WRITES = ("MISCONF", "NOREPLICAS")


def passes(error: BaseException, *, reached: bool = True) -> bool:
    """Tell whether an error is one of a server that will serve again.

    One that was never `reached` and wants another certificate will not, nor will one that wants
    another client.
    """
    if isinstance(error, (AuthenticationError, WrongClientError)) or (
        not reached and refuses_tls(error)
    ):
        return False
    return isinstance(error, _PASSING) or (
        isinstance(error, ReplyError) and error.code in _PASSING_CODES
    )


def waits_out(error: BaseException, *, reached: bool = True) -> bool:
    """Tell whether a wait goes on after an error: of one that passes, or takes no writes now."""
    return (
        passes(error, reached=reached)
        or isinstance(error, OutOfMemoryError)
        or (isinstance(error, ReplyError) and error.code in _NO_WRITES)
    )


Looks: TypeAlias = Callable[[], Sequence[Operation[T | None]]]


class AsyncAsk(Protocol[T]):
    """Sends a command once: did anything arrive, and what."""

    async def __call__(self, command: Operation[T | None], /) -> tuple[bool, T | None]:
        """Send it."""


async def wait_for_async(
    link: AsyncLink,
    command: Callable[[float], Operation[T | None]],
    timeout: float | None,
    transit: AsyncInFlightRequest | None = None,
    looks: Looks[T] | None = None,
) -> T | None:
    """Run a blocking command, slice after slice, until it brings something.

    Args:
        link: runs it.
        command: makes it, for a slice of so many seconds.
        timeout: seconds, at most 0 to look once; None waits for ever.
        transit: where the command is meanwhile.
        looks: make what to do again and again where the command is not available.
    """
    deadline = math.inf if timeout is None else monotonic() + timeout
    under_way = transit or AsyncInFlightRequest()

    async def ask(asked: Operation[T | None]) -> tuple[bool, T | None]:  # a partial's return is
        return await link.arrival(asked, under_way)  # where Ctrl-C may be raised; no function's

    try:
        return await slices_async(link, command, deadline, ask, looks)
    except BaseException:  # not `finally`: after an arrival there are only returns
        await under_way.leave()
        raise


async def slices_async(
    link: AsyncLink,
    command: Callable[[float], Operation[T | None]],
    deadline: float,
    ask: AsyncAsk[T],
    looks: Looks[T] | None = None,
) -> T | None:
    """Ask, slice after slice, until something arrives or the deadline has come."""
    backoff: Backoff | None = None
    while True:
        left = deadline - monotonic()
        asked = command(SLICE if left >= SLICE else max(left, 0.0))
        word = blocking_word(asked) if looks is not None else ""
        looking = bool(word) and link.lacking.now(word)
        try:
            for each in looks() if looks is not None and looking else (asked,):
                arrived, found = await ask(each)
                if arrived:
                    return found  # and nothing before it: Ctrl-C would lose the element
        except Exception as error:
            if word and not looking and link.lacking.missing(word, error):
                continue
            if not waits_out(error) or not link.reached or left <= 0:
                raise
            link.wait_failed(asked.key, error)
            backoff = backoff or Backoff(longest=1.0)
            await link.life.pause(max(min(backoff.pause(), left), 0.0))
            continue
        backoff = None
        if monotonic() >= deadline:
            return None
        if looking:
            await link.life.pause(min(LOOKS, max(deadline - monotonic(), 0.0)))
        elif word:
            link.lacking.granted(word)
