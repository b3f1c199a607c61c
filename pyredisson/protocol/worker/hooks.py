"""Hooks: functions that a client calls at events of items and messages, for metrics and traces.

The rule: a hook cannot change the outcome of an event, and its errors have no effect on the client.
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
    event. `queue` is the queue's name in Redis. Each delivery to a worker's handler ends with
    exactly one of `on_ack`, `on_retry`, `on_dead_letter`, `on_drop`, `on_settle` and
    `on_lease_end`.
    """

    def on_open(self, client: Any) -> None:
        """A client was made with these hooks."""

    def on_close(self, client: Any) -> None:
        """The close of a client with these hooks begins."""

    def on_queue(self, client: Any, queue: str) -> None:
        """The program made an object for a queue or delayed queue; also called for each shard."""

    def offering(self, queue: str, count: int) -> AbstractContextManager[bytes | None] | None:
        """Return a context manager in which the client offers `count` items.

        Called before an offer if `carries` is True. The value of the context manager (after `as`)
        is stored in Redis with each item. A worker reads it into `message.carried` if the hooks of
        the worker's client also set `carries`.

        Returns:
            A context manager; its value is at most 4096 bytes, or None if nothing shall be stored.
            Or None instead of a context manager, to make the offer without one.
        """

    carries = False
    """Whether the client calls `offering` for its offers, and its workers set `message.carried`."""

    def on_offer(self, queue: str, receipt: Receipt) -> None:
        """This client stored an item."""

    def on_cancel(self, queue: str, receipt: Receipt) -> None:
        """This client cancelled a pending item."""

    def on_reschedule(self, queue: str, receipt: Receipt) -> None:
        """This client changed the due time of a pending item; `receipt` has the new one."""

    def on_transfer(self, queue: str, count: int) -> None:
        """This client transferred `count` due items, also in its transfer process."""

    def on_deliver(self, queue: str, message: Any) -> None:
        """A worker is about to call its handler; called for each message of a batch.

        `message.attempt` is the number of the delivery.
        """

    def on_handle(self, queue: str, messages: Sequence[Any]) -> None:
        """A worker is about to call its handler; called once for each call of the handler.

        `messages` has one message, or a batch. This hook follows `on_deliver`, and is called in the
        thread or task that calls the handler.
        """

    def on_handled(
        self, queue: str, messages: Sequence[Any], seconds: float, error: Exception | None
    ) -> None:
        """The handler returned, raised `error`, or was abandoned, after `seconds`.

        `error` is None if the handler returned or was abandoned. The hook of the outcome follows.
        But if a stop has abandoned a handler that runs in a thread, the hook of the outcome is
        called first.
        """

    def on_ack(self, queue: str, message: Any) -> None:
        """A worker acknowledged a message."""

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        """A message will be redelivered after `delay` seconds.

        `error` is the exception that the handler raised, for example `Defer`. If a stop abandoned
        the handler, `error` is a `TimeLimitError`.
        """

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        """A message became a dead letter: by a worker, or because it was undecodable or expired.

        `error` is the exception of the handler or of the codec. It is None if the message expired,
        or if its number of deliveries exceeded `max_deliveries` before the handler was called.
        """

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        """A message was dropped by the worker's option `on_error`, or because it expired.

        `error` is the exception of the handler, or None if the message expired.
        """

    def on_settle(self, queue: str, message: Any, outcome: str) -> None:
        """A handler settled its message itself.

        `outcome` is "acked", "retried", "deferred" or "dead".
        """

    def on_lease_end(self, queue: str, message: Any) -> None:
        """A message was not settled before its lease ended, as far as the worker knows.

        The message is redelivered. But if the reply to a settlement was lost, it is possible that
        the message is settled in Redis; then it is not redelivered.
        """

    def on_undecodable(self, queue: str, error: DecodeError) -> None:
        """A consumer made a value a dead letter because it cannot decode the value.

        `error.raw` has the bytes of the value. `on_dead_letter` follows.
        """

    def on_expire(self, queue: str, message: Any) -> None:
        """This client removed an expired item; `on_dead_letter` or `on_drop` follows."""

    def on_wake(self, queue: str, cause: str) -> None:
        """A transfer task woke up to check its queue for due items.

        `cause` is one of these:

        * "notified": an item is due, and its offer or a message on the channel announced it after
          the task's last request.
        * "due": any other item is due.
        * "subscribed": the task has started, or has subscribed to the channel again, so that it can
          have missed messages on it.
        * "retry": the task tries again after a failure.
        * "safety": the safety interval is over.
        """

    def on_outage(self, queue: str) -> None:
        """A transfer task, or a caller that waits for elements, lost the connection to its server.

        Called one time for each outage.
        """


def require_hooks(hooks: Hooks | None) -> Hooks | None:
    """Return `hooks` if it is None or an instance of `Hooks`.

    Raises:
        TypeError: it is anything else.
    """
    if hooks is not None and not isinstance(hooks, Hooks):
        raise TypeError(f"hooks must be an instance of a subclass of Hooks, not {hooks!r}")
    return hooks
