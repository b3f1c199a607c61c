"""What consumers have in hand, and how they are called.

A delivery's token begins with four bytes of its consumer, so a record need not have its name. The
name is noted beside, by a take or an extension of leases, once in the time that these last, and
vanishes by itself.  The rule: it is noted for longer than any lease of that consumer.
"""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeVar

from pyredisson.errors import DecodeError
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.delayed.pending import LAST_MS
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.scripts import load

__all__ = [
    "LASTS",
    "NUMBER_BYTES",
    "START",
    "Behind",
    "Held",
    "InFlight",
    "Naming",
    "held_by_consumers",
    "in_flight_of",
    "require_name",
]

V = TypeVar("V")

NUMBER_BYTES = 4
"""What a token begins with: the number of a consumer, drawn at random."""

LASTS = 2
"""A name is noted for so many times the length of a lease."""

_LONGEST = 200


@dataclass(slots=True)
class Naming:
    """When the name of a consumer is to be noted; it is told the time, in seconds of any clock."""

    number: bytes
    _until: float = -math.inf
    _asked: float = math.inf

    def due(self, now: float, lease: float, wait: float = 0.0) -> bool:
        """Tell whether to send the name with what may begin after a wait and lasts for a lease."""
        if now + wait + lease <= self._until:
            return False
        self._asked = min(self._asked, now + LASTS * lease)  # the oldest that may have been noted
        return True

    def noted(self) -> None:
        """A script has noted it, or it was not sent."""
        if self._asked < math.inf:
            self._until, self._asked = max(self._until, self._asked), math.inf


@dataclass(frozen=True, slots=True)
class InFlight(Generic[V]):
    """A message that a consumer has in hand.

    `raw` are its bytes, `value` what the queue's codec reads of them, None with an `error` where it
    cannot.  `id`, `attempt`, `received_at` and `delivery_id` are the message's. `consumer` is how
    its consumer is called, None where that is not known.  The message comes again at
    `lease_ends_at`, unless the lease is extended until then; where that is over, as soon as a
    consumer or a transfer task looks.
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
    """A delivery, when its lease ends (ms), and how its consumer is called."""

    delivery: Delivery
    ends_ms: float
    consumer: str | None


Behind = tuple[bytes, bytes]
"""A token that was read, and the end of its lease as Redis encodes it."""

START: Behind = (b"", b"-inf")
"""Before the first page."""


def require_name(name: str) -> str:
    """Return what a consumer may be called.

    Raises:
        TypeError, ValueError: it is no text, empty or too long.
    """
    if not isinstance(name, str):
        raise TypeError(f"consumer_name must be str, not {name!r}")
    if not 0 < len(name) <= _LONGEST:
        raise ValueError(f"consumer_name must have 1 to {_LONGEST} characters, not {len(name)}")
    return name


def held_by_consumers(
    names: ConsumerNames, behind: Behind, limit: int
) -> Eval[tuple[list[Held], Behind | None]]:
    """A page of deliveries, whose lease ends first first, and where the next page begins.

    What has no record, or one that is cut short, is left out.
    """

    def read(reply: Any) -> tuple[list[Held], Behind | None]:
        called, found = reply
        by_number = {each[:NUMBER_BYTES]: each[NUMBER_BYTES:] for each in called}
        held = [_held(by_number, *found[i : i + 3]) for i in range(0, len(found), 3)]
        last = (found[-3], found[-2]) if len(held) == limit else None
        return [each for each in held if each is not None], last

    keys = (names.leases, names.taken, names.consumers)
    return Eval(load("consumers/in_flight"), keys, (*behind, limit), read, safe=True)


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
    """Return what is known of a delivery."""
    delivery = held.delivery
    return InFlight(
        delivery.item_id.hex(),
        value,
        delivery.raw,
        error,
        delivery.attempt,
        held.consumer,
        from_epoch_ms(delivery.taken_ms),
        from_epoch_ms(min(held.ends_ms, LAST_MS)),
        delivery.token.hex(),
    )
