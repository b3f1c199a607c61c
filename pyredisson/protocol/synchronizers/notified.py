"""The reply of a script that notifies waiters: a result, and the error of a rejected message."""

from __future__ import annotations

from typing import Any, NamedTuple

from pyredisson.protocol.counters.atomic import parsed

__all__ = ["Notified"]


class Notified(NamedTuple):
    """The result of a script that notifies waiters.

    Attributes:
        result: a number, which depends on the script.
        rejection: the server's error text if the notification was rejected, else "".
    """

    result: int
    rejection: str

    @classmethod
    def read(cls, reply: Any) -> Notified:
        """Read the reply.

        Raises:
            DecodeError: the count of a latch is not a number.
        """
        rejection = bytes(reply[1]).decode("utf-8", "replace") if len(reply) > 1 else ""
        return cls(parsed(int, reply[0], "RCountDownLatch"), rejection)
