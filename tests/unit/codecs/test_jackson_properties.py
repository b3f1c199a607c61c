"""The properties that Jackson detects; none of them is lost silently."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest

from pyredisson.codecs import (
    CborJackson3Codec,
    CborJacksonCodec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    TypedJsonJackson3Codec,
    TypedJsonJacksonCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JavaField, JLong, JMap, java_class
from pyredisson.java.beans import field_like, property_name
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.capital_shapes import Capitals, CapitalsBelow, CapitalsOdd
from tests.unit.codecs.shapes import Color, Grids, OrderTask, Stamp, Wide

JSON = JsonJacksonCodec(schemas=shapes)
JSON3 = JsonJackson3Codec(schemas=shapes)


@each_row(
    ("method", "legacy", "standard"),
    [
        ("getName", "name", "name"),
        ("getURL", "url", "URL"),
        ("getURLPath", "urlpath", "URLPath"),
        ("getXPos", "xpos", "XPos"),
        ("isUp", "up", "up"),
        ("setX", "x", "x"),
        ("getx", "x", None),
        ("get_x", "_x", None),
        ("issue", "sue", None),
        ("getÉa", "éa", "éa"),
        ("getİx", "ix", "ix"),
        ("get", None, None),
        ("compute", None, None),
    ],
)
def test_names_of_properties(method: str, legacy: str | None, standard: str | None) -> None:
    """As jackson-databind 2.21 and 3.1 name them."""
    assert property_name(method, jackson3=False) == legacy
    assert property_name(method, jackson3=True) == standard


def test_a_field_with_capitals_keeps_its_name() -> None:
    assert field_like("XPos", ["pos", "xPos"]) == "xPos"
    assert field_like("id", ["ID"]) == "ID"
    assert field_like("URL", ["url"]) is None


def test_capitals_in_both_jackson_versions() -> None:
    task = Capitals("a", "b", SSL=True, isReady_=True)
    assert JSON3.encode(task) == (
        b'{"@class":"com.example.Capitals","SSL":true,"URL":"a","XCount":0,"ready":true,"xPos":"b"}'
    )
    assert JSON3.decode(JSON3.encode(task)) == task
    assert JSON.encode(task) == (
        b'{"@class":"com.example.Capitals","SSL":true,"URL":"a","XCount":0,"isReady":true,'
        b'"ready":true,"ssl":true,"xPos":"b"}'
    )
    assert JSON.decode(JSON.encode(task)) == task


def test_property_of_a_getter_sets_the_field_that_it_returns() -> None:
    text = b'{"@class":"com.example.Capitals$Odd","HTML":"b","URL":"a"}'
    assert JSON3.decode(text) == CapitalsOdd(url="a", name="b")
    assert JSON3.encode(JSON3.decode(text)) == text


def test_getter_of_a_superclass_field_sets_that_field() -> None:
    text = b'{"@class":"com.example.Capitals$Below","URL":"a","other":"b","up":true}'
    assert JSON3.decode(text) == CapitalsBelow(URL="a", up=True, other="b")
    assert JSON3.encode(JSON3.decode(text)) == text


def test_property_missing_from_the_schema_is_read_but_not_written() -> None:
    text = b'{"@class":"com.example.OrderTask","createdAt":1,"more":2,"orderId":"A"}'
    task = JSON.decode(text)
    assert task == OrderTask("A", None, 1)
    with pytest.raises(EncodeError, match=r"OrderTask whose message had .more..* renew its schema"):
        JSON.encode([task])
    assert JSON.encode(replace(task)) == text.replace(b'"more":2,', b"")


@java_class("com.example.Slotted")
@dataclass(slots=True)
class Slotted:
    a: Annotated[int, "int"] = 0


def test_unknown_property_of_a_slotted_class_is_rejected() -> None:
    codec = JsonJacksonCodec(schemas=[Slotted])
    assert codec.decode(b'{"@class":"com.example.Slotted","a":1}') == Slotted(1)
    with pytest.raises(DecodeError, match="had 'b', which its schema does not have"):
        codec.decode(b'{"@class":"com.example.Slotted","a":1,"b":2}')


@java_class("com.example.Counted", getters={"getSize": "int", "isBig": "boolean"})
@dataclass
class Counted:
    items: Annotated[list[str] | None, "List<String>"] = None

    @property
    def getSize(self) -> int:  # noqa: N802 - Java's name of the getter
        return len(self.items or ())

    def isBig(self) -> bool:  # noqa: N802 - Java's name of the getter
        return self.getSize > 1


def test_getter_value_that_differs_in_python_is_rejected() -> None:
    codec = JsonJackson3Codec(schemas=[Counted])
    text = (
        b'{"@class":"com.example.Counted","big":false,'
        b'"items":["java.util.ArrayList",["a"]],"size":1}'
    )
    assert codec.encode(codec.decode(text)) == text
    found = codec.decode(text.replace(b'"size":1', b'"size":7'))
    assert found == Counted(["a"])
    with pytest.raises(EncodeError, match="another 'size' than Python's getSize returns"):
        codec.encode(found)
    found = codec.decode(text.replace(b'"size":1', b'"size":["java.lang.Integer",1]'))
    with pytest.raises(EncodeError, match=r"named the class java\.lang\.Integer in 'size'"):
        codec.encode(found)


@java_class("com.example.Hidden", getters={"getURL": JavaField("String", name="link")})
@dataclass
class Hidden:
    link: Annotated[str | None, JavaField("String", public=False)] = None


def test_getter_may_name_its_property() -> None:
    codec = JsonJackson3Codec(schemas=[Hidden])
    assert codec.encode(Hidden("a")) == b'{"@class":"com.example.Hidden","link":"a"}'


def test_an_object_without_members() -> None:
    three = CborJackson3Codec(schemas=shapes)
    assert three.encode(shapes.Empty()) == b"\xa0"
    assert three.encode({}) == three.encode(shapes.CapitalsNothing()) == b"\xbf\xff"
    found = three.decode(b"\x82\xa0\xbf\xff")
    assert found == [{}, {}]
    assert repr(found) == "[JMap('java.lang.Object', {}), {}]"
    assert three.encode(found) == b"\x82\xa0\xbf\xff"
    with pytest.raises(EncodeError, match="an object without members"):
        three.encode(JMap("java.lang.Object", {"a": 1}))
    assert CborJacksonCodec().decode(b"\x9f\x73java.util.ArrayList\x9f\xff\xff") == []


def test_rows_of_other_arrays() -> None:
    text = b'{"@class":"com.example.Grids","objects":["[[Ljava.lang.String;",%b]}'
    rows = b'[["[Ljava.lang.String;",["a"]],null]'
    nulls: list[Any] = [["a"], None]
    grid = Grids(objects=JArray("java.lang.String[]", nulls))
    assert JSON.encode(grid) == text % rows
    assert JSON.decode(text % rows).objects == grid.objects
    wide = Wide(things=JArray("com.example.Stamp", [Stamp("a", 1)]))
    assert b'["[Lcom.example.Stamp;",[{"@class":"com.example.Stamp",' in JSON.encode(wide)
    wrong: Any
    for wrong in (JArray("java.lang.String[]", [5]), JArray("com.example.Stamp[]", [[5]])):
        with pytest.raises(EncodeError):
            JSON.encode(Grids(objects=wrong))
    with pytest.raises(EncodeError, match=r"an element of a java.lang.Integer"):
        JSON.encode(Wide(numbers=JArray("java.lang.Integer", [JLong(1)])))


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (b"[[1]]", "does not begin with its class"),
        (b'[["java.util.ArrayList",[1]]]', "a java.util.ArrayList is not a java.lang.Object"),
        (b'[["[I",[1]]]', "a .I is not a java.lang.Object"),
        (b'[{"@class":"java.util.HashMap"}]', "does not begin with its class"),
    ],
)
def test_wrong_rows_are_rejected(rows: bytes, said: str) -> None:
    with pytest.raises(DecodeError, match=said):
        JSON.decode(b'["[[Ljava.lang.Object;",' + rows + b"]")


def test_rows_of_a_final_class_at_the_root_have_no_class() -> None:
    for text in (b'[{"count":1,"text":"a"},null]', b'[["java.util.UUID"],[{}]]'):
        with pytest.raises(DecodeError, match="a final class at the root"):
            JSON.decode(text)
    value: Any = [["a"], [], None]
    assert TypedJsonJacksonCodec().decode(TypedJsonJacksonCodec().encode(value)) == value
    loose = JsonJacksonCodec(schemas=shapes, strict=False)
    assert loose.encode(loose.decode(b'[["RED",null],[],null]')) == b'[["RED",null],[],null]'
    assert loose.encode(JArray("com.example.Color[]", [[Color.RED]])) == b'[["RED"]]'


def test_other_notation_of_a_double_is_a_double() -> None:
    """It is not decoded to a Decimal, which would be a double after writing and reading."""
    for codec in (TypedJsonJacksonCodec(), JsonJackson3Codec(typing=False)):
        for text, value in ((b"-1025E-5", -0.01025), (b"25E-55", 2.5e-54), (b"1.0E-07", 1e-07)):
            found = codec.decode(text)
            assert codec.decode(codec.encode(found)) == found
            assert float(found) == value


def test_numbers_keep_their_text_where_nothing_names_their_class() -> None:
    for codec in (TypedJsonJacksonCodec(), TypedJsonJackson3Codec(list)):
        assert codec.encode(codec.decode(b"[1.50,1.5,0]")) == b"[1.50,1.5,0]"
