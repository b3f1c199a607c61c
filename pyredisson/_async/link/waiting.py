"""Waiting for an element for as long as the user likes, in slices that are short.

No blocking command is out for more than a slice, so a connection that died
without a word is left within seconds, and each slice goes to whoever is the
master then.  Errors of a server that is changing are waited out until the
user's timeout; the first contact alone fails at once, because a wrong address
should not look like an empty queue.  All who wait at a server say once between
them that it is out of order, and once that it serves again.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Protocol, TypeVar

from redis.exceptions import (
    AuthenticationError,
    ClusterDownError,
    MasterDownError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)

from pyredisson._async.link.link import AsyncLink, AsyncTransit
from pyredisson._async.link.outcomes import LOST
from pyredisson._compat import monotonic, sleep_async
from pyredisson.protocol.backoff import Backoff
from pyredisson.protocol.cluster import Address
from pyredisson.protocol.command import Command

T = TypeVar("T")
log = logging.getLogger("pyredisson")

SLICE = 2.0
"""Seconds that one blocking command is out, at most."""

_PASSING = (*LOST, ReadOnlyError, ClusterDownError, TryAgainError, MasterDownError)
_PASSING_WORDS = ("BUSY ", "UNBLOCKED ")  # those that redis-py has no class for


def passes(error: BaseException) -> bool:
    """Tell whether an error is one of a server that will serve again."""
    if isinstance(error, AuthenticationError):
        return False
    return isinstance(error, _PASSING) or (
        isinstance(error, ResponseError) and str(error).startswith(_PASSING_WORDS)
    )


class AsyncAsk(Protocol[T]):
    """Sends a command once: did anything arrive, and what."""

    async def __call__(self, command: Command[T | None], /) -> tuple[bool, T | None]:
        """Send it."""


async def wait_for_async(
    link: AsyncLink, command: Callable[[float], Command[T | None]], timeout: float | None
) -> T | None:
    """Run a blocking command, slice after slice, until it brings something.

    Args:
        link: runs it.
        command: makes it, for a slice of so many seconds.
        timeout: seconds, at most 0 to look once; None waits for ever.
    """
    deadline = math.inf if timeout is None else monotonic() + timeout
    transit = AsyncTransit()

    async def ask(command: Command[T | None]) -> tuple[bool, T | None]:
        return await link.arrival(command, transit)

    try:
        return await slices_async(link, command, deadline, ask)
    except BaseException:  # not `finally`: after an arrival there are only returns
        await transit.leave()
        raise


async def slices_async(
    link: AsyncLink,
    command: Callable[[float], Command[T | None]],
    deadline: float,
    ask: AsyncAsk[T],
) -> T | None:
    """Ask, slice after slice, until something arrives or the deadline has come."""
    backoff = Backoff(longest=1.0)
    key = command(0).key
    place: list[Address | None] = []  # where it failed: a cluster's key may come back elsewhere
    while True:
        left = deadline - monotonic()
        try:
            arrived, found = await ask(command(max(min(left, SLICE), 0.0)))
        except Exception as error:
            if not passes(error) or not link.reached or left <= 0:
                raise
            place = place or [link.topology.home(key)]
            news = link.outages.begins(place[0], monotonic())
            level = logging.WARNING if news else logging.DEBUG
            log.log(level, "waiting for elements of %r goes on after: %s", key, error)
            await sleep_async(max(min(backoff.pause(), left), 0.0))
            continue
        if arrived and not link.outages.since:  # no call: Ctrl-C comes in at calls
            return found
        seconds = link.outages.ended(place[0] if place else link.topology.home(key), monotonic())
        if seconds is not None:
            log.warning("waiting for elements of %r: served again after %.1f s", key, seconds)
        if arrived:
            return found
        backoff.reset()
        if monotonic() >= deadline:
            return None
