"""The reply of a script that publishes: its result, and whether the server let it publish."""

from __future__ import annotations

from typing import Any, NamedTuple

from pyredisson.protocol.counters.atomic import parsed

__all__ = ["Notified"]


class Notified(NamedTuple):
    """What such a script returned.

    Attributes:
        result: a number, which depends on the script.
        rejection: the server's error text if the notification was rejected, else "".
    """

    result: int
    rejection: str

    @classmethod
    def read(cls, reply: Any) -> Notified:
        """Read the reply."""
        rejection = bytes(reply[1]).decode("utf-8", "replace") if len(reply) > 1 else ""
        return cls(parsed(int, reply[0], "RCountDownLatch"), rejection)
