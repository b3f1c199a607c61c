"""Durable writes: replicas or disks confirm a write, or the caller gets an error.

The rule: WAIT and WAITAOF cover the writes of their own connection only, so they are sent directly
after the write, in the same piece of data.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from pyredisson.errors import NotNotifiedError, NotReplicatedError
from pyredisson.protocol.kernel.command import Command, Operation
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.replies import nothing

__all__ = ["acknowledged", "confirmed", "probe", "touch"]

W = TypeVar("W", bound=Operation[Any])


def confirmed(
    operation: W,
    durable: Durable | None,
    unconfirmed: Callable[[str, Any], NotReplicatedError | None],
) -> W:
    """Add a confirmation to an operation.

    Args:
        operation: the write.
        durable: what must confirm it; None returns the operation unchanged.
        unconfirmed: makes the error from what is missing and the operation's result; returns None
            if the operation has written nothing.
    """
    if durable is None:
        return operation
    asked = durable

    def read(replies: Any) -> Any:
        reply, answer = replies
        try:
            value = operation.decode(reply)
        except NotNotifiedError as not_notified:
            error = asked.error(answer, lambda lack: unconfirmed(lack, None))
            if error is None:
                raise
            raise error from not_notified
        error = asked.error(answer, lambda lack: unconfirmed(lack, value))
        if error is not None:
            raise error
        return value

    return replace(operation, decode=read, durable=durable)


A = TypeVar("A", bound=Operation[list[bool]])


def acknowledged(ack: A, durable: Durable | None, queue: str) -> A:
    """Add a confirmation to an acknowledgement of messages of a queue."""

    def unconfirmed(lack: str, done: list[bool]) -> NotReplicatedError | None:
        if not any(done):
            return None
        what = "the message is" if len(done) == 1 else "messages are"
        return NotReplicatedError(
            f"{what} acknowledged to queue {queue!r}",
            lack,
            "no action is needed; if that master is lost, it may be redelivered",
            results=done,
        )

    return confirmed(ack, durable, unconfirmed)


def touch(queue: str, done: list[bool]) -> Command[list[bool]]:
    """SET of a key that ends at once: a write that lets earlier acknowledgements be confirmed.

    Args:
        queue: the mapped name.
        done: the result to return.
    """
    key = prefix_name("pyredisson_touched", queue)
    return Command(("SET", key, "", "PX", 1), lambda _: done, key, safe=True)


def probe(key: str, durable: Durable) -> Command[None]:
    """Return a confirmation without a write: the server replies at once whether it supports it."""
    shortest = replace(durable, timeout=0.001)
    return Command(shortest._words(), nothing, key, safe=True, waits=shortest.seconds)
