"""JSON of classes with schemas: what is refused, what is read anyway, unknown classes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum, auto
from typing import Annotated, Any
from uuid import UUID

import pytest

from pyredisson.codecs import (
    JsonJackson3Codec,
    JsonJacksonCodec,
    Limits,
    TypedJsonJackson3Codec,
    TypedJsonJacksonCodec,
)
from pyredisson.codecs.java import JArray, JFloat, JLong, JMap, JSet
from pyredisson.codecs.java.objects import JavaObject, JavaValue
from pyredisson.codecs.java.schema import JavaField, java_class, java_enum
from pyredisson.codecs.java.values import JEnumSet, JText
from pyredisson.errors import DecodeError, EncodeError
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
    Tree,
    Wide,
)

CODEC = JsonJacksonCodec(schemas=shapes)
LOOSE = JsonJacksonCodec(schemas=shapes, strict=False)
THREE = JsonJackson3Codec(schemas=shapes)
ID = UUID("01234567-89ab-cdef-0123-456789abcdef")
TASK = b'{"@class":"com.example.OrderTask","action":"pay","createdAt":5,"orderId":"A1"}'


@pytest.mark.parametrize(
    "text",
    [
        TASK.decode(),
        '{"orderId":"A1","createdAt":5,"action":"pay","@class":"com.example.OrderTask"}',
        '{"@class":"com.example.OrderTask","x":[{}],"action":"pay","createdAt":5,"orderId":"A1"}',
        ' {"@class":"com.example.OrderTask","action":"pay","createdAt":5,"orderId":"A1"}',
        '{"@class":"com.example.OrderTask","action":"pay","createdAt":["java.lang.Long",5],'
        '"orderId":["java.lang.String","A1"]}',
        '["com.example.OrderTask",{"action":"pay","createdAt":5,"orderId":"A1"}]',
    ],
)
def test_tolerant_reading(text: str) -> None:
    assert CODEC.decode(text.encode()) == OrderTask("A1", "pay", 5)


@pytest.mark.parametrize(
    ("member", "attribute", "value"),
    [
        ('"boxedBig":8', "boxedBig", 8),
        ('"boxedBig":["java.lang.Long",8]', "boxedBig", 8),
        ('"date":1700000000000', "date", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
        (
            '"date":"2023-11-14T23:13:20.000+01:00"',
            "date",
            datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
        ),
        ('"date":"2023-11-14T22:13-0000"', "date", datetime(2023, 11, 14, 22, 13, tzinfo=UTC)),
        ('"decimal":1.50', "decimal", Decimal("1.50")),
        (f'"id":"{ID}"', "id", ID),
        ('"strings":["a","b"]', "strings", ["a", "b"]),
        ('"strings":["java.util.ArrayList",["a"]]', "strings", ["a"]),
        ('"names":["a"]', "names", {"a"}),
        ('"labels":{"a":"b"}', "labels", {"a": "b"}),
        ('"labels":["java.util.HashMap",{"a":"b"}]', "labels", {"a": "b"}),
        ('"byId":{"7":{"orderId":"x"}}', "byId", {7: OrderTask("x")}),
        ('"byColor":{"RED":["a"]}', "byColor", {Color.RED: ["a"]}),
        ('"color":["com.example.Color","RED"]', "color", Color.RED),
        ('"phase":"PAID"', "phase", Phase.PAID),
        ('"task":{"orderId":"x"}', "task", OrderTask("x")),
        ('"stamp":{"@class":"com.example.Stamp","count":3}', "stamp", Stamp(None, 3)),
        ('"words":["java.lang.String","b"]', "words", ["java.lang.String", "b"]),
        ('"boxedLongs":["[Ljava.lang.Long;",[1,null]]', "boxedLongs", [1, None]),
        ('"things":[1,["java.lang.Long",2]]', "things", [1, 2]),
        ('"grid":[[1],[2]]', "grid", [[1], [2]]),
        (
            '"cells":["[[Ljava.lang.Object;",[["[Ljava.lang.Object;",[1]],null]]',
            "cells",
            [[1], None],
        ),
        ('"numbers":[1,["java.lang.Float",0.5]]', "numbers", [1, 0.5]),
        ('"big":null', "big", 0),
        ('"serializable":["java.lang.Long",5]', "serializable", 5),
        ('"anyNumber":["com.example.Odd",5]', "anyNumber", JavaValue("com.example.Odd", 5)),
    ],
)
def test_members_with_and_without_class(member: str, attribute: str, value: Any) -> None:
    found = CODEC.decode(f'{{"@class":"com.example.Wide",{member}}}'.encode())
    assert getattr(found, attribute) == value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"@class":"com.example.OrderTask","createdAt":"x"}', "not a long"),
        ('{"@class":"com.example.OrderTask","createdAt":9223372036854775808}', "out of the range"),
        ('{"@class":"com.example.OrderTask","orderId":5}', "not a String"),
        ('{"@class":"com.example.OrderTask","orderId":', "not JSON"),
        ('["com.example.OrderTask",5]', "not a com.example.OrderTask"),
        ('["com.example.OrderTask",null]', "not a com.example.OrderTask"),
        (
            '["java.util.ArrayList",[["com.example.Color","PINK"]]]',
            "a constant of com.example.Color",
        ),
        ('{"@class":"com.example.Wide","color":5}', "a constant of com.example.Color"),
        ('{"@class":"com.example.Wide","ints":[null]}', "an element of a int[]"),
        ('{"@class":"com.example.Wide","ints":5}', "is not a [I"),
        ('{"@class":"com.example.Wide","labels":5}', "is not a java.util.HashMap"),
        ('{"@class":"com.example.Wide","byId":{"x":null}}', "java.lang.Long as key"),
        ('{"@class":"com.example.Wide","byId":{"%s":null}}' % ("1" * 1001), "1000 characters"),
        (
            '{"@class":"com.example.Wide","stamp":{"@class":"com.example.OrderTask"}}',
            "is no com.exam",
        ),
        (
            '{"@class":"com.example.Wide","strings":["java.util.HashSet",["a"]]}',
            "is no java.util.List",
        ),
        ('{"@class":"com.example.Wide","words":["[I",[1]]}', "a [I is no java.lang.String[]"),
        ('{"@class":"com.example.Wide","anyNumber":"x"}', "is no java.lang.Number"),
        ('{"@class":"com.example.Wide","cells":["[[Ljava.lang.Object;",[5]]}', "no element of"),
        ('{"@class":"com.example.Wide","date":"yesterday"}', "not a Date"),
        ('{"@class":"com.example.Wide","date":"2023-13-14T22:13:20Z"}', "not a Date"),
        ('{"@class":"com.example.Base","id":5}', "abstract"),
        ('["java.util.EnumSet<com.example.Color>",5]', "is not a java.util.EnumSet"),
    ],
)
def test_refused_bytes(text: str, told: str) -> None:
    codec = JsonJacksonCodec(schemas=shapes, unknown="error")
    with pytest.raises(DecodeError, match=re.escape(told)) as caught:
        codec.decode(text.encode())
    assert caught.value.data == text.encode()


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Point(1, 2), "final"),
        (Stamp("a", 1), "strict=False"),
        (OrderTask(5), "not a String"),  # type: ignore[arg-type] # what is refused
        (OrderTask("a", "b", 2**63), "64 bits"),
        (OrderTask("a", "b", None), "primitive"),  # type: ignore[arg-type] # what is refused
        (Wide(stamp=OrderTask()), "not a com.example.Stamp"),  # type: ignore[arg-type] # what is refused
        (Wide(task=Stamp()), "is no com.example.OrderTask"),  # type: ignore[arg-type] # what is refused
        (Wide(strings={"a"}), "is no java.util.List"),
        (Wide(strings=[5]), "not a String"),
        (Wide(words=[5]), "not a String"),
        (Wide(words=JArray("int", [5])), "is no java.lang.String[]"),
        (Wide(ints="abc"), "is no int[]"),
        (Wide(byId={"x": None}), "java.lang.Long as key"),
        (Wide(byId={True: None}), "java.lang.Long as key"),
        (Wide(byId={2**70: None}), "71 bits"),
        (Wide(labels={Color.RED: "a"}), "a key that Jackson"),
        (Wide(labels=JMap("java.util.TreeMap", {5: "a"})), "java.lang.String as key"),
        (Wide(anyNumber="x"), "is no java.lang.Number"),
        (Wide(any=object()), "object"),
        (Extras(enumSet={Phase.NEW, Color.RED}), "alone"),
        (Extras(enumSet=set()), "an EnumSet"),
        (Extras(enumMap={"a": 1}), "an EnumMap"),
        (Extras(enumMap=JMap("java.util.EnumMap", {})), "an EnumMap"),
        (Generics(strings=StringCrate("a")), "is no com.example.Box"),
        (Generics(number=StringCrate("a")), "is no com.example.Crate"),
        (JavaObject("com.example.X", {"a": object()}), "object"),
        (JavaObject("com.example.X", {"a": {1, 2}}), "plain enough"),
    ],
)
def test_refused_values(value: Any, told: str) -> None:
    with pytest.raises(EncodeError, match=re.escape(told)):
        CODEC.encode(value)


def test_strict_false_writes_as_java_does() -> None:
    assert LOOSE.encode(Point(1, 2)) == b'{"x":1,"y":2}'
    assert LOOSE.encode(Stamp("a", 1)) == b'{"count":1,"text":"a"}'
    assert LOOSE.decode(b'{"x":1,"y":2}') == {"x": 1, "y": 2}


def test_plain_values_take_the_declared_class() -> None:
    value = Wide(linkedList=[1.5], sorted={"a"}, tree={"k": JLong(1)}, integer=5, ids=[ID])
    text = CODEC.encode(value).decode()
    assert '"linkedList":["java.util.LinkedList",[1.5]]' in text
    assert '"sorted":["java.util.TreeSet",["a"]]' in text
    assert '"tree":{"@class":"java.util.TreeMap","k":["java.lang.Long",1]}' in text
    assert '"integer":["java.math.BigInteger",5]' in text
    assert f'"ids":["java.util.ArrayList",[["java.util.UUID","{ID}"]]]' in text
    assert CODEC.decode(text.encode()) == value


def test_releases() -> None:
    value = Wide(id=ID, any=float("nan"))
    old = JsonJacksonCodec(schemas=shapes, release="3.10.7")
    assert f'"id":"{ID}"' in old.encode(value).decode()
    assert '"any":"NaN"' in old.encode(value).decode()
    assert f'"id":["java.util.UUID","{ID}"]' in CODEC.encode(value).decode()
    assert '"any":["java.lang.Double","NaN"]' in CODEC.encode(value).decode()
    leaked = TypedJsonJacksonCodec(Wide, schemas=shapes, release="4.3.0")
    assert f'"id":["java.util.UUID","{ID}"]' in leaked.encode(value).decode()
    assert leaked.decode(leaked.encode(value)).id == ID
    for wrong in ("4.7", "x", ""):
        with pytest.raises(ValueError, match="not a Redisson release"):
            JsonJacksonCodec(release=wrong)
    with pytest.raises(ValueError, match=re.escape("4.1.0")):
        JsonJackson3Codec(release="4.0.0")
    with pytest.raises(ValueError, match="unknown"):
        JsonJacksonCodec(unknown="guess")


UNKNOWN = [
    b'{"@class":"com.example.X","a":1,"b":["java.lang.Long",2],"c":[1,"x",null],"d":{"e":12.50}}',
    b'{"@class":"com.example.X","n":{"@class":"com.example.Y","t":true},"u":{"v":1.5E10}}',
    b'{"@class":"com.example.X","big":123456789012345678901234567890,"f":1.5,"l":9000000000}',
    b'["com.example.Color2","RED"]',
    b'["com.example.Names2",["a",["java.lang.Long",1]]]',
    b'["java.util.ArrayList",[{"@class":"com.example.X"},["com.example.Z",[1,2]]]]',
    b'["java.util.EnumSet<com.example.Other>",["A"]]',
]


@pytest.mark.parametrize("data", UNKNOWN)
def test_unknown_classes_round_trip(data: bytes) -> None:
    found = CODEC.decode(data)
    assert CODEC.encode(found) == data
    with pytest.raises(DecodeError, match="register a schema"):
        JsonJacksonCodec(schemas=shapes, unknown="error").decode(data)


def test_unknown_classes_are_plain_inside() -> None:
    found = CODEC.decode(UNKNOWN[0])
    assert found == JavaObject(
        "com.example.X",
        {
            "a": 1,
            "b": JavaValue("java.lang.Long", 2),
            "c": [1, "x", None],
            "d": {"e": Decimal("12.50")},
        },
    )
    value: Any = JavaObject("com.example.X", {})
    for _ in range(200):
        value = JavaObject("com.example.X", {"a": value})
    with pytest.raises(EncodeError, match="nested deeper"):
        CODEC.encode(value)
    assert CODEC.encode(JavaObject("a.B", {"c": b"\x01"})) == b'{"@class":"a.B","c":"AQ=="}'


def test_depth() -> None:
    value: Any = Tree()
    for _ in range(150):
        value = Tree(twin=value)
    with pytest.raises(EncodeError, match="nested deeper"):
        CODEC.encode(value)
    deep = JsonJacksonCodec(schemas=shapes, limits=Limits(max_depth=400)).encode(value)
    with pytest.raises(DecodeError, match="nested deeper"):
        CODEC.decode(deep)
    lists: Any = "a"
    for _ in range(150):
        lists = [lists]
    for each in (Wide(any=lists), Wide(any=JavaValue("a.B", lists))):
        with pytest.raises(EncodeError, match="nested deeper"):
            CODEC.encode(each)
    arrays: Any = "a"
    maps: Any = "a"
    for _ in range(150):
        arrays, maps = JArray("java.lang.Object", [arrays]), {"a": maps}
    for each in (Wide(any=arrays), Wide(any=maps)):
        with pytest.raises(EncodeError, match="nested deeper"):
            CODEC.encode(each)


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
    assert MINE.encode(Mood.GOOD) == b'"g"'
    assert CODEC.encode(Phase.PAID) == b'"PAID"'
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


def test_types_that_java_could_not_read_are_refused() -> None:
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


@pytest.mark.parametrize(
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


def test_every_day_round_trips_as_text() -> None:
    from pyredisson.codecs.jackson.dates import date_text, millis_of_text

    for millis in range(-(10**14), 10**14, 86_400_000 * 97 + 12345):
        assert millis_of_text(date_text(millis)) == millis


def test_the_short_way_equals_the_long_one() -> None:
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


@java_class("com.example.Chain", final=True)
@dataclass
class Chain:
    next: Annotated[Any, "com.example.Chain"] = None
    code: Annotated[Any, "java.lang.Void"] = None


@java_class("com.example.Simple")
@dataclass
class Simple:
    many: Annotated[Any, "List<com.example.Simple>"] = None


@java_class("com.example.Special")
@dataclass
class Special(Simple):
    weight: Annotated[Any, "Object"] = None


@java_class("com.example.Bag", extends="HashSet<String>")
class Bag:
    pass


@java_class("com.example.Matrix", variables=["T"], extends="com.example.Crate<List<T>>")
@dataclass
class Matrix(Crate):
    pass


@java_class("com.example.Rows", variables=["T"], extends="com.example.Crate<T[]>")
@dataclass
class Rows(Crate):
    pass


@java_class("com.example.Numbers", extends="com.example.Crate<Integer>")
@dataclass
class Numbers(Crate):
    pass


@java_class("com.example.Secret", getters={"isOpen": "boolean"})
@dataclass
class Secret:
    open: Annotated[bool, JavaField("boolean", json_ignore=True)] = False
    name: Annotated[str | None, "String"] = None


@java_class("com.example.Corner")
@dataclass
class Corner:
    chain: Annotated[Any, "com.example.Chain"] = None
    chars: Annotated[Any, "Map<CharSequence, Integer>"] = None
    crate: Annotated[Any, "com.example.Crate<String>"] = None
    lists: Annotated[Any, "com.example.Crate<List<String>>"] = None
    raw: Annotated[Any, "com.example.Crate<List>"] = None
    arrays: Annotated[Any, "com.example.Crate<String[]>"] = None
    any: Annotated[Any, "com.example.Crate<Object>"] = None
    ordered: Annotated[Any, "com.example.Crate<Comparable<Integer>>"] = None
    names: Annotated[Any, "com.example.Names"] = None
    index: Annotated[Any, "com.example.Names$Index"] = None


CORNERS = [Chain, Matrix, Rows, Numbers, Secret, Corner, Crate, shapes.Names, shapes.Index]
CORNER = JsonJacksonCodec(schemas=CORNERS)


def test_corners_that_java_can_read() -> None:
    for value in (
        Corner(chain=Chain(Chain(Chain()))),
        Corner(chars={"a": 1}),
        Corner(lists=Matrix(["a"])),
        Corner(raw=Matrix(["a"])),
        Corner(arrays=Rows(["a"])),
        Corner(any=Numbers(5)),
        Corner(ordered=Numbers(5)),
        Secret(name="a"),
    ):
        assert CORNER.decode(CORNER.encode(value)) == value
    assert CORNER.encode(Secret(True, "a")) == b'{"@class":"com.example.Secret","name":"a"}'
    assert CORNER.decode(b'{"@class":"com.example.Corner","chain":{"next":{}}}').chain == Chain(
        Chain()
    )


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (Corner(crate=Numbers(5)), "is no com.example.Crate"),
        (Corner(chain=Chain(code=5)), "is no java.lang.Void"),
        (Corner(chars={5: 1}), "as key"),
        (Corner(names=JavaValue("com.example.Names", [])), None),
        (Corner(index={"a": 1}), "is no com.example.Names$Index"),
        (shapes.Base(), "abstract"),
    ],
)
def test_corners_that_java_could_not_read(value: Any, told: str | None) -> None:
    codec = JsonJacksonCodec(schemas=[*CORNERS, shapes.Base])
    if told is None:
        told = "is not a com.example.Names"
    with pytest.raises(EncodeError, match=re.escape(told)):
        codec.encode(value)


def test_the_short_way_is_closed_to_decimals_of_subclasses() -> None:
    codec = JsonJacksonCodec(schemas=[Simple, Special])
    alone = JsonJacksonCodec(schemas=[Simple])
    for data in (
        b'{"@class":"com.example.Simple","many":["java.util.ArrayList",['
        b'{"@class":"com.example.Special","weight":["java.math.BigDecimal",1.50]}]]}',
        b'{"@class":"com.example.Simple","many":["java.util.ArrayList",['
        b'{"@class":"com.example.Other","weight":12345678901234567890.50}]]}',
    ):
        assert codec.encode(codec.decode(data)) == data
        assert alone.encode(alone.decode(data)) == data


def test_own_collections_must_be_collections() -> None:
    with pytest.raises(DecodeError, match="no list, set or dict"):
        JsonJacksonCodec(schemas=[Bag]).decode(b'["com.example.Bag",["a"]]')
    with pytest.raises(EncodeError, match=re.escape("is not a com.example.Bag")):
        JsonJacksonCodec(schemas=[Bag]).encode(Bag())


@java_class("com.example.Table", extends="HashMap<String, Integer>")
class Table:
    pass


def test_own_maps_must_be_maps() -> None:
    with pytest.raises(EncodeError, match=re.escape("is not a com.example.Table")):
        JsonJacksonCodec(schemas=[Table]).encode(Table())


@java_class("com.example.Many", variables=["T"], extends="com.example.Crate<List>")
@dataclass
class Many(Crate):
    rows: Annotated[Any, "com.example.Crate<List<String>>"] = None
    words: Annotated[Any, "com.example.Crate<String>"] = None


def test_raw_arguments_of_an_extends_clause() -> None:
    codec = JsonJacksonCodec(schemas=[Many, Crate, Matrix, Rows])
    with pytest.raises(EncodeError, match=re.escape("is no com.example.Crate")):
        codec.encode(Many(rows=Many(["a"])))
    with pytest.raises(EncodeError, match=re.escape("is no com.example.Crate")):
        codec.encode(Many(words=Rows(["a"])))


def test_more_refusals() -> None:
    for text, told in (
        ('{"@class":"com.example.Wide","number":["java.lang.Integer",null]}', "not an int"),
        ('["java.util.ArrayList",[["java.lang.Boolean",5]]]', "not a boolean"),
        ('{"@class":"com.example.Wide","flag":5}', "not a boolean"),
        ('{"@class":"com.example.Wide","color":["com.example.Color","NO"]}', "a constant of"),
    ):
        with pytest.raises(DecodeError, match=told):
            CODEC.decode(text.encode())
    with pytest.raises(EncodeError, match="not a String"):
        THREE.encode(OrderTask(5))  # type: ignore[arg-type] # what is refused
    assert CODEC.decode(b'["com.example.Color",["com.example.Color","RED"]]') is Color.RED
    assert CODEC.decode(b'["java.lang.Boolean",true]') is True
    rows = Wide(cells=JArray("java.lang.String[]", [JArray("java.lang.String", ["a"])]))
    assert CODEC.decode(CODEC.encode(rows)) == rows
    array = '["[I",[null]]'
    with pytest.raises(DecodeError, match="an element of"):
        CODEC.decode(array.encode())
    with pytest.raises(EncodeError, match="not known here"):
        CODEC.encode(JArray("java.lang.Void", [1]))
