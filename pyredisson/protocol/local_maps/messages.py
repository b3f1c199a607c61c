"""The messages of a local cached map's topic: those of `RedissonLocalCachedMap` 3.19.3 to 4.7.0.

A key stands in a message as the hash of its encoded bytes. The 16 bytes of the sender are zeros
here, so that every receiver obeys, the sender itself, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from struct import Struct
from typing import NamedTuple

__all__ = [
    "ACKNOWLEDGED",
    "CLEAR",
    "Clear",
    "Disable",
    "Enable",
    "Invalidate",
    "Message",
    "Update",
    "invalidation",
    "parse",
    "update",
]

_NOBODY = bytes(16)
_INT = Struct(">i")
_LONG = Struct(">q")

CLEAR = b"\0" + _NOBODY + bytes(17)
"""Drop everything, and do not answer."""
ACKNOWLEDGED = b"\4"
"""The answer to `Disable`."""


class Clear(NamedTuple):
    """Drop everything; `request` is a hex id to answer, or empty."""

    request: str


class Invalidate(NamedTuple):
    """Drop these keys, given by their hashes."""

    hashes: Sequence[bytes]


class Update(NamedTuple):
    """Store these values: encoded keys and values."""

    entries: Sequence[tuple[bytes, bytes]]


class Disable(NamedTuple):
    """Drop keys and do not keep them for some time: a transaction of Java is about to write them.

    Attributes:
        request: its id, to answer.
        seconds: until when at most.
        hashes: the keys; None for all.
    """

    request: str
    seconds: float
    hashes: Sequence[bytes] | None


class Enable(NamedTuple):
    """Keep these keys again, None for all: the transaction has ended."""

    hashes: Sequence[bytes] | None


Message = Clear | Invalidate | Update | Disable | Enable


def invalidation(hashes: Sequence[bytes]) -> bytes:
    """Return the message that makes all receivers drop some keys."""
    return b"".join((b"\1", _NOBODY, _INT.pack(len(hashes)), *hashes))


def update(entries: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the message that makes all receivers store some values."""
    parts = [b"\2", _NOBODY]
    for entry in entries:
        for word in entry:
            parts += (_INT.pack(len(word)), word)
    return b"".join(parts)


def parse(data: bytes) -> Message | None:
    """Read a message; None if it is for others only.

    Raises:
        ValueError: it is none of these messages.
    """
    kind, rest = data[:1], _Reader(data[1:])
    if kind == b"\0":
        rest.take(16)
        request, flag = rest.take(16).hex(), rest.take(1)
        return Clear("" if flag == b"\0" else request)
    if kind == b"\1":
        rest.take(16)
        return Invalidate(rest.hashes())
    if kind == b"\2":
        rest.take(16)
        return Update(list(rest.entries()))
    if kind in (b"\3", b"\5"):
        request = rest.take(rest.take(1)[0]).decode("ascii")
        seconds = _LONG.unpack(rest.take(8))[0] / 1000 if kind == b"\3" else 0.0
        whole = rest.left() % 16 == 5 and rest.take(1) != b"\0"
        hashes = None if whole else rest.hashes()
        return Disable(request, seconds, hashes) if kind == b"\3" else Enable(hashes)
    if kind in (b"\4", b"\6"):
        return None
    raise ValueError(f"no message of a local cached map: {data[:40]!r}")


class _Reader:
    """Takes the parts of a message from its front."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def left(self) -> int:
        return len(self._data) - self._at

    def take(self, count: int) -> bytes:
        if not 0 <= count <= self.left():
            raise ValueError(f"a message ends after {len(self._data) + 1} bytes")
        self._at += count
        return self._data[self._at - count : self._at]

    def word(self) -> bytes:
        return self.take(_INT.unpack(self.take(4))[0])

    def hashes(self) -> list[bytes]:
        count = _INT.unpack(self.take(4))[0]
        whole = self.take(count * 16)
        return [whole[at : at + 16] for at in range(0, len(whole), 16)]

    def entries(self) -> Iterator[tuple[bytes, bytes]]:
        while self.left():
            yield self.word(), self.word()
