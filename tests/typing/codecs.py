"""The types of the object codecs that a user's program sees; see `api`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
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
from pyredisson.java import (
    JDuration,
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JTime,
    JValue,
    JZonedDateTime,
)
from pyredisson.java.schema import java_class


@java_class("com.example.OrderTask")
@dataclass
class OrderTask:
    """A user's class."""

    orderId: Annotated[str | None, "String"] = None  # noqa: N815 - Java's name
    createdAt: Annotated[int, "long"] = 0  # noqa: N815 - Java's name


@java_class("com.example.Appointment")
@dataclass
class Appointment:
    """A user's class with times, annotated as the schema command does."""

    at: Annotated[datetime | None, "LocalDateTime"] = None
    time: Annotated[time | None, "LocalTime"] = None
    length: Annotated[timedelta | None, "Duration"] = None
    zoned: Annotated[JZonedDateTime | None, "ZonedDateTime"] = None
    zone: Annotated[str | JValue | None, "ZoneId"] = None


def nanoseconds(codec: TypedJsonJackson3Codec[Appointment]) -> None:
    """Values with nanoseconds are accepted where plain values are annotated; they contain more."""
    local = JLocalDateTime(2024, 1, 2, nanosecond=5)
    task = Appointment(local, JTime(1, nanosecond=5), JDuration(nanoseconds=5))
    task.zoned = JZonedDateTime(local, "Europe/Vienna")
    found = codec.decode(codec.encode(task)).at
    assert_type(found, datetime | None)
    if isinstance(found, JLocalDateTime):
        assert_type(found.year, int)
        assert_type(found.nanosecond, int)
        assert_type(found.replace(nanosecond=1), JLocalDateTime)
    assert_type(JInstant(2024, 1, 2, tzinfo=UTC).astimezone(), JInstant)
    assert_type(JOffsetDateTime.fromisoformat(""), JOffsetDateTime)
    assert_type(local.time(), time)
    assert_type(local + timedelta(1), JLocalDateTime)
    assert_type(local - local, timedelta)
    assert_type(local - timedelta(1), JLocalDateTime)
    assert_type(JDuration(nanoseconds=5).nanoseconds, int)
    assert_type(JDuration(nanoseconds=5) + timedelta(1), timedelta)
    JLocalDateTime("2024", 1, 2)  # type: ignore[arg-type]  # a text


def any_value() -> None:
    """These codecs take and return any value."""
    codecs: list[Codec[Any]] = [
        Kryo5Codec(schemas=[OrderTask], release="3.19.3", limits=Limits()),
        JsonJacksonCodec(schemas=[OrderTask]),
        JsonJacksonCodec(java_time="iso", durations="iso", nanoseconds=False, naming="snake_case"),
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
    """The type of these codecs is that of their argument."""
    assert_type(TypedJsonJacksonCodec(OrderTask).decode(b""), OrderTask)
    assert_type(TypedJsonJackson3Codec(OrderTask).decode(b""), OrderTask)
    assert_type(AvroJacksonCodec(OrderTask, "{}").decode(b""), OrderTask)
    assert_type(AvroJackson3Codec(OrderTask, "{}").decode(b""), OrderTask)
    assert_type(ProtobufCodec(StringValue).decode(b""), StringValue)
    assert_type(client.get_queue("q", TypedJsonJacksonCodec(OrderTask)), Queue[OrderTask])
    TypedJsonJacksonCodec(OrderTask).encode("x")  # type: ignore[arg-type]  # another class
