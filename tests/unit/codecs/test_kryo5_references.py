"""Kryo5Codec's references mode: which values are one object to Java, and which are two."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Annotated, Any

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JavaField, JList, JMap, JText, JValue, java_class
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color, Crate, Extras, Generics, Tree

REFERENCES = Kryo5Codec(schemas=shapes, references=True)
ONCE = [
    JValue("java.util.Optional"),
    JValue("java.util.OptionalInt"),
    JValue("java.lang.Class", "int"),
    JValue("java.time.Instant", 0, 0),
    JValue("java.time.Period", 0, 0, 0),
    JValue("java.time.ZoneOffset", 3600),
    JText("java.util.Currency", "EUR"),
    JText("sun.nio.cs.UTF_8", "UTF-8"),
    JList("java.util.Collections$EmptyList", []),
    JList("java.util.ImmutableCollections$ListN", []),
    JMap("java.util.ImmutableCollections$MapN", {}),
    time(5),
    timedelta(0),
]
ANEW = [
    JValue("java.util.Optional", "xy"),
    JValue("java.util.OptionalInt", 1),
    JValue("java.time.ZoneOffset", 1),
    JList("java.util.ImmutableCollections$ListN", [1, 2, 3]),
    [],
    time(5, 1),
]


def test_references() -> None:
    tree = Tree("root")
    tree.twin, tree.children = tree, [tree, Tree("leaf")]
    found = REFERENCES.decode(REFERENCES.encode(tree))
    assert found.twin is found
    assert found.children[0] is found
    assert found.children[1] == Tree("leaf")
    text = "".join(["he", "llo"])
    assert REFERENCES.encode([text, text]).hex().endswith("8303" + "0001" + "68656c6cef" + "03")
    assert REFERENCES.encode([Color.RED, None]).hex().endswith("01010100")
    # A known generic class, twice: the second occurrence does not use the type arguments.
    crate = Crate("xy")
    shared = Generics(crates=[crate, crate])
    assert REFERENCES.decode(REFERENCES.encode(shared)).crates[1] == crate


@each_row(
    ("encoded", "told"),
    [
        ("0305", "used before it is defined"),
        ("0300", "null where null is not allowed"),
        ("0301" + "80", "null where null is not allowed"),
        ("01006a6176612e7574696c2e4f7074696f6e61ec" + "01" + "0100" + "02", "contains itself"),
        ("0100636f6d2e6578616d706c652e436f6c6ff2" + "00", "null where null is not allowed"),
    ],
)
def test_malformed_references(encoded: str, told: str) -> None:
    with pytest.raises(DecodeError, match=told):
        REFERENCES.decode(bytes.fromhex(encoded))


def test_a_reference_in_place_of_a_boxed_number() -> None:
    data = REFERENCES.encode(JArray("java.lang.Integer", [1]))
    with pytest.raises(DecodeError, match=r"a reference to a java\.lang\.Integer"):
        REFERENCES.decode(data[:-2] + b"\x02\x02")
    assert REFERENCES.decode(data) == [1]


@each_row("value", ONCE, ids=repr)
def test_java_singleton_is_written_as_a_reference(value: Any) -> None:
    data = REFERENCES.encode([value, copy(value), None])
    assert data.endswith(b"\x03\x00")
    assert REFERENCES.encode(REFERENCES.decode(data)) == data


@each_row("value", ANEW, ids=repr)
def test_equal_objects_stay_two_objects(value: Any) -> None:
    data = REFERENCES.encode([value, copy(value), None])
    assert not data.endswith(b"\x03\x00")
    assert REFERENCES.encode(REFERENCES.decode(data)) == data


def test_python_object_of_two_java_classes_is_written_twice() -> None:
    euro = "".join(["E", "UR"])
    value = Extras(currency=euro, optional=JValue("java.util.Optional", euro))
    data = REFERENCES.encode(value)
    assert data.count(b"EU\xd2") == 2
    assert REFERENCES.encode(REFERENCES.decode(data)) == data
    things: JArray[Any] = JArray("java.lang.Object", [])
    with pytest.raises(EncodeError, match="is not"):
        REFERENCES.encode([things, JArray("java.lang.String[]", [things])])


def test_short_texts_and_bytes_keep_their_identity() -> None:
    head = "01006a6176612e7574696c2e41727261794c6973f401" + "84"
    assert REFERENCES.encode(["a", "a", ""]).hex() == head + "0300" + "018261" + "03" + "0181"
    arrays = head + "0101" + "5bc2" + "00"
    assert REFERENCES.encode([b"a", b"a", b""]).hex() == arrays + "010261" * 2 + "0101"
    for bodies in ("0300" + "018261" * 2 + "04", "0300" + "0181" * 2 + "03"):
        found = REFERENCES.decode(bytes.fromhex(head + bodies))
        assert found in (["a"] * 3, [""] * 3)
        assert REFERENCES.encode(found).hex() == head + bodies
    shared = arrays + "010261" + "03" + "0101"
    assert REFERENCES.decode(bytes.fromhex(shared)) == [b"a", b"a", b""]
    assert REFERENCES.encode(REFERENCES.decode(bytes.fromhex(shared))).hex() == shared


@java_class("com.example.Circles$Knot")
@dataclass(eq=False)
class Knot:
    name: Annotated[str | None, "String"] = None
    parent: Annotated[Any, "com.example.Circles$Knot"] = None
    children: Annotated[Any, "List<com.example.Circles$Knot>"] = None
    any: Annotated[Any, "Object"] = None


@java_class("com.example.Circles$Out")
@dataclass
class Out:
    name: Annotated[str | None, "String"] = None
    made: Annotated[Any, "com.example.Circles$Out$In"] = None


@java_class("com.example.Circles$Out$In", outer=JavaField("com.example.Circles$Out"))
@dataclass
class In:
    size: Annotated[int, "int"] = 0


def family() -> Knot:
    root = Knot("root", children=[])
    root.children += [Knot("a", root, any=root.children), Knot("b", root, any=root.children)]
    return root


def within(made: Any) -> Any:
    knot = Knot("map" if isinstance(made, dict) else "list", any=made)
    if isinstance(made, dict):
        made.update(self=knot, map=made)
    else:
        made += [made, knot]
    return knot


def array() -> Knot:
    knot = Knot("array", any=JArray("java.lang.Object"))
    knot.any += [knot, knot.any]
    return knot


def linked() -> Any:
    made: JMap[str, Any] = JMap("java.util.LinkedHashMap")
    made["me"] = made
    return made


# Redisson 4.7.0 writes these with `new Kryo5Codec(Set.of(), true)`, and reads the same circles:
# - a root with two children that refer to the root and to its list;
# - a list, a HashMap and an Object[] that contain themselves and their owner;
# - a LinkedHashMap that contains itself.
CIRCLES = {
    "family": (
        "0100636f6d2e6578616d706c652e436972636c6573244b6e6ff4010001016a6176612e757469"
        "6c2e41727261794c6973f4018301000001010103000182610100020101010300018262010002"
        "01726f6ff400",
        family,
    ),
    "list": (
        "0100636f6d2e6578616d706c652e436972636c6573244b6e6ff40101016a6176612e7574696c"
        "2e41727261794c6973f4010301010301000200016c6973f400",
        lambda: within([]),
    ),
    "map": (
        "0100636f6d2e6578616d706c652e436972636c6573244b6e6ff40101016a6176612e7574696c"
        "2e486173684d61f00103030173656ce601000203016d61f0010103000500",
        lambda: within({}),
    ),
    "array": (
        "0100636f6d2e6578616d706c652e436972636c6573244b6e6ff40101015b4c6a6176612e6c61"
        "6e672e4f626a656374bb0103010002010103000161727261f900",
        array,
    ),
    "linked": (
        "01006a6176612e7574696c2e4c696e6b6564486173684d61f0010203016de5010002",
        linked,
    ),
}


@each_row(("encoded", "make"), CIRCLES.values(), ids=CIRCLES)
def test_circles(encoded: str, make: Any) -> None:
    codec = Kryo5Codec(schemas=[Knot], references=True)
    assert codec.encode(make()).hex() == encoded
    found = codec.decode(bytes.fromhex(encoded))
    assert codec.encode(found).hex() == encoded
    if isinstance(found, dict):
        assert found["me"] is found
    elif found.children is not None:
        assert all(each.parent is found for each in found.children)
        assert all(each.any is found.children for each in found.children)
    else:
        inside = list(found.any.values()) if isinstance(found.any, dict) else found.any
        assert any(each is found.any for each in inside)
        assert any(each is found for each in inside)


def test_an_inner_class_is_written_without_its_outer_object() -> None:
    """Kryo omits `this$0`. In the object that Java reads, it is null."""
    encoded = (
        "0100636f6d2e6578616d706c652e436972636c6573244f75f40101636f6d2e6578616d706c65"
        "2e436972636c6573244f75742449ee0a826f"
    )
    codec = Kryo5Codec(schemas=[Out, In])
    assert codec.encode(Out("o", In(5))).hex() == encoded
    assert codec.decode(bytes.fromhex(encoded)) == Out("o", In(5))
