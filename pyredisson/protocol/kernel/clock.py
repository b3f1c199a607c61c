"""The server's clock, estimated from TIME replies; this module never reads a clock itself.

The caller passes readings of its own monotonic clock, so a wrong wall clock on this machine has no
effect.  A reply bounds the server's time on both sides: the server read its clock after the request
was sent and before the reply came.  The rule: the due time of a new item is counted from the upper
bound (`latest_ms`). A check for due items uses the lower bound (`earliest_ms`). Therefore no item
is ever early.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ServerClock"]


@dataclass(slots=True)
class ServerClock:
    """The offset between the server's epoch milliseconds and a local monotonic clock."""

    refresh_after: float = 10.0
    low_ms: float = 0.0
    high_ms: float = 0.0
    """The difference between the server's time and a monotonic reading, in milliseconds.

    The difference is at least `low_ms` and at most `high_ms`.
    """
    doubt_ms: float = 0.0
    """The longest round trip of the replies that `sample` got, in ms.

    This clock makes an item late by this time at most.
    """
    taken: float | None = None
    """When the last reply came, in monotonic seconds; None if TIME must be sent first."""
    moves: int = 0
    """How often `moved` was called; only tests move the clock."""

    def stale(self, now: float) -> bool:
        """Return whether to send TIME again; `now` is in monotonic seconds."""
        return self.taken is None or not 0 <= now - self.taken < self.refresh_after

    def invalidate(self) -> None:
        """Discard the sample, because another server may answer now."""
        self.taken = None

    def moved(self) -> None:
        """Discard the sample, because a test has moved the server's clock.

        A reply that was requested before this call has an old `moves`, so `sample` rejects it.
        """
        self.moves += 1
        self.taken = None

    def sample(
        self, sent: float, received: float, server_ms: float, moves: int | None = None
    ) -> bool:
        """Record a TIME reply and the monotonic seconds at which it was sent and received.

        Args:
            sent: when the request was sent.
            received: when the reply came.
            server_ms: the server's time in epoch milliseconds.
            moves: the attribute `moves` as it was when the request was sent. With None, the reply
                is always accepted.

        Returns:
            False if a test has moved the clock since then. Then send TIME again.
        """
        self.low_ms = server_ms - received * 1000
        self.high_ms = server_ms - sent * 1000
        self.doubt_ms = max(self.doubt_ms, self.high_ms - self.low_ms)
        self.taken = received
        if moves in (None, self.moves):
            return True
        self.taken = None
        return False

    def earliest_ms(self, now: float) -> float:
        """Return the latest time that the server's clock has surely reached, in epoch ms."""
        return now * 1000 + self.low_ms

    def latest_ms(self, now: float) -> float:
        """Return the earliest time that the server's clock has surely not passed, in epoch ms."""
        return now * 1000 + self.high_ms
