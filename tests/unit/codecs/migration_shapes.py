"""Schemas of the classes in interop/vectors/migration."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum, auto
from typing import Annotated, Any
from uuid import UUID

from pyredisson.java import JArray, JList, JMap, JSet, JText, JValue
from pyredisson.java.enums import TimeUnit
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import JavaField, java_class, java_enum

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


@java_enum("com.example.Op", bodies=["PLUS", "MINUS"])
class Op(Enum):
    PLUS = auto()
    MINUS = auto()
    LEFT = auto()

    def __repr__(self) -> str:
        return f"Op.{self.name}"


@java_class("com.example.Ops", serial_version_uid=10)
@dataclass
class Ops:
    op: Annotated[Op | None, "com.example.Op"] = None
    row: Annotated[list[Op | None] | None, "com.example.Op[]"] = None
    list: Annotated[Any, "List<com.example.Op>"] = None
    set: Annotated[Any, "EnumSet<com.example.Op>"] = None
    map: Annotated[Any, "EnumMap<com.example.Op, String>"] = None
    counts: Annotated[Any, "Map<com.example.Op, Integer>"] = None
    any: Annotated[Any, "Object"] = None


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


SHAPES: list[type] = [Animal, BySize, Color, Dog, Mark, Op, Ops, Order, Phase, Spot]


def thrown(name: str, message: str | None, cause: Any = None, suppressed: Any = None) -> JavaObject:
    """Return a JDK exception without a stack trace. Without a cause, it is its own cause."""
    found = JavaObject(name, {})
    none: JList[Any] = JList("java.util.Collections$EmptyList")
    found.fields["suppressedExceptions"] = none if suppressed is None else suppressed
    found.fields["stackTrace"] = JArray("java.lang.StackTraceElement")
    found.fields.update(detailMessage=message, cause=cause or found)
    return found


@java_class("com.example.Held$Tags", extends="java.util.ArrayList<String>", serial_version_uid=1)
class Tags(list[str]):
    owner: Annotated[str | None, "String"]
    n: Annotated[int, "int"]
    on: Annotated[bool, "boolean"]

    def __repr__(self) -> str:
        return f"held(Tags, {list(self)!r}, owner={self.owner!r}, n={self.n}, on={self.on})"


@java_class(
    "com.example.Held$Props",
    extends="java.util.LinkedHashMap<String, Object>",
    serial_version_uid=2,
)
class Props(dict[str, Any]):
    owner: Annotated[str | None, "String"]

    def __repr__(self) -> str:
        return f"held(Props, {dict(self)!r}, owner={self.owner!r})"


@java_class("com.example.Recent", extends="LinkedHashMap<String, Integer>", serial_version_uid=14)
class Recent(dict[str, int]):
    def __repr__(self) -> str:
        return f"held(Recent, {dict(self)!r})"


@java_class("com.example.Held$Failed", extends="java.lang.RuntimeException", serial_version_uid=3)
class FailedError(Exception):
    code: Annotated[int, "int"]
    fatal: Annotated[bool, "boolean"]
    level: Annotated[int | None, "java.lang.Short"]

    def __repr__(self) -> str:
        said = {name: each for name, each in vars(self).items() if each is not self}
        return f"held(FailedError, **{said})"


@java_class("com.example.Held$Inner", serial_version_uid=4)
@dataclass
class Inner:
    v: Annotated[int, "int"] = 0
    outer: Annotated[Any, JavaField("com.example.Held", name="this$0")] = None


@java_class("com.example.Held", serial_version_uid=6)
@dataclass
class Held:
    a: Annotated[bool, "boolean"] = True
    b: Annotated[bool, "boolean"] = False
    c: Annotated[bool, "boolean"] = True
    d: Annotated[bool, "boolean"] = False
    e: Annotated[bool, "boolean"] = True
    f: Annotated[bool, "boolean"] = False
    g: Annotated[bool, "boolean"] = True
    h: Annotated[bool, "boolean"] = False
    i: Annotated[bool, "boolean"] = True
    list: Annotated[Any, "ArrayList<String>"] = None
    map: Annotated[Any, "HashMap<String, Object>"] = None
    linked: Annotated[Any, "java.util.LinkedHashMap<String, Object>"] = None
    set: Annotated[Any, "HashSet<String>"] = None
    stack: Annotated[Any, "java.util.Stack<String>"] = None
    date: Annotated[Any, "java.util.Date"] = None
    decimal: Annotated[Any, "java.math.BigDecimal"] = None
    builder: Annotated[Any, "java.lang.StringBuilder"] = None
    uuid: Annotated[Any, "java.util.UUID"] = None
    atomic: Annotated[Any, "java.util.concurrent.atomic.AtomicInteger"] = None
    type: Annotated[Any, "java.lang.Class<?>"] = None
    unit: Annotated[Any, "java.util.concurrent.TimeUnit"] = None
    array: Annotated[Any, "Object[]"] = None
    cells: Annotated[Any, "Object[][]"] = None
    lists: Annotated[Any, "List<?>[]"] = None
    next: Annotated[Any, "com.example.Held"] = None
    any: Annotated[Any, "Object"] = None


@java_class("com.example.Kept", variables=["T"], serial_version_uid=9)
@dataclass
class Kept:
    item: Annotated[Any, "T"] = None
    items: Annotated[Any, "List<T>"] = None


@java_class("com.example.Tally", extends="com.example.Kept<Long>", serial_version_uid=8)
@dataclass
class Tally(Kept):
    names: Annotated[Any, "Map<Long, String>"] = None
    counts: Annotated[Any, "List<Long>"] = None
    deep: Annotated[Any, "Map<String, List<java.lang.Short>>"] = None
    kept: Annotated[Any, "com.example.Kept<java.lang.Byte>"] = None
    ratios: Annotated[Any, "LinkedHashSet<java.lang.Float>"] = None
    letters: Annotated[Any, "List<LinkedList<java.lang.Character>>"] = None
    open: Annotated[Any, "List<? super Integer>"] = None
    same: Annotated[Any, "Object"] = None


SHAPES += [FailedError, Held, Inner, Kept, Props, Recent, Tags, Tally]


@java_class("com.example.Hooks$ReadBack", serial_version_uid=1, own_serialization=["readObject"])
@dataclass
class ReadBack:
    name: Annotated[str | None, "String"] = None
    n: Annotated[int, "int"] = 0
    on: Annotated[bool, "boolean"] = False


@java_class("com.example.Hooks$ReadBackSub", serial_version_uid=2)
@dataclass
class ReadBackSub(ReadBack):
    more: Annotated[int, "long"] = 0
    about: Annotated[str | None, "String"] = None


@java_class("com.example.Hooks$Resolved", serial_version_uid=3, own_serialization=["readResolve"])
@dataclass
class Resolved:
    name: Annotated[str | None, "String"] = None


@java_class("com.example.Hooks$ResolvedSub", serial_version_uid=4)
@dataclass
class ResolvedSub(Resolved):
    n: Annotated[int, "int"] = 0


@java_class("com.example.Hooks$Written", serial_version_uid=5, own_serialization=["writeObject"])
@dataclass
class Written:
    name: Annotated[str | None, "String"] = None


@java_class("com.example.Hooks$WrittenSub", serial_version_uid=6)
@dataclass
class WrittenSub(Written):
    n: Annotated[int, "int"] = 0


@java_class("com.example.Tasks$Base", serial_version_uid=12)
@dataclass
class Base:
    tenant: Annotated[str | None, "String"] = None
    attempts: Annotated[int, "int"] = 0
    urgent: Annotated[bool, "boolean"] = False


@java_class("com.example.Tasks$Item", serial_version_uid=13)
@dataclass
class Item:
    sku: Annotated[str | None, "String"] = None
    quantity: Annotated[int, "int"] = 0
    price: Annotated[Decimal | None, "java.math.BigDecimal"] = None


@java_class("com.example.Tasks$Task", serial_version_uid=11)
@dataclass
class Task(Base):
    id: Annotated[int | None, "Long"] = None
    action: Annotated[str | None, "String"] = None
    total: Annotated[Decimal | None, "java.math.BigDecimal"] = None
    createdAt: Annotated[Any, "java.time.LocalDateTime"] = None  # noqa: N815 - Java's name
    due: Annotated[datetime | None, "java.util.Date"] = None
    key: Annotated[UUID | None, "java.util.UUID"] = None
    color: Annotated[Color | None, "com.example.Color"] = None
    items: Annotated[list[Item] | None, "List<com.example.Tasks$Item>"] = None
    extra: Annotated[dict[str, Any] | None, "Map<String, Object>"] = None


SHAPES += [ReadBack, ReadBackSub, Resolved, ResolvedSub, Written, WrittenSub, Base, Item, Task]


def held(cls: Any, content: Any = (), **said: Any) -> Any:
    """Return an object of a class that extends a JDK class, with these attributes."""
    found = cls.__new__(cls)
    if isinstance(found, list):
        found.extend(content)
    if isinstance(found, dict):
        found.update(content)
    if isinstance(found, Exception):
        found.__dict__["cause"] = found
    found.__dict__.update(said)
    return found


def circled() -> Held:
    """Return the object that `com.example.Held.circle()` returns."""
    found, other = _new(), _new()
    found.next, other.next = other, found
    found.any = Inner(1, found)
    found.array = JArray("java.lang.Object", [found])
    found.array.append(found.array)
    return found


def _new() -> Held:
    cells = JArray("java.lang.Object[]", [JArray("java.lang.Object", [1]), None])
    return Held(
        list=["item"],
        map={"key": 1},
        linked=JMap("java.util.LinkedHashMap", {"link": 1}),
        set=JSet("java.util.HashSet", ["member"]),
        date=datetime(1970, 1, 1, 0, 0, 0, 5000, tzinfo=UTC),
        decimal=Decimal("1.5"),
        builder=JText("java.lang.StringBuilder", "text"),
        uuid=UUID(int=(1 << 64) + 2),
        atomic=JValue("java.util.concurrent.atomic.AtomicInteger", 5),
        type=JavaValue("java.lang.Class", "java.lang.String"),
        unit=TimeUnit.DAYS,
        array=JArray("java.lang.Object", [1, "cell", None]),
        cells=JArray("java.lang.Object[]", [*cells, JArray("java.lang.Object")]),
        lists=JArray("java.util.List", [["one"]]),
    )
