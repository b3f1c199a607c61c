"""Limits on the memory and time that one message (or one value to encode) may cost.

Whatever the bytes contain, memory and time are at most a small multiple of the number of bytes.
Codecs take the argument `limits=Limits(...)`. A codec checks the limits before it allocates memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["DEFAULT_LIMITS", "Limits", "require_limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of one message.

    Attributes:
        max_bytes: maximum length of a message, in bytes.
        max_depth: maximum nesting of containers in a value that is decoded or encoded.
        max_free: maximum number of elements that occupy no byte of the message, such as the
            elements of a list of nulls or of empty singletons.
        max_class_names: maximum number of distinct class names in one message.
        max_integer_bytes: maximum length of a `BigInteger`, or of a `BigDecimal`'s digits, in
            bytes.
        max_scale: maximum absolute scale of a `BigDecimal`.
    """

    max_bytes: int = 64 * 1024 * 1024
    max_depth: int = 100
    max_free: int = 10_000
    max_class_names: int = 1_000
    max_integer_bytes: int = 64 * 1024
    max_scale: int = 9_999


DEFAULT_LIMITS = Limits()


def require_limits(limits: Any) -> Limits:
    """Return `limits` if it is a `Limits`.

    Raises:
        TypeError: `limits` is not a `Limits`.
    """
    if not isinstance(limits, Limits):
        raise TypeError(f"limits takes pyredisson.codecs.Limits(...), not {limits!r}")
    return limits
