"""JsonJackson3Codec and TypedJsonJackson3Codec: java.time, Optional and other JDK values.

The vectors hold the bytes of the released codecs. These tests cover values beyond them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, timezone
from typing import Annotated, Any

import pytest

from pyredisson.codecs import (
    CborJackson3Codec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    TypedJsonJackson3Codec,
    TypedJsonJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JInstant,
    JLocalDateTime,
    JOffsetDateTime,
    JText,
    JValue,
    JZonedDateTime,
    Month,
)
from pyredisson.java.schema import java_class
from tests.support.rows import each_row
from tests.unit.codecs.shapes import Crate, Extras, Wide

ODD = timezone(timedelta(microseconds=1))
LOCAL = JLocalDateTime(2023, 11, 14, 1, 2)
ATOMIC = "java.util.concurrent.atomic.Atomic"


@each_row(
    ("value", "text"),
    [
        (JZonedDateTime(LOCAL, "UTC"), '"2023-11-14T01:02:00Z"'),
        (JZonedDateTime(LOCAL, "-01:00:01"), '"2023-11-14T01:02:00-01:00:01"'),
        (JValue("java.util.Locale", "de", "AT", ""), '"de-AT"'),
        (JText("java.util.Locale", "de_AT"), '"de-AT"'),
        (JValue("java.util.OptionalInt"), "null"),
        (
            JValue("java.util.Optional", JInstant(2023, 1, 1, tzinfo=UTC)),
            '["java.time.Instant","2023-01-01T00:00:00Z"]',
        ),
        (JValue("java.time.OffsetTime", 1, 2, 0, 5000, 0), '"01:02:00.000005Z"'),
        (Month.MAY, "5"),
    ],
)
def test_jackson_3_encodes(value: Any, text: str) -> None:
    """Values at the root; a final class is written without its name."""
    assert JsonJackson3Codec(strict=False).encode(value) == text.encode()


def test_jackson_2_encodes_a_locale_as_its_string() -> None:
    """`Locale.toString()`; Jackson 3 writes the language tag."""
    codec = JsonJacksonCodec(strict=False)
    assert codec.encode(JValue("java.util.Locale", "de", "AT", "")) == b'"de_AT"'
    assert codec.encode(JValue("java.util.Locale", "en", "", "")) == b'"en"'
    assert codec.encode(JText("java.util.Locale", "zh_CN_#Hans")) == b'"zh_CN_#Hans"'


def test_an_empty_optional_is_null_in_a_binary_format() -> None:
    """A `JValue` without parts represents the empty Optional."""
    assert CborJackson3Codec().encode(JValue("java.util.OptionalInt")) == b"\xf6"


@each_row(
    ("value", "reason"),
    [
        (JValue("java.time.LocalDate", 2023, 2, 29), "no day 29"),
        (JValue("java.time.Year", 10**9), "a part of a java.time.Year from -999999999"),
        (JValue("java.time.Instant", 1), "2 parts"),
        (JInstant(2023, 1, 1), "no time zone"),
        (JOffsetDateTime(2023, 1, 1, tzinfo=ODD), "offset of whole seconds"),
        (JZonedDateTime(LOCAL, "Asia/Tokyo"), "use the offset itself"),
        (JValue("java.time.ZoneRegion", "UTC"), "a ZoneId"),
        (Extras(zonedDateTime=5), "a ZonedDateTime"),
        (Extras(localDate=datetime(2023, 1, 1)), "a java.time.LocalDate"),
        (Extras(localTime=time(1, tzinfo=ODD)), "a java.time.LocalTime"),
        (JValue(f"{ATOMIC}Boolean", 5), "a boolean"),
        (JValue(f"{ATOMIC}Long", 1 << 63), "64 bits"),
        (JValue(f"{ATOMIC}Integer", 1, 2), "one part"),
        (JValue(f"{ATOMIC}Reference", 1, 2), "AtomicReference"),
        (JValue("java.lang.Class", 5), "not a string"),
        (JValue("java.util.BitSet", 5), "cannot write without a loss"),
        (JValue("java.sql.Time", 5), "cannot write without a loss"),
    ],
)
def test_jackson_3_rejects_values(value: Any, reason: str) -> None:
    """Parts out of range, values that Java would lose, values that need Java's time zones."""
    with pytest.raises(EncodeError, match=reason):
        JsonJackson3Codec(schemas=[Extras]).encode([value])


@pytest.mark.parametrize("value", [JInstant(2023, 1, 1), JValue("java.util.Optional", 1)])
def test_jackson_2_rejects_the_values_that_java_rejects(value: Any) -> None:
    """Java's error is "not supported by default: add Module ..."."""
    with pytest.raises(EncodeError, match=r"without a loss|only with JavaTimeModule"):
        JsonJacksonCodec().encode([value])


@each_row(
    ("class_name", "content"),
    [
        ("java.time.LocalDate", '"2023-02-29"'),
        ("java.time.LocalDate", "5"),
        ("java.time.Instant", '"yesterday"'),
        ("java.time.LocalTime", '"24:00:00"'),
        ("java.time.OffsetTime", '"01:02+19:00"'),
        ("java.time.ZoneId", "5"),
        ("java.time.Year", '"2023"'),
        ("java.time.Month", "13"),
        ("java.time.Period", '"P9999999999D"'),
        ("java.sql.Date", "true"),
        ("java.sql.Date", "9223372036854775808"),
    ],
)
def test_jackson_3_rejects_messages(class_name: str, content: str) -> None:
    """Contents that no value of the class is written as."""
    with pytest.raises(DecodeError):
        JsonJackson3Codec().decode(f'["java.util.ArrayList",[["{class_name}",{content}]]]'.encode())


def test_a_month_is_a_number_in_jackson_3_alone() -> None:
    """Jackson 2 would read a number as the ordinal, which begins at zero."""
    message = b'["java.util.ArrayList",[["java.time.Month",5]]]'
    assert JsonJackson3Codec().decode(message) == [Month.MAY]
    with pytest.raises(DecodeError):
        JsonJacksonCodec().decode(message)


def test_absent_and_null_optionals_differ() -> None:
    """Java reads null as an empty Optional. An absent member stays null."""
    codec = TypedJsonJackson3Codec(Extras)
    assert codec.decode(b'{"optional":null}').optional == JValue("java.util.Optional")
    assert codec.decode(b"{}").optional is None


def test_a_charset_is_known_by_its_name() -> None:
    """Only the standard charsets, which every JDK has. The class depends on the charset."""
    codec = TypedJsonJacksonCodec(Extras)
    found = codec.decode(b'{"charset":"ISO-8859-1"}').charset
    assert (found, found.class_name) == ("ISO-8859-1", "sun.nio.cs.ISO_8859_1")
    with pytest.raises(DecodeError, match="standard charsets"):
        codec.decode(b'{"charset":"KOI8-R"}')


@java_class("com.example.Priced")
@dataclass
class Priced:
    rows: Annotated[list[Any] | None, "com.example.Crate<java.math.BigDecimal>[]"] = None


def test_typed_codecs_know_the_arguments_of_an_arrays_elements() -> None:
    """Java's reader knows them too. With class names they are useless: Java's writer drops them."""
    found = TypedJsonJacksonCodec(Priced, schemas=[Crate]).decode(b'{"rows":[{"content":1.50}]}')
    assert found.rows is not None
    assert repr(found.rows[0].content) == "Decimal('1.50')"


def test_two_texts_are_a_list_to_a_typed_codec() -> None:
    """Without class names, the first text of a list is not a class name."""
    found = TypedJsonJacksonCodec(Wide).decode(b'{"serializable":["RED","BLUE"]}')
    assert found.serializable == ["RED", "BLUE"]
