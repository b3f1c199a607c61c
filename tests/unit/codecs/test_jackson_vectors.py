"""Recorded bytes of the released Jackson codecs: decoded to a value, and encoded again.

A row's value is in `python`, or in `json` if the format keeps only that.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from functools import cache
from math import inf, nan
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest

from pyredisson import codecs, java
from pyredisson.codecs import Codec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JDate, JEntries, JSet
from pyredisson.java.schema import JavaField, java_class
from pyredisson.java.schemas import collect
from pyredisson.releases import parse_release
from tests.unit.codecs import shapes

VECTORS = Path(__file__).parents[2] / "vectors"


@java_class(
    "com.example.Flags",
    getters={
        "isActive": "boolean",
        "isDone": "Boolean",
        "isReady": "boolean",
        "getUpper": "String",
    },
)
@dataclass
class Flags:
    """Java's class. The method that an annotation makes a property is a field here."""

    active: Annotated[bool, JavaField("boolean", public=False)] = False
    done: Annotated[bool | None, JavaField("Boolean", public=False)] = None
    original: Annotated[str | None, JavaField("String", json="renamed")] = None
    secret: Annotated[str | None, JavaField("String", json_ignore=True)] = None
    passing: Annotated[str | None, JavaField("String", transient=True)] = None
    fixed: Annotated[int, JavaField("int", public=False)] = 7
    computed: Annotated[str | None, JavaField("String", json="computed")] = None

    def isReady(self) -> bool:  # noqa: N802 - Java's name of the getter
        return self.active


SCHEMAS = [
    *(each.python for each in collect(shapes).values() if each.class_name != "com.example.Flags"),
    Flags,
]
NAMES = {
    **{name: getattr(java, name) for name in java.__all__},
    **{name: each for name, each in vars(shapes).items() if isinstance(each, type)},
    "UTC": UTC,
    **{each.__name__: each for each in (date, datetime, time, timedelta, timezone)},
    "Decimal": Decimal,
    "UUID": UUID,
    "inf": inf,
    "nan": nan,
}
# Values that releases before the key wrote without a class. Readers get another class.
CLASSLESS = {
    "4.2.0": {
        'UUID.fromString("01234567-89ab-cdef-0123-456789abcdef")',
        'UUID.fromString("ffffffff-ffff-ffff-ffff-ffffffffffff")',
        "new UUID[]{new UUID(1L, 2L), null}",
    },
    "3.11.6": {
        "list(Double.NaN, Double.POSITIVE_INFINITY)",
        'make(Wide.class, "any", Double.NaN, "anyNumber", Double.POSITIVE_INFINITY)',
    },
}
NO_CLASSES = {"CborJackson3Codec", "SmileJackson3Codec", "IonJackson3Codec"}


FILES = sorted(VECTORS.glob("Shapes*.json"))
PLAIN = [path for path in FILES if not path.stem.startswith("ShapesTyped")]
TYPED = [path for path in FILES if path.stem.startswith("ShapesTyped")]


@cache
def rows(path: Path) -> list[dict[str, str]]:
    recorded: list[dict[str, str]] = json.loads(path.read_text("utf-8"))
    return recorded


@cache
def codec_of(name: str, release: str) -> Any:
    """Make a codec that also writes what Java could not read at the root."""
    loose = {} if name in NO_CLASSES else {"strict": False}
    return getattr(codecs, name)(schemas=SCHEMAS, release=release, **loose)


@cache
def encoded(expression: str) -> Any:
    """Compile the expression of a Python value. Each use evaluates it again."""
    return compile(expression, expression, "eval")


def values_of(row: dict[str, str]) -> list[Any]:
    found = [row[each] for each in ("python", "json") if each in row]
    return [eval(encoded(each), dict(NAMES)) for each in found if each != "-"]


def is_classless(row: dict[str, str]) -> bool:
    release = parse_release(row["release"])
    return any(release < parse_release(to) and row["java"] in CLASSLESS[to] for to in CLASSLESS)


def writes(codec: Any, value: Any, data: bytes) -> bool:
    try:
        return bool(codec.encode(value) == data)
    except EncodeError:
        return False


def plain(value: Any) -> Any:
    """Reduce a value to its form in a message without class names."""
    if isinstance(value, (JEntries, dict)):
        pairs = value.items() if isinstance(value, dict) else value
        return {getattr(key, "name", str(key)): plain(each) for key, each in pairs}
    if isinstance(value, JArray) and value.component == "char":
        return "".join(value)
    if isinstance(value, (list, tuple, set, frozenset, JSet)):
        return [plain(each) for each in value]
    if value is None or isinstance(value, bool):
        return value
    kinds = (each for each in (str, int, float) if isinstance(value, each))
    return ... if isinstance(value, JDate) else next((each(value) for each in kinds), ...)


def alike(found: Any, value: Any, *, classes: bool) -> bool:
    if classes:
        return bool(found == value) or repr(found) == repr(value)
    return covers(plain(value), plain(found))


def covers(wanted: Any, found: Any) -> bool:
    """Return whether a plain value is the wanted one. A wanted `...` matches any value."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() == found.keys() and all(covers(wanted[k], found[k]) for k in wanted)
    if isinstance(wanted, list) and isinstance(found, list):
        return len(wanted) == len(found) and all(map(covers, wanted, found))
    return wanted is ... or repr(wanted) == repr(found)


# Java names no class at these roots, and cannot read them itself.
ROOT_ROWS = ("new Stamp[][]{", "new UUID[][]{")


def unreadable(codec: Any, row: dict[str, str]) -> bool:
    """Return whether no reader can decode a row, such as an Optional's getters of Jackson 2.14."""
    named = row["codec"] not in NO_CLASSES and not row["codec"].startswith("Typed")
    rows = named and row["java"].startswith(ROOT_ROWS)
    if row["java"].startswith("new UUID") and parse_release(row["release"]) < (4, 2, 0):
        rows = False  # any reader gets texts
    optional = row["java"].startswith('make(Extras.class, "optional')
    if not rows and not (optional and row["release"] == "3.19.3"):
        return False
    with pytest.raises(DecodeError):
        codec.decode(bytes.fromhex(row["hex"]))
    return True


def agrees(codec: Any, row: dict[str, str]) -> bool:
    """Decode one row and encode its value; return whether both match Java."""
    data = bytes.fromhex(row["hex"])
    if unreadable(codec, row):
        return True
    found = codec.decode(data)
    values = values_of(row)
    if values and not any(writes(codec, each, data) for each in values):
        return False
    classes = row["codec"] not in NO_CLASSES
    read = not values or any(alike(found, each, classes=classes) for each in values)
    return read is not (classes and is_classless(row))


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    """Each row decodes to its value, and the value encodes to its bytes."""
    first = rows(path)[0]
    codec = codec_of(first["codec"], first["release"])
    assert [row["java"] for row in rows(path) if not agrees(codec, row)] == []


# Java's codec fails inside such a value, or reads Arrays.asList(...) as an ArrayList.
INSIDE = {
    *(f"com.example.{name}" for name in ("Generics", "Bound", "Extras", "Wide", "Grids")),
    *("java.util.ArrayList", "java.util.Arrays$ArrayList"),
}


def is_readable(row: dict[str, str]) -> bool:
    """Return whether Java reads the root as its class; missing rights on JDK 17 do not count."""
    late = row["java"] == "new Date(Long.MAX_VALUE)" and row["release"] == "4.1.0"
    read = row.get("read", row["type"])
    late |= read == "!InaccessibleObjectException" and "Atomic" in row["type"]
    return late or row["type"] in INSIDE or read == row["type"]


@pytest.mark.parametrize(
    "path",
    [each for each in PLAIN if rows(each)[0]["codec"] not in NO_CLASSES],
    ids=lambda path: path.stem,
)
def test_root_that_java_reads_as_another_class_is_rejected(path: Path) -> None:
    """`read` is the class that the same Java codec reads, or its exception."""
    first = rows(path)[0]
    loose = codec_of(first["codec"], first["release"])
    strict = getattr(codecs, first["codec"])(schemas=SCHEMAS, release=first["release"])
    checked = [
        (row, value)
        for row in rows(path)
        for value in values_of(row)[: row["python"] != "-"]
        if writes(loose, value, bytes.fromhex(row["hex"]))
    ]
    wrong = [
        (row["java"], row.get("read"))
        for row, value in checked
        if writes(strict, value, bytes.fromhex(row["hex"])) is not is_readable(row)
    ]
    assert wrong == []
    assert len([1 for row, _ in checked if not is_readable(row)]) >= 50


def typed(row: dict[str, str]) -> tuple[Any, Any]:
    """Make the value of a row and the codec of its class; None where no codec can be made."""
    for value in values_of(row)[:1]:
        # No codec can be made for the class of an EnumSet's value.
        if not row["java"].startswith("EnumSet"):
            cls: Any = type(value)
            return value, typed_codec(row["codec"], cls, row["release"])
    return None, None


@cache
def typed_codec(name: str, value_type: type, release: str) -> Codec[Any] | None:
    with suppress(TypeError):
        made: Codec[Any] = getattr(codecs, name)(value_type, schemas=SCHEMAS, release=release)
        return made
    return None


def agrees_typed(codec: Any, value: Any, row: dict[str, str]) -> bool:
    data = bytes.fromhex(row["hex"])
    if unreadable(codec, row):
        return True
    return codec.encode(value) == data and isinstance(codec.decode(data), type(value))


@pytest.mark.no_cover  # the same branches, thousands of times
@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_typed_vectors(path: Path) -> None:
    """Each row whose value has a Python class, in a codec made for that class."""
    checked = [(row, *typed(row)) for row in rows(path)]
    checked = [each for each in checked if each[2] is not None]
    assert len(checked) >= 250
    assert [
        row["java"] for row, value, codec in checked if not agrees_typed(codec, value, row)
    ] == []
