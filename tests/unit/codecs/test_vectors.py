"""Every recorded value of the released Java codecs decodes to its Python value, and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from math import inf, nan
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pyredisson.codecs import Codec, JsonJacksonCodec, Kryo5Codec, java

VECTORS = Path(__file__).parents[2] / "vectors"
CODECS: dict[str, Codec[Any]] = {
    "Kryo5Codec": Kryo5Codec(),
    "JsonJacksonCodec": JsonJacksonCodec(),
}
NAMES = {
    **{name: getattr(java, name) for name in java.__all__},
    "UTC": UTC,
    "datetime": datetime,
    "Decimal": Decimal,
    "UUID": UUID,
    "inf": inf,
    "nan": nan,
}
# Redisson before 4.2.0 wrote a UUID without its class at the root and in a UUID[]. At the root
# that is a String to any reader; everywhere, we write what 4.2.0 and newer write and read.
BARE_UUID = {
    'UUID.fromString("01234567-89ab-cdef-0123-456789abcdef")',
    'UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff")',
    "new UUID[]{new UUID(1L, 2L), null}",
    "list((Object) new UUID[]{new UUID(1L, 2L)})",
}


def rows() -> Iterator[Any]:
    for path in sorted(VECTORS.glob("*Codec-*.json")):
        if path.stem.partition("-")[0] in CODECS:
            for number, row in enumerate(json.loads(path.read_text("utf-8"))):
                yield pytest.param(row, id=f"{path.stem}-{number}")


def is_bare_uuid(row: dict[str, str]) -> bool:
    old = row["release"].startswith("3.")
    return old and row["codec"] == "JsonJacksonCodec" and row["java"] in BARE_UUID


def test_enough_was_recorded() -> None:
    found = [each.values[0] for each in rows()]
    releases = {row["release"] for row in found}
    assert {"3.19.3", "3.21.1", "4.7.0"} <= releases
    for codec in CODECS:
        for release in releases:
            assert sum((row["codec"], row["release"]) == (codec, release) for row in found) >= 150


@pytest.mark.parametrize("row", list(rows()))
def test_vector(row: dict[str, str]) -> None:
    codec, data = CODECS[row["codec"]], bytes.fromhex(row["hex"])
    value = codec.decode(data)
    if is_bare_uuid(row):
        assert "UUID" not in repr(value) or codec.encode(value) != data
        return
    assert repr(value) == repr(eval(row["python"], dict(NAMES)))
    assert codec.encode(value) == data
    if row["type"] == "HashSet.add":
        assert codec.encode(set(value)) == data
