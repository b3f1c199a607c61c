"""What the released Jackson codecs wrote: to the Python value, and back to the same bytes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from functools import cache
from math import inf, nan
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest

from pyredisson import codecs
from pyredisson.codecs import java
from pyredisson.codecs.java.schema import JavaField, collect, java_class
from pyredisson.errors import DecodeError
from tests.unit.codecs import shapes

VECTORS = Path(__file__).parents[2] / "vectors"


@java_class(
    "com.example.Flags",
    getters={"isActive": "boolean", "isDone": "Boolean", "isReady": "boolean"},
)
@dataclass
class Flags:
    """As Java's, with the method that an annotation makes a property, kept as a field."""

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
# Values that differ after decoding, and why.
LOST = {
    "MsgPackJacksonCodec": {
        "new float[]{1.5f, -0.5f}": "the msgpack library does not tell a float from a double",
        "new Float[]{1.5f, null}": "the msgpack library does not tell a float from a double",
    },
    "CborJackson3Codec": {
        "make(Empty.class)": "comes back as a dict, and an empty map has another head",
    },
    "JsonJackson3Codec": {
        'Flags.of(true, false, "a", "b")': "getUpper is no attribute of the Python class",
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
def spelled(expression: str) -> Any:
    """Make the code of a Python value; the value itself is made anew for each use."""
    return compile(expression, expression, "eval")


def value_of(row: dict[str, str]) -> Any:
    return eval(spelled(row["python"]), dict(NAMES))


def test_enough_was_recorded() -> None:
    assert len(FILES) >= 20
    assert min(len(rows(path)) for path in FILES) >= 300


def unreadable(codec: Any, row: dict[str, str]) -> bool:
    """Say whether Jackson 2.14 wrote an Optional's getters there, which nothing can read."""
    if row["release"] != "3.19.3" or not row["java"].startswith('make(Extras.class, "optional'):
        return False
    with pytest.raises(DecodeError):
        codec.decode(bytes.fromhex(row["hex"]))
    return True


def agrees(codec: Any, row: dict[str, str]) -> bool:
    """Decode and encode one row; False where any of the two is not Java's."""
    data = bytes.fromhex(row["hex"])
    if unreadable(codec, row):
        return True
    found = codec.decode(data)
    same = codec.encode(found) == data
    if same is (row["java"] in LOST.get(row["codec"], {})):
        return False
    if row["python"] == "-":
        return True
    value = value_of(row)
    if codec.encode(value) != data:
        return False
    return row["codec"] in NO_CLASSES or bool(found == value) or repr(found) == repr(value)


@pytest.mark.parametrize("path", PLAIN, ids=lambda path: path.stem)
def test_vectors(path: Path) -> None:
    """Each row decodes to its value and encodes to its bytes again."""
    first = rows(path)[0]
    codec = getattr(codecs, first["codec"])(schemas=SCHEMAS, release=first["release"])
    assert [row["java"] for row in rows(path) if not agrees(codec, row)] == []


def agrees_typed(row: dict[str, str]) -> bool:
    data, value = bytes.fromhex(row["hex"]), value_of(row)
    codec = getattr(codecs, row["codec"])(type(value), schemas=SCHEMAS, release=row["release"])
    if unreadable(codec, row):
        return True
    found = codec.decode(data)
    return (
        codec.encode(value) == data
        and isinstance(found, type(value))
        and codec.encode(found) == data
    )


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.stem)
def test_typed_vectors(path: Path) -> None:
    """Each row whose value has a Python class, in a codec made for that class."""
    checked = [
        row
        for row in rows(path)
        # The class of an EnumSet's value is no class that a codec can be made for.
        if row["python"] != "-" and not row["java"].startswith("EnumSet")
    ]
    assert len(checked) >= 60
    assert [row["java"] for row in checked if not agrees_typed(row)] == []
