"""The two JSON codecs: one message, whole, with its limits and its errors."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar, overload
from uuid import UUID

from pyredisson.codecs.base import Codec
from pyredisson.codecs.limits import DEFAULT_LIMITS, Limits
from pyredisson.codecs.refusal import Refusal, refuse_value
from pyredisson.errors import DecodeError, EncodeError

from .parser import parse
from .reader import TreeReader
from .writer import TreeWriter

T = TypeVar("T")

__all__ = ["JsonJacksonCodec", "TypedJsonJacksonCodec"]


def _encode(value: Any, *, typing: bool, name: str, limits: Limits) -> bytes:
    sink = TreeWriter(typing, limits)
    try:
        sink.root(value)
    except Refusal as error:
        raise EncodeError(f"{name}: {error}", codec=name) from None
    except RecursionError:
        raise EncodeError(f"{name}: nested too deep for Python", codec=name) from None
    return "".join(sink.out).encode()


def _decode(data: bytes, read: Callable[[Any], Any], name: str, limits: Limits) -> Any:
    if len(data) > limits.max_bytes:
        raise DecodeError(f"longer than {limits.max_bytes} bytes", codec=name, data=data)
    try:
        return read(parse(data))
    except Refusal as error:
        raise DecodeError(str(error), codec=name, data=data, class_name=error.class_name) from None
    except RecursionError:
        raise DecodeError("nested too deep for Python", codec=name, data=data) from None


class JsonJacksonCodec(Codec[Any]):
    """Redisson's `org.redisson.codec.JsonJacksonCodec`, its default up to 3.9.1.

    Writes JSON with class names (`"@class"`, `["java.lang.Long",1]`) byte for byte as
    Redisson 4.7.0 does: null, strings, numbers, booleans, `byte[]`, lists, sets, maps,
    arrays, `BigInteger`, `BigDecimal`, `Date` and `UUID`. What Java's JSON itself
    loses is lost here too: a Short at the root comes back as `int`, a `byte[]` there
    as base64 text, keys of maps as `str`, entries of maps with a null not at all.

    Args:
        limits: bounds of one message.
    """

    def __init__(self, *, limits: Limits = DEFAULT_LIMITS) -> None:
        self.limits = limits

    def encode(self, value: Any) -> bytes:
        """Return the JSON that Java writes for the value.

        Raises:
            EncodeError: a type that no Java class corresponds to, a number out of
                range, a key that Java does not write as text, or too deep nesting.
        """
        return _encode(value, typing=True, name="JsonJacksonCodec", limits=self.limits)

    def decode(self, data: bytes) -> Any:
        """Return the value that Java wrote.

        Raises:
            DecodeError: no JSON, a missing class name, a class that is not known
                (then with `class_name`), beyond the limits, or bytes left over.
        """
        reader = TreeReader(True, self.limits)
        return _decode(data, reader.root, "JsonJacksonCodec", self.limits)


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


class TypedJsonJacksonCodec(Codec[T]):
    """Redisson's `org.redisson.codec.TypedJsonJacksonCodec`: the same JSON, no class names.

    Args:
        cls: the Python type of all values (`str`, `bool`, `int`, `float`, `bytes`,
            `Decimal`, `UUID`, `datetime`, `list`, `set`, `dict` or one of
            `pyredisson.codecs.java`); without it, whatever plain JSON gives.
        limits: bounds of one message.

    Raises:
        TypeError: no Java class corresponds to `cls`.
    """

    @overload
    def __init__(
        self: TypedJsonJacksonCodec[Any], cls: None = None, *, limits: Limits = ...
    ) -> None: ...
    @overload
    def __init__(self, cls: type[T], *, limits: Limits = ...) -> None: ...
    def __init__(self, cls: type[Any] | None = None, *, limits: Limits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self.cls = cls
        self._class_name: str | None = None
        if cls is not None:
            self._class_name = _CLASSES.get(cls) or getattr(cls, "class_name", None)
            if not isinstance(self._class_name, str):
                raise TypeError(f"no Java class corresponds to {cls.__qualname__}")

    def encode(self, value: T) -> bytes:
        """Return the JSON that Java writes for the value.

        Raises:
            EncodeError: as with `JsonJacksonCodec`, or not a value of `cls`.
        """
        name = "TypedJsonJacksonCodec"
        if self.cls is not None and (
            not isinstance(value, self.cls) or (isinstance(value, bool) and self.cls is not bool)
        ):
            message = f"{name}: {refuse_value(value, f'a {self.cls.__qualname__}')}"
            raise EncodeError(message, codec=name)
        return _encode(value, typing=False, name=name, limits=self.limits)

    def decode(self, data: bytes) -> T:
        """Return the value that Java wrote.

        Raises:
            DecodeError: no JSON, null or another type than `cls`, or bytes left over.
        """
        value: T = _decode(data, self._read, "TypedJsonJacksonCodec", self.limits)
        return value

    def _read(self, tree: Any) -> Any:
        reader = TreeReader(False, self.limits)
        if self._class_name is None:
            return reader.root(tree)
        value = reader.bare(self._class_name, tree)
        if value is None:
            raise refuse_value(value, f"a {self._class_name}")
        return int(value) if self.cls is int else value

    def __repr__(self) -> str:
        return f"TypedJsonJacksonCodec({self.cls.__qualname__ if self.cls else ''})"
