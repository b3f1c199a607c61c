"""Hooks: what happens to items and messages, for metrics and traces.

The rule: a hook is called after the fact. It changes nothing, and its errors end with it.
"""

from __future__ import annotations

from typing import Any

from pyredisson.errors import DecodeError
from pyredisson.protocol.delayed.receipt import Receipt

__all__ = ["Hooks", "require_hooks"]


class Hooks:
    """Functions that a client and its workers call. Subclass it and override what you need.

    A hook is a plain function that returns soon, called in the thread or task of the event.
    `queue` is the queue's name in Redis. Each delivery ends with one of `on_ack`, `on_retry`,
    `on_dead_letter`, `on_drop` and `on_lease_end`.
    """

    def on_offer(self, queue: str, receipt: Receipt) -> None:
        """This client stored an item."""

    def on_cancel(self, queue: str, receipt: Receipt) -> None:
        """This client cancelled a pending item."""

    def on_reschedule(self, queue: str, receipt: Receipt) -> None:
        """This client changed the due time of a pending item, to that of the receipt."""

    def on_transfer(self, queue: str, count: int) -> None:
        """A transfer moved `count` due items to the queue."""

    def on_deliver(self, queue: str, message: Any) -> None:
        """A worker calls its handler with a message; `message.attempt` counts deliveries."""

    def on_ack(self, queue: str, message: Any) -> None:
        """A worker acknowledged a message."""

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        """A handler raised, also `Defer`: the message is redelivered after `delay` seconds."""

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        """A message became a dead letter.

        `error` is None where its consumers crashed each time, and where it expired.
        """

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        """A message was removed: `on_error` is "drop", or it expired (`error` is None then)."""

    def on_lease_end(self, queue: str, message: Any) -> None:
        """A lease ended before its message was settled, as far as is known: it is redelivered."""

    def on_undecodable(self, queue: str, error: DecodeError) -> None:
        """A consumer cannot decode a value (`error.raw`); `on_dead_letter` follows."""

    def on_expire(self, queue: str, message: Any) -> None:
        """An item expired; `on_dead_letter` or `on_drop` follows."""


def require_hooks(hooks: Hooks | None) -> Hooks | None:
    """Return `hooks` if it is None or an instance of `Hooks`.

    Raises:
        TypeError: it is something else.
    """
    if hooks is not None and not isinstance(hooks, Hooks):
        raise TypeError(f"hooks must be an instance of a subclass of Hooks, not {hooks!r}")
    return hooks
