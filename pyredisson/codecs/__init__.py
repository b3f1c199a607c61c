"""The codecs of Redisson, under its names: values to bytes and back, with no client needed.

`Kryo5Codec` is Redisson's default since 3.19.0. Each codec is loaded when it is
first asked for, and with it only what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .base import Codec
from .limits import Limits

if TYPE_CHECKING:
    from .jackson import JsonJacksonCodec, TypedJsonJacksonCodec
    from .kryo5 import Kryo5Codec
    from .text import ByteArrayCodec, DoubleCodec, IntegerCodec, LongCodec, StringCodec

__all__ = [
    "ByteArrayCodec",
    "Codec",
    "DoubleCodec",
    "IntegerCodec",
    "JsonJacksonCodec",
    "Kryo5Codec",
    "Limits",
    "LongCodec",
    "StringCodec",
    "TypedJsonJacksonCodec",
]

_HOMES = {
    "ByteArrayCodec": "text",
    "DoubleCodec": "text",
    "IntegerCodec": "text",
    "JsonJacksonCodec": "jackson",
    "Kryo5Codec": "kryo5",
    "LongCodec": "text",
    "StringCodec": "text",
    "TypedJsonJacksonCodec": "jackson",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
