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
    _low: float = 0.0
    _high: float = 0.0
    _taken: float | None = None

    def stale(self, now: float) -> bool:
        """Tell whether TIME should be asked again; `now` in monotonic seconds."""
        return self._taken is None or not 0 <= now - self._taken < self.refresh_after

    def fresh_ms(self, now: float) -> float | None:
        """Return `latest_ms`, or None when TIME should be asked first."""
        taken = self._taken
        if taken is None or not 0 <= now - taken < self.refresh_after:
            return None
        return now * 1000 + self._high

    def invalidate(self) -> None:
        """Forget the sample: another server may answer now."""
        self._taken = None

    def sample(self, sent: float, received: float, server_ms: float) -> None:
        """Learn one TIME reply, with the monotonic seconds around it."""
        self._low = server_ms - received * 1000
        self._high = server_ms - sent * 1000
        self._taken = received

    def earliest_ms(self, now: float) -> float:
        """Return a time that the server's clock has surely reached, in epoch milliseconds."""
        return now * 1000 + self._low

    def latest_ms(self, now: float) -> float:
        """Return a time that the server's clock has surely not passed, in epoch milliseconds."""
        return now * 1000 + self._high
