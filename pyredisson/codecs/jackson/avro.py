"""`AvroJacksonCodec`: bare Avro data, its schema known to both sides beforehand.

There is neither header nor class name: what Java's `writerFor(type).with(schema)` writes
are the bytes of fastavro's schemaless writer. The same holds for `AvroJackson3Codec`
(since 4.2.0), whose class name alone differs. Needs `pip install 'pyredisson[avro]'`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from pyredisson.codecs.limits import DEFAULT_LIMITS, Limits
from pyredisson.codecs.refusal import Refusal

from .binary import BinarySpelling
from .codec import Schemas, TypedCodec
from .rules import Rules

T = TypeVar("T")

__all__ = ["AvroJackson3Codec", "AvroJacksonCodec"]


class _Plain(BinarySpelling[Any]):
    """Plain Python values, as fastavro takes them."""

    null = None

    def __init__(self, datum: Callable[[Any], bytes]) -> None:
        super().__init__()
        self._datum = datum

    def boolean(self, value: bool) -> Any:
        """Keep true or false."""
        return value

    def whole(self, value: int, bits: int) -> Any:
        """Keep a whole number."""
        return value

    def single(self, value: float) -> Any:
        """Keep a float."""
        return value

    def double(self, value: float) -> Any:
        """Keep a double."""
        return value

    def big(self, value: int) -> Any:
        """Keep a BigInteger."""
        return value

    def decimal(self, value: Decimal) -> Any:
        """Keep a BigDecimal."""
        return value

    def text(self, text: str) -> Any:
        """Keep a text."""
        return text

    def binary(self, value: bytes) -> Any:
        """Keep bytes."""
        return value

    def array(self, class_name: str | None, parts: Sequence[Any]) -> Any:
        """Keep a list."""
        return list(parts)

    def object(self, class_name: str | None, members: Sequence[tuple[str | int, Any]]) -> Any:
        """Keep the members as a dict."""
        return {str(key): value for key, value in members}

    def tagged(self, class_name: str, piece: Any) -> Any:
        """Leave the class out: Avro has no place for it."""
        return piece

    def message(self, piece: Any) -> bytes:
        """Write the values by the Avro schema."""
        return self._datum(piece)


class _Sink:
    """What fastavro writes to."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.parts.append(bytes(data))


class _Source:
    """What fastavro reads from; at the end it reads less, as files do."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def read(self, size: int) -> bytes:
        if size < 0:
            raise ValueError("a negative length")
        data = self._data[self.at : self.at + size]
        self.at += len(data)
        return data


def _fastavro() -> Any:
    try:
        import fastavro  # type: ignore[import-untyped, unused-ignore] # noqa: PLC0415 - an extra
    except ImportError:
        message = "AvroJacksonCodec needs fastavro: pip install 'pyredisson[avro]'"
        raise ImportError(message) from None
    return fastavro


def _free(schema: Any) -> bool:
    """Say whether a message of few bytes could hold any number of elements."""
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
        ImportError: fastavro is not installed; the message has the command.
        TypeError: no Java class corresponds to `cls`.
        ValueError: not an Avro schema, or one with arrays of nulls, which no length bounds.
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
        parsed = json.loads(avro_schema) if isinstance(avro_schema, str) else dict(avro_schema)
        try:
            self._avro_schema = self._avro.parse_schema(parsed)
        except Exception as error:  # fastavro has no common base of its errors
            raise ValueError(f"not an Avro schema: {error}") from None
        if _free(parsed):
            raise ValueError("an Avro array or map whose elements occupy no byte")
        rules = Rules(typing=False, typed_long=False, typed_uuid=False, nulls=True)
        super().__init__(cls, rules, _Plain(self._datum), schemas, limits)

    def _datum(self, tree: Any) -> bytes:
        out = _Sink()
        try:
            self._avro.schemaless_writer(out, self._avro_schema, tree)
        except Exception as error:  # fastavro raises whatever the value does to it
            raise Refusal(f"not a value of the Avro schema: {error}") from None
        return b"".join(out.parts)

    def _parse(self, data: bytes) -> Any:
        source = _Source(data)
        try:
            tree = self._avro.schemaless_reader(source, self._avro_schema)
        except Exception as error:  # fastavro raises whatever the bytes do to it
            raise Refusal(f"not of the Avro schema: {type(error).__name__} {error}") from None
        if source.at != len(data):
            raise Refusal(f"{len(data) - source.at} bytes left over")
        return tree


class AvroJackson3Codec(AvroJacksonCodec[T]):
    """Redisson's `org.redisson.codec.AvroJackson3Codec`, since 4.2.0: the same bytes."""

    name = "AvroJackson3Codec"
