"""SerializationCodec and MarshallingCodec: circles, and classes that extend collections."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest

from pyredisson.codecs import MarshallingCodec, SerializationCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JList, JMap, JValue
from pyredisson.java.objects import JavaObject
from pyredisson.java.schema import java_class


@java_class("com.example.Node", serial_version_uid=1)
@dataclass(eq=False)
class Node:
    name: Annotated[str | None, "String"] = None
    parent: Annotated[Any, "com.example.Node"] = None
    children: Annotated[list[Any], "List<com.example.Node>"] = field(default_factory=list)
    any: Annotated[Any, "Object"] = None


@java_class("com.example.Fixed", serial_version_uid=1)
@dataclass(frozen=True, eq=False)
class Fixed:
    other: Annotated[Any, "Object"] = None


@java_class("com.example.Tags", extends="java.util.ArrayList<String>", serial_version_uid=1)
class Tags(list[str]):
    owner: Annotated[str, "String"]


@java_class("com.example.Sub", serial_version_uid=2)
class Sub(Tags):
    size_: Annotated[int, "int"]


@java_class(
    "com.example.Table", extends="java.util.LinkedHashMap<String, Integer>", serial_version_uid=3
)
class Table(dict[str, int]):
    limit: Annotated[int, "int"]


@java_class("com.example.Names", extends="java.util.HashSet<String>", serial_version_uid=4)
class Names(set[str]):
    label: Annotated[str | None, "String"]


@java_class("com.example.Sorted", extends="java.util.TreeMap<String, Object>", serial_version_uid=5)
class Sorted(dict[str, Any]):
    pass


@java_class("com.example.Config", extends="java.util.Properties", serial_version_uid=6)
class Config(dict[str, str]):
    pass


@java_class("com.example.Row", extends="java.util.Vector<Object>", serial_version_uid=7)
class Row(list[Any]):
    pass


@java_class("com.example.Slots", extends="java.util.Vector<Object>", serial_version_uid=8)
class Slots(list[Any]):
    __slots__ = ()


SCHEMAS: list[type] = [Node, Fixed, Tags, Sub, Table, Names, Sorted, Config, Row, Slots]
CODECS: list[Any] = [SerializationCodec(SCHEMAS), MarshallingCodec(SCHEMAS)]
each_codec = pytest.mark.parametrize("codec", CODECS, ids=lambda each: type(each).__name__)


def with_fields(made: Any, **fields: Any) -> Any:
    for name, value in fields.items():
        setattr(made, name, value)
    return made


@each_codec
def test_child_refers_to_its_parent(codec: Any) -> None:
    root = Node("root")
    root.children = [Node("a", root), Node("b", root)]
    data = codec.encode(root)
    found = codec.decode(data)
    assert [each.parent is found for each in found.children] == [True, True]
    assert codec.encode(found) == data


@each_codec
@pytest.mark.parametrize("kind", ["list", "dict", "linked", "array", "map"])
def test_a_container_that_contains_itself(codec: Any, kind: str) -> None:
    made: Any = {
        "list": [],
        "dict": {},
        "linked": JList("java.util.LinkedList"),
        "array": JArray("java.lang.Object"),
        "map": JMap("java.util.LinkedHashMap"),
    }[kind]
    node = Node("in it", any=made)
    if isinstance(made, dict):
        made["self"], made["node"] = made, node
    else:
        made += [made, node]
    data = codec.encode(made)
    found = codec.decode(data)
    assert type(found) is type(made)
    parts = [found["self"], found["node"]] if isinstance(found, dict) else found
    assert parts[0] is found
    assert parts[1].any is found
    assert codec.encode(found) == data


@each_codec
def test_wrapper_in_a_circle_with_its_content_is_rejected(codec: Any) -> None:
    made: list[Any] = []
    made.append(JValue("java.util.Collections$UnmodifiableList", made))
    with pytest.raises(EncodeError, match="around an object that fits"):
        codec.encode(made)
    linked: JList[Any] = JList("java.util.LinkedList")
    linked.append(JValue("java.util.Collections$UnmodifiableList", linked))
    with pytest.raises(DecodeError, match="in a circle with the object that it wraps"):
        codec.decode(codec.encode(linked))


@each_codec
def test_circle_needs_a_mutable_object(codec: Any) -> None:
    node = Node("x")
    node.any = Fixed(node)
    found = codec.decode(codec.encode(node))
    assert found.any.other is found
    with pytest.raises(EncodeError, match="cannot change"):
        codec.encode(node.any)
    made = JList("java.util.ImmutableCollections$List12", [Node("y")])
    made[0].any = made
    with pytest.raises(EncodeError, match="cannot change"):
        codec.encode(made)


def test_circle_through_a_frozen_class_is_not_decoded() -> None:
    node = Node("x")
    node.any = Node("y", any=node)
    for codec, frozen in zip(CODECS, (SerializationCodec, MarshallingCodec), strict=True):

        @java_class("com.example.Node", serial_version_uid=1)
        @dataclass(frozen=True, eq=False)
        class Still:
            any: Annotated[Any, "Object"] = None

        with pytest.raises(DecodeError, match=r"com\.example\.Node that contains itself"):
            frozen([Still]).decode(codec.encode(node))


OWN = [
    with_fields(Tags(["b", "a"]), owner="me"),
    with_fields(Sub(["b"]), owner="me", size_=5),
    with_fields(Table({"b": 1, "a": 2}), limit=9),
    with_fields(Names({"x", "y", "z"}), label=None),
    Sorted({"a": 1, "b": [2]}),
    with_fields(
        Sorted({"b": 1, "a": 2}), comparator=JValue("java.util.Collections$ReverseComparator")
    ),
    Config({"a": "b"}),
    Row([1, None, "x"]),
]


@each_codec
@pytest.mark.parametrize("value", OWN, ids=lambda value: type(value).__name__)
def test_classes_that_extend_collections(codec: Any, value: Any) -> None:
    data = codec.encode([value, value])
    found, again = codec.decode(data)
    assert found is again
    assert type(found) is type(value)
    assert (found, {**vars(value), **vars(found)}) == (value, vars(found))
    assert codec.encode([found, found]) == data


@each_codec
def test_a_set_keeps_javas_order(codec: Any) -> None:
    names = with_fields(Names({"x"}), label="l")
    names.__java_order__ = ("x",)
    found = codec.decode(codec.encode(names))
    assert vars(found) == {"label": "l", "__java_order__": ("x",)}
    found.add("b")
    assert codec.decode(codec.encode(found)) == {"x", "b"}


@each_codec
def test_a_collection_in_a_circle(codec: Any) -> None:
    row = Row()
    row.append(row)
    found = codec.decode(codec.encode(row))
    assert found[0] is found


@java_class("com.example.Tags", extends="java.util.ArrayList<String>", serial_version_uid=1)
class Wrong(dict[Any, Any]):
    pass


@java_class("com.example.Tags", extends="java.util.ArrayList<String>", serial_version_uid=1)
class Unique(set[Any]):
    owner: Annotated[str, "String"]


@each_codec
def test_python_class_that_cannot_hold_the_elements_is_rejected(codec: Any) -> None:
    listed: list[Any] = [["a"]]
    with pytest.raises(
        EncodeError, match=r"a com\.example\.Tags lacks the attribute 'owner'; set it"
    ):
        codec.encode(Tags())
    data = codec.encode(with_fields(Tags(["a", "a"]), owner="me"))
    with pytest.raises(DecodeError, match=r"schema of com\.example\.Tags must be a list"):
        type(codec)([Wrong]).decode(data)
    with pytest.raises(DecodeError, match=r"Python cannot hold this com\.example\.Tags"):
        type(codec)([Unique]).decode(data)
    with pytest.raises(DecodeError, match=r"Python cannot hold this com\.example\.Tags"):
        type(codec)([Unique]).decode(codec.encode(with_fields(Tags(listed), owner="me")))
    with pytest.raises(DecodeError, match="has __slots__, but none for room"):
        codec.decode(codec.encode(Slots([1])))


@each_codec
def test_object_without_a_schema_keeps_its_circle(codec: Any) -> None:
    row = Node("x")
    row.any = row
    found = type(codec)().decode(codec.encode(row))
    assert isinstance(found, JavaObject)
    assert found.fields["any"] is found


@java_class("com.example.Outer", serial_version_uid=1)
@dataclass
class Outer:
    name: Annotated[str | None, "String"] = None


@java_class("com.example.Outer$Inner", serial_version_uid=2, outer="com.example.Outer")
@dataclass
class Inner:
    size: Annotated[int, "int"] = 0


@java_class("com.example.Outer$Inner", serial_version_uid=2)
@dataclass
class Alone:
    size: Annotated[int, "int"] = 0


@java_class("com.example.Outer$Inner", serial_version_uid=2)
class Slotted:
    __slots__ = ("size",)
    size: Annotated[int, "int"]


@each_codec
def test_an_inner_class_keeps_its_outer_object(codec: Any) -> None:
    own = type(codec)([Outer, Inner])
    inner = Inner(5)
    with pytest.raises(EncodeError, match=r"belongs to a com\.example\.Outer"):
        own.encode(inner)
    outer: Any = Outer("o")
    vars(inner)["__java_outer__"] = outer
    data = own.encode([inner, outer])
    found, other = own.decode(data)
    assert found == inner
    assert vars(found)["__java_outer__"] is other
    assert own.encode([found, other]) == data
    vars(inner)["__java_outer__"] = Inner(5)
    with pytest.raises(EncodeError, match=r"not a com\.example\.Outer"):
        own.encode(inner)


@each_codec
def test_outer_object_missing_from_a_schema_is_not_lost_silently(codec: Any) -> None:
    own = type(codec)([Outer, Inner])
    inner = Inner(5)
    vars(inner)["__java_outer__"] = Outer("o")
    data = own.encode(inner)
    lacking = type(codec)([Outer, Alone])
    found = lacking.decode(data)
    assert found == Alone(5)
    with pytest.raises(EncodeError, match=r"Inner\.this\$0"):
        lacking.encode(found)
    assert lacking.decode(lacking.encode(Alone(5))) == Alone(5)
    assert "__java_outer__" not in vars(own.decode(lacking.encode(Alone(5))))
    with pytest.raises(DecodeError, match="__slots__"):
        type(codec)([Outer, Slotted]).decode(data)


@java_class(
    "com.example.Many", extends="java.util.EnumMap<com.example.A, String>", serial_version_uid=1
)
class Many(dict[Any, str]):
    pass


@each_codec
def test_subclass_of_an_unsupported_class_is_rejected(codec: Any) -> None:
    with pytest.raises(EncodeError, match=r"writes for a java\.util\.EnumMap is not known here"):
        type(codec)([Many]).encode(Many())
