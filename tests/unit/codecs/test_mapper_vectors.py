"""JSON of services that pass an ObjectMapper to their codec, as Java recorded each option."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import (
    Codec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    TypedJsonJackson3Codec,
    TypedJsonJacksonCodec,
)
from pyredisson.codecs.jackson.mapper import Mapper
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JValue,
    JZonedDateTime,
    java_class,
)
from tests.support.rows import each_row
from tests.unit.codecs import shapes, test_jackson_vectors
from tests.unit.codecs.shapes import Booking
from tests.unit.codecs.test_jackson_vectors import SCHEMAS, VECTORS, alike, values_of

FILES = sorted(VECTORS.glob("Mapper*.json"))
CLASSES = {
    "com.example.Booking": Booking,
    "com.example.Flags": test_jackson_vectors.Flags,
    "com.example.Extras": shapes.Extras,
}
ARRAYS = JsonJacksonCodec(java_time="arrays", schemas=shapes, release="4.7.0")
ISO = JsonJacksonCodec(java_time="iso", durations="iso", schemas=shapes)
MILLIS = JsonJacksonCodec(java_time="arrays", nanoseconds=False)


@cache
def _made(name: str, type_: str, release: str, options: str) -> Codec[Any]:
    other = dict if type_ == "java.util.LinkedHashMap" else list
    kind = [CLASSES.get(type_, other)] if name.startswith("Typed") else []
    make: Any = getattr(codecs, name)
    made: Codec[Any] = make(*kind, schemas=SCHEMAS, release=release, **json.loads(options))
    return made


def codec_of(row: dict[str, Any]) -> Codec[Any]:
    return _made(row["codec"], row["type"], row["release"], json.dumps(row["options"]))


def agrees(row: dict[str, Any]) -> bool:
    """Return whether the row's value encodes to its bytes, and these decode to the value.

    Without class names, the decoded value must encode to the bytes again.
    """
    codec, data = codec_of(row), bytes.fromhex(row["hex"])
    wanted = values_of(row)
    if not wanted:
        return True
    found = codec.decode(data)
    if codec.encode(wanted[0]) != data:
        return False
    classes = row["codec"] == "JsonJacksonCodec"
    if "typing" in row["options"] or not (classes or row["type"] in CLASSES):
        return codec.encode(found) == data
    return any(alike(found, each, classes=classes) for each in wanted)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    rows = json.loads(path.read_text("utf-8"))
    assert len(rows) >= 300
    assert len({json.dumps(row["options"]) for row in rows}) == (
        10 if "3Codec" in path.stem else 13
    )
    assert [row["java"] for row in rows if not agrees(row)] == []


def test_mapper_settings_that_redisson_overrides_have_no_effect() -> None:
    """Redisson overrides the mapper's inclusion and unknown properties: the bytes do not change."""
    for path in VECTORS.glob("Mapper*JsonJacksonCodec*.json"):
        rows = [row for row in json.loads(path.read_text("utf-8")) if row["options"] == {}]
        assert len(rows) >= 4
        assert all(codec_of(row).decode(bytes.fromhex(row["hex"])) for row in rows)


def wrapped(name: str, text: str) -> bytes:
    return f'["java.util.ArrayList",[["java.time.{name}",{text}]]]'.encode()


@each_row(
    ("codec", "name", "text", "value"),
    [
        (ARRAYS, "Instant", "5", JInstant(1970, 1, 1, 0, 0, 5, tzinfo=UTC)),
        (ARRAYS, "Instant", '"1970-01-01T00:00:05Z"', JInstant(1970, 1, 1, 0, 0, 5, tzinfo=UTC)),
        (MILLIS, "Instant", "5000", JInstant(1970, 1, 1, 0, 0, 5, tzinfo=UTC)),
        (ISO, "Duration", "1.5", timedelta(0, 1, 500000)),
        (ISO, "Duration", '"PT1.5S"', timedelta(0, 1, 500000)),
        (ARRAYS, "LocalDate", '"2023-11-14"', date(2023, 11, 14)),
        (ISO, "LocalDate", "[2023,11,14]", date(2023, 11, 14)),
        (MILLIS, "LocalTime", "[1,2,3,120]", time(1, 2, 3, 120000)),
        (MILLIS, "LocalTime", "[1,2,3,120000000]", time(1, 2, 3, 120000)),
        (ARRAYS, "OffsetTime", '[1,2,"Z"]', time(1, 2, tzinfo=UTC)),
        (ISO, "Year", '"2024"', JValue("java.time.Year", 2024)),
        (
            ARRAYS,
            "OffsetDateTime",
            "-0.5",
            JOffsetDateTime(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC),
        ),
    ],
)
def test_both_forms_are_read(codec: Codec[Any], name: str, text: str, value: Any) -> None:
    assert repr(codec.decode(wrapped(name, text))[0]) == repr(value)


@each_row(
    ("name", "text"),
    [
        *(
            ("LocalDate", each)
            for each in ("[2023,11]", "[2023,13,1]", "[1,2,true]", "[2023,2,30]")
        ),
        *(("LocalTime", each) for each in ("[1]", "[1,2,3,4,5]", '[1,"2"]', "[25,0]", "5")),
        *(("OffsetTime", each) for each in ("[1,2]", '["Z"]', "[]", '[1,2,"+99:00"]')),
        *(("Instant", each) for each in ("1e99", "true", '"x"', "99999999999999999999", "[5]")),
        ("LocalDateTime", "[2023,11,14]"),
        ("YearMonth", "[2023]"),
        ("YearMonth", "[2023,13]"),
        ("Year", '"x"'),
        ("OffsetDateTime", "9999999999999999999"),
        ("ZonedDateTime", "9999999999999999999"),
    ],
)
def test_invalid_time_is_rejected(name: str, text: str) -> None:
    with pytest.raises(DecodeError):
        ARRAYS.decode(wrapped(name, text))


def test_value_that_java_would_lose_is_rejected() -> None:
    for value in (JLocalDateTime(2023, 1, 2, 3, 4, 5, 6), timedelta(microseconds=1)):
        with pytest.raises(EncodeError, match="fraction of a millisecond"):
            MILLIS.encode([value])
    with pytest.raises(EncodeError, match=r"java\.sql\.Date, whose day Java writes"):
        ISO.encode([JValue("java.sql.Date", 5)])
    tokyo = JZonedDateTime(JLocalDateTime(2023, 1, 2), "Asia/Tokyo")
    with pytest.raises(EncodeError, match="use the offset itself"):
        ARRAYS.encode([tokyo])
    east = JZonedDateTime(JLocalDateTime(1970, 1, 1, 9), "+09:00")
    assert ARRAYS.encode([east]) == wrapped("ZonedDateTime", "0.0")
    before = [JInstant(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC)]
    assert ARRAYS.encode(before) == wrapped("Instant", "-0.500000000")
    with pytest.raises(EncodeError, match=r"Jackson before 2\.21"):
        JsonJacksonCodec(java_time="arrays", release="3.27.2").encode(before)


def test_error_for_a_naive_time_names_the_option() -> None:
    booking = Booking(createdAt=datetime(2023, 11, 14, 1, 2))
    for codec in (JsonJacksonCodec(schemas=shapes), TypedJsonJacksonCodec(Booking)):
        with pytest.raises(EncodeError) as caught:
            codec.encode(booking)
        told = str(caught.value)
        assert "a java.time.LocalDateTime, which Jackson 2 writes only with JavaTimeModule" in told
        assert 'java_time="arrays" or "iso"' in told
        assert "Booking.createdAt" in told
    assert b'"createdAt":[2023,11,14,1,2]' in ARRAYS.encode(booking)
    for naive in (datetime(2023, 11, 14), [datetime(2023, 11, 14)]):
        with pytest.raises(EncodeError, match=r"a naive datetime.*JLocalDateTime.*tzinfo"):
            ARRAYS.encode(naive)
    assert ARRAYS.encode([time(1, 2, tzinfo=timezone(timedelta(hours=1)))]) == wrapped(
        "OffsetTime", '[1,2,"+01:00"]'
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [("java_time", "text"), ("durations", "text"), ("naming", "camel"), ("nanoseconds", None)],
)
def test_other_options_are_rejected(name: str, value: Any) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(ValueError, match=f"{name}={value!r} is none of"):
        JsonJacksonCodec(**options)


def test_options_of_a_jackson_3_mapper() -> None:
    """A Jackson 3 mapper without Redisson's settings writes no class names."""
    options: list[dict[str, Any]] = [
        {"java_time": "arrays"},
        {"naming": "snake_case"},
        {"inclusion": "non_null"},
    ]
    for option in options:
        with pytest.raises(ValueError, match="names no classes: pass typing=False"):
            JsonJackson3Codec(**option)
    wrong: dict[str, Any] = {"java_time": "text"}
    for make in (JsonJackson3Codec, partial(TypedJsonJackson3Codec, Booking)):
        with pytest.raises(ValueError, match="java_time='text' is none of"):
            make(**wrong)
    assert "typing=False, java_time='arrays'" in repr(
        JsonJackson3Codec(typing=False, java_time="arrays")
    )
    moment = JInstant(1969, 12, 31, 23, 59, 59, 500000, tzinfo=UTC)
    codec = JsonJackson3Codec(typing=False, java_time="arrays")
    assert codec.for_release("4.7.0").encode([moment]) == b"[-0.500000000]"


@each_row(
    ("naming", "wanted"),
    [
        (None, "aURLPath _x IP"),
        ("lower_camel_case", "aURLPath _x IP"),
        ("upper_camel_case", "AURLPath _x IP"),
        ("snake_case", "a_urlpath x ip"),
        ("upper_snake_case", "A_URLPATH X IP"),
        ("lower_case", "aurlpath _x ip"),
        ("kebab_case", "a-url-path _x ip"),
        ("lower_dot_case", "a.url.path _x ip"),
    ],
)
def test_naming_strategies(naming: str | None, wanted: str) -> None:
    mapper = Mapper(naming=naming)
    assert " ".join(map(mapper.named, ["aURLPath", "_x", "IP"])) == wanted
    assert mapper.named("_") == "_" if naming != "upper_camel_case" else True


@java_class("com.example.Alike")
@dataclass
class Alike:
    a: Annotated[str | None, "String"] = None
    A: Annotated[str | None, "String"] = None


def test_two_fields_of_one_name_are_rejected() -> None:
    """The naming strategy makes them one: Jackson's "Multiple fields representing property"."""
    codec = JsonJacksonCodec(schemas=[Alike], naming="upper_camel_case")
    with pytest.raises(EncodeError, match="two fields that become 'A'"):
        codec.encode(Alike("a", "b"))


def test_a_codec_shows_its_mapper() -> None:
    codec = JsonJacksonCodec(java_time="iso", nanoseconds=False, naming="snake_case")
    wanted = "java_time='iso', nanoseconds=False, naming='snake_case'"
    assert repr(codec) == f"JsonJacksonCodec({wanted})"
    assert wanted in repr(
        TypedJsonJacksonCodec(
            Booking, release="4.7.0", java_time="iso", nanoseconds=False, naming="snake_case"
        )
    )
    assert codec.for_release("4.7.0").encode([JLocalDateTime(2023, 1, 2)]) == wrapped(
        "LocalDateTime", '"2023-01-02T00:00:00"'
    )


@pytest.mark.parametrize("name", ["ZonedDateTime", "OffsetDateTime"])
def test_numeric_time_drops_the_offset_of_a_text(name: str) -> None:
    """Java's deserializer also converts it to UTC (ADJUST_DATES_TO_CONTEXT_TIME_ZONE)."""
    data = f'["java.util.ArrayList",[["java.time.{name}","2023-11-14T01:02:00+09:00"]]]'.encode()
    found = ARRAYS.decode(data)
    assert b"1699891320.000000000" in ARRAYS.encode(found)
    assert repr(ARRAYS.decode(ARRAYS.encode(found))) == repr(found)
    assert b"2023-11-14T01:02:00+09:00" in ISO.encode(ISO.decode(data))
