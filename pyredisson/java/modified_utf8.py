"""Java's modified UTF-8: NUL is two bytes, and a character beyond U+FFFF is two times three bytes.

Source: `java.io.DataInput`; Java serialization and JBoss River use it. Any sequence of UTF-16
units, lone surrogates included, has exactly one encoding; other encodings are rejected.
"""

from __future__ import annotations

import re

from pyredisson.rejection import Rejection

__all__ = ["from_modified", "to_modified", "utf16_text"]

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def utf16_text(text: str) -> str:
    """Join pairs of surrogates to one character each."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def from_modified(data: bytes) -> str:
    """Decode a text.

    Raises:
        Rejection: the bytes are not in this encoding.
    """
    if data.isascii() and b"\0" not in data:
        return data.decode("ascii")
    if b"\0" in data:
        raise Rejection("no text: a zero byte")
    try:
        text = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise Rejection(f"no text: {error.reason}") from None
    if _ASTRAL.search(text):
        raise Rejection("no text: a character of four bytes")
    return utf16_text(text)


def _pair(match: re.Match[str]) -> str:
    code = ord(match[0]) - 0x10000
    return chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def to_modified(text: str) -> bytes:
    """Encode a text."""
    units = _ASTRAL.sub(_pair, text)
    return units.encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")
