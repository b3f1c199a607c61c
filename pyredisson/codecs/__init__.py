"""The codecs of Redisson, under its names: values to bytes and back, with no client needed.

`Kryo5Codec` is Redisson's default since 3.19.0. Each codec is loaded when it is
first asked for, and with it only what it needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pyredisson.limits import Limits

from .base import Codec

if TYPE_CHECKING:
    from pyredisson.sniffing import sniff

    from .composite import CompositeCodec
    from .compressed import LZ4Codec, LZ4CodecV2, SnappyCodec, SnappyCodecV2, ZStdCodec
    from .fallback import FallbackCodec
    from .fory import ForyCodec, FuryCodec
    from .fst import FstCodec
    from .jackson import (
        JsonJackson3Codec,
        JsonJacksonCodec,
        TypedJsonJackson3Codec,
        TypedJsonJacksonCodec,
    )
    from .jackson.avro import AvroJackson3Codec, AvroJacksonCodec
    from .jackson.cbor import CborJackson3Codec, CborJacksonCodec
    from .jackson.ion import IonJackson3Codec, IonJacksonCodec
    from .jackson.msgpack import MsgPackJacksonCodec
    from .jackson.smile import SmileJackson3Codec, SmileJacksonCodec
    from .java_serialization import SerializationCodec
    from .kryo4 import KryoCodec
    from .kryo5 import Kryo5Codec
    from .marshalling import MarshallingCodec
    from .protobuf import ProtobufCodec
    from .text import ByteArrayCodec, DoubleCodec, IntegerCodec, LongCodec, StringCodec


__all__ = [
    "AvroJackson3Codec",
    "AvroJacksonCodec",
    "ByteArrayCodec",
    "CborJackson3Codec",
    "CborJacksonCodec",
    "Codec",
    "CompositeCodec",
    "DoubleCodec",
    "FallbackCodec",
    "ForyCodec",
    "FstCodec",
    "FuryCodec",
    "IntegerCodec",
    "IonJackson3Codec",
    "IonJacksonCodec",
    "JsonJackson3Codec",
    "JsonJacksonCodec",
    "Kryo5Codec",
    "KryoCodec",
    "LZ4Codec",
    "LZ4CodecV2",
    "Limits",
    "LongCodec",
    "MarshallingCodec",
    "MsgPackJacksonCodec",
    "ProtobufCodec",
    "SerializationCodec",
    "SmileJackson3Codec",
    "SmileJacksonCodec",
    "SnappyCodec",
    "SnappyCodecV2",
    "StringCodec",
    "TypedJsonJackson3Codec",
    "TypedJsonJacksonCodec",
    "ZStdCodec",
    "sniff",
]

_HOMES = {
    "AvroJacksonCodec": "jackson.avro",
    "AvroJackson3Codec": "jackson.avro",
    "ByteArrayCodec": "text",
    "CborJackson3Codec": "jackson.cbor",
    "CborJacksonCodec": "jackson.cbor",
    "CompositeCodec": "composite",
    "DoubleCodec": "text",
    "FallbackCodec": "fallback",
    "ForyCodec": "fory",
    "FstCodec": "fst",
    "FuryCodec": "fory",
    "IntegerCodec": "text",
    "IonJackson3Codec": "jackson.ion",
    "IonJacksonCodec": "jackson.ion",
    "JsonJackson3Codec": "jackson",
    "JsonJacksonCodec": "jackson",
    "Kryo5Codec": "kryo5",
    "KryoCodec": "kryo4",
    "LZ4Codec": "compressed",
    "LZ4CodecV2": "compressed",
    "LongCodec": "text",
    "MarshallingCodec": "marshalling",
    "MsgPackJacksonCodec": "jackson.msgpack",
    "ProtobufCodec": "protobuf",
    "SerializationCodec": "java_serialization",
    "SmileJackson3Codec": "jackson.smile",
    "SmileJacksonCodec": "jackson.smile",
    "SnappyCodec": "compressed",
    "SnappyCodecV2": "compressed",
    "StringCodec": "text",
    "TypedJsonJackson3Codec": "jackson",
    "TypedJsonJacksonCodec": "jackson",
    "ZStdCodec": "compressed",
    "sniff": ".sniffing",
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
