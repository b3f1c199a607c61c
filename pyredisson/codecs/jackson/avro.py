"""`AvroJacksonCodec`: bare Avro data, whose schema both sides know beforehand.

There is neither header nor class name; the schema gives the type of each value (`avro_data`).
`AvroJackson3Codec` (since 4.2.0) differs as Jackson 3 does: dates and enums are strings, and
getters, not fields, are the properties. The codec needs fastavro, pyredisson's extra `avro`, which
checks the schema and returns it with full names.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from pyredisson.codecs.cursor import Cursor
from pyredisson.limits import DEFAULT_LIMITS, Limits
from pyredisson.rejection import Rejection
from pyredisson.releases import Number

from .avro_data import NULL, Piece, compile_schema
from .binary import BinaryFormat
from .codec import Schemas, TypedCodec

T = TypeVar("T")

__all__ = ["AvroJackson3Codec", "AvroJacksonCodec"]


class _Pieces(BinaryFormat[Piece]):
    """Values with their Avro type; if the schema has another type, the schema decides."""

    null = NULL

    def __init__(self, write: Callable[[Piece, bytearray], None], *, jackson3: bool) -> None:
        super().__init__(jackson3=jackson3, binary_uuid=True)
        self._write = write

    def boolean(self, value: bool) -> Piece:
        """Return a boolean with its type."""
        return "boolean", value

    def whole(self, value: int, bits: int) -> Piece:
        """Return a whole number with its type; a byte and a short are an int."""
        return ("long" if bits == 64 else "int"), value

    def single(self, value: float) -> Piece:
        """Return a float with its type."""
        return "float", value

    def double(self, value: float) -> Piece:
        """Return a double with its type."""
        return "double", value

    def big(self, value: int) -> Piece:
        """Return a BigInteger with its type."""
        return "big", value

    def decimal(self, value: Decimal) -> Piece:
        """Return a BigDecimal with its type."""
        return "decimal", value

    def text(self, text: str) -> Piece:
        """Return a string with its type; an enum's constant is a string, too."""
        return "string", text

    def binary(self, value: bytes) -> Piece:
        """Return bytes with their type."""
        return "bytes", value

    def array(self, class_name: str | None, parts: Sequence[Piece]) -> Piece:
        """Return a list of pieces."""
        return "array", list(parts)

    def object(self, class_name: str | None, members: Sequence[tuple[str | int, Piece]]) -> Piece:
        """Return the members as a dict."""
        return "object", {str(key): value for key, value in members}

    def tagged(self, class_name: str, piece: Piece) -> Piece:
        """Omit the class: Avro has no place for it."""
        return piece

    def message(self, piece: Piece) -> bytes:
        """Write the values by the Avro schema."""
        out = bytearray()
        self._write(piece, out)
        return bytes(out)


def _fastavro() -> Any:
    try:
        import fastavro  # type: ignore[import-untyped, unused-ignore] # noqa: PLC0415 - an extra
    except ImportError:
        message = (
            "AvroJacksonCodec needs fastavro: pip install fastavro (pyredisson's extra 'avro')"
        )
        raise ImportError(message) from None
    return fastavro


def _free(schema: Any) -> bool:
    """Return whether a short message could hold any number of elements."""
    if isinstance(schema, list):
        return any(map(_free, schema))
    if not isinstance(schema, Mapping):
        return False
    inner = schema.get("items", schema.get("values"))
    if inner == "null" or (isinstance(inner, Mapping) and inner.get("fields") == []):
        return True
    fields = [each.get("type") for each in schema.get("fields", ())]
    return any(map(_free, [inner, *fields, schema.get("type")]))


class AvroJacksonCodec(TypedCodec[T]):
    """Redisson's `org.redisson.codec.AvroJacksonCodec`, since 2.3.0.

    Args:
        cls: the Python type of all values, as for `TypedJsonJacksonCodec`.
        avro_schema: the Avro schema, as JSON text or as the parsed mapping.
        schemas: the classes that `cls` refers to.
        limits: bounds of one message.

    Raises:
        ImportError: fastavro is missing (``pip install fastavro``, the extra ``avro``).
        TypeError: no Java class corresponds to `cls`.
        ValueError: `avro_schema` is not an Avro schema, or has arrays or maps whose elements occupy
            no bytes, so that a short message could hold any number of them.
    """

    name = "AvroJacksonCodec"

    def __init__(
        self,
        cls: type[T],
        avro_schema: str | Mapping[str, Any],
        *,
        schemas: Schemas = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._avro = _fastavro()
        self.avro_schema = avro_schema
        parsed = json.loads(avro_schema) if isinstance(avro_schema, str) else dict(avro_schema)
        try:
            self._avro_schema = self._avro.parse_schema(parsed)
        except Exception as error:  # fastavro's errors have no common base class
            raise ValueError(f"not an Avro schema: {error}") from None
        if _free(parsed):
            raise ValueError("avro_schema has an array or map whose elements occupy no bytes")
        self._data = compile_schema(self._avro_schema)
        super().__init__(cls, schemas, None, limits)

    def _make_format(self, release: Number) -> _Pieces:
        return _Pieces(self._data.write, jackson3=self.jackson3)

    def _parse(self, data: bytes) -> Any:
        source = Cursor(data, self.limits)
        tree = self._data.read(source)
        if source.pos != len(data):
            raise Rejection(f"{len(data) - source.pos} bytes are left over")
        return tree


class AvroJackson3Codec(AvroJacksonCodec[T]):
    """Redisson's `org.redisson.codec.AvroJackson3Codec`, since 4.2.0: a `Date` is a string."""

    name = "AvroJackson3Codec"
    since = (4, 2, 0)
    jackson3 = True
