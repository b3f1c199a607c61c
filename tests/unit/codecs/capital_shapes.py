"""The classes of `Capitals.java`, as `pyredisson schema` writes them.

Their fields and getters differ in capitals.
"""
# ruff: noqa: N802, N815 - the names are Java's

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pyredisson.java import JavaField, java_class


@java_class(
    "com.example.Capitals",
    getters={
        "isReady": JavaField("boolean", returns="isReady"),
        "isSSL": JavaField("boolean", returns="SSL"),
    },
)
@dataclass
class Capitals:
    URL: Annotated[str | None, "String"] = None
    xPos: Annotated[str | None, "String"] = None
    aBC: Annotated[str | None, "String"] = None
    ID: Annotated[str | None, "String"] = None
    eMail: Annotated[str | None, "String"] = None
    IName: Annotated[str | None, "String"] = None
    XCount: Annotated[int, "int"] = 0
    SSL: Annotated[bool, "boolean"] = False
    isReady_: Annotated[
        bool,
        JavaField("boolean", name="isReady", public=False),
    ] = False

    @property
    def isReady(self) -> bool:
        return self.isReady_

    @property
    def isSSL(self) -> bool:
        return self.SSL


@java_class("com.example.Capitals$Link")
@dataclass
class CapitalsLink:
    URL: Annotated[str | None, JavaField("String", json="link")] = None


@java_class(
    "com.example.Capitals$Named",
    getters={"getURL": JavaField("String", json="link", returns="URL")},
)
@dataclass
class CapitalsNamed:
    URL: Annotated[str | None, JavaField("String", public=False)] = None

    @property
    def getURL(self) -> str | None:
        return self.URL


@java_class(
    "com.example.Capitals$Secret",
    getters={"getURL": JavaField("String", json_ignore=True)},
)
@dataclass
class CapitalsSecret:
    URL: Annotated[str | None, JavaField("String", public=False)] = None
    other: Annotated[str | None, "String"] = None


@java_class(
    "com.example.Capitals$Odd",
    getters={
        "getHTML": JavaField("String", returns="name"),
        "getURL": JavaField("String", returns="url"),
    },
)
@dataclass
class CapitalsOdd:
    url: Annotated[str | None, JavaField("String", public=False)] = None
    name: Annotated[str | None, JavaField("String", public=False)] = None
    eMail: Annotated[str | None, JavaField("String", public=False)] = None
    _x: Annotated[str | None, JavaField("String", public=False)] = None

    @property
    def getHTML(self) -> str | None:
        return self.name

    @property
    def getURL(self) -> str | None:
        return self.url


@java_class("com.example.Capitals$Above")
@dataclass
class CapitalsAbove:
    URL: Annotated[str | None, JavaField("String", public=False)] = None
    up: Annotated[bool, JavaField("boolean", public=False)] = False


@java_class(
    "com.example.Capitals$Below",
    getters={"getURL": "String", "isUp": "boolean"},
)
@dataclass
class CapitalsBelow(CapitalsAbove):
    other: Annotated[str | None, "String"] = None


@java_class("com.example.Capitals$Row", record=True)
@dataclass(frozen=True)
class CapitalsRow:
    URL: Annotated[str | None, "String"] = None
    xPos: Annotated[str | None, "String"] = None
    up: Annotated[bool, "boolean"] = False


@java_class("com.example.Capitals$Nothing", record=True)
@dataclass(frozen=True)
class CapitalsNothing:
    pass
