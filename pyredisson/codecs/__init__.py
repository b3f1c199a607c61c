"""Redisson's codecs, under its names: they convert values to bytes and back, without a client.

`Kryo5Codec` is Redisson's default since 3.19.0. The package imports a codec, and only the modules
that it needs, when its name is first used.

A codec never imports anything by a name that it found in the data. Readers and writers raise
`Rejection`. The codec's public class turns it into an `EncodeError`, or a `DecodeError` with the
bytes.

* `base`: the base class. `released`: codecs whose bytes changed between releases. `default`: the
  default codec of a release.
* `cursor`, `varint`: bounded reading of binary messages.
* `kryo5/`, `jackson/`, `java_serialization/`, `marshalling/`, `fst/`, `kryo4/`: see their
  docstrings.
* `protobuf`, `protostuff`, `protostuff_kinds`: generated messages; classes with a schema.
* `text`, `double`, `composite`, `fallback`, `compressed` with `compression_bounds`, `fory`: one
  codec or one family of codecs each. `java`: an alias of `pyredisson.java`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._support.lazy_names import lazily
from pyredisson.limits import Limits

from .base import Codec

if TYPE_CHECKING:
    from pyredisson.sniffing import sniff

    from .composite import CompositeCodec
    from .compressed import LZ4Codec, LZ4CodecV2, SnappyCodec, SnappyCodecV2, ZStdCodec
    from .double import DoubleCodec
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
    from .text import ByteArrayCodec, IntegerCodec, LongCodec, StringCodec


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
    ".jackson.avro": (
        "AvroJacksonCodec",
        "AvroJackson3Codec",
    ),
    ".text": (
        "ByteArrayCodec",
        "IntegerCodec",
        "LongCodec",
        "StringCodec",
    ),
    ".jackson.cbor": (
        "CborJackson3Codec",
        "CborJacksonCodec",
    ),
    ".composite": ("CompositeCodec",),
    ".double": ("DoubleCodec",),
    ".fallback": ("FallbackCodec",),
    ".fory": (
        "ForyCodec",
        "FuryCodec",
    ),
    ".fst": ("FstCodec",),
    ".jackson.ion": (
        "IonJackson3Codec",
        "IonJacksonCodec",
    ),
    ".jackson": (
        "JsonJackson3Codec",
        "JsonJacksonCodec",
        "TypedJsonJackson3Codec",
        "TypedJsonJacksonCodec",
    ),
    ".kryo5": ("Kryo5Codec",),
    ".kryo4": ("KryoCodec",),
    ".compressed": (
        "LZ4Codec",
        "LZ4CodecV2",
        "SnappyCodec",
        "SnappyCodecV2",
        "ZStdCodec",
    ),
    ".marshalling": ("MarshallingCodec",),
    ".jackson.msgpack": ("MsgPackJacksonCodec",),
    ".protobuf": ("ProtobufCodec",),
    ".java_serialization": ("SerializationCodec",),
    ".jackson.smile": (
        "SmileJackson3Codec",
        "SmileJacksonCodec",
    ),
    "..sniffing": ("sniff",),
}

__getattr__, __dir__ = lazily(globals(), _HOMES)
