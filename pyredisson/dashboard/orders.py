"""What a request asks to change.

The rule: an order is checked before anything changes, and only known words are accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from pyredisson import DelayedQueue, Receipt
from pyredisson.admin.pick import with_id
from pyredisson.admin.times import duration_of

__all__ = ["Order"]

_MOST_IDS = 1000
_ID = re.compile("[0-9a-f]{16}|[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Order:
    """What a request asks for.

    Attributes:
        action: one of `ACTIONS`.
        name: the queue's name.
        given: the other words of the request.
    """

    action: str
    name: str
    given: dict[str, Any]

    @classmethod
    def of(cls, action: str, body: dict[str, Any]) -> Order:
        """Check the words of a request.

        Raises:
            ValueError: a word is unknown, or missing, or wrong.
        """
        given = dict(body)
        name = given.pop("name", None)
        if not isinstance(name, str) or not name:
            raise ValueError("`name` must be the name of a queue")
        if unknown := given.keys() - _WORDS[action]:
            allowed = ", ".join(("name", *sorted(_WORDS[action])))
            raise ValueError(f"{action} has no {min(unknown)[:40]!r}: it takes {allowed}")
        order = cls(action, name, given)
        _CHECKS.get(action, _check_nothing)(order)
        return order

    @property
    def what(self) -> str:
        """Which items, and how they change, in a few words."""
        words = []
        for key, value in self.given.items():
            if key == "ids":
                words.append(f"{len(value)} ids: {' '.join(value[:3])}")
            elif key == "receipt":
                words.append(f"id {Receipt.parse(value).item_id.hex()}")
            elif key == "value":
                words.append(f"value of {len(str(value))} characters")
            else:
                words.append(f"{key} {value}")
        return ", ".join(words)

    @property
    def ids(self) -> list[str] | None:
        """The chosen ids; None for all."""
        if self.given.get("all") is True and "ids" not in self.given:
            return None
        ids = self.given.get("ids")
        if not isinstance(ids, list) or not 0 < len(ids) <= _MOST_IDS or "all" in self.given:
            raise ValueError(f"give `ids` with 1 to {_MOST_IDS} ids, or `all`: true")
        for each in ids:
            _check_id(each)
        return ids

    @property
    def is_poison(self) -> bool:
        """Whether it is about poison; otherwise about dead letters."""
        state = self.given.get("state", "dead")
        if state not in ("dead", "poison"):
            raise ValueError(f"`state` must be dead or poison, not {str(state)[:40]!r}")
        return bool(state == "poison")

    @property
    def delay(self) -> timedelta:
        """The delay, in seconds or as text."""
        delay = self.given.get("delay", 0)
        if isinstance(delay, bool) or not isinstance(delay, int | float | str):
            raise ValueError("`delay` must be seconds, or a text such as '5m'")
        try:
            return duration_of(delay) if isinstance(delay, str) else timedelta(seconds=delay)
        except (OverflowError, ValueError) as error:
            raise ValueError(f"`delay`: {error}") from error

    def receipts(self, delayed: DelayedQueue[bytes]) -> Iterator[Receipt]:
        """Iterate over the receipts of the chosen item."""
        if "receipt" in self.given:
            return iter([Receipt.parse(self.given["receipt"])])
        return with_id(delayed, self.given["id"])


def _check_id(given: object) -> None:
    if not isinstance(given, str) or not _ID.fullmatch(given):
        raise ValueError(f"an id has 16 or 32 hex digits, not {str(given)[:40]!r}")


def _check_nothing(_order: Order) -> None:
    pass


def _check_offer(order: Order) -> None:
    if "value" not in order.given:
        raise ValueError("`value` is missing: give JSON")
    _ = order.delay


def _check_repair(order: Order) -> None:
    if not isinstance(order.given.get("dry_run", False), bool):
        raise ValueError("`dry_run` must be true or false")


def _check_choice(order: Order) -> None:
    _ = order.ids, order.is_poison


def _check_item(order: Order) -> None:
    given = [order.given[key] for key in ("receipt", "id") if key in order.given]
    if len(given) != 1 or not isinstance(given[0], str):
        raise ValueError("give either `receipt` or `id`, a text")
    if "receipt" in order.given:
        Receipt.parse(given[0])
    else:
        _check_id(given[0])
    if order.action == "reschedule" and "delay" not in order.given:
        raise ValueError("`delay` is missing")
    _ = order.delay


_WORDS: dict[str, Sequence[str]] = {
    **dict.fromkeys(("redrive", "drop"), ("state", "ids", "all")),
    "cancel": ("receipt", "id"),
    "reschedule": ("receipt", "id", "delay"),
    **dict.fromkeys(("pause", "resume"), ()),
    "repair": ("dry_run",),
    "offer": ("value", "delay"),
}
_CHECKS: dict[str, Callable[[Order], None]] = {
    **dict.fromkeys(("redrive", "drop"), _check_choice),
    **dict.fromkeys(("cancel", "reschedule"), _check_item),
    "repair": _check_repair,
    "offer": _check_offer,
}
