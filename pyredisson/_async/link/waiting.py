"""Waiting for an element for as long as the user likes, in slices that are short.

No blocking command is out for more than a slice, so a connection that died
without a word is left within seconds, and each slice goes to whoever is the
master then.  Errors of a server that is changing are waited out until the
user's timeout; the first contact alone fails at once, because a wrong address
should not look like an empty queue.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from redis.exceptions import (
    AuthenticationError,
    ClusterDownError,
    MasterDownError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.outcomes import LOST
from pyredisson._compat import monotonic, sleep_async
from pyredisson.protocol.backoff import Backoff
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


async def wait_for_async(
    link: AsyncLink,
    commands: list[Callable[[float], Command[T | None]]],
    timeout: float | None,
) -> T | None:
    """Run blocking commands, each for a slice in turn, until one brings something.

    Args:
        link: runs them.
        commands: one for each slot of a cluster that has to be asked; usually one.
        timeout: seconds, at most 0 to look once; None waits for ever.
    """
    deadline = None if timeout is None else monotonic() + timeout
    longest = SLICE / len(commands)
    backoff = Backoff(longest=1.0)
    turn = 0
    while True:
        left = longest if deadline is None else deadline - monotonic()
        command = commands[turn % len(commands)]
        first_round = len(commands) > 1 and turn < len(commands)  # nobody waits beside a full queue
        seconds = 0.0 if first_round else max(min(left, longest), 0.0)
        try:
            arrived, found = await link.arrival(command(seconds))
        except Exception as error:
            if not passes(error) or not link.reached or (left <= 0 and deadline is not None):
                raise
            log.warning("waiting for elements goes on after: %s", error)
            pause = backoff.pause()
            await sleep_async(pause if deadline is None else max(min(pause, left), 0.0))
            continue
        if arrived:
            return found
        backoff.reset()
        turn += 1
        if deadline is not None and monotonic() >= deadline and turn >= len(commands):
            return None
