"""Decodes raw replies: bytes, integers and lists become values.

The rule: if a value of a reply is undecodable, its other values are not lost. `BatchDecodeError`
has these values and the errors.  Any exception of a codec becomes a `DecodeError` with the bytes
from Redis, except the exceptions in `END_OF_PROGRAM`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pyredisson._support.error_text import END_OF_PROGRAM, MAX_REASON, described
from pyredisson.codecs.base import Codec
from pyredisson.errors import BatchDecodeError, DecodeError, WireFormatError

__all__ = [
    "each",
    "nothing",
    "number",
    "optional",
    "page",
    "readable",
    "reading",
    "text",
    "truth",
]

V = TypeVar("V")


def nothing(_reply: Any) -> None:
    """Ignore a reply that only reports success."""


def number(reply: Any) -> int:
    """Read an integer reply."""
    return int(reply)


def truth(reply: Any) -> bool:
    """Read an integer reply as a bool."""
    return bool(reply)


def text(reply: Any) -> str:
    """Read a short ASCII reply."""
    return bytes(reply).decode()


def reading(codec: Codec[V]) -> Callable[[bytes], V]:
    """Return a reader that calls the codec's `decode`.

    Each exception becomes a `DecodeError` with the bytes, except those in `END_OF_PROGRAM`.
    """

    def read(data: bytes) -> V:
        try:
            return codec.decode(data)
        except DecodeError as error:
            error.raw = data
            raise
        except END_OF_PROGRAM:
            raise
        except BaseException as error:  # whatever it is, the bytes must not be lost
            name = type(codec).__name__
            what = f"decode() raised {described(error, MAX_REASON // 2)}"
            raise DecodeError(what, codec=name, data=data) from error

    return read


def readable(codec: Codec[V], data: bytes) -> tuple[V, None] | tuple[None, DecodeError]:
    """Return the decoded value and None, or None and the codec's error."""
    try:
        return reading(codec)(data), None
    except DecodeError as error:
        return None, error


def each(decode: Callable[[Any], V]) -> Callable[[Any], list[V]]:
    """Return a reader of a list of elements.

    The reader raises `BatchDecodeError` if it cannot decode an element.
    """

    def read(reply: Iterable[Any] | None) -> list[V]:
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


def optional(decode: Callable[[bytes], V]) -> Callable[[Any], V | None]:
    """Return a reader of one element; it reads nil as None."""
    return lambda reply: None if reply is None else decode(reply)


def page(decode: Callable[[Any], list[V]]) -> Callable[[Any], tuple[int, list[V]]]:
    """Return a reader of a scan's reply: the next cursor (0 at the end), and decoded elements."""
    return lambda reply: (int(reply[0]), decode(reply[1]))
