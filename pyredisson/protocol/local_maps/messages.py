"""The messages of a local cached map's topic, as in `RedissonLocalCachedMap` 3.19.3 to 4.7.0.

A message that drops keys has the hashes of the encoded keys. An update has the encoded keys and
values. pyredisson sends 16 zero bytes as the sender's id, so every client with copies applies the
message, also the sender.
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
"""The message that makes all receivers drop all copies, and asks for no answer."""
ACKNOWLEDGED = b"\4"
"""The answer to `Disable`."""


class Clear(NamedTuple):
    """Drop all copies, then answer `request`, a hex id; "" asks for no answer."""

    request: str


class Invalidate(NamedTuple):
    """Drop the copies of the keys with these hashes."""

    hashes: Sequence[bytes]


class Update(NamedTuple):
    """Store these entries, encoded keys and values, in place of the copies of their keys.

    Without the sync strategy "update", a receiver ignores the keys that have no copy.
    """

    entries: Sequence[tuple[bytes, bytes]]


class Disable(NamedTuple):
    """Drop the copies of keys, and store no copies of them for some time.

    A transaction of Java is about to write these keys.

    Attributes:
        request: the id of the transaction; the channel of the answer contains this id.
        seconds: for how long no copies are stored, unless `Enable` ends this time earlier.
        hashes: the hashes of the keys; None stands for all keys.
    """

    request: str
    seconds: float
    hashes: Sequence[bytes] | None


class Enable(NamedTuple):
    """Store copies of these keys again, because the transaction has ended.

    If `hashes` is None, this ends only a `Disable` with None.
    """

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
    """Read a message. Return None for an answer to a transaction: it concerns other clients.

    Raises:
        ValueError: `data` is not a message of a local cached map.
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
    """Reads the parts of a message in order."""

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
