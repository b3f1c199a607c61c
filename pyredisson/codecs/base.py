"""What every codec is: values to bytes and back, and nothing else.

The rule: a codec is pure. It knows no Redis, reads no clock, imports nothing by
a name that it found in the data, and it either returns a value or raises
`EncodeError` / `DecodeError`; a decoder keeps the raw bytes in the error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

T = TypeVar("T")

__all__ = ["Codec", "require_codec"]


class Codec(ABC, Generic[T]):
    """Spells values of `T` as one Java Redisson codec does."""

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """Return the bytes that the Java codec writes for `value`.

        Raises:
            EncodeError: this codec has no spelling for the value.
        """

    @abstractmethod
    def decode(self, data: bytes) -> T:
        """Return the value that the Java codec wrote as `data`.

        Raises:
            DecodeError: the bytes are not this codec's; it carries them.
        """

    @property
    def map_key(self) -> Codec[Any]:
        """How keys of maps are spelled: as everything, unless the codec says otherwise."""
        return self

    @property
    def map_value(self) -> Codec[Any]:
        """How values of maps are spelled: as everything, unless the codec says otherwise."""
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def require_codec(codec: Any, owner: str) -> Codec[Any]:
    """Return what is a codec.

    Raises:
        TypeError: it is none, for example the class instead of an object of it.
    """
    if not isinstance(codec, Codec):
        raise TypeError(f"{owner} needs a codec, such as StringCodec(), not {codec!r}")
    return codec
