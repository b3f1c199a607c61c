"""Checks the records of messages that were requeued with a delay, and of items that expire.

One sorted set has the records (docs/wire-format.md). A second sorted set, the times, has the
pending entry of each record; the score is the time in the record. The rule: each script adds or
removes a record and its entry in one step. So a record has lost its entry if the record exists
before and after all times are read, and its entry is not among them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.checks.finding import FindingKind
from pyredisson.protocol.delayed.entry import sha_of
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import number
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["Known", "ReturnedProtocol", "entry_of", "place_of_entry", "place_of_record", "sha_in"]

_SHA = 40
_START = _SHA + 8  # then follow the length of the prefix, and the prefix
_IDENTITY = 16
_LENGTH = struct.Struct("<Q")


def _split(entry: bytes) -> int:
    """Return the length of the bytes before the value, in an entry of pyredisson."""
    size = 1 + _IDENTITY + _LENGTH.size
    if len(entry) >= size and entry[0] == _IDENTITY:
        (rest,) = _LENGTH.unpack_from(entry, 1 + _IDENTITY)
        if rest == len(entry) - size:
            return size
    return _IDENTITY


def place_of_entry(entry: bytes) -> bytes:
    """Return the bytes that identify an entry: its value's SHA1, and the bytes before the value."""
    size = _split(entry)
    return sha_of(entry[size:]) + entry[:size]


def place_of_record(record: bytes) -> bytes:
    """Return the bytes that identify the entry of a record, as `place_of_entry` does."""
    prefix = record[_START + 1 :][: record[_START]] if len(record) > _START else b""
    return record[:_SHA] + prefix


def sha_in(record: bytes) -> bytes:
    """Return the SHA1 of a record's value."""
    return record[:_SHA]


def entry_of(record: bytes, value: bytes) -> bytes:
    """Return the entry of a record with this value."""
    return place_of_record(record)[_SHA:] + value


@dataclass(frozen=True, slots=True)
class Known:
    """A sorted set of times and the sorted set of their records.

    Attributes:
        times, records: the keys of the sorted sets.
        repair: the action that repairs times without a record.
        kinds: the kind of finding if only the time exists, and if only the record exists.
    """

    times: str
    records: str
    repair: str
    kinds: tuple[FindingKind, FindingKind]


@dataclass(frozen=True, slots=True)
class ReturnedProtocol:
    """The operations on the records of one queue."""

    names: ConsumerNames

    def known(self) -> tuple[Known, Known]:
        """Return the sets of messages that were requeued with a delay, and of items that expire."""
        n, kinds = self.names, FindingKind
        later = (kinds.TIME_WITHOUT_RETRY, kinds.RETRY_WITHOUT_TIME)
        expiring = (kinds.TIME_WITHOUT_EXPIRY, kinds.EXPIRY_WITHOUT_TIME)
        return (
            Known(n.postponed, n.retried, "forget", later),
            Known(n.expiring, n.expiries, "restore", expiring),
        )

    def count(self, key: str) -> Command[int]:
        """ZCARD."""
        return Command(("ZCARD", key), number, key, safe=True)

    def scan(self, key: str, cursor: int, limit: int = PAGE) -> Command[tuple[int, list[bytes]]]:
        """ZSCAN: the next cursor (0: the end), and about `limit` entries."""

        def page(reply: Any) -> tuple[int, list[bytes]]:
            return int(reply[0]), reply[1][::2]

        return Command(("ZSCAN", key, cursor, "COUNT", limit), page, key, safe=True)

    def times_alone(self, action: str, known: Known, entries: Sequence[bytes]) -> Eval[list[bytes]]:
        """Find entries with a time but no record; return them. `known.repair` also repairs them."""
        keys = (known.times, known.records, self.names.queue.timeout_set)
        return Eval(load("checks/times_alone"), keys, (action, *entries), list)

    def records_alone(
        self, action: str, known: Known, found: Iterable[tuple[bytes, bytes]]
    ) -> Eval[list[bytes]]:
        """Find records without a time, and with "repair" repair them; return these records.

        `found` has records with their entries. An entry is empty if no key has the record's value.
        """
        keys = (known.times, known.records)
        args: tuple[Arg, ...] = (action, *(word for each in found for word in each))
        return Eval(load("checks/records_alone"), keys, args, list)
