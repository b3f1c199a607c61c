"""Hooks: what happens to items and messages, for metrics and traces.

The rule: a hook hears of what is done; it changes nothing, and what it raises ends with it.
"""

from __future__ import annotations

from typing import Any

from pyredisson.errors import DecodeError
from pyredisson.protocol.delayed.receipt import Receipt

__all__ = ["Hooks", "require_hooks"]


class Hooks:
    """What a client and its workers call; these do nothing, a subclass has those that it needs.

    They are plain functions that return soon, called in whichever thread or task did it. `queue`
    is the queue's name in Redis. What becomes of a delivery is one of `on_ack`, `on_retry`,
    `on_dead_letter`, `on_drop` and `on_lease_end`.
    """

    def on_offer(self, queue: str, receipt: Receipt) -> None:
        """An item is stored."""

    def on_cancel(self, queue: str, receipt: Receipt) -> None:
        """A pending item is taken back."""

    def on_reschedule(self, queue: str, receipt: Receipt) -> None:
        """A pending item has another time, that of this receipt."""

    def on_transfer(self, queue: str, count: int) -> None:
        """So many items that were due are in the queue now."""

    def on_deliver(self, queue: str, message: Any) -> None:
        """A handler gets a message; `message.attempt` says for which time."""

    def on_ack(self, queue: str, message: Any) -> None:
        """A message is done."""

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        """A handler raised, also `Defer`: the message comes again in so many seconds."""

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        """A message is a dead letter.

        There is no error where its consumers died each time, and where it has expired.
        """

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        """A message is gone: `on_error` says "drop", or it has expired, without an error then."""

    def on_lease_end(self, queue: str, message: Any) -> None:
        """A lease ended before its message was settled, as far as is known: it comes again."""

    def on_undecodable(self, queue: str, error: DecodeError) -> None:
        """A consumer cannot decode a value, `error.raw`; `on_dead_letter` follows."""

    def on_expire(self, queue: str, message: Any) -> None:
        """An item has expired; `on_dead_letter` or `on_drop` follows."""


def require_hooks(hooks: Hooks | None) -> Hooks | None:
    """Return what was given where it is `Hooks`, or nothing.

    Raises:
        TypeError: it is something else.
    """
    if hooks is not None and not isinstance(hooks, Hooks):
        raise TypeError(f"hooks must be an instance of a subclass of Hooks, not {hooks!r}")
    return hooks
