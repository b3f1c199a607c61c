"""Kryo5Codec with schemas: type variables, superclasses with arguments, containers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JMap,
    JSet,
    java_class,
)
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import (
    Bound,
    Box,
    Crate,
    Generics,
    Last,
    MoreTexts,
    Names,
    OrderTask,
    Pair,
    Row,
    Texts,
    Variables,
    Wide,
    YetNoTexts,
)

CODEC = Kryo5Codec(schemas=shapes)
REFERENCES = Kryo5Codec(schemas=shapes, references=True)
ORDER = "0100636f6d2e6578616d706c652e4f7264657254617" + "3eb"


def test_shifted_and_leaking_variables() -> None:
    """Java writes the first variable of Pair<C, String> as a String."""
    shifted = CODEC.encode(Variables(shifted=Pair("p", "q")))
    assert shifted.endswith(bytes.fromhex("8270038271"))
    with pytest.raises(EncodeError, match="a String"):
        CODEC.encode(Variables(shifted=Pair(1, "q")))
    with pytest.raises(EncodeError, match="a String"):
        CODEC.encode(Bound(half=Variables(shifted=Pair(Pair("p", 6), "q"))))


def test_generic_arrays_by_release() -> None:
    new, old = CODEC, Kryo5Codec(schemas=shapes, release="3.19.3")
    value = Generics(strings=Box(row=JArray("java.lang.String", ["r"])))
    assert bytes.fromhex("028272") in new.encode(value)
    assert new.decode(new.encode(value)) == value
    with pytest.raises(EncodeError, match="a String"):
        old.encode(value)
    rows = Bound(full=Variables(rows=JArray("java.lang.Object[]", [])))
    with pytest.raises(EncodeError, match=r"java.lang.String\[\]"):
        new.encode(rows)


@java_class("com.example.Same", variables=["S"], extends="com.example.Crate<S[]>")
@dataclass
class Same(Crate):
    own: Annotated[Any, "S"] = None
    nested: Annotated[Any, "Map<String, com.example.Crate<S>>"] = None


@java_class("com.example.Deep", extends="com.example.Same<String[]>")
@dataclass
class Deep(Same):
    pass


@java_class("com.example.Orphan", variables=["T"], extends="com.example.Gone<T>")
@dataclass
class Orphan:
    own: Annotated[Any, "T[]"] = None
    many: Annotated[Any, "com.example.Orphan<String, String>"] = None
    none: Annotated[Any, "List<? extends T>"] = None
    one: Annotated[Any, "HashMap<String>"] = None
    self: Annotated[Any, "com.example.Orphan<Integer[]>"] = None


def test_extends_clauses() -> None:
    codec = Kryo5Codec(schemas=[Deep, Same, Crate, Orphan])
    for value in (
        Deep(own=JArray("java.lang.String", ["a"])),
        Same(nested={"k": Crate(1)}),
        Orphan(own=JArray("java.lang.Object", [1]), none=[1]),
        Orphan(many=Orphan(own=JArray("java.lang.Object", ["a"]))),
        Orphan(self=Orphan(own=JArray("java.lang.Integer[]", [JArray("java.lang.Integer", [1])]))),
    ):
        assert codec.decode(codec.encode(value)) == value
    # Kryo drops the dimension of S[], so Java throws a ClassCastException here.
    with pytest.raises(EncodeError, match=r"not a java\.lang\.String\[\]"):
        codec.encode(Deep(content=JArray("java.lang.String[]", [])))
    with pytest.raises(EncodeError, match="one type argument"):
        codec.encode(Orphan(one={"a": 1}))
    codec.encode(Orphan(one={}))


def test_arrays_of_variables() -> None:
    codec = CODEC
    texts = JArray("java.lang.String", ["a", None])
    rows = JArray("java.lang.String[]", [texts])
    for value in (
        Texts(texts, [texts]),
        MoreTexts(texts, [texts]),
        YetNoTexts(rows, [rows]),
        Row(lasts={"k": Last("a", texts), "l": None}),
    ):
        data = codec.encode(value)
        assert codec.decode(data) == value
        assert codec.encode(codec.decode(data)) == data
    # The class of the row is known in both, so no header names it again.
    assert codec.encode(Texts(texts)).endswith(bytes.fromhex("f3" + "00" + "03826180" + "00"))


def test_immutable_maps_take_no_null() -> None:
    value = Wide(labels=JMap("java.util.ImmutableCollections$Map1", {"k": "v"}))
    assert CODEC.decode(CODEC.encode(value)) == value
    for part in ({"k": None}, {None: "v"}):
        wrong = Wide(labels=JMap("java.util.ImmutableCollections$Map1", part))
        with pytest.raises(EncodeError, match="no null"):
            CODEC.encode(wrong)


class Stubborn:
    """An application's comparator."""


java_class("com.example.ByLength", interfaces=["java.util.Comparator"])(Stubborn)


def test_comparators() -> None:
    codec = Kryo5Codec(schemas=[Stubborn, OrderTask])
    value: JSet[str] = JSet("java.util.TreeSet", ["a"], Stubborn())
    found = codec.decode(codec.encode(value))
    assert type(found.comparator) is Stubborn
    entries = JMap("java.util.TreeMap", {"a": 1}, Stubborn())
    assert type(codec.decode(codec.encode(entries)).comparator) is Stubborn
    with pytest.raises(EncodeError, match=r"not a java\.util\.Comparator"):
        codec.encode(JSet("java.util.TreeSet", ["a"], OrderTask()))
    with pytest.raises(EncodeError, match="has no comparator"):
        codec.encode(JSet("java.util.HashSet", ["a"], Stubborn()))
    assert "Stubborn" in repr(value)


def test_own_subclasses_of_containers() -> None:
    assert CODEC.decode(CODEC.encode(Names(["a", "b"]))) == ["a", "b"]
    assert CODEC.decode(CODEC.encode(shapes.Index({"k": 1}))) == {"k": 1}

    class Sorted(set[Any]):
        pass

    class Wrong:
        pass

    java_class("com.example.Sorted", extends="HashSet<String>")(Sorted)
    java_class("com.example.Wrong", extends="HashSet<String>")(Wrong)
    codec = Kryo5Codec(schemas=[Sorted, Wrong])
    assert codec.decode(codec.encode(Sorted(["a"]))) == {"a"}
    with pytest.raises(EncodeError, match="must be a subclass of set"):
        codec.encode(Wrong())
    head = codec.encode(Sorted())[:-1]
    for body in ("0602020202", "03" + "01006a6176612e7574696c2e41727261794c6973f401" * 1):
        with pytest.raises(DecodeError):
            codec.decode(head + bytes.fromhex(body))
    twice = head + bytes.fromhex("8302000202")
    with pytest.raises(DecodeError, match="cannot hold"):
        codec.decode(twice)
    lists = head + bytes.fromhex("8201016a6176612e7574696c2e41727261794c6973f40001")
    with pytest.raises(DecodeError, match="cannot hold"):
        codec.decode(lists)
