"""The messages in flight, and the names of their consumers.

The first four bytes of a delivery's token identify the consumer, so the record of the message does
not have the consumer's name. Scripts that take messages or extend leases also store this name,
about once in the length of a lease. The stored name expires. The rule: a name is stored for longer
than any lease of its consumer lasts.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from pyredisson.errors import DecodeError
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.pages import Scored

__all__ = [
    "LASTS",
    "NUMBER_BYTES",
    "Held",
    "InFlight",
    "Naming",
    "held_by_consumers",
    "in_flight_of",
    "require_name",
]

V = TypeVar("V")

NUMBER_BYTES = 4
"""Length of the random number of a consumer, with which its tokens begin."""

LASTS = 2
"""A name is stored for this multiple of the length of a lease."""

_LONGEST = 200


@dataclass(slots=True)
class Naming:
    """Decides when to store a consumer's name; times are seconds of one monotonic clock."""

    number: bytes
    _until: float = -math.inf
    _asked: float = math.inf

    def due(self, now: float, lease: float, wait: float = 0.0) -> bool:
        """Return whether to send the name with a script that leases within `wait` seconds."""
        if now + wait + lease <= self._until:
            return False
        self._asked = min(self._asked, now + LASTS * lease)  # the earliest end of the names sent
        return True

    def noted(self) -> None:
        """Record that a script succeeded; this has no effect if the name was not sent."""
        if self._asked < math.inf:
            self._until, self._asked = max(self._until, self._asked), math.inf


@dataclass(frozen=True, slots=True)
class InFlight(Generic[V]):
    """A message that a consumer has leased.

    The lease ends at `lease_ends_at`, unless it is extended or the message is settled before. After
    the end, the next consumer or transfer task that checks the queue redelivers the message.

    Attributes:
        id, attempt, received_at, delivery_id: as in the consumer's `Message`.
        value: the decoded value; None if it cannot be decoded.
        raw: the value's bytes.
        error: why the value cannot be decoded; None if it can.
        consumer: the name of the consumer; None if it is unknown.
        lease_ends_at: when the lease ends, by the server's clock.
    """

    id: str
    value: V | None
    raw: bytes
    error: DecodeError | None
    attempt: int
    consumer: str | None
    received_at: datetime
    lease_ends_at: datetime
    delivery_id: str


class Held(NamedTuple):
    """A delivery, the end of its lease (epoch ms), and the name of its consumer."""

    delivery: Delivery
    ends_ms: float
    consumer: str | None


def require_name(name: str) -> str:
    """Return `name` if it is a valid name of a consumer.

    Raises:
        TypeError: the name is not a str.
        ValueError: the name is empty or has more than 200 characters.
    """
    if not isinstance(name, str):
        raise TypeError(f"consumer_name must be str, not {name!r}")
    if not 0 < len(name) <= _LONGEST:
        raise ValueError(f"consumer_name must have 1 to {_LONGEST} characters, not {len(name)}")
    return name


def held_by_consumers(
    names: ConsumerNames, after: Scored, limit: int
) -> Eval[tuple[list[Held], Scored | None]]:
    """Read a page of deliveries, in the order in which their leases end.

    `after` has the token of the last delivery that was read, and the end of its lease. The second
    result is the `after` of the next page, or None if this page is the last.

    Deliveries without a record, or with a truncated record, are left out.
    """

    def read(reply: Any) -> tuple[list[Held], Scored | None]:
        more, called, found = reply
        by_number = {each[:NUMBER_BYTES]: each[NUMBER_BYTES:] for each in called}
        held = [_held(by_number, *found[i : i + 3]) for i in range(0, len(found), 3)]
        last = (found[-3], found[-2]) if more == 1 else None
        return [each for each in held if each is not None], last

    keys = (names.leases, names.taken, names.consumers)
    return Eval(load("consumers/in_flight"), keys, (*after, limit), read, safe=True)


def _held(
    names: dict[bytes, bytes], token: bytes, ends: bytes, record: bytes | None
) -> Held | None:
    name = names.get(token[:NUMBER_BYTES])
    try:
        delivery = Delivery.of(token, record or b"")
    except struct.error:
        return None
    return Held(delivery, float(ends), None if name is None else name.decode("utf-8", "replace"))


def in_flight_of(held: Held, value: V | None, error: DecodeError | None) -> InFlight[V]:
    """Return the `InFlight` of a delivery with its decoded value or the error."""
    delivery = held.delivery
    return InFlight(
        delivery.item_id.hex(),
        value,
        delivery.raw,
        error,
        delivery.attempt,
        held.consumer,
        from_epoch_ms(delivery.taken_ms),
        from_epoch_ms(held.ends_ms),
        delivery.token.hex(),
    )
