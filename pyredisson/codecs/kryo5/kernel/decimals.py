"""The fast path of short decimals: it encodes them from their text."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from pyredisson.limits import Limits

__all__ = ["are_wide", "encode_decimal"]

_DIGITS = re.compile("-?[0-9]+").fullmatch


def are_wide(limits: Limits) -> bool:
    """Return whether the limits allow every decimal of 8 bytes with a scale of one byte."""
    return limits.max_integer_bytes >= 8 and limits.max_scale >= 0x40


def encode_decimal(out: bytearray, value: Any) -> bool:
    """Append a short Decimal; return False for any other value."""
    whole, _, rest = str(value).partition(".") if value.__class__ is Decimal else ("", "", "")
    if len(whole) > 9 or len(rest) > 7 or not _DIGITS(whole + rest):
        return False
    unscaled = int(whole + rest)
    size = (unscaled if unscaled >= 0 else ~unscaled).bit_length() // 8 + 1
    out.append(size + 1)
    out += unscaled.to_bytes(size, "big", signed=True)
    out.append(len(rest) << 1)
    return True
