"""Schemas, Java types as text, and the wrappers of the JDK's other values."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, ClassVar

import pytest

from pyredisson.java import (
    JEntries,
    JEnumSet,
    JList,
    JMap,
    JSerialized,
    JSet,
    JText,
    JValue,
    JZonedDateTime,
    java_class,
    java_enum,
    parse_type,
)
from pyredisson.java.classes import class_of
from pyredisson.java.jdk import accepts, is_final
from pyredisson.java.names import element_name
from pyredisson.java.schema import schema_of
from pyredisson.java.schemas import collect
from pyredisson.java.supertypes import jdk_final, jdk_supertypes
from pyredisson.rejection import Rejection
from tests.support.rows import each_row
from tests.unit.codecs import shapes


@each_row(
    ("text", "shown"),
    [
        ("String", "java.lang.String"),
        ("List<String>[]", "java.util.List<java.lang.String>[]"),
        (
            "Map<String, ? extends Number>",
            "java.util.Map<java.lang.String, ? extends java.lang.Number>",
        ),
        ("List<?>", "java.util.List<?>"),
        ("List<? super T>", "java.util.List<? super T>"),
        ("T[][]", "T[][]"),
        ("int [ ]", "int[]"),
        ("a.B$C", "a.B$C"),
    ],
)
def test_types(text: str, shown: str) -> None:
    assert str(parse_type(text, ["T"])) == shown


@each_row(
    "text", ["", "List<", "List<String", "List<>", "a b", "String String", "Foo", "!", "<", "int]"]
)
def test_invalid_types_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_type(text)


@pytest.mark.parametrize(
    ("hint", "proposed"),
    [
        (int, 'Annotated[int, "long"]'),
        (str, 'Annotated[str, "java.lang.String"]'),
        (list[int], 'Annotated[..., "com.example.Type"]'),
        (Annotated[int, []], 'Annotated[..., "com.example.Type"]'),
    ],
)
def test_a_field_without_a_java_type(hint: Any, proposed: str) -> None:
    bare = type("Bare", (), {"__annotations__": {"a": hint}})
    with pytest.raises(TypeError, match=re.escape(f"write it as {proposed}, ")):
        java_class("com.example.Bare")(bare)


def test_rejected_schemas() -> None:
    with pytest.raises(TypeError, match="not an Enum"):
        java_enum("com.example.NoEnum")(dict)
    with pytest.raises(TypeError, match="no schema"):
        collect([int])


@each_row(
    ("schemas", "told"),
    [
        ("tasks", "modules and classes, or one module, not 'tasks'"),
        (int, "modules and classes, or one module, not <class 'int'>"),
        (5, "modules and classes, or one module, not 5"),
        (["tasks"], "'tasks' has no schema"),
        (copy, "the module copy has no class with a schema"),
    ],
)
def test_arguments_that_are_no_schemas_are_rejected(schemas: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        collect(schemas)


class Phase(Enum):
    DONE = 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (bytearray(b"x"), "use bytes"),
        ((1, 2), "use a list, set or dict"),
        (object(), "name one with java_class"),
        (Phase.DONE, "name one with java_enum"),
    ],
)
def test_rejection_of_a_value_without_a_class_proposes_a_fix(value: Any, told: str) -> None:
    with pytest.raises(Rejection, match=told):
        class_of(value)


def test_schema_has_annotated_and_inherited_fields() -> None:
    @java_class("com.example.Some", variables=["A extends B", "B"])
    @dataclass
    class Some:
        shared: ClassVar[int] = 1
        own: Annotated[Any, "A"] = None

    schema = schema_of(Some)
    assert schema is not None
    assert [each.name for each in schema.fields] == ["own"]
    leaf = schema_of(shapes.Leaf)
    assert leaf is not None
    assert [each.name for _, each in leaf.all_fields()] == [
        *["id", "name", "active", "name", "middle", "id", "name"]
    ]
    assert set(collect([shapes.Leaf])) == {f"com.example.{n}" for n in ("Leaf", "Middle", "Base")}
    assert collect(None) == {}


VALUES: list[Any] = [
    JText("java.net.URI", "urn:x"),
    JValue("java.time.Year", 5),
    JSerialized("java.util.EnumMap", b"\xac\xed"),
    JZonedDateTime(datetime(2020, 1, 1), "UTC"),
    JEnumSet("com.example.Color", [shapes.Color.RED]),
    JEnumSet("com.example.Many", [], jumbo=True),
    JSet("java.util.TreeSet", ["a"], JValue("x.Comparator")),
    JList("java.util.PriorityQueue", ["a"], JValue("x.Comparator")),
    JMap("java.util.TreeMap", {"a": 1}, JValue("x.Comparator")),
    JEntries("java.util.TreeMap", [("a", 1)], JValue("x.Comparator")),
]


@each_row("value", VALUES, ids=repr)
def test_copies(value: Any) -> None:
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert repr(twin) == repr(value)
        assert twin == value


@pytest.mark.parametrize("value", VALUES[1:4], ids=repr)
def test_equality(value: Any) -> None:
    assert value != 5
    assert hash(value) == hash(copy.deepcopy(value))
    assert len({value, copy.deepcopy(value)}) == 1


def test_tables_of_jdk_classes() -> None:
    assert jdk_final("java.lang.String") is True
    assert jdk_final("java.util.List") is False
    assert jdk_final("com.example.Foo") is None
    assert "java.lang.Iterable" in jdk_supertypes("java.util.LinkedHashSet")
    assert element_name("[[Lcom.example.A;") == "com.example.A"
    assert is_final("java.lang.Long[]") is True
    assert accepts("java.lang.Object", "java.util.UUID")
    assert accepts("int[]", "[I")
    assert not accepts("int[]", "[J")


def test_enum_with_a_schema_is_a_python_enum() -> None:
    assert issubclass(shapes.Color, Enum)
    found = schema_of(shapes.Phase)
    assert found is not None
    bodies = [None, "com.example.Phase$1", "com.example.Phase$2", None]
    assert [each.body for each in found.constants] == bodies
    assert not found.final


def test_annotations_may_name_later_classes() -> None:
    """A class may name itself, or a class that is defined later."""

    @java_class("com.example.Node")
    @dataclass
    class Node:
        next: Annotated[Node | None, "com.example.Node"] = None
        other: Annotated[Later | None, "com.example.Later"] = None

    @java_class("com.example.Later")
    @dataclass
    class Later:
        node: Annotated[Node | None, "com.example.Node"] = None

    schema = schema_of(Node)
    assert schema is not None
    assert [str(each.type) for each in schema.fields] == ["com.example.Node", "com.example.Later"]


def test_annotation_that_cannot_be_evaluated_is_an_error() -> None:
    """A substitute for the missing name does not help, because a lambda uses the name."""
    odd = type("Odd", (), {"__annotations__": {"x": "(lambda: missing)()"}})
    with pytest.raises(NameError, match="missing"):
        java_class("com.example.Odd")(odd)
