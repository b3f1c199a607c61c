"""SerializationCodec, what it writes: objects of schemas, shared ones, refusals."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any

import pytest

from pyredisson.codecs import SerializationCodec
from pyredisson.codecs.java import JArray, JBigInteger, JList, JLong
from pyredisson.codecs.java.objects import JavaValue
from pyredisson.codecs.java.schema import java_class
from pyredisson.errors import EncodeError
from tests.unit.codecs.migration_shapes import SHAPES, Animal, Color, Order


@java_class("com.example.Pair", variables=["T"], serial_version_uid=1)
@dataclass
class Pair:
    left: Annotated[Any, "T"] = None
    many: Annotated[list[int] | None, "int[][]"] = None
    when: Annotated[datetime | None, "java.util.Date"] = None


@java_class("com.example.Named", interfaces=["com.example.HasName"], serial_version_uid=2)
@dataclass
class Named:
    other: Annotated[Any, "com.example.HasName"] = None


@java_class("com.example.Plain")
@dataclass
class Plain:
    x: Annotated[int, "int"] = 0


@java_class("com.example.Strict", serial_version_uid=1)
@dataclass
class Strict:
    x: Annotated[int, "int"]


OWN = SerializationCodec([Named, Pair, Strict, Plain, *SHAPES])


ROWS: Any = JArray("int[]", [JArray("int", [1])])


@pytest.mark.parametrize(
    "value",
    [
        Pair(
            left="a",
            many=ROWS,
            when=datetime(2020, 1, 1, tzinfo=UTC),
        ),
        Pair(left=Color.RED),
        Named(Named()),
        [Animal("a", 4), Order(parent=5, color=Color.BLUE)],
        "x" * 70_000,
        {str(each): each for each in range(30)},
        set(range(20)),
        JList("java.util.concurrent.CopyOnWriteArrayList", [1]),
        JArray("com.example.Animal", [Animal("a"), None]),
        JArray("java.lang.Enum", [Color.RED]),
        JArray("java.lang.Long", [1, None]),
        JBigInteger(-5),
        JavaValue("com.example.Other", "X"),
    ],
)
def test_round_trip(value: Any) -> None:
    assert OWN.decode(OWN.encode(value)) == value


def test_what_occurs_twice_is_one_object() -> None:
    one = ["a"]
    first, second = OWN.decode(OWN.encode([one, one]))
    assert first is second
    assert len(OWN.encode([["a"], ["a"]])) > len(OWN.encode([one, one]))


CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)
BARE = Strict.__new__(Strict)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (CIRCLE, "contains itself"),
        (Plain(1), "serial_version_uid"),
        (BARE, "without|lacks"),
        (Order(amount=1 << 40), "not a number"),
        (Order(extra={"a": Order(amount=1 << 40)}), "not a number"),
        (Order(amount=True), "not a number"),
        (Order(paid=1), "not a boolean"),  # type: ignore[arg-type]  # that is the point
        (Order(orderId=5), "not a java.lang.String"),  # type: ignore[arg-type]  # that is the point
        (Order(tags={"a"}), "not a java.util.List"),  # type: ignore[arg-type]  # that is the point
        (JArray("com.example.Animal", [Order()]), "not a com.example.Animal"),
        (JArray("java.lang.String", [JavaValue("a.B", "C")]), "not a java.lang.String"),
        (JArray("java.lang.Integer", [JLong(1 << 40)]), "not a number"),
        (JavaValue("a.B", 5), "constant's name"),
        (JList("java.util.Vector", [1]), "reads only"),
        (object(), "no Java class"),
    ],
)
def test_refused(value: Any, reason: str) -> None:
    with pytest.raises(EncodeError, match=reason):
        OWN.encode(value)
