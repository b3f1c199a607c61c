"""Deliveries, read from the records that the scripts in ``consumers/`` store of leased messages."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pyredisson.protocol.kernel.due import from_epoch_ms

__all__ = [
    "MAX_MESSAGES",
    "RECORD",
    "Deliveries",
    "Delivery",
    "Ended",
    "Expired",
    "emit_expired",
    "events_of",
]

RECORD = struct.Struct(">16sIQQQ")
"""The fields of a record before the value: id, attempt, first taken, taken, due.

If the highest bit of the attempt is set, 8 more bytes follow: the time in epoch ms at which the
message expires. If this number is negative, the expired message is dropped; otherwise it becomes a
dead letter.
"""

MAX_MESSAGES = 1000
"""The largest number of messages in one call of a script."""

_ENDED = b"ended"
_EXPIRES = 1 << 31
_MOMENT = struct.Struct(">q")


@dataclass(frozen=True, slots=True)
class Delivery:
    """One delivery; times are epoch milliseconds of the server.

    `first_ms` is the time of the first delivery of the message. `due_ms` is 0 if it is unknown.
    `expires_ms` is 0 if the message does not expire.
    """

    token: bytes
    item_id: bytes
    attempt: int
    first_ms: int
    taken_ms: int
    due_ms: int
    raw: bytes
    expires_ms: int = 0

    @classmethod
    def of(cls, token: bytes, record: bytes) -> Delivery:
        """Read the record of a token.

        Raises:
            struct.error: the record is truncated.
        """
        item_id, attempt, first, taken, due = RECORD.unpack_from(record)
        start, expires = RECORD.size, 0
        if attempt & _EXPIRES:
            attempt ^= _EXPIRES
            (expires,) = _MOMENT.unpack_from(record, start)
            start += _MOMENT.size
        return cls(token, item_id, attempt, first, taken, due, record[start:], abs(expires))


@dataclass(frozen=True, slots=True)
class Expired:
    """An item that expired in a queue; hooks get it in place of a message.

    `received_at` is the time at which a script found the item expired. `due_at` is None if it is
    unknown. `value` is always None, because the bytes are not decoded.
    """

    id: str
    attempt: int
    raw: bytes
    received_at: datetime
    due_at: datetime | None
    dropped: bool
    value: None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A message that is redelivered because its lease had ended.

    `attempt` is the number of the next delivery. `consumer` is the name of the consumer that had
    the lease, or None if the name is not known.
    """

    id: str
    attempt: int
    consumer: str | None


class Deliveries(list[Delivery]):
    """The deliveries of a take, with the ended leases and expired items that the script found."""

    ended: Sequence[Ended] = ()
    expired: Sequence[Expired] = ()


def events_of(words: Sequence[bytes]) -> tuple[list[Ended], list[Expired]]:
    """Read a script's list of ended leases and expired items: a kind and a record for each."""
    ended, expired = list[Ended](), list[Expired]()
    for what, record in zip(words[::2], words[1::2], strict=True):
        each = Delivery.of(what, record)
        if what.startswith(_ENDED):
            name = what[len(_ENDED) :].decode("utf-8", "replace") or None
            ended.append(Ended(each.item_id.hex(), each.attempt + 1, name))
        else:
            expired.append(_expired(each))
    return ended, expired


def _expired(each: Delivery) -> Expired:
    return Expired(
        each.item_id.hex(),
        each.attempt,
        each.raw,
        from_epoch_ms(each.taken_ms),
        from_epoch_ms(each.due_ms) if each.due_ms else None,
        each.token == b"dropped",
    )


def emit_expired(emit: Callable[..., None], queue: str, message: Any, *, dropped: bool) -> None:
    """Call `on_expire` for an expired item, then `on_drop` or `on_dead_letter`."""
    emit("on_expire", queue, message)
    if dropped:
        emit("on_drop", queue, message, None)
    else:
        emit("on_dead_letter", queue, message, "expired", None)
