"""Doubles as text: one of Redisson's "client" codecs; `text` has the others.

The codec writes what Java writes and reads whatever Java's own parser accepts.
"""

from __future__ import annotations

import re
from math import inf, nan

from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.numbers import double_to_string

from .base import Codec
from .text import LONGEST, digits, is_number

__all__ = ["DoubleCodec"]

# What Double.valueOf accepts, and the spaces that it trims.
_SPACES = "".join(map(chr, range(0x21)))
_DECIMAL = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?", re.ASCII)
_HEX = re.compile(
    r"([+-]?0[xX](?:[0-9a-fA-F]+\.?|[0-9a-fA-F]*\.[0-9a-fA-F]+)[pP][+-]?\d+)[fFdD]?", re.ASCII
)
_SPECIAL = re.compile(r"([+-]?)(NaN|Infinity)")


class DoubleCodec(Codec[float]):
    """A Java `Double` as text, like `org.redisson.client.codec.DoubleCodec` (since 2.2.5).

    Writes the text of `Double.toString` in JDK 19 and newer: `1.5`, `1.7E12`, `NaN`.
    """

    def encode(self, value: float) -> bytes:
        """Return the text of a `float`, or of an `int` that a double holds exactly.

        Raises:
            EncodeError: the value is not a number, or is an `int` that would lose digits.
        """
        if not is_number(value, (int, float)):
            raise EncodeError(
                f"DoubleCodec writes float, not {type(value).__qualname__}", codec="DoubleCodec"
            )
        try:
            number = float(value)
        except OverflowError:
            number = nan
        if isinstance(value, int) and number != value:
            raise EncodeError("the int has no exact double; pass a float", codec="DoubleCodec")
        return double_to_string(number).encode()

    def decode(self, data: bytes) -> float:
        """Return the number from any text that Java's `Double.valueOf` reads, hexadecimal included.

        Raises:
            DecodeError: the text is not such a number.
            TypeError: `data` is not bytes.
        """
        text = digits(data, "DoubleCodec").strip(_SPACES)
        if len(text) <= LONGEST:
            if match := _DECIMAL.fullmatch(text):
                return float(match[1])
            if match := _SPECIAL.fullmatch(text):
                value = nan if match[2] == "NaN" else inf
                return -value if match[1] == "-" else value
            if match := _HEX.fullmatch(text):
                return _from_hex(match[1])
        raise DecodeError("not a number that Java reads", codec="DoubleCodec", data=data)


def _from_hex(text: str) -> float:
    try:
        return float.fromhex(text)
    except OverflowError:
        return -inf if text.startswith("-") else inf
