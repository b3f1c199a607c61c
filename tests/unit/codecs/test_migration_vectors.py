"""Every recorded value of the older default codecs and the compressing codecs.

A row is marked `!` if the codec cannot decode it. An object codec writes exactly Java's bytes,
and a test counts the values that it writes. Compressed bytes differ, but their content does not.
`interop/vectors/record_migration_vectors.py` documents the origin of a row's Python value; the
rows with a `reason` are its exceptions.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from math import inf, nan
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pyredisson import java
from pyredisson.codecs import (
    Codec,
    FstCodec,
    KryoCodec,
    LZ4Codec,
    LZ4CodecV2,
    MarshallingCodec,
    SerializationCodec,
    SnappyCodec,
    SnappyCodecV2,
    StringCodec,
    ZStdCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.enums import DayOfWeek, NaturalOrder, RoundingMode, TimeUnit
from pyredisson.java.objects import JavaObject, JavaValue
from tests.support.rows import check_all, rows_of
from tests.unit.codecs import migration_shapes
from tests.unit.codecs.migration_shapes import SHAPES

VECTORS = Path(__file__).parents[2] / "vectors"
TEXT = StringCodec()
CODECS: dict[str, Codec[Any]] = {
    "SerializationCodec": SerializationCodec(),
    "MarshallingCodec": MarshallingCodec(),
    "FstCodec": FstCodec(schemas=SHAPES),
    "KryoCodec": KryoCodec(schemas=migration_shapes),
    "LZ4Codec": LZ4Codec(TEXT),
    "LZ4CodecV2": LZ4CodecV2(TEXT, release="4.7.0"),
    "LZ4CodecV2-3.24.3": LZ4CodecV2(TEXT, release="3.24.3"),
    "SnappyCodec": SnappyCodec(TEXT),
    "SnappyCodecV2": SnappyCodecV2(TEXT),
    "ZStdCodec": ZStdCodec(TEXT),
}
OBJECT_CODECS = ("SerializationCodec", "MarshallingCodec", "FstCodec", "KryoCodec")
NAMES: dict[str, Any] = {
    **{name: getattr(java, name) for name in java.__all__},
    **{each.__name__: each for each in (JavaObject, JavaValue, UUID, Decimal, *SHAPES)},
    **{each.__name__: each for each in (DayOfWeek, NaturalOrder, RoundingMode, TimeUnit)},
    "circled": migration_shapes.circled,
    "held": migration_shapes.held,
    "thrown": migration_shapes.thrown,
    **{each.__name__: each for each in (date, datetime, time, timedelta, timezone)},
    "UTC": UTC,
    "inf": inf,
    "nan": nan,
}
# WRITTEN: rows that a codec writes. COUNTS: objects that it reads with schemas, and writes.
WRITTEN = {"SerializationCodec": 386, "MarshallingCodec": 383, "FstCodec": 491, "KryoCodec": 0}
COUNTS = {"SerializationCodec": (114, 114), "MarshallingCodec": (156, 156)}


FILES = [
    path
    for path in sorted(VECTORS.glob("*Codec*-*.json"))
    if path.stem in CODECS or path.stem.partition("-")[0] in CODECS
]
ROWS: list[dict[str, str]] = [row for path in FILES for _, row in rows_of(path)]


def codec_of(row: dict[str, str]) -> Codec[Any]:
    return CODECS.get(f"{row['codec']}-{row['release']}") or CODECS[row["codec"]]


def encoded(codec: Codec[Any], value: Any) -> bytes | EncodeError:
    try:
        return codec.encode(value)
    except EncodeError as error:
        return error


def test_enough_was_recorded() -> None:
    releases = {
        ("SerializationCodec", "4.7.0"),
        ("SerializationCodec", "3.27.2"),
        ("MarshallingCodec", "3.18.1"),
        ("MarshallingCodec", "3.13.6"),
        ("FstCodec", "3.12.5"),
        ("KryoCodec", "3.10.7"),
    }
    for each in releases:
        read = [row for row in ROWS if (row["codec"], row["release"]) == each]
        assert sum(row["python"] != "!" for row in read) >= 340


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    check_all(rows_of(path), check_vector)


def check_vector(row: dict[str, str]) -> None:
    codec, data = codec_of(row), bytes.fromhex(row["hex"])
    if row["python"] == "!":
        with pytest.raises(DecodeError) as caught:
            codec.decode(data)
        assert caught.value.class_name
        return
    value = codec.decode(data)
    assert repr(value) == repr(eval(row["python"], dict(NAMES)))
    written = encoded(codec, value)
    if isinstance(written, EncodeError):
        assert row["codec"] in OBJECT_CODECS
        assert re.search(r"\breads?\b|no Java class corresponds", str(written))
    elif row["codec"] in OBJECT_CODECS:
        assert written == data
    else:
        assert repr(codec.decode(written)) == repr(value)


@pytest.mark.parametrize(("name", "wanted"), WRITTEN.items())
def test_number_of_written_rows(name: str, wanted: int) -> None:
    release = {"SerializationCodec": "4.7.0", "MarshallingCodec": "3.18.1", "FstCodec": "3.12.5"}
    codec, written = CODECS[name], 0
    for row in ROWS:
        if row["codec"] == name and row["release"] == release.get(name) and row["python"] != "!":
            value = codec.decode(bytes.fromhex(row["hex"]))
            written += isinstance(encoded(codec, value), bytes)
    assert written == wanted


def test_number_of_exceptional_rows() -> None:
    """Rows whose Python value comes neither from the table nor from Java's `Teller`."""
    found = {(row["codec"], row["java"]): row["reason"] for row in ROWS if "reason" in row}
    assert len(found) == 30
    assert all(found.values())


@pytest.mark.parametrize("codec", [SerializationCodec(SHAPES), MarshallingCodec(SHAPES)])
def test_objects_with_their_schemas(codec: Codec[Any]) -> None:
    """These codecs decode to the same values as FstCodec does with schemas."""
    wanted = {row["java"]: row["python"] for row in ROWS if row["codec"] == "FstCodec"}
    name = type(codec).__name__
    done = same = 0
    for row in ROWS:
        java_text = row["java"]
        if row["codec"] != name or "com.example." not in java_text or wanted[java_text] == "!":
            continue
        data = bytes.fromhex(row["hex"])
        value = codec.decode(data)
        assert repr(value) == repr(eval(wanted[java_text], dict(NAMES)))
        done += 1
        written = encoded(codec, value)
        assert isinstance(written, EncodeError) or written == data
        same += written == data
    assert (done, same) == COUNTS[name]
