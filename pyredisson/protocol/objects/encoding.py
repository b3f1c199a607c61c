"""Encodes values with the codec before they are stored, and enforces a maximum length.

The rule: without a maximum, the encoder is the codec's own `encode`, so there is no extra cost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import MessageTooLongError

__all__ = ["encoder", "require_bound"]

V = TypeVar("V")


def require_bound(bound: object, what: str) -> int | None:
    """Return `bound` if it is a whole number of at least 1, or None.

    Raises:
        TypeError: `bound` is neither an int nor None, or it is a bool.
        ValueError: `bound` is less than 1.
    """
    if bound is None:
        return None
    if not isinstance(bound, int) or isinstance(bound, bool):
        raise TypeError(f"{what} must be a whole number or None, not {bound!r}")
    if bound < 1:
        raise ValueError(f"{what} must be at least 1, not {bound}; None means no bound")
    return bound


def encoder(codec: Codec[V], key: str, max_bytes: int | None) -> Callable[[V], bytes]:
    """Return the encoder of the values of a key.

    The encoder raises `MessageTooLongError` if an encoded value has more than `max_bytes`.
    """
    if max_bytes is None:
        return codec.encode

    def encode(value: V) -> bytes:
        data = codec.encode(value)
        if len(data) > max_bytes:
            raise MessageTooLongError(key, len(data), max_bytes, type(codec).__name__)
        return data

    return encode
