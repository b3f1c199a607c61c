r"""How Jackson 2 encodes strings and numbers, byte for byte.

Non-ASCII text is raw UTF-8, except astral characters and lone surrogates, which are `\uD83D`
escapes in upper case; `/`, DEL and U+2028 stay as they are. Doubles are `Double.toString`, decimals
plain. Source: jackson-core 2.14 to 2.21 with the settings of Redisson's `JsonJacksonCodec`.
"""

from __future__ import annotations

import base64
import binascii
import re
from decimal import Decimal

from pyredisson.java.numbers import double_to_string, float_to_string
from pyredisson.rejection import Rejection, reject_value

__all__ = [
    "MAX_DIGITS_READ",
    "base64_text",
    "decimal_text",
    "double_text",
    "float_text",
    "integer_text",
    "quote",
    "quote_raw",
    "read_base64",
]

# Jackson 2.15 and newer reject longer numbers. Older releases wrote them, and Python reads them.
_MAX_DIGITS_WRITTEN = 1000
MAX_DIGITS_READ = 4300

_ESCAPED = re.compile('[\x00-\x1f"\\\\\ud800-\udfff\U00010000-\U0010ffff]')
_SHORT = {
    '"': '\\"',
    "\\": "\\\\",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}


def _escape(match: re.Match[str]) -> str:
    short = _SHORT.get(match[0])
    if short is not None:
        return short
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04X}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04X}\\u{0xDC00 + (code & 0x3FF):04X}"


def quote(text: str) -> str:
    """Return a string in JSON."""
    return f'"{_ESCAPED.sub(_escape, text)}"'


_CONTROLS = re.compile('[\x00-\x1f"\\\\\ud800-\udfff]')


def quote_raw(text: str) -> str:
    """Return a string in JSON of Jackson 3: astral characters stay unchanged."""
    return f'"{_CONTROLS.sub(_escape, text)}"'


def double_text(value: float) -> str:
    """Return a double; NaN and the infinities are strings."""
    text = double_to_string(value)
    return f'"{text}"' if text[-1] in "Ny" else text


def float_text(value: float) -> str:
    """Return a float of 32 bits; NaN and the infinities are strings."""
    text = float_to_string(value)
    return f'"{text}"' if text[-1] in "Ny" else text


def integer_text(value: int) -> str:
    """Return the text of a whole number; reject one that Jackson could not read."""
    if value.bit_length() > _MAX_DIGITS_WRITTEN * 3.32:
        raise Rejection(f"a number of more than about {_MAX_DIGITS_WRITTEN} digits")
    return int.__repr__(value)


def decimal_text(value: Decimal) -> str:
    """Return the text of a decimal without an exponent; reject one that Jackson could not read."""
    text = f"{value if value else abs(value):f}"
    if len(text) > _MAX_DIGITS_WRITTEN:
        raise Rejection(f"a number of more than {_MAX_DIGITS_WRITTEN} digits")
    return text


def base64_text(value: bytes) -> str:
    """Return bytes in base64 with padding, as a JSON string."""
    return f'"{base64.b64encode(value).decode()}"'


def read_base64(text: str) -> bytes:
    """Return the bytes of a base64 string."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise reject_value(text, "base64") from None
