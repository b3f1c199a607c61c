"""Durable writes: replicas or disks confirm a write, or the caller gets an error.

WAIT and WAITAOF are about the writes of their own connection, so they are sent right behind the
write, in one piece with it.  The rule: a write without confirmation is stored all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, replace
from math import ceil
from typing import Any, TypeVar

from pyredisson.errors import NotNotifiedError, NotReplicatedError
from pyredisson.protocol.kernel.command import Arg, Command, Eval, Operation
from pyredisson.protocol.kernel.due import Seconds, positive
from pyredisson.protocol.kernel.replies import nothing

__all__ = ["Durable", "acknowledged", "confirmed", "probe", "require_durable"]

W = TypeVar("W", bound=Operation[Any])


@dataclass(frozen=True, slots=True)
class Durable:
    """What must confirm a write before an offer or an acknowledgement returns.

    Attributes:
        replicas: how many replicas of the key's master must have the write (WAIT); 0 for none.
        fsync: the master, and each of these replicas, has the write on disk (WAITAOF): from Redis
            7.2 on, with `appendonly yes`; also without replicas.
        timeout: the longest wait for it, in seconds or as a timedelta.

    Raises:
        TypeError, ValueError: neither replicas nor fsync, or an argument that is not valid.
    """

    replicas: int = 0
    _: KW_ONLY
    fsync: bool = False
    timeout: Seconds = 1.0

    def __post_init__(self) -> None:
        if isinstance(self.replicas, bool) or not isinstance(self.replicas, int):
            raise TypeError(f"replicas must be a whole number, not {self.replicas!r}")
        if not isinstance(self.fsync, bool):
            raise TypeError(f"fsync must be True or False, not {self.fsync!r}")
        if self.replicas < 0 or (self.replicas == 0 and not self.fsync):
            raise ValueError(f"{self} asks for nothing: replicas=1 or fsync=True, or both")
        positive(self.timeout, "timeout")

    @property
    def seconds(self) -> float:
        """The timeout."""
        return positive(self.timeout, "timeout")

    def _words(self) -> tuple[Arg, ...]:
        """Return what is sent behind the write."""
        wait: tuple[Arg, ...] = ("WAITAOF", 1) if self.fsync else ("WAIT",)
        return (*wait, self.replicas, ceil(self.seconds * 1000))

    def _lack(self, answer: Any) -> str | None:
        """Say what is missing, from the answer to `_words` or the error in its place."""
        if isinstance(answer, Exception):
            return f"whether it is any safer is not known ({answer})"
        disk, replicas = answer if self.fsync else (1, answer)
        missing = []
        if not disk:
            missing.append("its master does not have it on disk")
        if replicas < self.replicas:
            where = " on disk" if self.fsync else ""
            missing.append(f"{replicas} of {self.replicas} replicas have it{where}")
        return f"{' and '.join(missing)} after {self.seconds:g} s" if missing else None

    def error(
        self, answer: Any, unconfirmed: Callable[[str], NotReplicatedError | None]
    ) -> NotReplicatedError | None:
        """Return the error that an answer means, made of what is missing; None if nothing is."""
        lack = self._lack(answer)
        error = None if lack is None else unconfirmed(lack)
        if error is None:
            return None
        if isinstance(answer, Exception):
            error.__cause__ = answer
        else:
            error.confirmed = answer[1] if self.fsync else answer
        return error


def require_durable(durable: Durable | None) -> Durable | None:
    """Return what was given where it is a `Durable`, or nothing.

    Raises:
        TypeError: it is something else.
    """
    if durable is not None and not isinstance(durable, Durable):
        raise TypeError(f"durable must be Durable(replicas=1) or the like, not {durable!r}")
    return durable


def confirmed(
    operation: W,
    durable: Durable | None,
    unconfirmed: Callable[[str, Any], NotReplicatedError | None],
) -> W:
    """Let an operation wait for its confirmation.

    Args:
        operation: what writes.
        durable: what to wait for; None for nothing, and the operation stays as it is.
        unconfirmed: makes the error, of what is missing and what the operation returned; None
            where it has done nothing.
    """
    if durable is None:
        return operation
    asked = durable

    def read(replies: Any) -> Any:
        reply, answer = replies
        try:
            value = operation.decode(reply)
        except NotNotifiedError as unheard:
            error = asked.error(answer, lambda lack: unconfirmed(lack, None))
            if error is None:
                raise
            raise error from unheard
        error = asked.error(answer, lambda lack: unconfirmed(lack, value))
        if error is not None:
            raise error
        return value

    return replace(operation, decode=read, durable=durable)


def acknowledged(ack: Eval[list[bool]], durable: Durable | None, queue: str) -> Eval[list[bool]]:
    """Let an acknowledgement of messages of a queue wait for its confirmation."""

    def unconfirmed(lack: str, done: list[bool]) -> NotReplicatedError | None:
        if not any(done):
            return None
        what = "the message is" if len(done) == 1 else "messages are"
        return NotReplicatedError(
            f"{what} acknowledged to queue {queue!r}",
            lack,
            "nothing is to be done; if that master is lost, it may be delivered again",
            results=done,
        )

    return confirmed(ack, durable, unconfirmed)


def probe(key: str, durable: Durable) -> Command[None]:
    """Ask the key's server to confirm nothing: it says at once whether it can."""
    shortest = replace(durable, timeout=0.001)
    return Command(shortest._words(), nothing, key, safe=True, waits=shortest.seconds)
