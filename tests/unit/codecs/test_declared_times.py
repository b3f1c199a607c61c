"""Times in declared fields: every object codec keeps them, with and without nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated, Any

import pytest

from pyredisson.codecs import (
    Codec,
    JsonJackson3Codec,
    Kryo5Codec,
    MarshallingCodec,
    SerializationCodec,
)
from pyredisson.errors import EncodeError
from pyredisson.java import (
    JDuration,
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JTime,
    JZonedDateTime,
    java_class,
)


@java_class("com.example.Times", interfaces=("java.io.Serializable",), serial_version_uid=1)
@dataclass
class Times:
    local: Annotated[datetime | None, "java.time.LocalDateTime"] = None
    instant: Annotated[datetime | None, "java.time.Instant"] = None
    offset: Annotated[datetime | None, "java.time.OffsetDateTime"] = None
    day: Annotated[date | None, "java.time.LocalDate"] = None
    clock: Annotated[time | None, "java.time.LocalTime"] = None
    offset_time: Annotated[time | None, "java.time.OffsetTime"] = None
    span: Annotated[timedelta | None, "java.time.Duration"] = None
    zoned: Annotated[JZonedDateTime | None, "java.time.ZonedDateTime"] = None
    sorted: Annotated[Any, "java.util.TreeSet"] = None


CODECS = [
    Kryo5Codec(schemas=[Times]),
    SerializationCodec(schemas=[Times]),
    MarshallingCodec(schemas=[Times]),
    JsonJackson3Codec(schemas=[Times]),
]
each_codec = pytest.mark.parametrize("codec", CODECS, ids=[type(each).__name__ for each in CODECS])
PLAIN = Times(
    datetime(2024, 1, 2, 3, 4, 5, 6),
    datetime(2024, 1, 2, 3, 4, 5, 6, UTC),
    datetime(2024, 1, 2, 3, 4, 5, 6, UTC),
    date(2024, 1, 2),
    time(1, 2, 3, 4),
    time(1, 2, 3, 4, UTC),
    timedelta(1, 2, 3),
    JZonedDateTime(datetime(2024, 1, 2), "Z"),
)
FINE = Times(
    JLocalDateTime(2024, 1, 2, nanosecond=123456789),
    JInstant(2024, 1, 2, tzinfo=UTC, nanosecond=123456789),
    JOffsetDateTime(2024, 1, 2, tzinfo=UTC, nanosecond=123456789),
    date(2024, 1, 2),
    JTime(1, 2, 3, nanosecond=123456789),
    JTime(1, 2, 3, tzinfo=UTC, nanosecond=123456789),
    JDuration(nanoseconds=-123456789),
    JZonedDateTime(JLocalDateTime(2024, 1, 2, nanosecond=123456789), "Z"),
)


@each_codec
@pytest.mark.parametrize("value", [PLAIN, FINE], ids=["plain", "fine"])
def test_declared_times_round_trip(codec: Codec[Any], value: Times) -> None:
    data = codec.encode(value)
    found = codec.decode(data)
    assert found == value
    assert type(found.local) is JLocalDateTime
    assert type(found.clock) is type(value.clock)
    assert codec.encode(found) == data


@each_codec
def test_declared_class_keeps_nanoseconds_of_another_class(codec: Codec[Any]) -> None:
    """A JInstant in an OffsetDateTime field keeps its nanoseconds."""
    found = codec.decode(codec.encode(Times(offset=FINE.instant)))
    assert type(found.offset) is JOffsetDateTime
    assert found.offset == FINE.instant


@each_codec
@pytest.mark.parametrize(
    "value",
    [
        Times(local=datetime(2024, 1, 2, tzinfo=UTC)),
        Times(instant=datetime(2024, 1, 2)),
        Times(offset=datetime(2024, 1, 2)),
        Times(clock=time(1, tzinfo=UTC)),
    ],
)
def test_time_whose_zone_does_not_fit_is_rejected(codec: Codec[Any], value: Times) -> None:
    with pytest.raises(EncodeError):
        codec.encode(value)


@pytest.mark.parametrize("codec", CODECS[:3])
def test_unsortable_elements_are_rejected(codec: Codec[Any]) -> None:
    with pytest.raises(
        EncodeError, match="Python cannot compare the elements of a sorted set or map"
    ):
        codec.encode(Times(sorted={1, "a"}))
