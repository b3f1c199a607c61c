"""JSON of classes with schemas: slots, getters, generics, enums, Jackson 3."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated, Any
from uuid import UUID

import pytest

from pyredisson.codecs import (
    JsonJackson3Codec,
    JsonJacksonCodec,
    TypedJsonJackson3Codec,
    TypedJsonJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JFloat, JLong, JSet
from pyredisson.java.objects import JavaObject
from pyredisson.java.schema import JavaField, java_class, java_enum
from pyredisson.java.values import JEnumSet, JText
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import (
    Bound,
    Box,
    Color,
    Crate,
    Extras,
    Generics,
    Leaf,
    NumberBox,
    OrderTask,
    Pair,
    Person,
    Phase,
    Point,
    Stamp,
    StringCrate,
    SubCrate,
    Wide,
)

CODEC = JsonJacksonCodec(schemas=shapes)
LOOSE = JsonJacksonCodec(schemas=shapes, strict=False)
THREE = JsonJackson3Codec(schemas=shapes)
ID = UUID("01234567-89ab-cdef-0123-456789abcdef")
TASK = b'{"@class":"com.example.OrderTask","action":"pay","createdAt":5,"orderId":"A1"}'


@java_enum("com.example.Mood", json={"GOOD": "g"}, text={"BAD": "b"})
class Mood(Enum):
    GOOD = auto()
    BAD = auto()


@java_class("com.example.Slotted")
@dataclass(slots=True)
class Slotted:
    name: Annotated[str | None, "String"] = None
    moods: Annotated[Any, "Map<com.example.Mood, Object>"] = None
    hidden: Annotated[int, JavaField("int", transient=True)] = 0


@java_class("com.example.Measured", getters={"isEmpty": "boolean", "getSize": "int"})
class Measured:
    name: Annotated[str | None, "String"]

    def __init__(self, name: str | None) -> None:
        self.name = name


@java_class("com.example.Recursive", variables=["T extends Comparable<T>", "U extends T", "V"])
@dataclass
class Recursive:
    one: Annotated[Any, "T"] = None
    two: Annotated[Any, "U"] = None
    many: Annotated[Any, "V[]"] = None


@java_class("com.example.Twice", variables=["T"], extends="com.example.Pair<T, T>")
@dataclass
class Twice(Pair):
    pass


@java_class("com.example.Raw", extends="com.example.Crate")
@dataclass
class Raw(Crate):
    pass


@java_class("com.example.Holder")
@dataclass
class Holder:
    pair: Annotated[Any, "com.example.Pair<String, Integer>"] = None
    crate: Annotated[Any, "com.example.Crate<String>"] = None
    lists: Annotated[Any, "com.example.Crate<List<String>>"] = None
    rows: Annotated[Any, "com.example.Crate<int[]>"] = None
    comparable: Annotated[Any, "com.example.Crate<Comparable<String>>"] = None
    shape: Annotated[Any, "com.example.Shape"] = None
    shapes: Annotated[Any, "com.example.Shape[]"] = None
    flags: Annotated[Any, "Map<Boolean, Integer>"] = None
    weights: Annotated[Any, "Map<Double, Integer>"] = None
    moods: Annotated[Any, "EnumSet<com.example.Mood>"] = None


@java_class("com.example.Square", interfaces=["com.example.Shape"])
@dataclass
class Square:
    side: Annotated[int, "int"] = 0


OWN = [Mood, Slotted, Measured, Recursive, Twice, Raw, Holder, Square, StringCrate]
MINE = JsonJacksonCodec(schemas=OWN)


def test_slots_and_constants() -> None:
    value = Slotted("a", {Mood.GOOD: JLong(1), Mood.BAD: Mood.GOOD}, 5)
    text = (
        '{"@class":"com.example.Slotted","moods":{"@class":"java.util.HashMap",'
        '"g":["java.lang.Long",1],"BAD":["com.example.Mood","g"]},"name":"a"}'
    )
    assert MINE.encode(value).decode() == text
    assert MINE.decode(text.encode()) == Slotted("a", {Mood.GOOD: 1, Mood.BAD: Mood.GOOD}, 0)
    three = JsonJackson3Codec(schemas=OWN)
    assert '"b":["com.example.Mood","g"]' in three.encode(value).decode()
    assert three.decode(three.encode(value)) == MINE.decode(text.encode())
    assert JsonJacksonCodec(schemas=OWN, strict=False).encode(Mood.GOOD) == b'"g"'
    assert LOOSE.encode(Phase.PAID) == b'"PAID"'
    assert CODEC.encode(Phase.NEW) == b'["com.example.Phase","NEW"]'


def test_getters_are_kept_as_attributes() -> None:
    text = b'{"@class":"com.example.Measured","empty":true,"name":"a"}'
    found = MINE.decode(text)
    assert found.isEmpty is True
    assert MINE.encode(found) == text
    with pytest.raises(EncodeError, match="lacks the attribute 'isEmpty'"):
        MINE.encode(Measured("a"))
    found.isEmpty = lambda: False
    assert MINE.encode(found) == text.replace(b"true", b"false")
    three = JsonJackson3Codec(schemas=OWN)
    text = b'{"@class":"com.example.Measured","empty":true,"name":"a","size":3}'
    assert three.encode(three.decode(text)) == text
    found.getSize = None
    with pytest.raises(EncodeError, match="primitive"):
        three.encode(found)


def test_variables_count_as_their_bounds() -> None:
    value = Recursive("a", JLong(1), [1, JLong(2)])
    text = MINE.encode(value).decode()
    assert text == (
        '{"@class":"com.example.Recursive","many":["[Ljava.lang.Object;",[1,["java.lang.Long",2]]],'
        '"one":"a","two":["java.lang.Long",1]}'
    )
    assert MINE.decode(text.encode()) == value


def test_types_that_java_could_not_read_are_rejected() -> None:
    for wrong in (Holder(pair=Twice("a", "b")), Holder(crate=Raw("a")), Holder(shape=Mood.BAD)):
        with pytest.raises(EncodeError, match="is no"):
            MINE.encode(wrong)
    for right in (
        Holder(crate=StringCrate("a", "b")),
        Holder(crate=Crate("a"), lists=Crate(["a"]), rows=Crate([1]), comparable=Crate("x")),
        Holder(shape=Square(1), shapes=[Square(2), None]),
        Holder(flags={True: 1, False: 2}, weights={0.5: 1}),
        Holder(moods={Mood.GOOD}),
        Holder(shape=JavaObject("com.example.Circle", {"r": 1})),
    ):
        assert MINE.decode(MINE.encode(right)) == right
    with pytest.raises(DecodeError, match="Boolean as key"):
        MINE.decode(b'{"@class":"com.example.Holder","flags":{"x":1}}')


def test_enum_sets_and_texts() -> None:
    value = Extras(enumSet=JEnumSet("com.example.Color", [Color.BLUE, Color.RED]))
    text = (
        b'{"@class":"com.example.Extras",'
        b'"enumSet":["java.util.EnumSet<com.example.Color>",["RED","BLUE"]]}'
    )
    assert CODEC.encode(value) == text
    assert repr(CODEC.decode(text).enumSet).startswith("JEnumSet")
    text = b'{"@class":"com.example.Extras","builder":"a","locale":"de_DE","uri":"http://a"}'
    assert CODEC.decode(text).locale == JText("java.util.Locale", "de_DE")
    assert CODEC.encode(CODEC.decode(text)) == text
    typed = TypedJsonJacksonCodec(Extras, schemas=shapes)
    for each in (b'{"enumSet":["RED","BLUE"]}', b'{"enumMap":{"RED":"a"}}'):
        assert typed.encode(typed.decode(each)) == each


def test_shadowed_fields() -> None:
    leaf = Leaf()
    leaf.Leaf_id, leaf.Leaf_name, leaf.middle = 5, "x", 2
    assert CODEC.encode(leaf) == (
        b'{"@class":"com.example.Leaf","active":false,"id":5,"middle":2,"name":"x"}'
    )
    assert CODEC.decode(CODEC.encode(leaf)) == leaf


def test_records_keep_their_order_in_jackson_3() -> None:
    value = [Person("ann", 5, ["a"], Color.RED, Phase.PAID, 7, JLong(1), Point(1, 2))]
    text = THREE.encode(value).decode()
    assert text.index('"name"') < text.index('"age"') < text.index('"home"')
    assert THREE.decode(text.encode()) == value
    typed = TypedJsonJackson3Codec(OrderTask)
    assert typed.encode(OrderTask("A")) == b'{"action":null,"createdAt":0,"orderId":"A"}'
    assert typed.decode(b'{"orderId":"A"}') == OrderTask("A")


@each_row(
    ("millis", "text"),
    [
        (1700000000123, "2023-11-14T22:13:20.123Z"),
        (-12219292800000, "1582-10-15T00:00:00.000Z"),
        (-12219292800001, "1582-10-04T23:59:59.999Z"),
        (-62135769600000, "0001-01-01T00:00:00.000Z"),
        (2**63 - 1, "+292278994-08-17T07:12:55.807Z"),
    ],
)
def test_dates_of_jackson_3(millis: int, text: str) -> None:
    from pyredisson.codecs.jackson.dates import date_text, millis_of_text

    assert date_text(millis) == text
    assert millis_of_text(text) == millis


@pytest.mark.no_cover  # the same branches, thousands of times
def test_every_day_round_trips_as_text() -> None:
    from pyredisson.codecs.jackson.dates import date_text, millis_of_text

    for millis in range(-(10**14), 10**14, 86_400_000 * 97 + 12345):
        assert millis_of_text(date_text(millis)) == millis


def test_fast_path_equals_slow_path() -> None:
    for text in (
        TASK,
        b'{"@class":"com.example.OrderTask"}',
        b'{"@class":"com.example.OrderTask","createdAt":5} ',
        b'{"@class":"com.example.Stamp","count":1}',
        b'{"@class":"com.example.Box","content":1.50}',
        b'{"@class":"com.example.OrderTask","orderId":"' + b"x" * 5000 + b'"}',
    ):
        padded = b" " + text
        assert CODEC.decode(text) == CODEC.decode(padded)
    with pytest.raises(DecodeError, match="NaN is not JSON"):
        CODEC.decode(b'{"@class":"com.example.OrderTask","createdAt":NaN}')
    with pytest.raises(DecodeError, match="not JSON"):
        CODEC.decode(TASK + b"x")
    mine = JsonJacksonCodec(schemas=shapes)
    with pytest.raises(DecodeError, match="a constant"):
        mine.decode(b'{"@class":"com.example.Color","x":1}')
    assert mine.decode(TASK) == mine.decode(TASK) == OrderTask("A1", "pay", 5)


def test_typed_codecs_with_schemas() -> None:
    codec = TypedJsonJacksonCodec(Wide, schemas=shapes)
    value = Wide(
        any=1, things=JArray("java.lang.String", ["a"]), anyNumber=float("inf"), single=0.5
    )
    found = codec.decode(codec.encode(value))
    assert found.things == ["a"]
    assert found.anyNumber == float("inf")
    assert TypedJsonJacksonCodec(JFloat).decode(b"0.5") == JFloat(0.5)
    assert TypedJsonJacksonCodec(Color).encode(Color.RED) == b'"RED"'
    assert TypedJsonJacksonCodec(Color).decode(b'"RED"') is Color.RED
    boxes = TypedJsonJacksonCodec(Box)
    assert boxes.decode(b'{"row":["a"],"many":[{"b":1}]}') == Box(None, ["a"], [{"b": 1}])
    plain: TypedJsonJacksonCodec[Any] = TypedJsonJacksonCodec(schemas=shapes)
    assert plain.encode([OrderTask("A")]) == b'[{"createdAt":0,"orderId":"A"}]'


def test_own_collections_lose_their_fields_as_in_java() -> None:
    for text in (
        b'["com.example.Names",["a","b"]]',
        b'{"@class":"com.example.Names$Index","a":1}',
    ):
        found = CODEC.decode(text)
        assert type(found) in (shapes.Names, shapes.Index)
        assert CODEC.encode(found) == text
    for wrong in (b'["com.example.Names",5]', b'["com.example.Names",[1]]'):
        with pytest.raises(DecodeError):
            CODEC.decode(wrong)


def test_generic_fields() -> None:
    value = Generics(
        subCrate=SubCrate("a", "b"),
        numberBox=NumberBox(5),
        pairs=Pair("a", Pair(1, Stamp("x", 1))),
        half=Pair(JLong(1), "b"),
        phases=JSet("java.util.HashSet", [Phase.PAID]),
    )
    assert CODEC.decode(CODEC.encode(value)) == value
    assert b'"second":{"count":1,"text":"x"}' in CODEC.encode(value)
    bound = Bound(open=Crate(Crate("a")))
    assert CODEC.decode(CODEC.encode(bound)) == bound
