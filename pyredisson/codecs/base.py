"""The base class of all codecs, which convert values to bytes and back.

The rule: a codec is pure. It does not know Redis, reads no clock, and imports nothing by a name
that it found in the data. It either returns a value or raises `EncodeError` or `DecodeError`; a
`DecodeError` carries the raw bytes. A codec keeps each constructor argument as an attribute of the
same name, and its `repr` shows the arguments that were given.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any, Generic, Self, TypeVar

from pyredisson.releases import Number

T = TypeVar("T")

__all__ = ["Codec", "as_bytes", "require_codec"]

_SHOWN = 4
_LONG = 60


class Codec(ABC, Generic[T]):
    """Encodes and decodes values of `T` as one codec of Java's Redisson does."""

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """Return the bytes that the Java codec writes for `value`.

        Raises:
            EncodeError: this codec has no encoding for the value.
        """

    @abstractmethod
    def decode(self, data: bytes) -> T:
        """Return the value that the Java codec wrote as `data`.

        Raises:
            DecodeError: the codec cannot read the bytes; the error carries them.
            TypeError: `data` is not bytes.
        """

    @property
    def map_key(self) -> Codec[Any]:
        """The codec of map keys: this codec itself, unless a subclass overrides it."""
        return self

    @property
    def map_value(self) -> Codec[Any]:
        """The codec of map values: this codec itself, unless a subclass overrides it."""
        return self

    def for_release(self, release: str) -> Self:
        """Return the codec for a service that runs this Redisson release.

        Args:
            release: a Redisson release, for example "3.45.1".

        Returns:
            This codec, unless its bytes changed between releases and it was given no release.

        Raises:
            ValueError: `release` is not a release, or that release does not have this codec.
        """
        return self

    def _at_least(self, oldest: Number) -> Self:
        """Return the codec for a service of an unknown release, not older than `oldest`."""
        return self

    def _without_hints(self) -> Self:
        """Return a codec that reads the same, but whose errors name no fitting releases."""
        return self

    def __repr__(self) -> str:
        from inspect import signature  # noqa: PLC0415 - slow to load, and rarely needed

        shown = []
        for each in signature(type(self)).parameters.values():
            value = getattr(self, each.name, each.default)
            named = each.kind is each.KEYWORD_ONLY or each.name == "schemas"
            same = value == each.default or not (value or each.default)
            absent = value is each.empty or (value is None and each.default is None)
            if not (same if named else absent):
                text = _show(value.values() if each.name == "schemas" else value)
                shown.append(f"{each.name}={text}" if named else text)
        return f"{type(self).__name__}({', '.join(shown)})"


def _show(value: Any) -> str:
    """Format an option for `repr`: a class by its name, a long collection by its first item."""
    if isinstance(value, str):
        return repr(value if len(value) <= _LONG else f"{value[:_LONG]}…")
    if isinstance(value, (bytes, type)) or not isinstance(value, Collection):
        value = getattr(value, "python", value)  # of a schema
        return value.__qualname__ if isinstance(value, type) else repr(value)
    first = [_show(each) for each, _ in zip(value, range(_SHOWN), strict=False)]
    rest = [f"… {len(value) - _SHOWN} more"] if len(value) > _SHOWN else []
    return f"[{', '.join(first + rest)}]"


def as_bytes(data: Any, where: str) -> bytes:
    """Return `data` as bytes; a bytearray or memoryview is copied.

    Raises:
        TypeError: `data` is not bytes-like; the message names `where`, the method that was called.
    """
    if isinstance(data, bytes):
        return data
    if isinstance(data, (bytearray, memoryview)):
        return bytes(data)
    hint = (
        " (as redis.Redis returns them without decode_responses)" if isinstance(data, str) else ""
    )
    raise TypeError(f"{where} takes bytes{hint}, not {type(data).__qualname__}")


def require_codec(codec: Any, owner: str) -> Codec[Any]:
    """Return `codec` if it is a codec.

    Raises:
        TypeError: it is not a codec, for example the class instead of an instance.
    """
    if not isinstance(codec, Codec):
        raise TypeError(f"{owner} needs a codec, such as StringCodec(), not {codec!r}")
    return codec
