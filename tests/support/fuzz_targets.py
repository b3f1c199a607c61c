"""Every decoder, with the recorded messages that the fuzzer corrupts.

Rule: this module has each public decoder (a test compares it with `pyredisson.codecs`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, struct_pb2

from pyredisson import codecs
from pyredisson.codecs import Codec, Limits, StringCodec
from pyredisson.errors import EncodeError
from pyredisson.java.jdk import CONTAINERS
from tests.support.fuzzing import Target
from tests.unit.codecs import migration_shapes, shapes
from tests.unit.codecs.avro_schemas import SCHEMAS
from tests.unit.codecs.message_shapes import MORE, Shipment
from tests.unit.codecs.migration_shapes import SHAPES

VECTORS = Path(__file__).parents[1] / "vectors"
LONGEST = 3000
KINDS = ("", "Shapes", "Mapper", "Everything")
TEXT = StringCodec()
OTHER_NAMES = (
    "java.util.EnumMap",
    "java.util.EnumSet",
    "java.lang.Object",
    "java.lang.Short",
    "a.B",
)
NUMBERS = [b"0", b"-1", b"123456789", b"-9223372036854775808", b"1.5", b"-1.0E-5", b"NaN"]
TEXTS = [b"", b"hello", "é😀".encode(), "é😀".encode("utf-16-be"), *NUMBERS]


def recorded(codec: str) -> list[bytes]:
    """Return the messages of a codec of all releases, each once."""
    files = [each for kind in KINDS for each in VECTORS.glob(f"{kind}{codec}-*")]
    rows = [row["hex"] for each in sorted(files) for row in json.loads(each.read_text("utf-8"))]
    return [bytes.fromhex(each) for each in dict.fromkeys(rows) if len(each) <= 2 * LONGEST]


def named() -> list[bytes]:
    """Return names of classes: those in recorded JSON, and those of the JDK's containers."""
    messages = b"".join((*recorded("JsonJacksonCodec"), *recorded("JsonJackson3Codec")))
    found = re.findall(rb'"(\[*L?[a-z]\w*\.[\w.$]+(?:<[\w.$<>,]+>)?;?|\[+[A-Z])"', messages)
    return sorted({*found, *(each.encode() for each in (*CONTAINERS, *OTHER_NAMES))})


def _typed() -> Iterator[tuple[str, Codec[Any], list[bytes]]]:
    for name, schema in (("AvroJacksonCodec", "shipment"), ("AvroJackson3Codec", "shipment3")):
        make = getattr(codecs, name)
        yield name, make(Shipment, SCHEMAS[schema], schemas=MORE), recorded(name)
    shipments = codecs.ProtobufCodec(Shipment, schemas=MORE)
    yield "ProtobufCodec protostuff", shipments, recorded("ProtobufCodec")
    for message in (struct_pb2.Struct, descriptor_pb2.DescriptorProto):
        own = codecs.ProtobufCodec(message)
        yield f"ProtobufCodec {message.__name__}", own, recorded("ProtobufCodec")


def _told() -> Iterator[tuple[str, Codec[Any], list[bytes]]]:
    yield "ProtobufCodec JSON", codecs.ProtobufCodec(dict), recorded("JsonJacksonCodec")
    yield "sniff", Sniffing(), [*recorded("Kryo5Codec"), *recorded("FstCodec")]


class Sniffing(Codec[Any]):
    """`sniff`, which reads any bytes and writes none."""

    def encode(self, value: Any) -> bytes:
        """Reject any value."""
        raise EncodeError("sniff writes nothing", codec="sniff")

    def decode(self, data: bytes) -> Any:
        """Return the guess."""
        return codecs.sniff(data)


def _simple() -> Iterator[tuple[str, Codec[Any], list[bytes]]]:
    yield "StringCodec", TEXT, TEXTS
    yield "StringCodec UTF-16", StringCodec("UTF-16"), TEXTS
    for name in ("LongCodec", "IntegerCodec", "DoubleCodec", "ByteArrayCodec"):
        yield name, getattr(codecs, name)(), NUMBERS


def _objects() -> Iterator[tuple[str, Codec[Any], list[bytes]]]:
    kryo = recorded("Kryo5Codec")
    yield "Kryo5Codec", codecs.Kryo5Codec(schemas=shapes), kryo
    yield "Kryo5Codec references", codecs.Kryo5Codec(schemas=shapes, references=True), kryo
    yield "Kryo5Codec 3.19.0", codecs.Kryo5Codec(schemas=shapes, release="3.19.0"), kryo
    yield "Kryo5Codec without schemas", codecs.Kryo5Codec(), kryo
    for name in ("SerializationCodec", "MarshallingCodec", "FstCodec"):
        yield name, getattr(codecs, name)(SHAPES), recorded(name)
        yield f"{name} without schemas", getattr(codecs, name)(), recorded(name)
    yield "KryoCodec", codecs.KryoCodec(schemas=migration_shapes), recorded("KryoCodec")


def _jackson() -> Iterator[tuple[str, Codec[Any], list[bytes]]]:
    for name in (
        *("JsonJacksonCodec", "JsonJackson3Codec", "MsgPackJacksonCodec"),
        *("CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec"),
        *("CborJackson3Codec", "SmileJackson3Codec", "IonJackson3Codec"),
    ):
        yield name, getattr(codecs, name)(schemas=shapes), recorded(name)
        yield f"{name} without schemas", getattr(codecs, name)(), recorded(name)
    for name in ("JsonJacksonCodec", "JsonJackson3Codec", "CborJacksonCodec"):
        everything = getattr(codecs, name)(schemas=shapes, typing="everything")
        yield f"{name} everything", everything, recorded(name)
    for java_time in ("arrays", "iso"):
        timed: Any = {"java_time": java_time, "schemas": shapes}
        codec = codecs.JsonJacksonCodec(**timed)
        yield f"JsonJacksonCodec {java_time}", codec, recorded("JsonJacksonCodec")
    untyped = codecs.JsonJackson3Codec(typing=False, schemas=shapes)
    yield "JsonJackson3Codec of a mapper", untyped, recorded("JsonJackson3Codec")
    for name in ("TypedJsonJacksonCodec", "TypedJsonJackson3Codec"):
        yield f"{name} Wide", getattr(codecs, name)(shapes.Wide, schemas=shapes), recorded(name)
        yield f"{name} dict", getattr(codecs, name)(dict), recorded(name)

    yield "TypedJsonJacksonCodec", codecs.TypedJsonJacksonCodec(), recorded("JsonJacksonCodec")


def _wrappers() -> Iterator[tuple[str, Codec[Any], list[bytes]]]:
    # A few bytes of Zstandard can decompress to any length: the limit sets the maximum.
    limits = Limits(max_bytes=500_000)
    for name in ("LZ4Codec", "LZ4CodecV2", "SnappyCodec", "SnappyCodecV2", "ZStdCodec"):
        yield name, getattr(codecs, name)(TEXT, limits=limits), recorded(name)
    frames = codecs.LZ4CodecV2(TEXT, release="3.24.3", limits=limits)
    yield "LZ4CodecV2 3.24", frames, recorded("LZ4CodecV2")
    parts = [codecs.Kryo5Codec(), codecs.JsonJacksonCodec(), codecs.SerializationCodec()]
    mixed = [each for name in ("Kryo5Codec", "JsonJacksonCodec") for each in recorded(name)]
    yield "FallbackCodec", codecs.FallbackCodec(parts), mixed
    yield "CompositeCodec", codecs.CompositeCodec(TEXT, parts[0], parts[1]), mixed


def targets() -> dict[str, Target]:
    """Return all decoders by name."""
    made = [*_simple(), *_objects(), *_jackson(), *_typed()]
    names = named()
    plain = [Target(*each, names=names) for each in made]
    wrapping = [Target(*each, wraps=True) for each in (*_wrappers(), *_told())]
    return {each.name: each for each in (*plain, *wrapping)}
