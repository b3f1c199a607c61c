"""What a user's program sees of the object codecs' types; see `api`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, assert_type

from google.protobuf.wrappers_pb2 import StringValue

from pyredisson import Queue, Redisson
from pyredisson.codecs import (
    AvroJackson3Codec,
    AvroJacksonCodec,
    CborJackson3Codec,
    CborJacksonCodec,
    Codec,
    CompositeCodec,
    FallbackCodec,
    ForyCodec,
    FstCodec,
    FuryCodec,
    IonJackson3Codec,
    IonJacksonCodec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    Kryo5Codec,
    KryoCodec,
    Limits,
    LZ4Codec,
    LZ4CodecV2,
    MarshallingCodec,
    MsgPackJacksonCodec,
    ProtobufCodec,
    SerializationCodec,
    SmileJackson3Codec,
    SmileJacksonCodec,
    SnappyCodec,
    SnappyCodecV2,
    StringCodec,
    TypedJsonJackson3Codec,
    TypedJsonJacksonCodec,
    ZStdCodec,
    sniff,
)
from pyredisson.codecs.java.schema import java_class


@java_class("com.example.OrderTask")
@dataclass
class OrderTask:
    """A user's class."""

    orderId: Annotated[str | None, "String"] = None  # noqa: N815 - Java's name
    createdAt: Annotated[int, "long"] = 0  # noqa: N815 - Java's name


def any_value() -> None:
    """These codecs take and return any value."""
    codecs: list[Codec[Any]] = [
        Kryo5Codec(schemas=[OrderTask], release="3.19.3", limits=Limits()),
        JsonJacksonCodec(schemas=[OrderTask]),
        JsonJackson3Codec(schemas=[OrderTask]),
        MsgPackJacksonCodec(),
        CborJacksonCodec(),
        CborJackson3Codec(),
        SmileJacksonCodec(),
        SmileJackson3Codec(),
        IonJacksonCodec(),
        IonJackson3Codec(),
        SerializationCodec(),
        MarshallingCodec(),
        FstCodec(),
        KryoCodec(),
        LZ4Codec(Kryo5Codec()),
        LZ4CodecV2(release="3.24.0"),
        SnappyCodec(),
        SnappyCodecV2(),
        ZStdCodec(StringCodec()),
        CompositeCodec(None, None, Kryo5Codec()),
    ]
    assert_type(FallbackCodec(codecs).decode(b""), Any)
    value: dict[str, int] = codecs[0].decode(b"")
    value.clear()
    assert str(sniff(b"x"))
    ForyCodec()
    FuryCodec()


def of_a_class(client: Redisson) -> None:
    """These are of the class that they are told."""
    assert_type(TypedJsonJacksonCodec(OrderTask).decode(b""), OrderTask)
    assert_type(TypedJsonJackson3Codec(OrderTask).decode(b""), OrderTask)
    assert_type(AvroJacksonCodec(OrderTask, "{}").decode(b""), OrderTask)
    assert_type(AvroJackson3Codec(OrderTask, "{}").decode(b""), OrderTask)
    assert_type(ProtobufCodec(StringValue).decode(b""), StringValue)
    assert_type(client.get_queue("q", TypedJsonJacksonCodec(OrderTask)), Queue[OrderTask])
    TypedJsonJacksonCodec(OrderTask).encode("x")  # type: ignore[arg-type]  # another class
