"""What a check of a queue finds: a finding is a kind, a key, a count, some examples, and words.

The rule: whatever is wrong has a kind that a program can ask for, and says what a repair would do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, TypeAlias, get_args

__all__ = ["Finding", "FindingKind", "Findings", "Orphans", "require_orphans"]

_EXAMPLES = 3

Orphans: TypeAlias = Literal["deliver", "drop"]
"""What a repair does with members that stand in the timeout set alone."""


def require_orphans(value: Any) -> Orphans:
    """Return what is one of the two.

    Raises:
        ValueError: it is not.
    """
    choices = get_args(Orphans)
    if value not in choices:
        raise ValueError(f"orphans must be one of {choices}, not {value!r}")
    return value  # type: ignore[no-any-return]  # one of them


class FindingKind(StrEnum):
    """What is wrong."""

    WRONG_TYPE = "wrong_type"
    TIME_TO_LIVE = "time_to_live"
    POISON = "poison"
    MIXED_FORMATS = "mixed_formats"
    SET_ALONE = "set_alone"
    LIST_ALONE = "list_alone"
    LEASE_WITHOUT_MESSAGE = "lease_without_message"
    MESSAGE_WITHOUT_LEASE = "message_without_lease"
    ARRIVING = "arriving"
    GROUP_WITHOUT_ITEM = "group_without_item"
    ENTRY_WITHOUT_TIME = "entry_without_time"
    TIME_WITHOUT_ENTRY = "time_without_entry"
    EVICTION_POLICY = "eviction_policy"


_REPORTED = (FindingKind.WRONG_TYPE, FindingKind.MIXED_FORMATS, FindingKind.EVICTION_POLICY)

_TEXTS = {
    FindingKind.WRONG_TYPE: "the queue does not work; no repair touches the key",
    FindingKind.TIME_TO_LIVE: "the key vanishes with all that it holds when its time to live ends; "
    "a repair lets it stay",
    FindingKind.POISON: "pending members that no Redisson writes, at which Java's transfer fails; "
    "a repair moves them to the poison list",
    FindingKind.MIXED_FORMATS: "pending members of Redisson up to 3.21.0 and of newer ones: no "
    "Java reads both; a transfer of pyredisson delivers them, a repair changes nothing",
    FindingKind.LIST_ALONE: "pending members without a time, which nobody ever delivers; a repair "
    "lets them be due now",
    FindingKind.LEASE_WITHOUT_MESSAGE: "leases of messages that are not there; a repair removes "
    "them",
    FindingKind.MESSAGE_WITHOUT_LEASE: "messages that a consumer took and whose lease is not "
    "there, which never come back; a repair puts them back to the queue",
    FindingKind.ARRIVING: "elements that ended the wait of a consumer which is gone; a repair puts "
    "them back to the queue",
    FindingKind.GROUP_WITHOUT_ITEM: "groups of a window whose text somebody removed from the "
    "queue, so that their values stay for ever; a repair puts it to the end of the queue",
    FindingKind.ENTRY_WITHOUT_TIME: "recurring work that goes on no more; a repair lets it go on",
    FindingKind.TIME_WITHOUT_ENTRY: "times of recurring work that is not there; a repair removes "
    "them",
    FindingKind.EVICTION_POLICY: "the server drops keys when its memory is full, and with them all "
    "that they hold; let its maxmemory-policy be noeviction, which no repair does",
}
_ORPHANS = (
    "pending members that are delivered at their time, but size(), contains() and remove() do not "
    "know them, as Java's retainAll leaves what it removed; a repair "
)
_ENDINGS = {"deliver": "adds them to the delay list again", "drop": "drops them"}


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a key of a queue.

    `count` is how many elements are concerned, `examples` are some of them, `text` says what it
    means and what a repair does. Unless it is `repairable` a repair leaves it alone.
    """

    kind: FindingKind
    key: str
    count: int
    examples: tuple[bytes, ...]
    text: str

    @property
    def repairable(self) -> bool:
        """Whether a repair does anything about it."""
        return self.kind not in _REPORTED


class Findings:
    """Counts what is found."""

    def __init__(self, orphans: Orphans) -> None:
        self._orphans = orphans
        self._found: dict[tuple[FindingKind, str], Finding] = {}

    def add(
        self,
        kind: FindingKind,
        key: str,
        members: Iterable[bytes] = (),
        count: int | None = None,
        detail: str = "",
    ) -> None:
        """Count members; with `count` they are examples of so many."""
        some = tuple(members)
        number = len(some) if count is None else count
        if number:
            new = Finding(kind, key, 0, (), detail + self._text(kind))
            known = self._found.get((kind, key), new)
            examples = (*known.examples, *some)[:_EXAMPLES]
            total = known.count + number
            self._found[kind, key] = Finding(kind, key, total, examples, known.text)

    def _text(self, kind: FindingKind) -> str:
        if kind is FindingKind.SET_ALONE:
            return _ORPHANS + _ENDINGS[self._orphans]
        return _TEXTS[kind]

    def all(self) -> list[Finding]:
        """Return them, by kind."""
        order = list(FindingKind)
        return sorted(self._found.values(), key=lambda found: order.index(found.kind))
