"""`org.redisson.codec.ProtobufCodec`: Protobuf messages, other objects or JSON.

The bytes carry no class name, so the codec takes the class as an argument. The class decides the
format:

* A class that protoc generated: the bare message (`MessageLite.toByteArray()`).
* A class with a schema: protostuff's format (`protostuff`).
* A JDK class that Jackson writes as one value (strings, numbers, dates), ArrayList, HashSet and
  HashMap: `JsonJacksonCodec`'s JSON.
"""

from __future__ import annotations

from copy import copy
from datetime import datetime
from decimal import Decimal
from importlib import import_module
from typing import Any, Generic, Protocol, Self, TypeVar
from uuid import UUID

from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.scalars import JByte, JChar, JFloat, JInt, JLong, JShort
from pyredisson.java.schema import schema_of
from pyredisson.java.schemas import collect
from pyredisson.limits import DEFAULT_LIMITS, Limits, require_limits
from pyredisson.rejection import Rejection

from .base import Codec, as_bytes
from .cursor import Cursor
from .jackson.codec import JsonJacksonCodec, Schemas
from .protostuff import Protostuff

__all__ = ["ProtobufCodec"]


class _Message(Protocol):
    def SerializeToString(self, *, deterministic: bool) -> bytes: ...  # noqa: N802 - protobuf's own name

    def ParseFromString(self, serialized: bytes, /) -> int: ...  # noqa: N802 - protobuf's own name


M = TypeVar("M")

_JSON = (str, bool, int, float, Decimal, UUID, datetime, list, set, dict)
_BOXED = (JByte, JShort, JInt, JLong, JFloat, JChar)


class _Native:
    """The format of a class that protoc generated."""

    def __init__(self, message: type[_Message], library: Any) -> None:
        self._message = message
        self._library = library

    def encode(self, value: _Message) -> bytes:
        try:
            return value.SerializeToString(deterministic=True)
        except (self._library.EncodeError, ValueError) as error:
            raise Rejection(str(error)) from None

    def decode(self, data: bytes) -> _Message:
        found = self._message()
        try:
            found.ParseFromString(data)
        except self._library.DecodeError as error:
            raise Rejection(str(error)) from None
        return found


class _Runtime:
    """The format of a class with a schema."""

    def __init__(self, cls: type, schemas: Schemas, limits: Limits) -> None:
        known = [each.python for each in collect(schemas).values()]
        every = collect([*known, cls])
        own = next(each for each in every.values() if each.python is cls)
        self._message = Protostuff(every, limits).message(own)
        self._limits = limits

    def encode(self, value: Any) -> bytes:
        return self._message.write(value, 0)

    def decode(self, data: bytes) -> Any:
        return self._message.read(Cursor(data, self._limits))


class ProtobufCodec(Codec[M], Generic[M]):
    """`ProtobufCodec(Message.class)` (since 3.23.4), for values of one class.

    The codec writes a message's fields in the order of their numbers, as in Java. It sorts the
    entries of maps, but Java keeps the order of insertion, so the bytes of a message with maps may
    differ. Unknown fields follow in their own order, but Java sorts them (Protobuf already writes
    them sorted). In an object with a schema, nulls in collections and empty collections are lost,
    and the decoder skips fields that the class does not have, as in Java.

    Args:
        message: the class of the values: one that protoc generated, one with a schema, or
            `str`, `bool`, `int`, `float`, `Decimal`, `UUID`, `datetime`, `list`, `set`,
            `dict` or a boxed number of `pyredisson.java`, which are JSON.
        schemas: the classes that a class with a schema refers to.
        limits: bounds of one message.

    Raises:
        ImportError: `message` is a generated class and protobuf is missing (``pip install
            protobuf``).
        TypeError: `message` is none of these classes, or one that protostuff writes in another way:
            records, enums, and classes with arrays or fields of open types (`Object`, interfaces,
            type variables, collections of collections).
    """

    def __init__(
        self, message: type[M], *, schemas: Schemas = None, limits: Limits = DEFAULT_LIMITS
    ) -> None:
        self.message = message
        self.schemas = collect(schemas)
        self.limits = require_limits(limits)
        self._format = _format_of(message, schemas, limits)

    def encode(self, value: M) -> bytes:
        """Return the value's bytes.

        Raises:
            EncodeError: the value is not of the class, or a field does not accept its value.
        """
        if type(value) is not self.message:
            raise EncodeError(
                f"ProtobufCodec writes {self.message.__name__}, not {type(value).__qualname__}",
                codec="ProtobufCodec",
            )
        try:
            data: bytes = self._format.encode(value)
        except Rejection as error:
            raise EncodeError(f"ProtobufCodec: {error}", codec="ProtobufCodec") from None
        return data

    def decode(self, data: bytes) -> M:
        """Return the value; a generated class keeps fields that it does not know, as in Java.

        Raises:
            DecodeError: the bytes are not a value of this class, or exceed `limits.max_bytes`.
            TypeError: `data` is not bytes.
        """
        data = as_bytes(data, "ProtobufCodec.decode")
        if len(data) > self.limits.max_bytes:
            message = f"longer than {self.limits.max_bytes} bytes"
            raise DecodeError(message, codec="ProtobufCodec", data=data)
        try:
            found: M = self._format.decode(data)
        except Rejection as error:
            raise DecodeError(str(error), codec="ProtobufCodec", data=data) from None
        return found

    def for_release(self, release: str) -> Self:
        """Return the codec for that release (it changes JSON only); see `Codec.for_release`."""
        if not isinstance(self._format, JsonJacksonCodec):
            return self
        found = copy(self)
        found._format = self._format.for_release(release)
        return found


def _format_of(message: Any, schemas: Schemas, limits: Limits) -> Any:
    """Return the format of a class, as Java chooses it."""
    if message in _JSON or message in _BOXED:
        return JsonJacksonCodec(schemas=schemas, strict=False, limits=limits)
    if isinstance(message, type) and schema_of(message) is not None:
        return _Runtime(message, schemas, limits)
    library = _load()
    if isinstance(message, type) and issubclass(message, library.Message):
        return _Native(message, library)
    raise TypeError(f"{message!r} is neither a class that protoc generated nor one with a schema")


def _load() -> Any:
    try:
        return import_module("google.protobuf.message")
    except ImportError:
        raise ImportError(
            "ProtobufCodec needs protobuf: pip install protobuf (pyredisson's extra 'protobuf')"
        ) from None
