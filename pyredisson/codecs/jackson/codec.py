"""`JsonJacksonCodec`, `TypedJsonJacksonCodec`, and the base of the typed codecs."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar, overload
from uuid import UUID

from pyredisson.java.scalars import JByte, JChar, JFloat, JInt, JLong, JShort
from pyredisson.java.schema import schema_of
from pyredisson.java.schemas import collect
from pyredisson.java.types import JavaType
from pyredisson.limits import DEFAULT_LIMITS, Limits
from pyredisson.rejection import Rejection, reject_value
from pyredisson.releases import Number

from .bases import JacksonCodec, NamingCodec, Root, Schemas
from .fast_path import FastPath
from .mapper import Durations, JavaTime, Mapper
from .model import erased_array
from .parser import parse_quickly
from .reader import TreeReader
from .rules import Typing
from .text import JsonText

T = TypeVar("T")

__all__ = [
    "JacksonCodec",
    "JsonJacksonCodec",
    "Schemas",
    "TypedCodec",
    "TypedJsonJacksonCodec",
]


class JsonJacksonCodec(NamingCodec):
    """Redisson's `org.redisson.codec.JsonJacksonCodec`, its default up to 3.9.1.

    Writes Java's JSON with class names (`"@class"`, `["java.lang.Long",1]`) byte for byte. Python
    loses what this JSON loses in Java, too: `decode` returns a Short at the root as `int` and a
    `byte[]` there as a base64 string; entries of maps with a null are missing. So `encode` rejects
    a Short or a `byte[]` at the root (`strict`). Objects of classes without a schema become
    `JavaObject`, which the codec writes back unchanged.

    Before 4.2.0 a declared UUID carries no class, before 3.11.6 NaN does not. The arguments are
    those of `NamingCodec` and:

    Args:
        java_time: how the service's ObjectMapper writes java.time with JavaTimeModule: "arrays"
            (the module's default) or "iso" (WRITE_DATES_AS_TIMESTAMPS off). None (default): without
            the module.
        durations: "iso" if WRITE_DURATIONS_AS_TIMESTAMPS is off, else "numbers".
        nanoseconds: False if WRITE_ and READ_DATE_TIMESTAMPS_AS_NANOSECONDS are off. Default True.
        naming: its PropertyNamingStrategies, for example "snake_case". Default None.

    Raises:
        TypeError: one of the schemas is not a schema class, or `root` is no class.
        ValueError: `release` is not a release, or an option has an unknown value.
    """

    name = "JsonJacksonCodec"

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str | None = None,
        strict: bool = True,
        unknown: str = "generic",
        typing: Typing = True,
        java_time: JavaTime | None = None,
        durations: Durations = "numbers",
        nanoseconds: bool = True,
        naming: str | None = None,
        root: Root = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.java_time, self.durations = java_time, durations
        self.nanoseconds, self.naming = nanoseconds, naming
        self.mapper = Mapper(java_time, durations, nanoseconds, naming)
        super().__init__(
            schemas=schemas,
            release=release,
            strict=strict,
            unknown=unknown,
            typing=typing,
            root=root,
            limits=limits,
        )

    def _make_format(self, release: Number) -> JsonText:
        return JsonText(self.mapper.of(self.release))

    def _settle(self) -> None:
        super()._settle()
        self._fast_path = FastPath(self._model, TreeReader(self._model, self.limits, False))

    def _read(self, data: bytes) -> Any:
        read = self._fast_path.reader(data)
        if read is not None:
            tree = parse_quickly(data)
            if tree is not None:
                try:
                    return read(tree, 0)
                except Rejection:  # the slow path can read it, or raises a better error
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
    """A codec whose messages carry no class names: the class is an argument of the codec."""

    def __init__(
        self,
        cls: type[Any] | None,
        schemas: Schemas,
        release: str | None,
        limits: Limits,
    ) -> None:
        if not (cls is None or isinstance(cls, type)):
            raise TypeError(f"{self.name} takes the class of the values, not {cls!r}")
        own = [] if cls is None or schema_of(cls) is None else [cls]
        known = [each.python for each in collect(schemas).values()]
        self.cls = cls
        self._declared = None if cls is None else _declared(cls)
        super().__init__([*known, *own], release, limits)

    def _settle(self) -> None:
        super()._settle()
        if self._declared is not None:
            try:
                self._read_slot = self._reader.slot(self._declared)
                self._write_slot = self._writer.of(self._declared)
            except Rejection as error:
                raise TypeError(f"{self.name}: {error}") from None

    def _write(self, value: T) -> Any:
        if self.cls is None:
            return super()._write(value)
        wrong = isinstance(value, bool) and self.cls is not bool
        if wrong or not isinstance(value, self.cls):
            raise reject_value(value, f"of the class {self.cls.__qualname__}")
        return self._write_slot(value, 0)

    def _read(self, data: bytes) -> T:
        if self.cls is None:
            return super()._read(data)
        found = self._read_slot(self._parse(data), 0)
        if found is None:
            raise reject_value(found, f"a {self._declared}")
        if not isinstance(found, self.cls) and self.cls in _WRAPPERS:
            found = self.cls(found)
        value: T = found
        return value


def _declared(cls: type[Any]) -> JavaType:
    schema = schema_of(cls)
    name = schema.class_name if schema else _CLASSES.get(cls) or getattr(cls, "class_name", None)
    if not isinstance(name, str):
        raise TypeError(
            f"no Java class corresponds to {cls.__qualname__}; name one with java_class"
        )
    component = erased_array(name)
    if component is None:
        return JavaType(name)
    return JavaType(component.name, (), component.dimensions + 1)


class TypedJsonJacksonCodec(TypedCodec[T]):
    """Redisson's `org.redisson.codec.TypedJsonJacksonCodec`: the same JSON without class names.

    Args:
        cls: the Python type of all values: a class with a schema, `str`, `bool`, `int`, `float`,
            `bytes`, `Decimal`, `UUID`, `datetime`, `list`, `set`, `dict` or one of
            `pyredisson.java`. Without it, `decode` returns plain JSON values.
        schemas: the classes that `cls` refers to.
        release: the Redisson release; 4.2.0 to 4.4.x write UUIDs with their class.
        java_time, durations, nanoseconds, naming: the service's ObjectMapper, as for
            `JsonJacksonCodec`.
        limits: bounds of one message.

    Raises:
        TypeError: no Java class corresponds to `cls`.
        ValueError: `release` is not a release, or an option has an unknown value.
    """

    name = "TypedJsonJacksonCodec"

    @overload
    def __init__(
        self: TypedJsonJacksonCodec[Any],
        cls: None = None,
        *,
        schemas: Schemas = ...,
        release: str | None = ...,
        java_time: JavaTime | None = ...,
        durations: Durations = ...,
        nanoseconds: bool = ...,
        naming: str | None = ...,
        limits: Limits = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        cls: type[T],
        *,
        schemas: Schemas = ...,
        release: str | None = ...,
        java_time: JavaTime | None = ...,
        durations: Durations = ...,
        nanoseconds: bool = ...,
        naming: str | None = ...,
        limits: Limits = ...,
    ) -> None: ...
    def __init__(
        self,
        cls: type[Any] | None = None,
        *,
        schemas: Schemas = None,
        release: str | None = None,
        java_time: JavaTime | None = None,
        durations: Durations = "numbers",
        nanoseconds: bool = True,
        naming: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.java_time, self.durations = java_time, durations
        self.nanoseconds, self.naming = nanoseconds, naming
        self.mapper = Mapper(java_time, durations, nanoseconds, naming)
        super().__init__(cls, schemas, release, limits)

    def _make_format(self, release: Number) -> JsonText:
        return JsonText(self.mapper.of(self.release))
