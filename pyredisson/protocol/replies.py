"""How raw replies are read: bytes, integers and lists become values.

The rule: a value that cannot be decoded never takes the others of its reply
with it; `BatchDecodeError` carries both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pyredisson.errors import BatchDecodeError, DecodeError, WireFormatError

__all__ = ["each", "nothing", "number", "text", "truth"]

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
