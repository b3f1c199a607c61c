"""JSON of classes with schemas: edge cases that Java can read, and ones that it cannot."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

import pytest

from pyredisson.codecs import (
    JsonJackson3Codec,
    JsonJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JMap
from pyredisson.java.objects import JavaValue
from pyredisson.java.schema import JavaField, java_class
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import (
    Color,
    Crate,
    OrderTask,
    Wide,
)

CODEC = JsonJacksonCodec(schemas=shapes)
LOOSE = JsonJacksonCodec(schemas=shapes, strict=False)
THREE = JsonJackson3Codec(schemas=shapes)
ID = UUID("01234567-89ab-cdef-0123-456789abcdef")
TASK = b'{"@class":"com.example.OrderTask","action":"pay","createdAt":5,"orderId":"A1"}'


@pytest.mark.parametrize(
    "data",
    [
        b'{"@class":"java.util.EnumMap","A":"x"}',
        b'["java.util.EnumMap",5]',
        b'["java.util.ArrayList",[{"@class":"java.util.EnumSet"},["java.util.EnumSet",["A"]]]]',
        b'["java.util.RegularEnumSet",["A"]]',
    ],
)
def test_an_enum_map_that_names_no_enum_is_of_an_unknown_class(data: bytes) -> None:
    for codec in (CODEC, THREE):
        assert codec.encode(codec.decode(data)) == data


def test_an_unknown_class_around_an_object_of_another_class() -> None:
    data = b'["a.B",{"@class":"java.util.HashMap","c":["java.lang.Long",1]}]'
    assert CODEC.encode(CODEC.decode(data)) == data


@pytest.mark.parametrize(
    "data",
    [
        b'["java.util.EnumSet<com.example.Color>",[{"@class":"a.B"}]]',
        b'["java.util.EnumSet<com.example.Color>",[["a.B",{"c":1}]]]',
        b'{"@class":"com.example.Wide","color":{"@class":"a.B"}}',
    ],
)
def test_object_of_another_class_in_place_of_an_enum_is_rejected(data: bytes) -> None:
    with pytest.raises(DecodeError, match=r"com\.example\.Color"):
        CODEC.decode(data)


def test_singleton_map_with_a_null_value_is_rejected() -> None:
    """Redisson's mapper omits the entry, and Java cannot read the empty map."""
    for value in (None, 1):
        entry = JMap("java.util.Collections$SingletonMap", {"a": value})
        if value is not None:
            assert CODEC.decode(CODEC.encode(entry)) == entry
            continue
        for wrong in (entry, [entry]):
            with pytest.raises(EncodeError, match="has 1 elements, not 0"):
                CODEC.encode(wrong)
    untyped = JsonJackson3Codec(typing=False)
    assert untyped.encode(JMap("java.util.Collections$SingletonMap", {"a": None})) == b'{"a":null}'


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


@each_row(
    ("value", "told"),
    [
        (Corner(crate=Numbers(5)), "is not a com.example.Crate"),
        (Corner(chain=Chain(code=5)), "is not a java.lang.Void"),
        (Corner(chars={5: 1}), "as key"),
        (Corner(names=JavaValue("com.example.Names", [])), None),
        (Corner(index={"a": 1}), "is not a com.example.Names$Index"),
        (shapes.Base(), "abstract"),
    ],
)
def test_corners_that_java_could_not_read(value: Any, told: str | None) -> None:
    codec = JsonJacksonCodec(schemas=[*CORNERS, shapes.Base])
    if told is None:
        told = "is not a com.example.Names"
    with pytest.raises(EncodeError, match=re.escape(told)):
        codec.encode(value)


def test_fast_path_excludes_decimals_of_subclasses() -> None:
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
    with pytest.raises(DecodeError, match="not a list, set or dict"):
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
    with pytest.raises(EncodeError, match=re.escape("is not a com.example.Crate")):
        codec.encode(Many(rows=Many(["a"])))
    with pytest.raises(EncodeError, match=re.escape("is not a com.example.Crate")):
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
        THREE.encode(OrderTask(5))  # type: ignore[arg-type] # what is rejected
    assert CODEC.decode(b'["com.example.Color",["com.example.Color","RED"]]') is Color.RED
    assert CODEC.decode(b'["java.lang.Boolean",true]') is True
    rows = Wide(cells=JArray("java.lang.String[]", [JArray("java.lang.String", ["a"])]))
    assert CODEC.decode(CODEC.encode(rows)) == rows
    array = '["[I",[null]]'
    with pytest.raises(DecodeError, match="an element of"):
        CODEC.decode(array.encode())
    with pytest.raises(EncodeError, match="not known here"):
        CODEC.encode(JArray("java.lang.Void", [1]))
