"""Schemas of the classes in interop/vectors/migration."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Annotated, Any

from pyredisson.codecs.java import JArray, JList
from pyredisson.codecs.java.objects import JavaObject
from pyredisson.codecs.java.schema import java_class, java_enum

__all__ = [
    "SHAPES",
    "Animal",
    "BySize",
    "Color",
    "Dog",
    "Mark",
    "Order",
    "Phase",
    "Spot",
    "thrown",
]


@java_enum("com.example.Color")
class Color(Enum):
    RED = auto()
    GREEN = auto()
    BLUE = auto()

    def __repr__(self) -> str:
        return f"Color.{self.name}"


@java_enum("com.example.Phase", bodies=["PAID"])
class Phase(Enum):
    NEW = auto()
    PAID = auto()

    def __repr__(self) -> str:
        return f"Phase.{self.name}"


@java_class("com.example.Order", serial_version_uid=42)
@dataclass
class Order:
    orderId: Annotated[str | None, "String"] = None  # noqa: N815 - Java's name
    createdAt: Annotated[int, "long"] = 0  # noqa: N815 - Java's name
    amount: Annotated[int, "int"] = 0
    paid: Annotated[bool, "boolean"] = False
    price: Annotated[float, "double"] = 0.0
    parent: Annotated[int | None, "Long"] = None
    color: Annotated[Color | None, "com.example.Color"] = None
    tags: Annotated[list[str] | None, "List<String>"] = None
    extra: Annotated[dict[str, Any] | None, "Map<String, Object>"] = None


@java_class("com.example.Animal", serial_version_uid=-8446611207474664427)
@dataclass
class Animal:
    name: Annotated[str | None, "String"] = None
    legs: Annotated[int, "int"] = 0


@java_class("com.example.Dog", serial_version_uid=6205999228855067993)
@dataclass
class Dog(Animal):
    a: Annotated[bool, "boolean"] = False
    b: Annotated[int, "byte"] = 0
    c: Annotated[str, "char"] = "\0"
    d: Annotated[float, "double"] = 0.0
    f: Annotated[float, "float"] = 0.0
    i: Annotated[int, "int"] = 0
    j: Annotated[int, "long"] = 0
    s: Annotated[int, "short"] = 0
    boxedA: Annotated[bool | None, "Boolean"] = None  # noqa: N815 - Java's name
    boxedB: Annotated[int | None, "java.lang.Byte"] = None  # noqa: N815 - Java's name
    boxedC: Annotated[str | None, "java.lang.Character"] = None  # noqa: N815 - Java's name
    boxedD: Annotated[float | None, "Double"] = None  # noqa: N815 - Java's name
    boxedF: Annotated[float | None, "Float"] = None  # noqa: N815 - Java's name
    boxedI: Annotated[int | None, "Integer"] = None  # noqa: N815 - Java's name
    boxedJ: Annotated[int | None, "Long"] = None  # noqa: N815 - Java's name
    boxedS: Annotated[int | None, "java.lang.Short"] = None  # noqa: N815 - Java's name
    numbers: Annotated[list[int] | None, "int[]"] = None
    words: Annotated[list[str | None] | None, "String[]"] = None
    any: Annotated[Any, "Object"] = None
    friend: Annotated[Any, "com.example.Dog"] = None


@java_class("com.example.Spot", record=True)
@dataclass(frozen=True)
class Spot:
    name: Annotated[str | None, "String"] = None
    x: Annotated[int, "int"] = 0
    at: Annotated[int, "long"] = 0
    tags: Annotated[list[str] | None, "List<String>"] = None
    color: Annotated[Color | None, "com.example.Color"] = None


@java_class("com.example.Mark", record=True, serial_version_uid=7)
@dataclass(frozen=True)
class Mark:
    set: Annotated[bool, "boolean"] = False
    spot: Annotated[Spot | None, "com.example.Spot"] = None


@java_class("com.example.BySize", interfaces=["java.util.Comparator"], serial_version_uid=9)
@dataclass
class BySize:
    pass


SHAPES: list[type] = [Animal, BySize, Color, Dog, Mark, Order, Phase, Spot]


def thrown(name: str, message: str | None, cause: Any = None, suppressed: Any = None) -> JavaObject:
    """Return an exception of the JDK without a stack trace; without a cause it is its own."""
    found = JavaObject(name, {})
    none: JList[Any] = JList("java.util.Collections$EmptyList")
    found.fields["suppressedExceptions"] = none if suppressed is None else suppressed
    found.fields["stackTrace"] = JArray("java.lang.StackTraceElement")
    found.fields.update(detailMessage=message, cause=cause or found)
    return found
