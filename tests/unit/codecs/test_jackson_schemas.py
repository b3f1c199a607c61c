"""JSON of classes with schemas: rejections, tolerant reading, unknown classes."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from pyredisson.codecs import (
    JsonJackson3Codec,
    JsonJacksonCodec,
    Limits,
    MsgPackJacksonCodec,
    TypedJsonJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JLong, JMap
from pyredisson.java.objects import JavaObject, JavaValue
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import (
    Color,
    Extras,
    Generics,
    OrderTask,
    Phase,
    Point,
    Stamp,
    StringCrate,
    Tree,
    Wide,
)

CODEC = JsonJacksonCodec(schemas=shapes, release="4.7.0")
LOOSE = JsonJacksonCodec(schemas=shapes, strict=False)
THREE = JsonJackson3Codec(schemas=shapes)
ID = UUID("01234567-89ab-cdef-0123-456789abcdef")
TASK = b'{"@class":"com.example.OrderTask","action":"pay","createdAt":5,"orderId":"A1"}'


@each_row(
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


@each_row(
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


@each_row(
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
            "is not a com.exam",
        ),
        (
            '{"@class":"com.example.Wide","strings":["java.util.HashSet",["a"]]}',
            "is not a java.util.List",
        ),
        ('{"@class":"com.example.Wide","words":["[I",[1]]}', "a [I is not a java.lang.String[]"),
        ('{"@class":"com.example.Wide","anyNumber":"x"}', "is not a java.lang.Number"),
        ('{"@class":"com.example.Wide","cells":["[[Ljava.lang.Object;",[5]]}', "an element of"),
        ('{"@class":"com.example.Wide","date":"yesterday"}', "not a Date"),
        ('{"@class":"com.example.Wide","date":"2023-13-14T22:13:20Z"}', "not a Date"),
        ('{"@class":"com.example.Base","id":5}', "abstract"),
        ('["java.util.EnumSet<com.example.Color>",5]', "is not a java.util.EnumSet"),
    ],
)
def test_rejected_bytes(text: str, told: str) -> None:
    codec = JsonJacksonCodec(schemas=shapes, unknown="error")
    with pytest.raises(DecodeError, match=re.escape(told)) as caught:
        codec.decode(text.encode())
    assert caught.value.data == text.encode()


def test_unexpected_class_name_is_rejected() -> None:
    month = b'"month":["java.lang.Object","MAY"]'
    data = b'{"@class":"com.example.Extras","dayOfWeek":["java.time.DayOfWeek","MONDAY"],%s}'
    with pytest.raises(DecodeError, match=r"java\.time\.Month \(in com\.example\.Extras\.month"):
        JsonJacksonCodec(schemas=shapes).decode(data % month)


@each_row(
    ("value", "told"),
    [
        (Point(1, 2), "final"),
        (Stamp("a", 1), "strict=False"),
        (OrderTask(5), "not a String"),  # type: ignore[arg-type] # what is rejected
        (OrderTask("a", "b", 2**63), "64 bits"),
        (OrderTask("a", "b", None), "primitive"),  # type: ignore[arg-type] # what is rejected
        (Wide(stamp=OrderTask()), "not a com.example.Stamp"),  # type: ignore[arg-type] # what is rejected
        (Wide(task=Stamp()), "is not a com.example.OrderTask"),  # type: ignore[arg-type] # what is rejected
        (Wide(strings={"a"}), "is not a java.util.List"),
        (Wide(strings=[5]), "not a String"),
        (Wide(words=[5]), "not a String"),
        (Wide(words=JArray("int", [5])), "is not a java.lang.String[]"),
        (Wide(ints="abc"), "is not a int[]"),
        (Wide(byId={"x": None}), "java.lang.Long as key"),
        (Wide(byId={True: None}), "java.lang.Long as key"),
        (Wide(byId={2**70: None}), "71 bits"),
        (Wide(labels={Color.RED: "a"}), "a key that Jackson"),
        (Wide(labels=JMap("java.util.TreeMap", {5: "a"})), "java.lang.String as key"),
        (Wide(anyNumber="x"), "is not a java.lang.Number"),
        (Wide(any=object()), "object"),
        (Extras(enumSet={Phase.NEW, Color.RED}), " only"),
        (Extras(enumSet=set()), "an EnumSet"),
        (Extras(enumMap={"a": 1}), "an EnumMap"),
        (Extras(enumMap=JMap("java.util.EnumMap", {})), "an EnumMap"),
        (Generics(strings=StringCrate("a")), "is not a com.example.Box"),
        (Generics(number=StringCrate("a")), "is not a com.example.Crate"),
        (JavaObject("com.example.X", {"a": object()}), "object"),
        (JavaObject("com.example.X", {"a": {1, 2}}), "a plain value"),
    ],
)
def test_rejected_values(value: Any, told: str) -> None:
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


NO_LONG = r"'now' of type str is not a .*ong \(in com\.example\.OrderTask\.createdAt\)"


@pytest.mark.parametrize(
    "codec", [CODEC, TypedJsonJacksonCodec(OrderTask), MsgPackJacksonCodec(schemas=shapes)]
)
def test_a_refusal_names_the_field(codec: Any) -> None:
    wrong: Any = "now"
    with pytest.raises(EncodeError, match=NO_LONG):
        codec.encode(OrderTask(createdAt=wrong))


def test_a_refusal_names_the_member() -> None:
    with pytest.raises(DecodeError, match=NO_LONG):
        CODEC.decode(TASK.replace(b"5", b'"now"'))


def test_a_typed_codec_takes_a_class() -> None:
    name: Any = "com.example.Wide"
    with pytest.raises(TypeError, match="takes the class of the values, not 'com"):
        TypedJsonJacksonCodec(name)


UNKNOWN = [
    b'{"@class":"com.example.X","a":1,"b":["java.lang.Long",2],"c":[1,"x",null],"d":{"e":12.50}}',
    b'{"@class":"com.example.X","n":{"@class":"com.example.Y","t":true},"u":{"v":1.5E10}}',
    b'{"@class":"com.example.X","big":123456789012345678901234567890,"f":1.5,"l":9000000000}',
    b'["com.example.Color2","RED"]',
    b'["com.example.Names2",["a",["java.lang.Long",1]]]',
    b'["java.util.ArrayList",[{"@class":"com.example.X"},["com.example.Z",[1,2]]]]',
    b'["java.util.EnumSet<com.example.Other>",["A"]]',
]


@each_row("data", UNKNOWN)
def test_unknown_classes_round_trip(data: bytes) -> None:
    found = CODEC.decode(data)
    assert CODEC.encode(found) == data
    with pytest.raises(DecodeError, match="pass its schema"):
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
