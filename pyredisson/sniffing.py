"""Guesses which codec may have written some bytes, and which releases of Redisson have the codec.

Error messages use it ("these bytes look like MarshallingCodec, the default of 3.13.0 to 3.18.1").
No queue chooses a codec by a guess: only `admin.codecs` does, which shows values to a person. If
the bytes are not typical of a codec, the result is None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Guess", "sniff"]


@dataclass(frozen=True, slots=True)
class Guess:
    """A codec that may have written the bytes.

    Attributes:
        codec: Redisson's name of the codec, or several names.
        releases: the releases that have it.
    """

    codec: str
    releases: str

    def __str__(self) -> str:
        return f"{self.codec} ({self.releases})"


_KRYO5 = Guess("Kryo5Codec", "Redisson's default since 3.19.0")
_RIVER = Guess("MarshallingCodec", "Redisson's default from 3.13.0 to 3.18.1")
_FST = Guess("FstCodec", "Redisson's default from 3.10.0 to 3.12.5")
_JSON = Guess("JsonJacksonCodec", "Redisson's default up to 3.9.1, and often chosen since")
_JAVA = Guess("SerializationCodec", "every release since 1.0.0")
_PLAIN_JSON = Guess("TypedJsonJacksonCodec or JSON in a StringCodec", "3.10.0 and newer")
_TEXT = Guess("StringCodec", "every release since 2.0")
_LZ4 = Guess("LZ4Codec or LZ4CodecV2", "3.5.2 and newer; V2 from 3.25.0")

_BEGINNINGS = (
    (rb"\xac\xed\x00\x05", _JAVA),
    (rb"\x3a\x29\x0a", Guess("SmileJacksonCodec", "2.3.0 and newer")),
    (rb"\xe0\x01\x00\xea", Guess("IonJacksonCodec", "3.4.4 and newer, in binary")),
    (rb"\xbff@class|[\x82\x9f][\x60-\x78].?java\.", Guess("CborJacksonCodec", "2.1.4 and newer")),
    (
        rb"[\x80-\x8f]\xa6@class|\x92[\xa0-\xbf]java\.",
        Guess("MsgPackJacksonCodec", "2.1.4 and newer"),
    ),
    (rb"'[\w.$]+'::", Guess("IonJacksonCodec", "3.4.4 and newer")),
    (rb"\x04\x22\x4d\x18", Guess("LZ4CodecV2", "3.24.0 to 3.24.3")),
    (rb".{4}\x28\xb5\x2f\xfd", Guess("ZStdCodec", "3.39.0 and newer")),
    # 04, then a tag: null, an object with a class, an array, a scalar or a collection.
    (rb"\x04[\x01\x04\x41-\x44\x49-\x55\x5c\x5d\x61\x62\x68\x69]", _RIVER),
    (rb"\x04(\x3d$|[\x3e-\x40]|[\x7c-\x81](?!.{3}$))", _RIVER),
    # A class name, whose last letter has bit 7 set.
    (rb"\x01\x00[\w.$\[;]*[\x80-\xff]", _KRYO5),
    (rb"\x00$|\x03[\x80-\xff]|\x03[\x00-\x7f]{1,31}[\x80-\xff]$|\x05[\x00\x01]$", _KRYO5),
    (rb"[\x02\x09][\x80-\xff]{0,8}[\x00-\xff]$|\x04.{4}$|\x06.$|[\x07\x08]..$|\x0a.{8}$", _KRYO5),
    (rb"\xff$|\xf0$|\xef$|[\xfc\xf7\xf6\xfa\xfb]|\x00[\x00-\x3f]\x00?", _FST),
    (rb'\s*(\{"@class"|\["(\[|[\w$]+\.)[^"]*",)', _JSON),
    (rb"\s*[\[{]", _PLAIN_JSON),
)
_PATTERNS = tuple((re.compile(text, re.DOTALL), guess) for text, guess in _BEGINNINGS)


def sniff(data: bytes) -> Guess | None:
    """Return the codec that most likely wrote the bytes; None if no codec typically writes them.

    >>> str(sniff(bytes.fromhex("043e0568656c6c6f")))
    "MarshallingCodec (Redisson's default from 3.13.0 to 3.18.1)"

    Raises:
        TypeError: `data` is not bytes.
    """
    if not isinstance(data, (bytes, bytearray)):
        raise TypeError(f"sniff takes bytes, not {type(data).__qualname__}")
    if _is_sized_lz4(data):
        return _LZ4
    for pattern, guess in _PATTERNS:
        if pattern.match(data):
            return guess
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return _TEXT if text.isprintable() and text else None


def _is_sized_lz4(data: bytes) -> bool:
    """Return whether the bytes can be an uncompressed length (4 bytes) and an LZ4 block."""
    if len(data) < 6 or data[4:8] == b"\x28\xb5\x2f\xfd":
        return False
    size = int.from_bytes(data[:4], "big")
    rest = len(data) - 4
    literals = data[4] >> 4
    stored = literals < 15 and size == literals == rest - 1
    return stored or (data[0] == 0 and rest < size <= rest * 255)
