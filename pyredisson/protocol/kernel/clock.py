"""The server's clock, estimated from TIME replies; this module never reads a clock itself.

The caller passes readings of its own monotonic clock, so a wrong wall clock on this machine has no
effect.  A reply bounds the server's time on both sides: the server read its clock after the request
was sent and before the reply came.  The rule: a new item gets the upper bound (`latest_ms`), and a
check for due items uses the lower bound (`earliest_ms`), so no item is ever early.
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
    """The most that the server's time is ahead of a monotonic reading, in milliseconds."""
    doubt_ms: float = 0.0
    """The longest time between a request and its reply: no item is due so much later than meant."""
    taken: float | None = None
    """When the last reply came, in monotonic seconds; None: send TIME first."""
    moves: int = 0
    """How often the server's clock was moved."""

    def stale(self, now: float) -> bool:
        """Return whether to send TIME again; `now` is in monotonic seconds."""
        return self.taken is None or not 0 <= now - self.taken < self.refresh_after

    def invalidate(self) -> None:
        """Discard the sample, because another server may answer now."""
        self.taken = None

    def moved(self) -> None:
        """Discard the sample, and the reply under way: the server's clock was moved."""
        self.moves += 1
        self.taken = None

    def sample(
        self, sent: float, received: float, server_ms: float, moves: int | None = None
    ) -> bool:
        """Record a TIME reply and the monotonic seconds at which it was sent and received.

        Returns:
            False if the clock was moved since `moves` was read, so that the reply does not count.
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
        """Return a time that the server's clock has certainly reached, in epoch milliseconds."""
        return now * 1000 + self.low_ms

    def latest_ms(self, now: float) -> float:
        """Return a time that the server's clock has certainly not passed, in epoch milliseconds."""
        return now * 1000 + self.high_ms
