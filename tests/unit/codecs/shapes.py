"""Schemas of the Java classes in `interop/vectors/java`, written by hand.

They declare what the compiled classes declare. The class-file reader must produce the same
schemas, field by field.
"""

# ruff: noqa: N815, PLC2401 - fields have Java's names
from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto
from typing import Annotated, Any

from pyredisson.java.schema import JavaField, java_class, java_enum
from tests.unit.codecs.capital_shapes import Capitals as Capitals
from tests.unit.codecs.capital_shapes import CapitalsAbove as CapitalsAbove
from tests.unit.codecs.capital_shapes import CapitalsBelow as CapitalsBelow
from tests.unit.codecs.capital_shapes import CapitalsLink as CapitalsLink
from tests.unit.codecs.capital_shapes import CapitalsNamed as CapitalsNamed
from tests.unit.codecs.capital_shapes import CapitalsNothing as CapitalsNothing
from tests.unit.codecs.capital_shapes import CapitalsOdd as CapitalsOdd
from tests.unit.codecs.capital_shapes import CapitalsRow as CapitalsRow
from tests.unit.codecs.capital_shapes import CapitalsSecret as CapitalsSecret
from tests.unit.codecs.extra_shapes import Booking as Booking
from tests.unit.codecs.extra_shapes import Extras as Extras
from tests.unit.codecs.extra_shapes import Op as Op
from tests.unit.codecs.generic_shapes import Box as Box
from tests.unit.codecs.generic_shapes import Crate as Crate
from tests.unit.codecs.generic_shapes import Last as Last
from tests.unit.codecs.generic_shapes import ListCrate as ListCrate
from tests.unit.codecs.generic_shapes import MoreTexts as MoreTexts
from tests.unit.codecs.generic_shapes import NoTexts as NoTexts
from tests.unit.codecs.generic_shapes import NumberBox as NumberBox
from tests.unit.codecs.generic_shapes import Pair as Pair
from tests.unit.codecs.generic_shapes import Row as Row
from tests.unit.codecs.generic_shapes import StringCrate as StringCrate
from tests.unit.codecs.generic_shapes import SubCrate as SubCrate
from tests.unit.codecs.generic_shapes import Texts as Texts
from tests.unit.codecs.generic_shapes import YetNoTexts as YetNoTexts


@java_class("com.example.OrderTask")
@dataclass
class OrderTask:
    orderId: Annotated[str | None, "String"] = None
    action: Annotated[str | None, "String"] = None
    createdAt: Annotated[int, "long"] = 0


@java_enum("com.example.Color")
class Color(Enum):
    RED = auto()
    GREEN = auto()
    BLUE = auto()


@java_enum("com.example.Phase", bodies=["PAID", "SENT"])
class Phase(Enum):
    NEW = auto()
    PAID = auto()
    SENT = auto()
    LOST = auto()


@java_enum("com.example.Level", json={"LOW": "low"}, text={"LOW": "level-1", "HIGH": "level-2"})
class Level(Enum):
    LOW = auto()
    HIGH = auto()


@java_class("com.example.Point", record=True)
@dataclass(frozen=True)
class Point:
    x: Annotated[int, "int"] = 0
    y: Annotated[int, "int"] = 0


@java_class("com.example.Person", record=True)
@dataclass(frozen=True)
class Person:
    name: Annotated[str | None, "String"] = None
    age: Annotated[int, "int"] = 0
    tags: Annotated[list[Any] | None, "List<String>"] = None
    color: Annotated[Color | None, "com.example.Color"] = None
    phase: Annotated[Phase | None, "com.example.Phase"] = None
    score: Annotated[int | None, "Integer"] = None
    any: Annotated[Any, "Object"] = None
    home: Annotated[Point | None, "com.example.Point"] = None


@java_class("com.example.Labeled", record=True, variables=["T"])
@dataclass(frozen=True)
class Labeled:
    label: Annotated[str | None, "String"] = None
    value: Annotated[Any, "T"] = None
    more: Annotated[Any, "T[]"] = None


@java_class("com.example.Base", abstract=True)
@dataclass
class Base:
    id: Annotated[int, "long"] = 0
    name: Annotated[str | None, "String"] = None


@java_class("com.example.Middle")
@dataclass
class Middle(Base):
    Middle_name: Annotated[str | None, JavaField("String", name="name")] = None
    middle: Annotated[int, "int"] = 0


@java_class("com.example.Leaf")
@dataclass
class Leaf(Middle):
    Leaf_id: Annotated[int | None, JavaField("Integer", name="id")] = None
    Leaf_name: Annotated[str | None, JavaField("String", name="name")] = None
    active: Annotated[bool, "boolean"] = False


@java_class("com.example.Stamp", final=True)
@dataclass
class Stamp:
    text: Annotated[str | None, "String"] = None
    count: Annotated[int, "int"] = 0


@java_enum("com.example.Outer$Kind")
class Kind(Enum):
    A = auto()
    B = auto()


@java_class("com.example.Outer$Nested$Deeper", final=True)
@dataclass
class Deeper:
    depth: Annotated[int, "int"] = 0


@java_class("com.example.Outer$Nested")
@dataclass
class Nested:
    value: Annotated[str | None, "String"] = None
    deeper: Annotated[Deeper | None, "com.example.Outer$Nested$Deeper"] = None


@java_class("com.example.Outer")
@dataclass
class Outer:
    nested: Annotated[Nested | None, "com.example.Outer$Nested"] = None
    kind: Annotated[Kind | None, "com.example.Outer$Kind"] = None


@java_class(
    "com.example.Flags",
    getters={"isActive": "boolean", "isDone": "Boolean", "isReady": "boolean"},
)
@dataclass
class Flags:
    active: Annotated[bool, "boolean"] = False
    done: Annotated[bool | None, "Boolean"] = None
    original: Annotated[str | None, JavaField("String", json="renamed")] = None
    secret: Annotated[str | None, JavaField("String", json_ignore=True)] = None
    passing: Annotated[str | None, JavaField("String", transient=True)] = None
    fixed: Annotated[int, "int"] = 7

    @property
    def isActive(self) -> bool:  # noqa: N802 - Java's name of the getter
        return self.active

    @property
    def isDone(self) -> bool | None:  # noqa: N802 - Java's name of the getter
        return self.done

    @property
    def isReady(self) -> bool:  # noqa: N802 - Java's name of the getter
        return self.active


@java_class("com.example.Tree")
@dataclass
class Tree:
    name: Annotated[str | None, "String"] = None
    twin: Annotated[Any, "com.example.Tree"] = None
    children: Annotated[list[Any] | None, "List<com.example.Tree>"] = None
    index: Annotated[dict[str, Any] | None, "Map<String, com.example.Tree>"] = None


@java_class("com.example.Empty")
@dataclass
class Empty:
    pass


@java_class("com.example.Wild")
@dataclass
class Wild:
    any: Annotated[Any, "List<?>"] = None
    tasks: Annotated[Any, "List<? extends com.example.OrderTask>"] = None
    stamps: Annotated[Any, "List<? extends com.example.Stamp>"] = None
    above: Annotated[Any, "List<? super com.example.Stamp>"] = None
    numbers: Annotated[Any, "Map<String, ? extends Number>"] = None
    colors: Annotated[Any, "Map<? extends com.example.Color, ?>"] = None
    nested: Annotated[Any, "Collection<? extends List<? extends String>>"] = None
    integers: Annotated[Any, "Set<? super Integer>"] = None


@java_class("com.example.Generics")
@dataclass
class Generics:
    raw: Annotated[Any, "com.example.Box"] = None
    strings: Annotated[Any, "com.example.Box<String>"] = None
    tasks: Annotated[Any, "com.example.Box<com.example.OrderTask>"] = None
    lists: Annotated[Any, "com.example.Box<List<String>>"] = None
    stamp: Annotated[Any, "com.example.Crate<com.example.Stamp>"] = None
    number: Annotated[Any, "com.example.Crate<Integer>"] = None
    pair: Annotated[Any, "com.example.Pair<String, Integer>"] = None
    pairs: Annotated[
        Any, "com.example.Pair<String, com.example.Pair<Integer, com.example.Stamp>>"
    ] = None
    containers: Annotated[Any, "com.example.Pair<List<String>, Map<String, Long>>"] = None
    half: Annotated[Any, "com.example.Pair<?, String>"] = None
    crates: Annotated[Any, "List<com.example.Crate<String>>"] = None
    named: Annotated[Any, "Map<String, com.example.Crate<Long>>"] = None
    matrix: Annotated[Any, "List<List<String>>"] = None
    cube: Annotated[Any, "List<List<List<Integer>>>"] = None
    groups: Annotated[Any, "Map<String, List<Integer>>"] = None
    deep: Annotated[Any, "Map<List<String>, Map<com.example.Color, Set<Long>>>"] = None
    array: Annotated[Any, "List<String>[]"] = None
    crateArray: Annotated[Any, "com.example.Crate<String>[]"] = None
    arrays: Annotated[Any, "List<String[]>"] = None
    maps: Annotated[Any, "List<Map<String, com.example.OrderTask>>"] = None
    phases: Annotated[Any, "Set<com.example.Phase>"] = None
    objects: Annotated[Any, "ArrayList<Object>"] = None
    any: Annotated[Any, "Object"] = None
    stringCrate: Annotated[Any, "com.example.StringCrate"] = None
    listCrate: Annotated[Any, "com.example.ListCrate"] = None
    subCrate: Annotated[Any, "com.example.SubCrate<String>"] = None
    numberBox: Annotated[Any, "com.example.NumberBox<Integer>"] = None
    labeled: Annotated[Any, "com.example.Labeled<String>"] = None


@java_class("com.example.Variables", variables=["C", "D"])
@dataclass
class Variables:
    shifted: Annotated[Any, "com.example.Pair<C, String>"] = None
    both: Annotated[Any, "com.example.Pair<C, D>"] = None
    crate: Annotated[Any, "com.example.Crate<D>"] = None
    list: Annotated[Any, "List<C>"] = None
    map: Annotated[Any, "Map<C, D>"] = None
    nested: Annotated[Any, "List<List<C>>"] = None
    row: Annotated[Any, "C[]"] = None
    rows: Annotated[Any, "C[][]"] = None


@java_class("com.example.Bound")
@dataclass
class Bound:
    full: Annotated[Any, "com.example.Variables<String, Integer>"] = None
    mixed: Annotated[Any, "com.example.Variables<com.example.OrderTask, com.example.Stamp>"] = None
    half: Annotated[Any, "com.example.Variables<?, String>"] = None
    open: Annotated[Any, "Object"] = None


@java_class("com.example.Wide")
@dataclass
class Wide:
    flag: Annotated[bool, "boolean"] = False
    tiny: Annotated[int, "byte"] = 0
    small: Annotated[int, "short"] = 0
    letter: Annotated[str, "char"] = "\0"
    number: Annotated[int, "int"] = 0
    big: Annotated[int, "long"] = 0
    single: Annotated[float, "float"] = 0.0
    precise: Annotated[float, "double"] = 0.0
    boxedFlag: Annotated[bool | None, "Boolean"] = None
    boxedTiny: Annotated[int | None, "Byte"] = None
    boxedSmall: Annotated[int | None, "Short"] = None
    boxedLetter: Annotated[str | None, "Character"] = None
    boxedNumber: Annotated[int | None, "Integer"] = None
    boxedBig: Annotated[int | None, "Long"] = None
    boxedSingle: Annotated[float | None, "Float"] = None
    boxedPrecise: Annotated[float | None, "Double"] = None
    text: Annotated[str | None, "String"] = None
    integer: Annotated[int | None, "BigInteger"] = None
    decimal: Annotated[Any, "BigDecimal"] = None
    date: Annotated[Any, "Date"] = None
    id: Annotated[Any, "UUID"] = None
    color: Annotated[Color | None, "com.example.Color"] = None
    phase: Annotated[Phase | None, "com.example.Phase"] = None
    stamp: Annotated[Stamp | None, "com.example.Stamp"] = None
    task: Annotated[OrderTask | None, "com.example.OrderTask"] = None
    any: Annotated[Any, "Object"] = None
    anyNumber: Annotated[Any, "Number"] = None
    sequence: Annotated[Any, "CharSequence"] = None
    comparable: Annotated[Any, "Comparable<String>"] = None
    serializable: Annotated[Any, "java.io.Serializable"] = None
    strings: Annotated[Any, "List<String>"] = None
    integers: Annotated[Any, "List<Integer>"] = None
    longs: Annotated[Any, "List<Long>"] = None
    tasks: Annotated[Any, "List<com.example.OrderTask>"] = None
    stamps: Annotated[Any, "List<com.example.Stamp>"] = None
    colors: Annotated[Any, "List<com.example.Color>"] = None
    objects: Annotated[Any, "List<Object>"] = None
    raw: Annotated[Any, "List"] = None
    arrayList: Annotated[Any, "ArrayList<String>"] = None
    linkedList: Annotated[Any, "LinkedList<Double>"] = None
    ids: Annotated[Any, "Collection<UUID>"] = None
    names: Annotated[Any, "Set<String>"] = None
    ordered: Annotated[Any, "LinkedHashSet<Long>"] = None
    sorted: Annotated[Any, "TreeSet<String>"] = None
    labels: Annotated[Any, "Map<String, String>"] = None
    counts: Annotated[Any, "Map<String, Integer>"] = None
    byId: Annotated[Any, "Map<Long, com.example.OrderTask>"] = None
    byColor: Annotated[Any, "Map<com.example.Color, List<String>>"] = None
    tree: Annotated[Any, "TreeMap<String, Object>"] = None
    attributes: Annotated[Any, "Map<String, Object>"] = None
    flags: Annotated[Any, "boolean[]"] = None
    bytes: Annotated[Any, "byte[]"] = None
    shorts: Annotated[Any, "short[]"] = None
    chars: Annotated[Any, "char[]"] = None
    ints: Annotated[Any, "int[]"] = None
    bigs: Annotated[Any, "long[]"] = None
    singles: Annotated[Any, "float[]"] = None
    doubles: Annotated[Any, "double[]"] = None
    words: Annotated[Any, "String[]"] = None
    boxedInts: Annotated[Any, "Integer[]"] = None
    boxedLongs: Annotated[Any, "Long[]"] = None
    things: Annotated[Any, "Object[]"] = None
    taskArray: Annotated[Any, "com.example.OrderTask[]"] = None
    stampArray: Annotated[Any, "com.example.Stamp[]"] = None
    colorArray: Annotated[Any, "com.example.Color[]"] = None
    numbers: Annotated[Any, "Number[]"] = None
    grid: Annotated[Any, "int[][]"] = None
    table: Annotated[Any, "String[][]"] = None
    cells: Annotated[Any, "Object[][]"] = None


@java_class("com.example.Entries")
@dataclass
class Entries:
    counts: Annotated[Any, "List<java.util.Map$Entry<String, Integer>>"] = None
    open: Annotated[Any, "java.util.Map$Entry<String, Object>"] = None
    shifted: Annotated[Any, "java.util.Map$Entry<Object, String>"] = None
    words: Annotated[Any, "java.util.concurrent.atomic.AtomicReferenceArray<String>"] = None


@java_class(
    "com.example.Names", extends="ArrayList<String>", serial_version_uid=-5727651399827043599
)
class Names(list[Any]):
    lost: Annotated[int, "int"]


@java_class(
    "com.example.Names$Index",
    extends="HashMap<String, Integer>",
    serial_version_uid=-7453103545465933804,
)
class Index(dict[Any, Any]):
    lost: Annotated[int, "int"]


@java_class("com.example.Straße")
@dataclass
class Strasse:
    größe: Annotated[str | None, "String"] = None
    a: Annotated[int, "int"] = 0
    Z: Annotated[int, "int"] = 0


@java_class("com.example.Grids")
@dataclass
class Grids:
    objects: Annotated[list[list[Any]] | None, "Object[][]"] = None
    cubes: Annotated[list[list[list[Any]]] | None, "Object[][][]"] = None
    numbers: Annotated[list[list[int | float | Decimal]] | None, "Number[][]"] = None
    tasks: Annotated[list[list[OrderTask]] | None, "com.example.OrderTask[][]"] = None
    stamps: Annotated[list[list[Stamp]] | None, "com.example.Stamp[][]"] = None
    colors: Annotated[list[list[Color]] | None, "com.example.Color[][]"] = None
    phases: Annotated[list[list[Phase]] | None, "com.example.Phase[][]"] = None
    longs: Annotated[list[list[int]] | None, "Long[][]"] = None
    lists: Annotated[list[list[list[str]]] | None, "List<String>[][]"] = None
    any: Annotated[Any, "Object"] = None
