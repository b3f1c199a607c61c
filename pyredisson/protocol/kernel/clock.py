"""What the server's clock shows, estimated from TIME replies; never reads a clock itself.

The caller gives readings of its own monotonic clock, so a wrong wall clock on
this machine moves nothing.  A reply bounds the truth on both sides: the server
read its clock after the request left and before the reply came.  The rule:
whoever stamps a new item takes the upper bound (`latest_ms`), whoever asks what
is due takes the lower (`earliest_ms`); so nothing is ever early.
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
    """What a monotonic reading in milliseconds lacks to the server's time, at most."""
    taken: float | None = None
    """When the last reply came, in monotonic seconds; None: TIME should be asked first."""

    def stale(self, now: float) -> bool:
        """Tell whether TIME should be asked again; `now` in monotonic seconds."""
        return self.taken is None or not 0 <= now - self.taken < self.refresh_after

    def invalidate(self) -> None:
        """Forget the sample: another server may answer now."""
        self.taken = None

    def sample(self, sent: float, received: float, server_ms: float) -> None:
        """Learn one TIME reply, with the monotonic seconds around it."""
        self.low_ms = server_ms - received * 1000
        self.high_ms = server_ms - sent * 1000
        self.taken = received

    def earliest_ms(self, now: float) -> float:
        """Return a time that the server's clock has surely reached, in epoch milliseconds."""
        return now * 1000 + self.low_ms

    def latest_ms(self, now: float) -> float:
        """Return a time that the server's clock has surely not passed, in epoch milliseconds."""
        return now * 1000 + self.high_ms
