"""How much a message may ask of a decoder (and a value of an encoder).

The rule: whatever the bytes say, memory and time stay a small multiple of their
length. A codec takes its limits as `limits=Limits(...)`; all are checked before
anything is allocated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["DEFAULT_LIMITS", "Limits", "require_limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds of one message.

    Attributes:
        max_bytes: length of a message.
        max_depth: how deep containers may be nested, for encoding too.
        max_free: elements of one message that occupy no byte of it (a list of
            nulls or of empty singletons is as short as its length).
        max_class_names: distinct class names in one message.
        max_integer_bytes: length of a `BigInteger`, or of a `BigDecimal`'s digits.
        max_scale: absolute scale of a `BigDecimal`.
    """

    max_bytes: int = 64 * 1024 * 1024
    max_depth: int = 100
    max_free: int = 10_000
    max_class_names: int = 1_000
    max_integer_bytes: int = 64 * 1024
    max_scale: int = 9_999


DEFAULT_LIMITS = Limits()


def require_limits(limits: Any) -> Limits:
    """Return what are limits.

    Raises:
        TypeError: they are none.
    """
    if not isinstance(limits, Limits):
        raise TypeError(f"limits takes pyredisson.codecs.Limits(...), not {limits!r}")
    return limits
