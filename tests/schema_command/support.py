"""Helpers for the tests of `pyredisson schema`: results, shortcuts, three classes of a shop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from pyredisson.java.schema import ClassSchema, schema_of
from tests.unit.classfile.assembler import (
    FINAL,
    PRIVATE,
    PUBLIC,
    STATIC,
    SYNTHETIC,
    ClassBuilder,
    enum_class,
)

STRING, LIST = "Ljava/lang/String;", "Ljava/util/List;"
Run = Callable[..., "Result"]


class Result:
    """The outcome of a run of the command."""

    def __init__(self, code: int, out: str, err: str, output: Path) -> None:
        self.code, self.out, self.err, self.output = code, out, err, output

    @property
    def text(self) -> str:
        """The module, from its first class on."""
        head, _, body = self.output.read_text("utf-8").partition("\n\n\n")
        assert head.startswith('"""Java classes as Python classes')
        return body

    @property
    def head(self) -> str:
        return self.output.read_text("utf-8").partition("\n\n\n")[0]


Load = Callable[[Result], ModuleType]


def fields(schema: ClassSchema) -> list[tuple[str, str, str]]:
    return [(each.attribute, each.name, str(each.type)) for each in schema.fields]


def schema(found: Any) -> ClassSchema:
    made = schema_of(found)
    assert made is not None
    return made


def task() -> ClassBuilder:
    builder = ClassBuilder("com.example.OrderTask", interfaces=["java.io.Serializable"])
    builder.field("serialVersionUID", "J", PRIVATE | STATIC | FINAL, constant=42)
    builder.field("orderId", STRING).getter("getOrderId", STRING, "orderId")
    builder.field("lines", LIST, PUBLIC, signature="Ljava/util/List<Lcom/example/OrderTask$Line;>;")
    builder.field("color", "Lcom/example/Color;", PUBLIC)
    builder.field("log", "Lorg/slf4j/Logger;", PRIVATE | STATIC)
    return builder.field("this$0", "Lx/Outer;", SYNTHETIC)


def line() -> ClassBuilder:
    builder = ClassBuilder("com.example.OrderTask$Line", flags=PUBLIC | FINAL)
    builder.inner_class("com.example.OrderTask$Line", "com.example.OrderTask", "Line", STATIC)
    return builder.field("price", "Ljava/math/BigDecimal;", PUBLIC).field("count", "J", PUBLIC)


def color() -> ClassBuilder:
    return enum_class("com.example.Color", {"RED": None, "GREEN": None})
