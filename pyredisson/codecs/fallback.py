"""Reading with several codecs, for a migration from one codec to another.

The first codec writes. To read, `FallbackCodec` tries the codecs in the given order, and the first
that accepts the bytes reads them. Put codecs that accept everything (`ByteArrayCodec`, mostly
`StringCodec`) last: codecs after them are never tried.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from copy import copy
from typing import Any, Self

from pyredisson.errors import DecodeError

from .base import Codec, require_codec

__all__ = ["FallbackCodec"]


class FallbackCodec(Codec[Any]):
    """Writes with the first codec, reads with the first codec that accepts the bytes.

    Args:
        codecs: the new codec, then the old ones, newest first.

    Raises:
        ValueError: the list is empty.
        TypeError: an item is not a codec.
    """

    def __init__(self, codecs: Iterable[Codec[Any]]) -> None:
        if isinstance(codecs, Codec):
            raise TypeError("FallbackCodec takes a list: FallbackCodec([new, old])")
        self._use(require_codec(each, "FallbackCodec") for each in codecs)
        if not self.codecs:
            raise ValueError("FallbackCodec needs at least one codec")

    def _use(self, codecs: Iterable[Codec[Any]]) -> None:
        self.codecs = tuple(codecs)
        self._readers = tuple(each._without_hints() for each in self.codecs)

    def for_release(self, release: str) -> Self:
        """Return a copy with the codecs for that release; see `Codec.for_release`.

        An old codec that the release does not have stays unchanged: it still reads old values.
        """
        first, *others = self.codecs
        found = copy(self)
        found._use([first.for_release(release), *(_bound(each, release) for each in others)])
        return found

    def encode(self, value: Any) -> bytes:
        """Return the first codec's bytes.

        Raises:
            EncodeError: the first codec cannot encode the value; the others are not tried.
        """
        return self.codecs[0].encode(value)

    def decode(self, data: bytes) -> Any:
        """Return the value from the first codec that accepts the bytes.

        Raises:
            DecodeError: no codec accepts the bytes; the message has each codec's reason, in order.
        """
        for reader in self._readers:
            with suppress(DecodeError):
                return reader.decode(data)
        errors = []
        for codec in self.codecs:  # decode again, for the messages
            try:
                codec.decode(data)
            except DecodeError as error:
                errors.append(error)
        reasons = "; ".join(str(each).split("; the bytes: ", 1)[0] for each in errors)
        class_name = next((each.class_name for each in errors if each.class_name), None)
        raise DecodeError(
            f"no codec can read this message: {reasons}",
            codec="FallbackCodec",
            data=data,
            class_name=class_name,
        )


def _bound(codec: Codec[Any], release: str) -> Codec[Any]:
    try:
        return codec.for_release(release)
    except ValueError:
        return codec
