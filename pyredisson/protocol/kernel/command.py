"""An operation is a value: what to send, and how to read the reply.

`Command` is one plain Redis command, `Eval` one script. The protocol modules build both without
any I/O, and the link, the part of the client that does the I/O, sends them.  The rule for retries:
after a lost reply, only an operation that is `safe` is sent again.

* `undo` makes the operation that returns the elements of an interrupted pop to their list. It
  returns None if the reply has no elements.
* `quarantine` makes the command that moves the undecodable elements of a reply to the poison list.
* `lost` makes the error that is raised after a lost reply. If it is None, the error of the
  connection is raised.
* `waits` is the maximum time, in seconds, for which the operation blocks at the server. If `waits`
  is not None, the operation needs a connection of its own.
* `ahead` is a command that blocks in place of a script, because a script cannot block. The command
  and the script are sent at the same time, so the script needs no further round trip. The server
  answers the command first.
* `durable` adds a second reply that confirms the write. `decode` gets both replies. It is possible
  that the second is an exception.

A very frequent operation is `Packed`: it makes the bytes of its request itself. All bytes but the
arguments are cached. Its `Packer` puts several such operations into one request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.scripts import Script

__all__ = [
    "Arg",
    "Command",
    "Eval",
    "Lost",
    "Operation",
    "Packed",
    "Packer",
    "Quarantine",
    "Undo",
    "is_plain",
]

T = TypeVar("T")
Arg: TypeAlias = bytes | str | int
Undo: TypeAlias = "Callable[[Any], Operation[Any] | None]"
Quarantine: TypeAlias = "Callable[[Any, list[bytes]], tuple[Command[Any], Any]]"
"""Maps a reply and its undecodable elements to the command to send and the reply without them."""
Lost: TypeAlias = Callable[[Exception], Exception]


@dataclass(frozen=True, slots=True)
class Command(Generic[T]):
    """One Redis command; `args[0]` is its name and `key` decides the node.

    `decode` gets the raw reply (bytes, int, list or None; never text).
    """

    args: tuple[Arg, ...]
    decode: Callable[[Any], T]
    key: str
    packer: ClassVar[None] = None
    size: ClassVar[int] = 0
    _: KW_ONLY
    safe: bool = False
    undo: Undo | None = None
    quarantine: Quarantine | None = None
    lost: Lost | None = None
    waits: float | None = None
    durable: Durable | None = None

    @property
    def ahead(self) -> tuple[Arg, ...]:
        """Always empty: a command blocks by itself."""
        return ()

    def request(self) -> tuple[Arg, ...]:
        """Return the words to send."""
        return self.args

    def fallback(self) -> tuple[Arg, ...] | None:
        """Return None, because a command has no script text to send."""
        return None

    def whole(self) -> Command[T]:
        """Return itself."""
        return self


@dataclass(frozen=True, slots=True)
class Eval(Generic[T]):
    """One script call: EVALSHA, then EVAL if the server does not know the script."""

    script: Script
    keys: tuple[str, ...]
    args: tuple[Arg, ...]
    decode: Callable[[Any], T]
    packer: ClassVar[None] = None
    size: ClassVar[int] = 0
    _: KW_ONLY
    safe: bool = False
    undo: Undo | None = None
    quarantine: Quarantine | None = None
    lost: Lost | None = None
    waits: float | None = None
    ahead: tuple[Arg, ...] = ()
    durable: Durable | None = None

    @property
    def key(self) -> str:
        """The first key, which decides the node."""
        return self.keys[0]

    def request(self) -> tuple[Arg, ...]:
        """Return the words to send."""
        return ("EVALSHA", self.script.sha, len(self.keys), *self.keys, *self.args)

    def fallback(self) -> tuple[Arg, ...]:
        """Return what to send after NOSCRIPT: the same call with the script's text."""
        return ("EVAL", self.script.text, len(self.keys), *self.keys, *self.args)

    def whole(self) -> Eval[T]:
        """Return itself."""
        return self


Operation: TypeAlias = Command[T] | Eval[T]


class Packed(Protocol[T]):
    """An operation that makes its own bytes. It neither blocks nor pops, and is not durable."""

    @property
    def packer(self) -> Packer:
        """The packer that the operation shares with other operations."""

    @property
    def size(self) -> int:
        """Bytes of the largest argument; if it is long, the operation has a request of its own."""

    @property
    def key(self) -> str:
        """The key that decides the node."""

    def packed(self) -> bytes:
        """Return the request."""

    def decode(self, reply: Any, /) -> T:
        """Read the raw reply."""

    def whole(self) -> Operation[T]:
        """Return the same operation as a `Command` or `Eval`, for all attempts but the first."""


class Packer(Protocol):
    """Makes one request for several packed operations, which share it."""

    def several(self, operations: Sequence[Any], /, *, text: bool = False) -> bytes:
        """Return one request for several operations: EVALSHA, or with `text` EVAL."""

    def split(self, operations: Sequence[Any], reply: Any, /) -> Iterable[Any]:
        """Return the raw replies of the operations, in order; other elements can follow them."""


def is_plain(operation: Operation[Any] | Packed[Any]) -> bool:
    """Return whether an operation is one request and one reply, also if its caller is interrupted.

    A plain operation does not block, and has neither `undo` nor `durable`. Each packed operation is
    plain.
    """
    return operation.packer is not None or (
        operation.waits is None and operation.undo is None and operation.durable is None
    )
