"""The JSON codecs: one message, whole, with its limits and its errors."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from types import ModuleType
from typing import Any, ClassVar, TypeVar, overload
from uuid import UUID

from pyredisson.codecs.base import Codec
from pyredisson.codecs.java.scalars import JByte, JChar, JFloat, JInt, JLong, JShort
from pyredisson.codecs.java.schema import collect, schema_of
from pyredisson.codecs.java.types import JavaType
from pyredisson.codecs.limits import DEFAULT_LIMITS, Limits
from pyredisson.codecs.refusal import Refusal, refuse_value
from pyredisson.errors import DecodeError, EncodeError

from .model import Model, erased_array
from .parser import parse, parse_quickly
from .quick import Quick
from .reader import TreeReader
from .rules import NEWEST, Rules
from .spelling import Spelling
from .text import JsonText
from .writer import TreeWriter

T = TypeVar("T")
Schemas = ModuleType | Iterable[type] | None

__all__ = [
    "JacksonCodec",
    "JsonJacksonCodec",
    "Schemas",
    "TypedCodec",
    "TypedJsonJacksonCodec",
]


class JacksonCodec(Codec[T]):
    """What all Jackson codecs share: a writer and a reader over one model of the schemas."""

    name: ClassVar[str]

    def __init__(
        self, rules: Rules, spelling: Spelling[Any], schemas: Schemas, limits: Limits, unknown: str
    ) -> None:
        if unknown not in {"generic", "error"}:
            raise ValueError(f"unknown={unknown!r} is neither 'generic' nor 'error'")
        self.limits = limits
        self._model = Model(collect(schemas), rules)
        self._spelling = spelling
        self._writer: TreeWriter[Any] = TreeWriter(spelling, self._model, limits)
        self._reader = TreeReader(self._model, limits, unknown == "generic")

    def encode(self, value: T) -> bytes:
        """Return the bytes that Java writes for the value.

        Raises:
            EncodeError: a type that no Java class corresponds to, a value that the
                declared type does not allow, a number out of range, or too deep nesting.
        """
        try:
            return self._spelling.message(self._write(value))
        except Refusal as error:
            raise EncodeError(f"{self.name}: {error}", codec=self.name) from None
        except RecursionError:
            raise EncodeError(f"{self.name}: nested too deep for Python", codec=self.name) from None

    def decode(self, data: bytes) -> T:
        """Return the value that Java wrote.

        Raises:
            DecodeError: not this format, a missing class name, a value that its class
                cannot hold, beyond the limits, or bytes left over.
        """
        if len(data) > self.limits.max_bytes:
            reason = f"longer than {self.limits.max_bytes} bytes"
            raise DecodeError(reason, codec=self.name, data=data)
        try:
            return self._read(data)
        except Refusal as error:
            raise DecodeError(
                str(error), codec=self.name, data=data, class_name=error.class_name
            ) from None
        except RecursionError:
            raise DecodeError("nested too deep for Python", codec=self.name, data=data) from None

    def _write(self, value: T) -> Any:
        return self._writer.root(value)

    def _read(self, data: bytes) -> T:
        found: T = self._reader.root(self._parse(data))
        return found

    def _parse(self, data: bytes) -> Any:
        return parse(data)


class JsonJacksonCodec(JacksonCodec[Any]):
    """Redisson's `org.redisson.codec.JsonJacksonCodec`, its default up to 3.9.1.

    Writes JSON with class names (`"@class"`, `["java.lang.Long",1]`) byte for byte. What
    Java's JSON itself loses is lost here too: a Short at the root comes back as `int`, a
    `byte[]` there as base64 text, entries of maps with a null not at all. Objects of
    classes that no schema names come back as `JavaObject` and are written as they came.

    Args:
        schemas: the module or the classes that `pyredisson schema` wrote.
        release: the Redisson release whose bytes are written: before 4.2.0 a declared
            UUID carries no class, before 3.12.0 NaN does not.
        strict: refuse what Java writes but cannot read back (final classes and records
            at the root).
        unknown: "generic" or "error": what becomes of classes without a schema.
        limits: bounds of one message.

    Raises:
        TypeError: one of the schemas is none.
        ValueError: not a release, or another `unknown`.
    """

    name = "JsonJacksonCodec"

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str = NEWEST,
        strict: bool = True,
        unknown: str = "generic",
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        rules = Rules.jackson2(release, typing=True, strict=strict)
        super().__init__(rules, JsonText(), schemas, limits, unknown)
        self._quick = Quick(self._model, TreeReader(self._model, limits, False))

    def _read(self, data: bytes) -> Any:
        read = self._quick.reader(data)
        if read is not None:
            tree = parse_quickly(data)
            if tree is not None:
                try:
                    return read(tree, 0)
                except Refusal:  # the long way says it better, or can read it
                    return super()._read(data)
        return super()._read(data)


_CLASSES: dict[type, str] = {
    str: "java.lang.String",
    bool: "java.lang.Boolean",
    int: "java.lang.Long",
    float: "java.lang.Double",
    bytes: "[B",
    Decimal: "java.math.BigDecimal",
    UUID: "java.util.UUID",
    datetime: "java.util.Date",
    list: "java.util.ArrayList",
    set: "java.util.HashSet",
    dict: "java.util.HashMap",
}


_WRAPPERS = {JByte, JShort, JLong, JInt, JFloat, JChar}


class TypedCodec(JacksonCodec[T]):
    """A codec whose messages carry no class names: the class is the codec's."""

    def __init__(
        self,
        cls: type[Any] | None,
        rules: Rules,
        spelling: Spelling[Any],
        schemas: Schemas,
        limits: Limits,
    ) -> None:
        own = [] if cls is None or schema_of(cls) is None else [cls]
        known = [each.python for each in collect(schemas).values()]
        super().__init__(rules, spelling, [*known, *own], limits, "error")
        self.cls = cls
        self._declared: JavaType | None = None
        if cls is not None:
            self._declared = _declared(cls)
            self._read_slot = self._reader.slot(self._declared)
            self._write_slot = self._writer.of(self._declared)

    def _write(self, value: T) -> Any:
        if self.cls is None:
            return super()._write(value)
        wrong = isinstance(value, bool) and self.cls is not bool
        if wrong or not isinstance(value, self.cls):
            raise refuse_value(value, f"a {self.cls.__qualname__}")
        return self._write_slot(value, 0)

    def _read(self, data: bytes) -> T:
        if self.cls is None:
            return super()._read(data)
        found = self._read_slot(self._parse(data), 0)
        if found is None:
            raise refuse_value(found, f"a {self._declared}")
        if not isinstance(found, self.cls) and self.cls in _WRAPPERS:
            found = self.cls(found)
        value: T = found
        return value

    def __repr__(self) -> str:
        return f"{self.name}({self.cls.__qualname__ if self.cls else ''})"


def _declared(cls: type[Any]) -> JavaType:
    schema = schema_of(cls)
    name = schema.class_name if schema else _CLASSES.get(cls) or getattr(cls, "class_name", None)
    if not isinstance(name, str):
        raise TypeError(f"no Java class corresponds to {cls.__qualname__}")
    component = erased_array(name)
    if component is None:
        return JavaType(name)
    return JavaType(component.name, (), component.dimensions + 1)


class TypedJsonJacksonCodec(TypedCodec[T]):
    """Redisson's `org.redisson.codec.TypedJsonJacksonCodec`: the same JSON, no class names.

    Args:
        cls: the Python type of all values: a class with a schema, `str`, `bool`, `int`,
            `float`, `bytes`, `Decimal`, `UUID`, `datetime`, `list`, `set`, `dict` or one
            of `pyredisson.codecs.java`; without it, whatever plain JSON gives.
        schemas: the classes that `cls` refers to.
        release: 4.2.0 to 4.4.x write UUIDs with their class.
        limits: bounds of one message.

    Raises:
        TypeError: no Java class corresponds to `cls`.
    """

    name = "TypedJsonJacksonCodec"

    @overload
    def __init__(
        self: TypedJsonJacksonCodec[Any],
        cls: None = None,
        *,
        schemas: Schemas = ...,
        release: str = ...,
        limits: Limits = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        cls: type[T],
        *,
        schemas: Schemas = ...,
        release: str = ...,
        limits: Limits = ...,
    ) -> None: ...
    def __init__(
        self,
        cls: type[Any] | None = None,
        *,
        schemas: Schemas = None,
        release: str = NEWEST,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        rules = Rules.jackson2(release, typing=False)
        super().__init__(cls, rules, JsonText(), schemas, limits)
