"""Bytes of the released Protobuf and Avro codecs: decoded to a value, and encoded again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from math import inf, nan
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from google.protobuf import (
    any_pb2,
    descriptor_pb2,
    duration_pb2,
    empty_pb2,
    field_mask_pb2,
    struct_pb2,
    timestamp_pb2,
    wrappers_pb2,
)

from pyredisson import codecs, java
from pyredisson.codecs import Codec
from tests.support.rows import check_all, rows_of
from tests.unit.codecs import message_shapes, shapes
from tests.unit.codecs.avro_schemas import SCHEMAS

VECTORS = Path(__file__).parents[2] / "vectors"
FILES = [
    path
    for name in ("ProtobufCodec", "AvroJacksonCodec", "AvroJackson3Codec")
    for path in sorted(VECTORS.glob(f"{name}-*.json"))
]
NAMES: dict[str, Any] = {
    **{name: getattr(java, name) for name in java.__all__},
    **{name: each for name, each in vars(shapes).items() if isinstance(each, type)},
    **{name: each for name, each in vars(message_shapes).items() if isinstance(each, type)},
    **{each.__name__.rpartition(".")[2]: each for each in (any_pb2, descriptor_pb2, duration_pb2)},
    **{each.__name__.rpartition(".")[2]: each for each in (empty_pb2, field_mask_pb2, struct_pb2)},
    **{each.__name__.rpartition(".")[2]: each for each in (timestamp_pb2, wrappers_pb2)},
    **{each.__name__: each for each in (UUID, Decimal, datetime)},
    "UTC": UTC,
    "inf": inf,
    "nan": nan,
}
MORE = [message_shapes.Shipment, *message_shapes.MORE]


@cache
def codec_of(name: str, cls: str, schema: str | None, release: str) -> Codec[Any]:
    make: Any = getattr(codecs, name)
    of = eval(cls, dict(NAMES))
    extra = [] if schema is None else [json.dumps(SCHEMAS[schema])]
    made: Codec[Any] = make(of, *extra, schemas=MORE)
    return made.for_release(release)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    check_all(rows_of(path), check_vector)


def check_vector(row: dict[str, str]) -> None:
    codec = codec_of(row["codec"], row["class"], row.get("schema"), row["release"])
    data = bytes.fromhex(row["hex"])
    value = codec.decode(data)
    if row["class"] == "UUID" and row["release"] < "4.2":
        assert value == "00000000-0000-0001-0000-000000000002"  # JSON without the class
        return
    wanted = eval(row["python"], dict(NAMES))
    # Avro's maps come in the order of Java's hashes.
    assert repr(value) == repr(wanted) or (value == wanted and "schema" in row)
    assert codec.encode(value) == data
