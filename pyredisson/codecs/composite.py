"""One codec for each part of a Redisson object, like `org.redisson.codec.CompositeCodec`.

A queue has no map keys or map values, so it uses the value codec only. Java's constructor with two
codecs (map key, map value) sets no value codec and fails on a queue with a NullPointerException;
this class requires the value codec.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from .base import Codec

__all__ = ["CompositeCodec"]


class CompositeCodec(Codec[Any]):
    """`CompositeCodec(mapKey, mapValue, value)` (since 3.5.1): on a queue, the value codec.

    Args:
        map_key: the codec of map keys; None: the value codec.
        map_value: the codec of map values; None: the value codec.
        value: the codec of a queue's values; required.

    Raises:
        TypeError: `value` is not a codec.
    """

    def __init__(
        self,
        map_key: Codec[Any] | None,
        map_value: Codec[Any] | None,
        value: Codec[Any] | None = None,
    ) -> None:
        if not isinstance(value, Codec):
            raise TypeError(
                f"CompositeCodec needs a value codec as its third argument, not {value!r}; "
                "with two codecs, Java throws a NullPointerException on a queue"
            )
        self.value = value
        self._map_key = map_key
        self._map_value = map_value

    @property
    def map_key(self) -> Codec[Any]:
        """The codec of map keys; the value codec if none was given."""
        return self._map_key or self.value

    @property
    def map_value(self) -> Codec[Any]:
        """The codec of map values; the value codec if none was given."""
        return self._map_value or self.value

    def for_release(self, release: str) -> Self:
        """Return a copy with the codecs for that release; see `Codec.for_release`."""
        found = copy(self)
        found.value = self.value.for_release(release)
        found._map_key = self._map_key and self._map_key.for_release(release)
        found._map_value = self._map_value and self._map_value.for_release(release)
        return found

    def encode(self, value: Any) -> bytes:
        """Return the value codec's bytes.

        Raises:
            EncodeError: the value codec cannot encode the value.
        """
        return self.value.encode(value)

    def decode(self, data: bytes) -> Any:
        """Return the value codec's value.

        Raises:
            DecodeError: the value codec cannot read the bytes.
        """
        return self.value.decode(data)

    def __repr__(self) -> str:
        return f"CompositeCodec({self._map_key!r}, {self._map_value!r}, {self.value!r})"
