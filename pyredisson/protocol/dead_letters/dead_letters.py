"""Dead letters: messages that are no longer delivered, until a user requeues or deletes them.

A letter has three parts: the length of its reason (4 bytes, big-endian); the reason as JSON; the
record of the last delivery (`protocol/consumers/delivery`), which ends with the value.  The rule:
the bytes of the value never change, neither in the letter nor by a redrive.

A dead letter has two halves: the letter in a hash, and the time of its failure in a sorted set.  If
another client has removed one half, the other half does not block other letters, and `check` finds
this other half.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pyredisson._support.error_text import MAX_REASON, MAX_TRACEBACK, shortened
from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError
from pyredisson.protocol.consumers.delivery import RECORD, Delivery
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import number, readable
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.pages import Page, Scored

__all__ = ["DeadLetter", "DeadProtocol", "Filed", "Settled", "all_dropped", "encode_reason"]

V = TypeVar("V")

_LENGTH = struct.Struct(">I")


def encode_reason(reason: str, traceback: str | None) -> bytes:
    """Encode the reason of a dead letter as JSON.

    Both texts are shortened to 64 KB of UTF-8 together. The escapes of JSON are not counted.
    """
    why = {"reason": shortened(reason, MAX_REASON)}
    if traceback is not None:
        why["traceback"] = shortened(traceback, MAX_TRACEBACK)
    return json.dumps(why, ensure_ascii=False).encode("utf-8", "replace")


@dataclass(frozen=True, slots=True)
class DeadLetter(Generic[V]):
    """A message that is no longer delivered.

    Attributes:
        id: the message's id, 32 hex digits.
        value: the value as the queue's current codec decodes it; None if the codec cannot.
        raw: the value's bytes.
        error: why the codec cannot decode the value; None if the codec can.
        reason: why the message is a dead letter.
        traceback: the traceback of the last error; None if there is none.
        attempts: how often the message was delivered; 0 if it expired before its first delivery.
        first_received_at: the time of the first lease, by the server's clock; `failed_at` if the
            message was never leased.
        received_at: the time of the last lease, by the server's clock; `failed_at` if the message
            expired.
        failed_at: when the message became a dead letter, by the server's clock.
    """

    id: str
    value: V | None
    raw: bytes
    error: DecodeError | None
    reason: str
    traceback: str | None
    attempts: int
    first_received_at: datetime
    received_at: datetime
    failed_at: datetime


class Settled(NamedTuple):
    """The result of a redrive or a deletion of some ids.

    Attributes:
        done: the number of ids whose letter was requeued, or whose letter or half was deleted.
        stay: the number of times of failures that stay: the letter is missing or truncated.
        looked_at: the number of ids that the script processed, from the first one on.
    """

    done: int
    stay: int
    looked_at: int


Filed: TypeAlias = tuple[bytes, bytes, DeadLetter[V] | None]
"""An id, the time of the failure as Redis encodes it, and the letter.

The letter is None if it is missing or truncated.
"""


@dataclass(frozen=True, slots=True)
class DeadProtocol(Generic[V]):
    """The operations of one queue's dead letters."""

    names: ConsumerNames
    codec: Codec[V]

    def letter(
        self, item_id: bytes, failed_ms: bytes | None, letter: bytes | None
    ) -> DeadLetter[V] | None:
        """Read a letter; return None if one half is missing or the letter is truncated.

        `failed_ms` is the time of the failure as Redis encodes it.
        """
        if failed_ms is None or letter is None or len(letter) < _LENGTH.size:
            return None
        (size,) = _LENGTH.unpack_from(letter)
        start = _LENGTH.size + size
        if len(letter) < start + RECORD.size:
            return None
        why = json.loads(letter[_LENGTH.size : start])
        delivery = Delivery.of(b"", letter[start:])
        value, error = readable(self.codec, delivery.raw)
        return DeadLetter(
            item_id.hex(),
            value,
            delivery.raw,
            error,
            why["reason"],
            why.get("traceback"),
            delivery.attempt,
            from_epoch_ms(delivery.first_ms),
            from_epoch_ms(delivery.taken_ms),
            from_epoch_ms(float(failed_ms)),
        )

    def size(self) -> Command[int]:
        """ZCARD: the number of times of failures. A letter without a time is not counted."""
        return Command(("ZCARD", self.names.dead), number, self.names.dead, safe=True)

    def page(self, after: Scored, limit: int) -> Eval[Page[Filed[V]]]:
        """Read up to `limit` letters after the letter `after`, in the order of their failures.

        A page of long letters has fewer. If the letter `after` was removed or has another time now,
        the page begins with the first letter of the time in `after`.
        """

        def read(reply: Any) -> Page[Filed[V]]:
            more, words = reply
            found = [
                (*words[i : i + 2], self.letter(*words[i : i + 3])) for i in range(0, len(words), 3)
            ]
            return Page(found, more=more == 1)

        keys = (self.names.dead, self.names.letters)
        return Eval(load("dead_letters/page"), keys, (*after, limit), read, safe=True)

    def ids(self, start: int, limit: int) -> Command[list[bytes]]:
        """ZRANGE: up to `limit` ids from rank `start` on."""
        key = self.names.dead
        return Command(("ZRANGE", key, start, start + limit - 1), list, key, safe=True)

    def redrive(self, ids: Sequence[bytes]) -> Eval[Settled]:
        """Requeue letters at the tail of the queue; if they are long, only the first of them."""
        keys = (self.names.queue.name, self.names.dead, self.names.letters)
        return Eval(load("dead_letters/redrive"), keys, tuple(ids), lambda reply: Settled(*reply))

    def drop(self, ids: Sequence[bytes]) -> Eval[Settled]:
        """Delete dead letters, and halves of dead letters."""
        keys = (self.names.dead, self.names.letters)
        return Eval(load("dead_letters/drop"), keys, tuple(ids), all_dropped(ids))


def all_dropped(ids: Sequence[bytes]) -> Callable[[Any], Settled]:
    """Return a reader for a script that deletes letters and halves, and returns their number."""
    return lambda reply: Settled(int(reply), 0, len(ids))
