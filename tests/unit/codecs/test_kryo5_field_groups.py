"""Kryo5Codec's fast paths: runs of fields, batches of texts, known class headers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, cast

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.codecs.kryo5 import Reader, Serializer, Writer
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JEntries, JEnumSet, JInt, JLocalDateTime, JMap, JValue, java_class
from pyredisson.limits import Limits
from tests.support.rows import each_row
from tests.unit.codecs.shapes import Color, Wide


@java_class("com.example.Line")
@dataclass
class Line:
    text: Annotated[Any, "String"] = None
    color: Annotated[Any, "com.example.Color"] = None


@java_class("com.example.Last", final=True)
@dataclass
class Last:
    number: Annotated[int, "int"] = 0


@java_class("com.example.Lasts")
@dataclass
class Lasts:
    lasts: Annotated[Any, "List<com.example.Last>"] = None


@java_class("com.example.Page")
@dataclass
class Page:
    lines: Annotated[Any, "List<com.example.Line>"] = None
    next: Annotated[Any, "com.example.Page"] = None
    title: Annotated[Any, "String"] = None
    words: Annotated[Any, "List<String>"] = None


SCHEMAS = [Last, Lasts, Line, Page, Color]
ODD = ["", "a", None, "ab\0", "\0", "x" * 33, "é", "\U0001f600", "ab\x7f"]


def fresh() -> Kryo5Codec:
    return Kryo5Codec(schemas=SCHEMAS)


def test_enum_class_is_named_before_its_first_value() -> None:
    value = [JEnumSet("com.example.Color", [Color.RED]), Color.BLUE]
    assert fresh().decode(fresh().encode(value)) == value


def test_a_zero_character_in_a_short_batch() -> None:
    page = Page(words=["ab\0cd", "ef"])
    assert fresh().decode(fresh().encode(page)) == page


@each_row("odd", ODD, ids=repr)
def test_first_message_of_a_class_round_trips(odd: Any) -> None:
    """The class is not compiled yet. Values that its compiled run cannot handle are decoded too."""
    for value in (Line(odd, Color.RED), Page(title=odd, words=[odd])):
        assert fresh().decode(fresh().encode(value)) == value


@pytest.mark.no_cover  # the same branches, thousands of times
@pytest.mark.parametrize("place", [0, 3, 7, 8, 12])
@pytest.mark.parametrize("odd", ODD, ids=repr)
def test_texts_in_batches(odd: Any, place: int) -> None:
    words = [f"word-{number}" for number in range(20)]
    words.insert(place, odd)
    codec = fresh()
    for value in (words, Page(words=words), Page(lines=[Line(each) for each in words])):
        data = codec.encode(value)
        assert codec.decode(data) == value
        for end in range(len(data)):
            with pytest.raises(DecodeError):
                codec.decode(data[:end])
    # Encoded one by one, the texts have the same bytes as in a batch.
    sink = Writer(codec._registry, codec.limits)
    for each in words:
        codec._registry.known("java.lang.String").write_or_null(sink, each)
    assert codec.encode(Page(words=words)).endswith(bytes(sink.out))


@each_row("text", ODD, ids=repr)
def test_text_at_the_root_round_trips(text: str | None) -> None:
    codec = fresh()
    first = codec.encode(text)
    assert codec.encode("warm") == b"\x03war\xed"
    assert codec.decode(codec.encode("warm")) == "warm"
    assert codec.encode(text) == first
    assert codec.decode(first) == text


@each_row("wrong", [["RED"], {}, "RED", 1, ...], ids=repr)
def test_wrong_enum_constant_is_rejected(wrong: Any) -> None:
    codec = fresh()
    codec.encode(Line())
    for value in (Line("a", wrong), Page(lines=[Line("a"), Line("b", wrong)])):
        with pytest.raises(EncodeError, match=r"in com\.example\.Line\.color"):
            codec.encode(value)


def test_elements_of_a_python_subclass_are_encoded_alike() -> None:
    class Longer(Line):
        pass

    codec = fresh()
    assert codec.encode(Page(lines=[Line("a"), Longer("b")])) == codec.encode(
        Page(lines=[Line("a"), Line("b")])
    )


def test_depth_limit_applies_to_all_paths() -> None:
    """Fast and slow paths both reject a message one level beyond the limit."""
    for limit in range(5):
        codec = Kryo5Codec(schemas=SCHEMAS, limits=Limits(max_depth=limit))
        for depth, value in (
            (0, "text"),
            (1, Line("ab")),
            (2, [Line("ab")]),
            (2, [Line("é" * 20)]),
            (2, Lasts([])),
            (3, Lasts([Last(1), Last(2)])),
            (3, Lasts([Last(1), None])),
            (3, Page(lines=[Line("ab"), Line("é")])),
            (4, Page(next=Page(lines=[Line("ab")]))),
        ):
            data = fresh().encode(value)
            for _ in range(2):
                if depth <= limit:
                    assert codec.decode(data) == value
                    assert codec.encode(value) == data
                else:
                    with pytest.raises(DecodeError, match="nested deeper"):
                        codec.decode(data)
                    with pytest.raises(EncodeError, match="nested deeper"):
                        codec.encode(value)


def test_class_name_limit_applies_to_all_paths() -> None:
    strict = Kryo5Codec(schemas=SCHEMAS, limits=Limits(max_class_names=1))
    none = Kryo5Codec(schemas=SCHEMAS, limits=Limits(max_class_names=0))
    one, two = fresh().encode(Line("ab")), fresh().encode([Line("ab")])
    for _ in range(3):
        assert strict.decode(one) == Line("ab")
        with pytest.raises(DecodeError, match="more than 1 class names"):
            strict.decode(two)
        with pytest.raises(DecodeError, match="more than 0 class names"):
            none.decode(one)


def test_more_names_than_a_byte_can_number() -> None:
    codec = Kryo5Codec()
    codes = [*"ZBCSIJFD", "Ljava.lang.Integer;"]
    names = ["[" * dimensions + code for dimensions in range(1, 17) for code in codes]
    names = [name for name in names if name != "[B"]
    message = bytearray(b"\x01\x00java.util.ArrayLis\xf4")
    message += bytes([0x40 | 1 + 2 * len(names) & 0x3F, 1 + 2 * len(names) >> 6])
    numbers = {name: number for number, name in enumerate(names, 1)}
    encoded = {
        name: bytes([number]) if number < 128 else bytes([number & 127 | 128, 1])
        for name, number in numbers.items()
    }
    for name in names:
        message += b"\x01" + encoded[name] + name[:-1].encode() + bytes([ord(name[-1]) | 128, 1])
    for name in names:
        message += b"\x01" + encoded[name] + b"\x01"
    first = codec.decode(bytes(message))
    assert len(first) == 2 * len(names)
    assert codec.decode(bytes(message)) == first
    assert codec.encode(first) == bytes(message)


class Shout(Serializer):
    """An application's own serializer of strings."""

    nullable = True

    def read(self, source: Reader) -> Any:
        return (source.string() or "").lower()

    def write(self, sink: Writer, value: Any) -> None:
        sink.string(value.upper())


def test_own_serializer_replaces_the_fast_path() -> None:
    codec = Kryo5Codec(schemas=SCHEMAS, serializers={str: Shout("java.lang.String")})
    for _ in range(2):
        assert codec.encode("ab") == b"\x03A\xc2"
        assert codec.decode(b"\x03A\xc2") == "ab"
        assert codec.encode(Line("ab")).endswith(b"A\xc2")
        assert codec.decode(codec.encode(Page(words=["ab", "cd"]))) == Page(words=["ab", "cd"])
        assert b"A\xc2C\xc4" in codec.encode(["ab", "cd"])


@java_class("com.example.Fixed")
@dataclass
class Fixed:
    map: Annotated[Any, "java.util.ImmutableCollections$MapN<String, Integer>"] = None


def test_immutable_maps_of_known_classes_take_no_null() -> None:
    codec = Kryo5Codec(schemas=[Fixed])
    name = "java.util.ImmutableCollections$MapN"
    value = Fixed(JMap(name, {"ab": 1, "c": 2}))
    assert codec.decode(codec.encode(value)) == value
    for wrong in (JMap(name, {"ab": None}), JEntries(name, [(None, 1)])):
        with pytest.raises(EncodeError, match="takes no null"):
            codec.encode(Fixed(cast("Any", wrong)))


@java_class("com.example.Moment")
@dataclass
class Moment:
    at: Annotated[Any, "LocalDateTime"] = None
    count: Annotated[int, "int"] = 0


MOMENTS = [
    None,
    *(JLocalDateTime(year, 2, 28) for year in (1, 127, 128, 2023, 9983, 9984, 9999)),
    JLocalDateTime(2024, 2, 29),
    JLocalDateTime(2024, 12, 31, 23),
    JLocalDateTime(2024, 4, 30, 23, 59),
    JLocalDateTime(2024, 4, 30, 0, 0, 59),
    JLocalDateTime(2024, 4, 30, 0, 0, 0, 1),
    JLocalDateTime(2024, 4, 30, 1, 2, 3, 999_999),
    JLocalDateTime(2024, 4, 30, 1, 2, 3, nanosecond=999_999_999),
    JLocalDateTime(2024, 4, 30, 1, 2, 3, nanosecond=1),
    JValue("java.time.LocalDateTime", 10_000, 1, 1, 0, 0, 0, 0),
]


@each_row("value", MOMENTS, ids=repr)
def test_a_local_date_time_within_a_run(value: Any) -> None:
    """The bytes are those of its serializer, whether or not the run handles the value."""
    codec = Kryo5Codec(schemas=[Moment])
    sink = Writer(codec._registry, codec.limits)
    codec._registry.known("java.time.LocalDateTime").write_or_null(sink, value)
    for _ in range(2):
        data = codec.encode(Moment(value, 5))
        assert data.endswith(bytes(sink.out) + b"\x0a")
        assert repr(codec.decode(data)) == repr(Moment(value, 5))
    for end in range(len(data)):
        with pytest.raises(DecodeError):
            codec.decode(data[:end])


def test_invalid_local_date_time_within_a_run_is_rejected() -> None:
    codec = Kryo5Codec(schemas=[Moment])
    head = codec.encode(Moment(None, 0))[:-2]
    assert codec.decode(head + bytes.fromhex("01e80f021de800")) == Moment(
        JLocalDateTime(2024, 2, 29, 23), 0
    )
    for wrong in ("01e70f021de800", "01e80f0d01e800", "01e80f0101183b00", "01e80f04010000 0000 00"):
        with pytest.raises(DecodeError):
            codec.decode(head + bytes.fromhex(wrong))
    for value in ("text", date(2024, 1, 1), datetime(2024, 1, 1, tzinfo=UTC)):
        with pytest.raises(EncodeError):
            codec.encode(Moment(value))


@java_class("com.example.Bare")
@dataclass
class Bare:
    parts: Annotated[Any, "List<String>"]


def test_a_field_that_is_missing_is_named() -> None:
    bare, whole, codec = Bare([]), Bare(["a"]), Kryo5Codec(schemas=[Bare])
    del bare.parts
    for _ in range(2):  # without the plan of the class, then with it
        with pytest.raises(EncodeError, match=r"com.example.Bare lacks a field: .*parts"):
            codec.encode(bare)
        assert codec.decode(codec.encode(whole)) == whole

    class Odd(Serializer):
        def read(self, source: Reader) -> Any: ...

        def write(self, sink: Writer, value: Any) -> None:
            value.nothing()

    codec = Kryo5Codec(schemas=SCHEMAS, serializers={Last: Odd("com.example.Last")})
    with pytest.raises(AttributeError, match="nothing"):
        codec.encode(Lasts([Last()]))


def test_nonstandard_class_header_is_not_cached() -> None:
    codec = fresh()
    data = codec.encode([1, 2])
    odd = b"\x01\x80\x00" + data[2:]
    for _ in range(2):
        assert codec.decode(odd) == codec.decode(data) == [1, 2]


@each_row("count", [1, 63, 64, 65, 200])
@each_row("odd", [0, -1, 8191, 8192, 1 << 27, (1 << 31) - 1, -(1 << 31)])
def test_whole_numbers_in_batches(odd: int, count: int) -> None:
    numbers = [*range(count), odd, -64, 63, 64]
    codec = fresh()
    data = codec.encode(numbers)
    assert codec.decode(data) == numbers
    sink = Writer(codec._registry, codec.limits)
    for each in numbers:
        sink.zigzag(each)
    assert data.endswith(bytes(sink.out))
    with pytest.raises(DecodeError):
        codec.decode(data[:-1])
    with pytest.raises(DecodeError, match="32 bits"):
        codec.decode(data[: -len(b"\x80\x01")] + b"\xff\xff\xff\xff\x1f")
    mixed = [*numbers, 1 << 40]
    assert codec.decode(codec.encode(mixed)) == mixed


@pytest.mark.parametrize(
    "text", ["0", "-1.50", "1.5E+3", "1E-70", "0.00", "123456789.1234567", "-9.9", "1e400"]
)
def test_decimals_by_fast_and_slow_path(text: str) -> None:
    value = Decimal(text)
    data = fresh().encode(value)
    assert fresh().decode(data) == value
    assert fresh().decode(data).as_tuple() == value.as_tuple()
    for end in range(len(data)):
        with pytest.raises(DecodeError):
            fresh().decode(data[:end])
    narrow = Kryo5Codec(limits=Limits(max_scale=1, max_integer_bytes=1))
    if abs(cast("int", value.as_tuple().exponent)) > 1:
        with pytest.raises(EncodeError, match="scale"):
            narrow.encode(value)
        with pytest.raises(DecodeError, match=r"scale|more than 1 bytes"):
            narrow.decode(data)


def test_whole_numbers_of_a_declared_class() -> None:
    codec = Kryo5Codec(schemas=[Wide])
    assert codec.encode(Wide(integers=[1, JInt(2)])) == codec.encode(Wide(integers=[1, 2]))
    for wrong in ([1, 1 << 31], [1, True], [1, "2"]):
        with pytest.raises(EncodeError, match=r"Wide\.integers"):
            codec.encode(Wide(integers=wrong))
