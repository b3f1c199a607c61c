"""Durable writes: replicas or disks confirm a write, or the caller gets an error.

The rule: WAIT and WAITAOF cover only the writes of their own connection. Therefore the link sends
them directly after the write: the same connection sends both as one piece of bytes.
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

R = TypeVar("R")
W = TypeVar("W", bound=Operation[Any])


def confirmed(
    operation: W,
    durable: Durable | None,
    unconfirmed: Callable[[str, Any], NotReplicatedError | None],
) -> W:
    """Add a confirmation to an operation.

    Args:
        operation: the write.
        durable: the confirmation that the write needs. If None, the operation is returned
            unchanged.
        unconfirmed: makes the error. Its arguments are a text that names which confirmation is
            missing, and the operation's result, or None if the notification was rejected. It
            returns None if the operation has written nothing.
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
    """Add a confirmation to an acknowledgement; without `durable`, return it unchanged.

    If no message was acknowledged, a missing confirmation is not an error.
    """

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


def touch(queue: str, result: R) -> Command[R]:
    """SET of a key that expires after 1 ms.

    A WAIT or WAITAOF after this write also confirms the earlier writes of the same master.

    Args:
        queue: the mapped name.
        result: the result of the command, whatever the reply is.
    """
    key = prefix_name("pyredisson_touched", queue)
    return Command(("SET", key, "", "PX", 1), lambda _: result, key, safe=True)


def probe(key: str, durable: Durable) -> Command[None]:
    """Return WAIT or WAITAOF without a write, to find out whether the server supports it.

    The server replies after 1 ms at most. An unsupported command is an error.
    """
    shortest = replace(durable, timeout=0.001)
    return Command(shortest._words(), nothing, key, safe=True, waits=shortest.seconds)
