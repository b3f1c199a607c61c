"""The confirmation that a write needs: from replicas, disks, or both.

The rule: a write that is not confirmed in time is stored on the master all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from math import ceil
from typing import Any

from pyredisson.errors import NotReplicatedError
from pyredisson.protocol.kernel.due import LONGEST_REPLY, Seconds, positive

__all__ = ["Durable", "require_durable"]


@dataclass(frozen=True, slots=True)
class Durable:
    """The confirmation that an offer or an acknowledgement waits for before it returns.

    Attributes:
        replicas: how many replicas of the key's master must have the write (WAIT). Default: 0.
        fsync: whether the master and each of these replicas must have the write on disk (WAITAOF).
            This needs Redis 7.2 or newer with `appendonly yes`. `replicas` can be 0; then only the
            master must have the write on disk. Default: False.
        timeout: the maximum wait for the confirmation, in seconds or as a timedelta. Default: 1 s.

    Raises:
        TypeError, ValueError: neither replicas nor fsync is requested, or an argument is not valid.
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
            raise ValueError(f"{self} confirms nothing; set replicas=1 or fsync=True, or both")
        if self.replicas >= 2**31:
            raise ValueError(f"replicas must be below 2**31, not {self.replicas!r}")
        positive(self.timeout, "timeout", LONGEST_REPLY)

    @property
    def seconds(self) -> float:
        """The timeout in seconds."""
        return positive(self.timeout, "timeout")

    def _words(self) -> tuple[str | int, ...]:
        """Return the command that is sent after the write."""
        wait: tuple[str | int, ...] = ("WAITAOF", 1) if self.fsync else ("WAIT",)
        return (*wait, self.replicas, ceil(self.seconds * 1000))

    def _lack(self, answer: Any) -> str | None:
        """Return what is missing, or None; `answer` is the reply to `_words`, or an error."""
        if isinstance(answer, Exception):
            return f"whether it is confirmed is unknown ({answer})"
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
        """Return the error that `unconfirmed` makes from a text that names what is missing.

        Return None if nothing is missing, or if `unconfirmed` returns None.
        """
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
    """Return `durable` if it is None or a `Durable`.

    Raises:
        TypeError: `durable` is anything else.
    """
    if durable is not None and not isinstance(durable, Durable):
        raise TypeError(f"durable must be a Durable such as Durable(replicas=1), not {durable!r}")
    return durable
