"""What is known of messages that came back, or of items that expire, for a check of a queue.

An entry (docs/wire-format.md) stands beside a second sorted set, which has the pending member with
the same time.  The rule: no step adds or removes the one without the other, so whoever sees an
entry before and after it has read all times, and not its member among them, has found a half.
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

__all__ = ["Known", "ReturnedProtocol", "member_of", "place_of_entry", "place_of_member", "sha_in"]

_SHA = 40
_START = _SHA + 8  # behind it the length of the prefix, and that
_IDENTITY = 16
_LENGTH = struct.Struct("<Q")


def _split(member: bytes) -> int:
    """Return how long what stands before the value is, in a member of pyredisson's."""
    size = 1 + _IDENTITY + _LENGTH.size
    if len(member) >= size and member[0] == _IDENTITY:
        (rest,) = _LENGTH.unpack_from(member, 1 + _IDENTITY)
        if rest == len(member) - size:
            return size
    return _IDENTITY


def place_of_member(member: bytes) -> bytes:
    """Return what an entry and its member have in common: the value's SHA1, and the prefix."""
    size = _split(member)
    return sha_of(member[size:]) + member[:size]


def place_of_entry(entry: bytes) -> bytes:
    """Return the same of an entry."""
    prefix = entry[_START + 1 :][: entry[_START]] if len(entry) > _START else b""
    return entry[:_SHA] + prefix


def sha_in(entry: bytes) -> bytes:
    """Return the SHA1 of an entry's value."""
    return entry[:_SHA]


def member_of(entry: bytes, value: bytes) -> bytes:
    """Return the member of an entry of this value."""
    return place_of_entry(entry)[_SHA:] + value


@dataclass(frozen=True, slots=True)
class Known:
    """The two sorted sets, and what a repair does with times alone.

    The kinds are what is wrong where there is only the time, or the entry.
    """

    times: str
    entries: str
    repair: str
    kinds: tuple[FindingKind, FindingKind]


@dataclass(frozen=True, slots=True)
class ReturnedProtocol:
    """The operations on the entries of one queue."""

    names: ConsumerNames

    def known(self) -> tuple[Known, Known]:
        """Return what is kept in pairs: of messages that are put back later, of what expires."""
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

    def scan(self, key: str, cursor: int) -> Command[tuple[int, list[bytes]]]:
        """ZSCAN: the next cursor (0: no more), and some members."""

        def page(reply: Any) -> tuple[int, list[bytes]]:
            return int(reply[0]), reply[1][::2]

        return Command(("ZSCAN", key, cursor, "COUNT", PAGE), page, key, safe=True)

    def times_alone(self, action: str, known: Known, members: Sequence[bytes]) -> Eval[list[bytes]]:
        """Look for times without an entry, or repair them; which were?"""
        keys = (known.times, known.entries, self.names.queue.timeout_set)
        return Eval(load("checks/times_alone"), keys, (action, *members), list)

    def entries_alone(
        self, action: str, known: Known, found: Iterable[tuple[bytes, bytes]]
    ) -> Eval[list[bytes]]:
        """Look for entries without a time, or repair them; which were?

        `found` has entries with their members, empty where the value is nowhere.
        """
        keys = (known.times, known.entries)
        args: tuple[Arg, ...] = (action, *(word for each in found for word in each))
        return Eval(load("checks/entries_alone"), keys, args, list)
