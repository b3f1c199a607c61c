"""Waits until another client publishes a message, such as the release of a lock.

The rule: a message is a hint. A waiter tries again at least once a second, after each subscription
and at its deadline. Therefore a lost message costs a second at most.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from pyredisson._async.background.interfaces import AsyncChannelListener
from pyredisson._async.background.kernel import AsyncBackground
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic

__all__ = ["ALL", "AsyncWakeUps", "Woken", "wait_async"]

ALL = 2**31
"""This number of waiters stands for all waiters."""
POLL = 1.0
"""The longest pause between two attempts, in seconds."""

Woken = Callable[[bytes], int]
"""Returns how many waiters of this client a message wakes."""


class AsyncWakeUps(AsyncChannelListener):
    """The waiters of one client at one channel. The one that waits longest is woken first.

    Args:
        channel: where other clients publish.
        woken: returns the number of waiters that a message wakes.
    """

    inherited = False
    sharded = True

    def __init__(self, channel: str, woken: Woken) -> None:
        self.channels = (channel,)
        self._woken = woken
        self._waiters: deque[AsyncEvent] = deque()
        self._lock = StateLock()

    def on_subscribed(self, channel: str) -> None:
        """Wake all waiters: messages that were published before are unknown."""
        self.wake(ALL)

    def on_message(self, channel: str, payload: bytes) -> None:
        """Wake as many waiters as `woken` returns for the message."""
        self.wake(self._woken(payload))

    def hurry(self) -> None:
        """Wake all waiters: leases may have ended."""
        self.wake(ALL)

    def wake(self, count: int) -> None:
        """Wake `count` waiters at most, the longest waits first; each must `join` again."""
        with self._lock.held:
            woken = [self._waiters.popleft() for _ in range(min(count, len(self._waiters)))]
        for event in woken:
            event.set()

    def leave(self, event: AsyncEvent) -> None:
        """End a wait. If the waiter was woken since its last attempt, wake another one instead."""
        with self._lock.held:
            waits = event in self._waiters
            if waits:
                self._waiters.remove(event)
        if not waits:
            self.wake(1)

    def join(self, event: AsyncEvent) -> None:
        """Add a waiter before its attempt, so that a message can wake it again."""
        with self._lock.held:
            if event not in self._waiters:
                self._waiters.append(event)


async def wait_async(
    background: AsyncBackground,
    channel: str,
    attempt: Callable[[], Any],
    timeout: float,
    woken: Woken,
    *,
    pause: float | None = None,
) -> bool:
    """Try until an attempt succeeds, or the time is over.

    Args:
        background: listens to the channel during the wait.
        channel: the channel at which other clients publish that another attempt may succeed.
        attempt: returns None if it succeeded. Otherwise it returns the seconds, a float, after
            which it may succeed although nothing is published (`math.inf` if that is unknown).
        timeout: seconds; `math.inf` waits for ever. With 0 or less, nothing is subscribed.
        woken: returns the number of waiters of this client that a message wakes.
        pause: what the caller's first attempt has just returned. By default this function makes
            the first attempt.

    Returns:
        Whether an attempt succeeded. If not, the last attempt ended after the deadline.
    """
    deadline = monotonic() + timeout
    if pause is None:
        pause = await attempt()
    if pause is None or timeout <= 0:
        return pause is None
    key = ("wake-ups", channel)
    event = AsyncEvent()
    wake_ups = background.acquire(key, partial(AsyncWakeUps, channel, woken))
    try:
        wake_ups.join(event)
        if background.is_subscribed(channel, sharded=True):
            event.set()  # something may have been published since the first attempt
        while pause is not None and (left := deadline - monotonic()) > 0:
            await background.life.pause(max(min(pause, left, POLL), 0.0), event)
            wake_ups.join(event)
            pause = await attempt()
    finally:
        try:
            wake_ups.leave(event)
        finally:
            background.release(key)
    return pause is None
