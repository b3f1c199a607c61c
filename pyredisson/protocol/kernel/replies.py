"""How raw replies are read: bytes, integers and lists become values.

The rule: a value that cannot be decoded never takes the others of its reply
with it; `BatchDecodeError` carries both.  Whatever a codec raises is a `DecodeError`
with the bytes that Redis had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import BatchDecodeError, DecodeError, WireFormatError

__all__ = ["each", "nothing", "number", "readable", "reading", "text", "truth"]

V = TypeVar("V")


def nothing(_reply: Any) -> None:
    """Read a reply that says only that it is done."""


def number(reply: Any) -> int:
    """Read an integer reply."""
    return int(reply)


def truth(reply: Any) -> bool:
    """Read an integer reply as yes or no."""
    return bool(reply)


def text(reply: Any) -> str:
    """Read a short ASCII reply."""
    return bytes(reply).decode()


def reading(codec: Codec[V]) -> Callable[[bytes], V]:
    """Return the codec's `decode`, whose every error has the bytes: also one of somebody's own."""

    def read(data: bytes) -> V:
        try:
            return codec.decode(data)
        except DecodeError as error:
            error.raw = data
            raise
        except Exception as error:
            name = type(codec).__name__
            what = f"decode() raised {type(error).__name__}: {error}"
            raise DecodeError(what, codec=name, data=data) from error

    return read


def readable(codec: Codec[V], data: bytes) -> tuple[V, None] | tuple[None, DecodeError]:
    """Return the value of some bytes and None, or None and why the codec cannot read them."""
    try:
        return reading(codec)(data), None
    except DecodeError as error:
        return None, error


def each(decode: Callable[[bytes], V]) -> Callable[[Any], list[V]]:
    """Return a reader of a list of elements.

    Raises:
        BatchDecodeError: by the reader, when some cannot be decoded.
    """

    def read(reply: Iterable[bytes] | None) -> list[V]:
        values: list[V] = []
        errors: list[DecodeError | WireFormatError] = []
        for data in reply or ():
            try:
                values.append(decode(data))
            except (DecodeError, WireFormatError) as error:
                errors.append(error)
        if errors:
            raise BatchDecodeError(values, errors)
        return values

    return read
