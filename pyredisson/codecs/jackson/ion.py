r"""`IonJacksonCodec` and `IonJackson3Codec`: the tree of the JSON codecs as text Ion.

A class name is an annotation (`'com.example.OrderTask'::{action:"pay"}`), non-ASCII text is escaped
(`\xe9`, `\u2028`, `\U0001f600`), a `byte[]` is a blob, a `BigDecimal` keeps its scale. Jackson 3
writes no class names, enums as symbols and dates as timestamps. Java's own reader loses the class
of annotated scalars; Python keeps it. Source: Redisson's codecs with jackson-dataformat-ion 2.14 to
3.1.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pyredisson.java.numbers import double_to_string, unscaled_of
from pyredisson.rejection import Rejection
from pyredisson.releases import Number

from .bases import NamelessCodec, NamingCodec
from .binary import BinaryFormat
from .dates import date_text
from .ion_parser import parse_ion

__all__ = ["IonJackson3Codec", "IonJacksonCodec"]

_IDENTIFIER = re.compile(r"(?!\$\d+$)[A-Za-z_$][A-Za-z0-9_$]*", re.ASCII)
_KEYWORDS = {"null", "true", "false", "nan"}
_SHORT = {0: "0", 7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 0x5C: "\\"}
_ESCAPED = re.compile("[\x00-\x1f\"'\\\\\x7f-\U0010ffff]")


def _escaped(text: str, quote: str) -> str:
    def escape(match: re.Match[str]) -> str:
        code = ord(match[0])
        if match[0] in "\"'":
            return f"\\{quote}" if match[0] == quote else match[0]
        if code in _SHORT:
            return f"\\{_SHORT[code]}"
        if code < 0x100:
            return f"\\x{code:02x}"
        if 0xD800 <= code < 0xE000:
            raise Rejection("a string with a lone surrogate, which Ion cannot hold")
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

    return f"{quote}{_ESCAPED.sub(escape, text)}{quote}"


def _symbol(text: str) -> str:
    if _IDENTIFIER.fullmatch(text) and text not in _KEYWORDS:
        return text
    return _escaped(text, "'")


class _Format(BinaryFormat[str]):
    """Text Ion as Jackson writes it."""

    null = "null"
    natural = BinaryFormat.natural | {"java.math.BigDecimal"}
    named_scalars = False

    def __init__(
        self, *, jackson3: bool = False, binary_uuid: bool = False, exponent: str = "e"
    ) -> None:
        super().__init__(jackson3=jackson3, binary_uuid=binary_uuid)
        self._exponent = exponent
        self.renamed_constants = not jackson3

    def boolean(self, value: bool) -> str:
        """Encode true or false."""
        return "true" if value else "false"

    def whole(self, value: int, bits: int) -> str:
        """Encode a whole number."""
        return str(value)

    def single(self, value: float) -> str:
        """Encode a float as the double that is equal to it."""
        return self.double(value)

    def double(self, value: float) -> str:
        """Encode a double, always with an exponent."""
        text = double_to_string(value)
        if text[-1] in "Ny":
            return {"NaN": "nan", "Infinity": "+inf", "-Infinity": "-inf"}[text]
        if "E" in text:
            return text.replace("E", self._exponent)
        return text.removesuffix(".0") + "e0"

    def big(self, value: int) -> str:
        """Encode a BigInteger."""
        return int.__repr__(value)

    def decimal(self, value: Decimal) -> str:
        """Encode a BigDecimal with its scale."""
        unscaled, scale = unscaled_of(value)
        sign, digits = ("-" if unscaled < 0 else ""), int.__repr__(abs(unscaled))
        if scale == 0:
            return f"{sign}{digits}."
        if scale < 0:
            return f"{sign}{digits}d{-scale}"
        if len(digits) > scale:
            return f"{sign}{digits[:-scale]}.{digits[-scale:]}"
        if len(digits) - 1 - scale >= -6:
            return f"{sign}0.{digits.rjust(scale, '0')}"
        return f"{sign}{digits}d-{scale}"

    def date(self, millis: int) -> str:
        """Encode a Date: milliseconds, in Jackson 3 a timestamp."""
        if not self._jackson3:
            return str(millis)
        text = date_text(millis)
        if text[0] in "+-":
            raise Rejection("a Date beyond the years 1 to 9999 of an Ion timestamp")
        return text

    def text(self, text: str) -> str:
        """Encode a string."""
        return _escaped(text, '"')

    def constant(self, text: str) -> str:
        """Encode a constant of an enum: in Jackson 3 a symbol."""
        return _symbol(text) if self._jackson3 else self.text(text)

    def binary(self, value: bytes) -> str:
        """Encode a `byte[]`: a blob."""
        return f"{{{{{base64.b64encode(value).decode()}}}}}"

    def array(self, class_name: str | None, parts: Sequence[str]) -> str:
        """Encode an array."""
        body = f"[{','.join(parts)}]"
        return body if class_name is None else self.tagged(class_name, body)

    def object(self, class_name: str | None, members: Sequence[tuple[str | int, str]]) -> str:
        """Encode an object."""
        body = f"{{{','.join(f'{_symbol(str(key))}:{piece}' for key, piece in members)}}}"
        return body if class_name is None else self.tagged(class_name, body)

    def tagged(self, class_name: str, piece: str) -> str:
        """Add the class as an annotation."""
        return f"{_symbol(class_name)}::{piece}"

    def message(self, piece: str) -> bytes:
        """Return the whole message."""
        return piece.encode()


class IonJacksonCodec(NamingCodec):
    """Redisson's `org.redisson.codec.IonJacksonCodec`, since 3.4.4.

    Before 4.2.0 a UUID is a blob, since then a string with its class. Before 4.3.1
    (Jackson 2.21) the exponent of a double is an E, since then an e. The arguments are
    those of `NamingCodec`.
    """

    name = "IonJacksonCodec"

    def _make_format(self, release: Number) -> _Format:
        return _Format(
            binary_uuid=self._binary_uuid(release), exponent="E" if release < (4, 3, 1) else "e"
        )

    def _parse(self, data: bytes) -> Any:
        return parse_ion(data, self.limits)


class IonJackson3Codec(NamelessCodec):
    """Redisson's `org.redisson.codec.IonJackson3Codec`, since 4.2.0.

    `decode` returns symbols and timestamps as `IonSymbol` and `IonTimestamp`, both a `str`. The
    arguments are those of `NamelessCodec`.
    """

    name = "IonJackson3Codec"

    def _make_format(self, release: Number) -> _Format:
        return _Format(jackson3=True, binary_uuid=True)

    def _parse(self, data: bytes) -> Any:
        return parse_ion(data, self.limits)
