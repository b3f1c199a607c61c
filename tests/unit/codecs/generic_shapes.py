"""Schemas of the generic classes in `interop/vectors/java`; `shapes` re-exports them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pyredisson.java.schema import java_class


@java_class("com.example.Box", variables=["T"])
@dataclass
class Box:
    content: Annotated[Any, "T"] = None
    row: Annotated[Any, "T[]"] = None
    many: Annotated[Any, "List<T>"] = None
    index: Annotated[Any, "Map<String, T>"] = None


@java_class("com.example.Crate", variables=["T"])
@dataclass
class Crate:
    content: Annotated[Any, "T"] = None


@java_class("com.example.Pair", variables=["A", "B"])
@dataclass
class Pair:
    first: Annotated[Any, "A"] = None
    second: Annotated[Any, "B"] = None


@java_class("com.example.NumberBox", variables=["N extends Number & Comparable<N>"])
@dataclass
class NumberBox:
    number: Annotated[Any, "N"] = None


@java_class("com.example.StringCrate", extends="com.example.Crate<String>")
@dataclass
class StringCrate(Crate):
    label: Annotated[str | None, "String"] = None


@java_class("com.example.ListCrate", extends="com.example.Crate<List<String>>")
@dataclass
class ListCrate(Crate):
    size: Annotated[int, "int"] = 0


@java_class("com.example.SubCrate", variables=["S"], extends="com.example.Crate<S>")
@dataclass
class SubCrate(Crate):
    extra: Annotated[Any, "S"] = None


@java_class("com.example.Last", final=True, variables=["T"])
@dataclass
class Last:
    content: Annotated[Any, "T"] = None
    row: Annotated[Any, "T[]"] = None


@java_class("com.example.Row", variables=["T"])
@dataclass
class Row:
    row: Annotated[Any, "T[]"] = None
    rows: Annotated[Any, "List<? extends T[]>"] = None
    lasts: Annotated[Any, "Map<String, com.example.Last<String>>"] = None


@java_class("com.example.Texts", extends="com.example.Row<String>")
@dataclass
class Texts(Row):
    pass


@java_class("com.example.MoreTexts")
@dataclass
class MoreTexts(Texts):
    pass


@java_class("com.example.NoTexts", variables=["U"], extends="com.example.Row<String[]>")
@dataclass
class NoTexts(Row):
    pass


@java_class("com.example.YetNoTexts", extends="com.example.NoTexts<Integer>")
@dataclass
class YetNoTexts(NoTexts):
    pass
