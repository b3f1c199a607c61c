"""Every recorded value of every codec is written as the same bytes again, or is rejected.

Each message of Java is decoded and encoded again. Bytes that differ from Java's are an error,
unless `LOST` has the reason for that row. docs/codecs.md has the same reasons.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import Codec, MarshallingCodec, SerializationCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.schemas import collect
from tests.unit.codecs import (
    migration_shapes,
    test_default_typing,
    test_jackson_vectors,
    test_mapper_vectors,
    test_migration_vectors,
    test_typed_vectors,
    test_vectors,
)

pytestmark = pytest.mark.no_cover  # the same branches, thousands of times

FILES = sorted(Path(test_vectors.VECTORS).glob("*Codec*-*.json"))
# Compressed bytes differ between implementations: their content has to be equal.
COMPRESSED = {"LZ4Codec", "LZ4CodecV2", "SnappyCodec", "SnappyCodecV2", "ZStdCodec"}
# (codec, Java's expression): why other bytes are written.
FLOATS = "the msgpack library does not tell a float from a double"
MILLIS = "Java has lost all below a millisecond, where the mapper writes no nanoseconds"
LOST = {
    ("JsonJacksonCodec", "list(LocalTime.of(1, 2, 3, 1), LocalTime.of(1, 2, 0, 1000))"): MILLIS,
    (
        "JsonJacksonCodec",
        "list(OffsetTime.of(1, 2, 3, 4, ZoneOffset.ofTotalSeconds(-3601)))",
    ): MILLIS,
    ("MsgPackJacksonCodec", "new float[]{1.5f, -0.5f}"): FLOATS,
    ("MsgPackJacksonCodec", "new Float[]{1.5f, null}"): FLOATS,
}
LOST_NAMED = {
    (
        "MsgPackJacksonCodec",
        "list((Object) new Float[]{1.5f}, new Short[]{1}, new Byte[]{2}, new Character[]{'c'}, "
        "new Boolean[]{true})",
    ): FLOATS,
}
CLASSES = {each.class_name: each.python for each in collect(test_jackson_vectors.SCHEMAS).values()}
WITH_SCHEMAS: dict[str, Codec[Any]] = {
    "SerializationCodec": SerializationCodec(migration_shapes.SHAPES),
    "MarshallingCodec": MarshallingCodec(migration_shapes.SHAPES),
}


def codecs_of(path: Path, row: dict[str, Any]) -> list[Codec[Any]]:
    name, release = row["codec"], row["release"]
    if path.stem.startswith("Everything"):
        return test_default_typing.codecs_of(row)
    if path.stem.startswith("Mapper"):
        return [test_mapper_vectors.codec_of(row)]
    if name in {"Kryo5Codec", "JsonJacksonCodec"} and not path.stem.startswith("Shapes"):
        return [test_vectors.codec_of(name, release, json.dumps(row.get("options", {})))]
    if name.startswith("Typed"):
        return [test_jackson_vectors.typed(row)[1] or _typed(name, row["type"], release)]
    if path.stem.startswith("Shapes"):
        return [test_jackson_vectors.codec_of(name, release)]
    if "class" in row:
        return [test_typed_vectors.codec_of(name, row["class"], row.get("schema"), release)]
    more = [WITH_SCHEMAS[name]] if name in WITH_SCHEMAS else []
    return [test_migration_vectors.codec_of(row), *more]


@cache
def _typed(name: str, type_: str, release: str) -> Codec[Any]:
    made: Codec[Any] = getattr(codecs, name)(
        CLASSES.get(type_, list if type_.endswith(("[]", "List")) else dict),
        schemas=test_jackson_vectors.SCHEMAS,
        release=release,
    )
    return made


def is_kept(codec: Codec[Any], row: dict[str, Any]) -> bool:
    data = bytes.fromhex(row["hex"])
    try:
        value = codec.decode(data)
        written = codec.encode(value)
    except (DecodeError, EncodeError):
        return True
    if row["codec"] in COMPRESSED:
        return repr(codec.decode(written)) == repr(value)
    return written == data


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_bytes_or_a_rejection(path: Path) -> None:
    rows = json.loads(path.read_text("utf-8"))
    changed = {
        row["java"]
        for row in rows
        if not all(is_kept(codec, row) for codec in codecs_of(path, row))
    }
    lost = LOST | (LOST_NAMED if path.stem.startswith("Everything") else {})
    assert changed == {java for codec, java in lost if codec == rows[0]["codec"]} & {
        row["java"] for row in rows
    }
