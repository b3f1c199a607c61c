"""Every recorded value of the released Java codecs decodes to its Python value, and back."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from functools import cache
from math import inf, nan
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pyredisson import java
from pyredisson.codecs import Codec, JsonJacksonCodec, Kryo5Codec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.objects import JavaObject, JavaValue
from tests.support.rows import check_all, rows_of
from tests.unit.codecs import shapes

VECTORS = Path(__file__).parents[2] / "vectors"
CODECS = ("Kryo5Codec", "JsonJacksonCodec")


def twice(value: Any) -> Any:
    return [value, value]


def knot() -> Any:
    tree = shapes.Tree("knot")
    tree.twin, tree.children = tree, [tree]
    return tree


def loop() -> Any:
    array: java.JArray[Any] = java.JArray("java.lang.Object")
    array.append(array)
    return array


def serialized(name: str, value: Any) -> Any:
    return java.JSerialized(name, b"", value)


def thrown(name: str, message: str, **own: Any) -> Any:
    fields: dict[str, Any] = {"cause": None, "detailMessage": message}
    fields["stackTrace"] = java.JArray("java.lang.StackTraceElement", [])
    fields["suppressedExceptions"] = java.JList("java.util.Collections$EmptyList", [])
    return serialized(name, JavaObject(name, fields | own))


NAMES = {
    **{each.__name__: each for each in (loop, serialized, thrown, JavaObject, JavaValue)},
    **{name: getattr(java, name) for name in java.__all__},
    **{name: each for name, each in vars(shapes).items() if isinstance(each, type)},
    "UTC": UTC,
    "datetime": datetime,
    "date": date,
    "time": time,
    "timedelta": timedelta,
    "timezone": timezone,
    "Decimal": Decimal,
    "UUID": UUID,
    "inf": inf,
    "nan": nan,
    "twice": twice,
    "knot": knot,
}
# Redisson before 4.2.0 wrote a UUID and a UUID[] at the root without the class. Any reader gets a
# String, which encodes to the same bytes.
BARE_UUID = {
    'UUID.fromString("01234567-89ab-cdef-0123-456789abcdef")',
    'UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff")',
    "new UUID[]{new UUID(1L, 2L), null}",
}
# Values that Java wrote and could not read, keyed by the release in which that ended. At first
# Java skipped constructors; later it had no serializers for these classes.
CONSTRUCTED = "3.19.2"
READ_ONLY = {
    CONSTRUCTED: re.compile(
        r"\bstack\(|new \S*(LinkedHashSet|ArrayDeque|Vector|Hashtable|Properties|Names"
        r"|WeakHashMap|IdentityHashMap"
        r"|CopyOnWrite\w+|ConcurrentSkipListSet|(LinkedBlocking|ConcurrentLinked)\w+"
        r"|(PriorityBlocking|LinkedTransfer|Delay)Queue)[<(]"
    ),
    "3.35.0": re.compile(r"Collections\.(unmodifiable|synchronized|checked|empty(Sorted|Navig))"),
    "3.36.0": re.compile("new EnumMap"),
    "4.7.0": re.compile("newKeySet"),
}


FILES = [
    path for path in sorted(VECTORS.glob("*Codec-*.json")) if path.stem.partition("-")[0] in CODECS
]


@cache
def codec_of(name: str, release: str, options: str) -> Codec[Any]:
    if name == "Kryo5Codec":
        return Kryo5Codec(schemas=shapes, release=release, **json.loads(options))
    return JsonJacksonCodec(release=release, strict=False)


def is_bare_uuid(row: dict[str, Any]) -> bool:
    old = row["release"].startswith("3.")
    return old and row["codec"] == "JsonJacksonCodec" and row["java"] in BARE_UUID


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    check_all(rows_of(path), check_vector)


def check_vector(row: dict[str, Any]) -> None:
    codec = codec_of(row["codec"], row["release"], json.dumps(row.get("options", {})))
    data = bytes.fromhex(row["hex"])
    if "java.net.Inet" in row["java"] and row["release"] < "3.38.0":
        with pytest.raises(DecodeError, match="not known"):  # Java wrote nothing but the class
            codec.decode(data)
        return
    value = codec.decode(data)
    if is_bare_uuid(row):
        assert "UUID" not in repr(value)
        assert codec.encode(value) == data
        return
    until = [
        each
        for each, pattern in READ_ONLY.items()
        if row["codec"] == "Kryo5Codec" and row["release"] < each and pattern.search(row["java"])
    ]
    view = row["type"].startswith("view ")
    if row["python"] == "opaque" and not until:
        assert value.data == data[-len(value.data) :]
        assert value.value.class_name == value.class_name
    elif view or not until or until == [CONSTRUCTED]:
        assert repr(value) == repr(eval(row["python"], dict(NAMES)))
    if until or view:
        with pytest.raises(EncodeError, match="Java could not read it"):
            codec.encode(value)
        return
    assert codec.encode(value) == data
    if row["type"] == "HashSet.add":
        assert codec.encode(set(value)) == data
