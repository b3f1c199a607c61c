"""Hooks: events of items and messages, for metrics and traces.

The rule: a hook is called after the event. It cannot change the outcome, and its errors have no
effect on the client.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from pyredisson.errors import DecodeError
from pyredisson.protocol.delayed.receipt import Receipt

__all__ = ["Hooks", "require_hooks"]


class Hooks:
    """Functions that a client and its workers call. Subclass it and override what you need.

    A hook is a plain function that must return quickly. It is called in the thread or task of the
    event. `queue` is the queue's name in Redis. Each delivery ends with one of `on_ack`,
    `on_retry`, `on_dead_letter`, `on_drop`, `on_settle` and `on_lease_end`.
    """

    def on_open(self, client: Any) -> None:
        """A client was made with these hooks."""

    def on_close(self, client: Any) -> None:
        """A client with these hooks was closed."""

    def on_queue(self, client: Any, queue: str) -> None:
        """The program made an object of a queue; called for each object."""

    def offering(self, queue: str, count: int) -> AbstractContextManager[bytes | None] | None:
        """Surround an offer of `count` items, and carry bytes beside them.

        The bytes are `message.carried` of a worker whose client has hooks that set `carries`.

        Returns:
            None, which costs nothing; or what the offer is made in. Its value are the bytes, or
            None.
        """

    carries = False
    """Whether offers call `offering`, and workers read `message.carried`."""

    def on_offer(self, queue: str, receipt: Receipt) -> None:
        """This client stored an item."""

    def on_cancel(self, queue: str, receipt: Receipt) -> None:
        """This client cancelled a pending item."""

    def on_reschedule(self, queue: str, receipt: Receipt) -> None:
        """This client changed the due time of a pending item; the receipt has the new one."""

    def on_transfer(self, queue: str, count: int) -> None:
        """A transfer moved `count` due items to the queue."""

    def on_deliver(self, queue: str, message: Any) -> None:
        """A worker calls its handler with a message; `message.attempt` counts deliveries."""

    def on_handle(self, queue: str, messages: Sequence[Any]) -> None:
        """A worker calls its handler, in this thread or task, with a message or a batch."""

    def on_handled(
        self, queue: str, messages: Sequence[Any], seconds: float, error: Exception | None
    ) -> None:
        """The handler returned, or raised `error`, after `seconds`; then comes the outcome."""

    def on_ack(self, queue: str, message: Any) -> None:
        """A worker acknowledged a message."""

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        """A handler raised (also `Defer`): the message is redelivered after `delay` seconds."""

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        """A message became a dead letter.

        `error` is None if its consumers crashed each time, or if it expired.
        """

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        """A message was dropped by `on_error`, or because it expired (then `error` is None)."""

    def on_settle(self, queue: str, message: Any, outcome: str) -> None:
        """A handler settled its message: "acked", "retried", "deferred" or "dead"."""

    def on_lease_end(self, queue: str, message: Any) -> None:
        """A lease ended before its message was settled, as far as known: it is redelivered."""

    def on_undecodable(self, queue: str, error: DecodeError) -> None:
        """A consumer cannot decode a value (`error.raw`); `on_dead_letter` follows."""

    def on_expire(self, queue: str, message: Any) -> None:
        """An item expired; `on_dead_letter` or `on_drop` follows."""

    def on_wake(self, queue: str, cause: str) -> None:
        """A transfer task woke up to ask its server.

        `cause` is "notified" (an item is due that was offered or announced since the last run),
        "due" (another item is due), "subscribed" (the task has started, or may have missed
        messages), "retry" (after a failure) or "safety" (the safety interval is over).
        """

    def on_outage(self, queue: str) -> None:
        """A transfer task or a waiting consumer has lost its server; called once an outage."""


def require_hooks(hooks: Hooks | None) -> Hooks | None:
    """Return `hooks` if it is None or an instance of `Hooks`.

    Raises:
        TypeError: it is anything else.
    """
    if hooks is not None and not isinstance(hooks, Hooks):
        raise TypeError(f"hooks must be an instance of a subclass of Hooks, not {hooks!r}")
    return hooks
