"""An operation is a value: what to send, and how to read the reply.

`Command` is one plain Redis command, `Eval` one script; both are built by the
protocol modules without any I/O and run by an executor.  The rule for retries
lives here: only an operation that is `safe` may be sent again when its reply
was lost.  `undo` says how to give back what an interrupted pop has taken, `keep`
how to put aside what of a reply cannot be decoded, and `lost` which error a lost
reply means, where that is more than a broken connection. `waits` are the seconds
that it may wait on the server before it answers; what has any needs a connection to
itself. A script cannot wait: `ahead` is a command that waits in its place, sent with it at once
and answered before it, so that what ends the wait is at hand without another journey. What is
`durable` is confirmed by a second reply behind its own: `decode` gets both, or an exception in
place of the second.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from pyredisson.protocol.kernel.scripts import Script

if TYPE_CHECKING:
    from pyredisson.protocol.kernel.durable import Durable

__all__ = ["Arg", "Command", "Eval", "Keep", "Lost", "Operation", "Undo"]

T = TypeVar("T")
Arg: TypeAlias = bytes | str | int
Undo: TypeAlias = "Callable[[Any], Operation[Any] | None]"
Keep: TypeAlias = "Callable[[Any, list[bytes]], tuple[Command[Any], Any]]"
"""Of a reply and the elements that cannot be decoded: what to send, and the rest of the reply."""
Lost: TypeAlias = Callable[[Exception], Exception]


@dataclass(frozen=True, slots=True)
class Command(Generic[T]):
    """One Redis command; `args[0]` is its name and `key` decides the node.

    `decode` gets the raw reply (bytes, int, list or None; never text).
    """

    args: tuple[Arg, ...]
    decode: Callable[[Any], T]
    key: str
    _: KW_ONLY
    safe: bool = False
    undo: Undo | None = None
    keep: Keep | None = None
    lost: Lost | None = None
    waits: float | None = None
    durable: Durable | None = None

    @property
    def ahead(self) -> tuple[Arg, ...]:
        """What is sent ahead: nothing."""
        return ()

    def request(self) -> tuple[Arg, ...]:
        """Return the words to send."""
        return self.args

    def fallback(self) -> tuple[Arg, ...] | None:
        """Return what to send after NOSCRIPT: nothing."""
        return None


@dataclass(frozen=True, slots=True)
class Eval(Generic[T]):
    """One script call: EVALSHA first, EVAL where the server does not know the script."""

    script: Script
    keys: tuple[str, ...]
    args: tuple[Arg, ...]
    decode: Callable[[Any], T]
    _: KW_ONLY
    safe: bool = False
    undo: Undo | None = None
    keep: Keep | None = None
    lost: Lost | None = None
    waits: float | None = None
    ahead: tuple[Arg, ...] = ()
    durable: Durable | None = None

    @property
    def key(self) -> str:
        """The key that decides the node: the first."""
        return self.keys[0]

    def request(self) -> tuple[Arg, ...]:
        """Return the words to send."""
        return ("EVALSHA", self.script.sha, len(self.keys), *self.keys, *self.args)

    def fallback(self) -> tuple[Arg, ...]:
        """Return what to send after NOSCRIPT: the same call with the script's text."""
        return ("EVAL", self.script.text, len(self.keys), *self.keys, *self.args)


Operation: TypeAlias = Command[T] | Eval[T]
