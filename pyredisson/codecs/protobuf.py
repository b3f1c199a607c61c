"""Protocol Buffers messages, as `org.redisson.codec.ProtobufCodec` writes generated classes.

The bytes are the bare message, `MessageLite.toByteArray()`, without a class name, so the
codec is told the class. The rule: only generated messages. For other classes Java uses
protostuff, and for those of the JDK JSON; neither is written here.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from pyredisson.errors import DecodeError, EncodeError

from .base import Codec
from .limits import DEFAULT_LIMITS, Limits

__all__ = ["ProtobufCodec"]


class _Message(Protocol):
    def SerializeToString(self) -> bytes: ...  # noqa: N802 - protobuf's own name

    def ParseFromString(self, serialized: bytes, /) -> int: ...  # noqa: N802 - protobuf's own name


M = TypeVar("M", bound=_Message)


class ProtobufCodec(Codec[M], Generic[M]):
    """`ProtobufCodec(Message.class)` (since 3.23.4) for a class that protoc generated.

    Fields are written in the order of their numbers, as in Java; a message with a map
    field has no fixed bytes in either language.

    Args:
        message: the generated Python class.
        limits: `max_bytes` bounds a message.

    Raises:
        ImportError: protobuf is missing (``pip install 'pyredisson[protobuf]'``).
        TypeError: no generated message class.
    """

    def __init__(self, message: type[M], *, limits: Limits = DEFAULT_LIMITS) -> None:
        self._protobuf = _load()
        kind: Any = message
        if not (isinstance(kind, type) and issubclass(kind, self._protobuf.Message)):
            raise TypeError(f"{message!r} is no class that protoc generated")
        self.message = message
        self.limits = limits

    def encode(self, value: M) -> bytes:
        """Return the message's bytes.

        Raises:
            EncodeError: no such message, or one whose required fields are not set.
        """
        if type(value) is not self.message:
            raise EncodeError(
                f"ProtobufCodec writes {self.message.__name__}, not {type(value).__qualname__}",
                codec="ProtobufCodec",
            )
        try:
            return value.SerializeToString()
        except (self._protobuf.EncodeError, ValueError) as error:
            raise EncodeError(f"ProtobufCodec: {error}", codec="ProtobufCodec") from error

    def decode(self, data: bytes) -> M:
        """Return the message; fields that its class does not know are kept, as in Java.

        Raises:
            DecodeError: no message of this class, or too long.
        """
        if len(data) > self.limits.max_bytes:
            message = f"longer than {self.limits.max_bytes} bytes"
            raise DecodeError(message, codec="ProtobufCodec", data=data)
        found = self.message()
        try:
            found.ParseFromString(data)
        except self._protobuf.DecodeError as error:
            raise DecodeError(str(error), codec="ProtobufCodec", data=data) from None
        return found

    def __repr__(self) -> str:
        return f"ProtobufCodec({self.message.__name__})"


def _load() -> Any:
    try:
        return import_module("google.protobuf.message")
    except ImportError:
        raise ImportError("ProtobufCodec needs: pip install 'pyredisson[protobuf]'") from None
