"""The findings of a check of a queue; each has a kind, a key, a count, examples and a text.

The rule: each problem has a kind that a program can test, and a text that names the repair.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias

__all__ = ["Finding", "FindingKind", "Findings", "Orphans"]

_EXAMPLES = 3

Orphans: TypeAlias = Literal["deliver", "drop"]
"""What a repair does with pending entries that are in the timeout set only."""


class FindingKind(StrEnum):
    """The kind of a problem; `Finding.text` explains it."""

    WRONG_TYPE = "wrong_type"
    TIME_TO_LIVE = "time_to_live"
    POISON = "poison"
    MIXED_FORMATS = "mixed_formats"
    TIMEOUT_SET_ONLY = "timeout_set_only"
    DELAY_LIST_ONLY = "delay_list_only"
    LISTED_TWICE = "listed_twice"
    LEASE_WITHOUT_MESSAGE = "lease_without_message"
    MESSAGE_WITHOUT_LEASE = "message_without_lease"
    LEASE_ENDED = "lease_ended"
    UNCLAIMED = "unclaimed"
    TIME_WITHOUT_RETRY = "time_without_retry"
    RETRY_WITHOUT_TIME = "retry_without_time"
    TIME_WITHOUT_EXPIRY = "time_without_expiry"
    EXPIRY_WITHOUT_TIME = "expiry_without_time"
    TIME_WITHOUT_LETTER = "time_without_letter"
    LETTER_WITHOUT_TIME = "letter_without_time"
    GROUP_WITHOUT_ITEM = "group_without_item"
    GROUP_WITHOUT_VALUES = "group_without_values"
    VALUE_WITHOUT_GROUP = "value_without_group"
    KEY_WITHOUT_GROUP = "key_without_group"
    GROUP_WITHOUT_KEY = "group_without_key"
    ENTRY_WITHOUT_TIME = "entry_without_time"
    TIME_WITHOUT_ENTRY = "time_without_entry"
    CUT_SHORT = "cut_short"
    MIGRATION = "migration"
    EVICTION_POLICY = "eviction_policy"


_REPORTED = (
    *(FindingKind.WRONG_TYPE, FindingKind.MIXED_FORMATS),
    *(FindingKind.MIGRATION, FindingKind.EVICTION_POLICY),
)

_TEXTS = {
    FindingKind.WRONG_TYPE: ("the queue does not work; no repair changes the key",),
    FindingKind.TIME_TO_LIVE: (
        "the key is deleted with all its contents when its time to live ends",
        "removes the time to live",
    ),
    FindingKind.POISON: (
        "pending entries that no Redisson writes, at which Java's transfer fails",
        "moves them to the poison list",
    ),
    FindingKind.MIXED_FORMATS: (
        "pending entries of Redisson up to 3.21.0 and of newer ones: no Java reads both; a "
        "transfer of pyredisson moves them, a repair changes nothing",
    ),
    FindingKind.TIMEOUT_SET_ONLY: (
        "pending entries in the timeout set only, as Java's retainAll leaves them: they are "
        "delivered at their time, but size(), contains() and remove() do not see them",
    ),
    FindingKind.DELAY_LIST_ONLY: (
        "pending entries in the delay list only, without a time: they are never delivered",
        "makes them due now",
    ),
    FindingKind.LISTED_TWICE: (
        "pending entries that are in the delay list several times, as Redisson up to 3.16.3 "
        "leaves an offer that it sends again: the transfer removes one and leaves the others",
        "keeps the first of each",
    ),
    FindingKind.LEASE_WITHOUT_MESSAGE: (
        "leases of messages that do not exist",
        "removes them",
    ),
    FindingKind.MESSAGE_WITHOUT_LEASE: (
        "messages that a consumer took and that have no lease: they are never redelivered",
        "puts them back to the queue",
    ),
    FindingKind.LEASE_ENDED: (
        "messages whose leases have ended, and that neither a consumer nor a transfer task of "
        "pyredisson redelivers",
        "puts them back to the queue",
    ),
    FindingKind.UNCLAIMED: (
        "elements that ended the wait of a consumer that no longer exists",
        "puts them back to the queue",
    ),
    FindingKind.RETRY_WITHOUT_TIME: (
        "records of messages that were requeued with a delay, without their times; they stay "
        "forever if another client takes the message",
        "restores their times, or removes them where the message is gone",
    ),
    FindingKind.TIME_WITHOUT_RETRY: (
        "messages that were requeued with a delay and whose records are gone, so that they start "
        "with attempt 1",
        "removes their times",
    ),
    FindingKind.EXPIRY_WITHOUT_TIME: (
        "records of items that expire, without their times: no client reads them",
        "restores their times, or removes them where the item is gone",
    ),
    FindingKind.TIME_WITHOUT_EXPIRY: (
        "items that expire and whose records are gone, so that consumers get expired ones",
        "makes them dead letters at their times",
    ),
    FindingKind.LETTER_WITHOUT_TIME: (
        "dead letters without a time, so that no client sees them",
        "sets their times to those of their last deliveries",
    ),
    FindingKind.TIME_WITHOUT_LETTER: (
        "times of dead letters without contents",
        "removes their times",
    ),
    FindingKind.GROUP_WITHOUT_ITEM: (
        "groups of a window whose token another client removed from the queue, so that their "
        "values stay forever",
        "puts the token at the end of the queue",
    ),
    FindingKind.GROUP_WITHOUT_VALUES: (
        "groups of a window that lack values, so that the others cannot be delivered",
        "makes the others deliverable, and removes a group that has none",
    ),
    FindingKind.VALUE_WITHOUT_GROUP: (
        "values of a window that no group counts, so that they stay forever",
        "adds them to their group, or to the poison list if the group is unknown",
    ),
    FindingKind.KEY_WITHOUT_GROUP: (
        "keys of a window whose groups are gone",
        "removes them",
    ),
    FindingKind.GROUP_WITHOUT_KEY: (
        "open groups of a window that their keys do not refer to, so that the next value starts "
        "another group",
        "lets the keys refer to them",
    ),
    FindingKind.ENTRY_WITHOUT_TIME: (
        "recurring work that has stopped",
        "makes it continue",
    ),
    FindingKind.TIME_WITHOUT_ENTRY: (
        "times of recurring work that does not exist",
        "removes them",
    ),
    FindingKind.CUT_SHORT: (
        "truncated records, so that reading them fails",
        "moves what is left of them to the poison list",
    ),
    FindingKind.MIGRATION: (
        "a migration is under way or was interrupted: no client sees the items that it has not "
        "moved; run the same `pyredisson migrate` again, a repair changes nothing",
    ),
    FindingKind.EVICTION_POLICY: (
        "the server deletes keys with all their contents when its memory is full; set its "
        "maxmemory-policy to noeviction, which no repair does",
    ),
}
"""The meaning of each kind of problem; then what a repair does, if a repair changes anything.

For TIMEOUT_SET_ONLY, `_ORPHANS` has what a repair does.
"""

_ORPHANS = {"deliver": "adds them to the delay list again", "drop": "drops them"}


@dataclass(frozen=True, slots=True)
class Finding:
    """A problem with a key of a queue.

    Attributes:
        kind, key: the kind of the problem, and the key in Redis that has it.
        count, examples: how many elements have the problem, and up to three of these elements.
        text: the meaning of the problem, and what a repair does.
    """

    kind: FindingKind
    key: str
    count: int
    examples: tuple[bytes, ...]
    text: str

    @property
    def repairable(self) -> bool:
        """Whether a repair can solve the problem; otherwise the problem is only reported."""
        return self.kind not in _REPORTED


class Findings:
    """Collects the findings of a check."""

    def __init__(self, orphans: Orphans) -> None:
        self._orphans = orphans
        self._found: dict[tuple[FindingKind, str], Finding] = {}

    def add(
        self,
        kind: FindingKind,
        key: str,
        elements: Iterable[bytes] = (),
        count: int | None = None,
        detail: str = "",
    ) -> None:
        """Add elements to the finding of a kind and a key.

        If `count` is given, it is the number of elements, and `elements` has only examples. If the
        number is 0, nothing is added. The finding's text begins with `detail`.
        """
        some = tuple(elements)
        number = len(some) if count is None else count
        if number:
            new = Finding(kind, key, 0, (), detail + self._text(kind))
            known = self._found.get((kind, key), new)
            examples = (*known.examples, *some)[:_EXAMPLES]
            total = known.count + number
            self._found[kind, key] = Finding(kind, key, total, examples, known.text)

    def _text(self, kind: FindingKind) -> str:
        words = _TEXTS[kind]
        if kind is FindingKind.TIMEOUT_SET_ONLY:
            words = (*words, _ORPHANS[self._orphans])
        return "; a repair ".join(words)

    def all(self) -> list[Finding]:
        """Return the findings, in the order of the kinds."""
        order = list(FindingKind)
        return sorted(self._found.values(), key=lambda found: order.index(found.kind))
