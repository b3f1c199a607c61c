"""The schema of `Shipment` in `interop/vectors/java`, for formats that know each field's type."""

# ruff: noqa: N815 - fields have Java's names
from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pyredisson.java.schema import JavaField, java_class
from tests.unit.codecs.shapes import Base, Color, Leaf, Middle, OrderTask, Phase, Stamp

MORE = [Base, Color, Leaf, Middle, OrderTask, Phase, Stamp]


@java_class("com.example.Shipment")
@dataclass
class Shipment:
    flag: Annotated[bool, "boolean"] = False
    tiny: Annotated[int, "byte"] = 0
    small: Annotated[int, "short"] = 0
    letter: Annotated[str, "char"] = "\0"
    number: Annotated[int, "int"] = 0
    big: Annotated[int, "long"] = 0
    single: Annotated[float, "float"] = 0.0
    precise: Annotated[float, "double"] = 0.0
    boxedFlag: Annotated[Any, "Boolean"] = None
    boxedTiny: Annotated[Any, "Byte"] = None
    boxedSmall: Annotated[Any, "Short"] = None
    boxedLetter: Annotated[Any, "Character"] = None
    boxedNumber: Annotated[Any, "Integer"] = None
    boxedBig: Annotated[Any, "Long"] = None
    boxedSingle: Annotated[Any, "Float"] = None
    boxedPrecise: Annotated[Any, "Double"] = None
    text: Annotated[Any, "String"] = None
    integer: Annotated[Any, "BigInteger"] = None
    decimal: Annotated[Any, "BigDecimal"] = None
    date: Annotated[Any, "Date"] = None
    id: Annotated[Any, "UUID"] = None
    color: Annotated[Any, "com.example.Color"] = None
    phase: Annotated[Any, "com.example.Phase"] = None
    bytes: Annotated[Any, "byte[]"] = None
    task: Annotated[Any, "com.example.OrderTask"] = None
    stamp: Annotated[Any, "com.example.Stamp"] = None
    leaf: Annotated[Any, "com.example.Leaf"] = None
    next: Annotated[Any, "com.example.Shipment"] = None
    passing: Annotated[str | None, JavaField("String", transient=True)] = None
    strings: Annotated[Any, "List<String>"] = None
    integers: Annotated[Any, "List<Integer>"] = None
    longs: Annotated[Any, "List<Long>"] = None
    doubles: Annotated[Any, "List<Double>"] = None
    flags: Annotated[Any, "List<Boolean>"] = None
    smalls: Annotated[Any, "List<Short>"] = None
    chunks: Annotated[Any, "Collection<byte[]>"] = None
    decimals: Annotated[Any, "LinkedList<BigDecimal>"] = None
    tasks: Annotated[Any, "List<com.example.OrderTask>"] = None
    parts: Annotated[Any, "List<com.example.Shipment>"] = None
    colors: Annotated[Any, "ArrayList<com.example.Color>"] = None
    names: Annotated[Any, "Set<String>"] = None
    numbers: Annotated[Any, "HashSet<Integer>"] = None
    ordered: Annotated[Any, "LinkedHashSet<Long>"] = None
    sorted: Annotated[Any, "TreeSet<String>"] = None
    labels: Annotated[Any, "Map<String, String>"] = None
    dates: Annotated[Any, "HashMap<Integer, Date>"] = None
    byId: Annotated[Any, "LinkedHashMap<Long, com.example.OrderTask>"] = None
    ids: Annotated[Any, "TreeMap<String, UUID>"] = None
    byColor: Annotated[Any, "Map<com.example.Color, Integer>"] = None
    shades: Annotated[Any, "Map<String, com.example.Color>"] = None
