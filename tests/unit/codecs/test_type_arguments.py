"""Plain values in `List<Long>` and similar types: Java's streams name each element's class.

The rows are those of `Tally` in the recorded vectors. The declared type argument sets the class
of an element. Without a type argument, the value itself determines its class.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyredisson.codecs import Codec, FstCodec, MarshallingCodec, SerializationCodec
from pyredisson.errors import EncodeError
from pyredisson.java import (
    JArray,
    JEntries,
    JInt,
    JList,
    JLong,
    JMap,
    JSet,
    JShort,
    JValue,
    java_class,
)
from tests.support.rows import each_row
from tests.unit.codecs.migration_shapes import SHAPES, Color, Kept, Tally

VECTORS = Path(__file__).parents[2] / "vectors"
RUNS = [
    (SerializationCodec(SHAPES), "SerializationCodec-3.27.2"),
    (SerializationCodec(SHAPES), "SerializationCodec-4.7.0"),
    (MarshallingCodec(SHAPES), "MarshallingCodec-3.13.6"),
    (MarshallingCodec(SHAPES), "MarshallingCodec-4.0.0"),
    (FstCodec(SHAPES), "FstCodec-3.10.7"),
    (FstCodec(SHAPES), "FstCodec-4.0.0"),
]


@java_class("com.example.Slots", variables=["U"], serial_version_uid=1)
@dataclass
class Slots:
    longs: Annotated[Any, "Collection<Long>"] = None
    map: Annotated[Any, "Map<Long, Long>"] = None
    optional: Annotated[Any, "Optional<Long>"] = None
    reference: Annotated[Any, "java.util.concurrent.atomic.AtomicReference<Long>"] = None
    rows: Annotated[Any, "List<Long>[]"] = None
    colors: Annotated[Any, "List<EnumMap<com.example.Color, Long>>"] = None
    texts: Annotated[Any, "List<String>"] = None
    kept: Annotated[Any, "com.example.Kept<Long>"] = None
    open: Annotated[Any, "U"] = None
    rest: Annotated[Any, "Object"] = None


CODECS: list[Codec[Any]] = [
    each([*SHAPES, Slots]) for each in (SerializationCodec, MarshallingCodec, FstCodec)
]


def plain() -> Tally:
    """Return `Tally.full()` as plain Python values."""
    counts = [1, 1, 1000, 1000]
    return Tally(
        item=5,
        items=[6],
        names=dict.fromkeys([-1, 2, -3, 70000, 1 << 33], "n"),
        counts=counts,
        deep=JMap("java.util.LinkedHashMap", {"a": [7]}),
        kept=Kept(8, [9]),
        ratios={0.5},
        letters=[["x"]],
        open=[3],
        same=counts,
    )


@each_row(("codec", "run"), RUNS, ids=[run for _, run in RUNS])
def test_plain_values_are_javas_bytes(codec: Codec[Any], run: str) -> None:
    rows = json.loads((VECTORS / f"{run}.json").read_text("utf-8"))
    (row,) = (each for each in rows if each["type"] == "Tally")
    assert codec.encode(plain()).hex() == row["hex"]


CASES: list[tuple[str, Any, Any]] = [
    ("longs", [5, None], [JLong(5), None]),
    ("longs", [JLong(5)], [JLong(5)]),
    ("longs", [JShort(5)], [JShort(5)]),
    ("longs", {5}, JSet("java.util.HashSet", [JLong(5)])),
    ("longs", frozenset({5}), JSet("java.util.HashSet", [JLong(5)])),
    ("longs", JSet("java.util.TreeSet", [5]), JSet("java.util.TreeSet", [JLong(5)])),
    ("longs", JList("java.util.LinkedList", [5]), JList("java.util.LinkedList", [JLong(5)])),
    (
        "longs",
        JValue("java.util.Collections$UnmodifiableCollection", [5]),
        JList("java.util.Collections$UnmodifiableCollection", [JLong(5)]),
    ),
    ("map", {5: 6}, {JLong(5): JLong(6)}),
    ("map", {JLong(5): JLong(6)}, {JLong(5): JLong(6)}),
    (
        "map",
        JEntries("java.util.LinkedHashMap", [(5, 6)]),
        JMap("java.util.LinkedHashMap", {JLong(5): JLong(6)}),
    ),
    ("reference", JValue("java.util.concurrent.atomic.AtomicReference", 5), None),
    ("rows", JArray("java.util.List", [[5], None]), JArray("java.util.List", [[JLong(5)], None])),
    ("colors", [{Color.RED: 5}], None),
    ("texts", [5], [5]),
    ("kept", Kept(5, [6]), Kept(JLong(5), [JLong(6)])),
    ("open", 5, 5),
    ("rest", [5], [5]),
]


@each_row(("name", "value", "wanted"), CASES)
@each_row("codec", CODECS, ids=lambda each: type(each).__name__)
def test_elements_take_the_declared_class(
    codec: Codec[Any], name: str, value: Any, wanted: Any
) -> None:
    found = getattr(codec.decode(codec.encode(Slots(**{name: value}))), name)
    if wanted is None:
        assert "JLong(5)" in repr(found)
    else:
        assert repr(found) == repr(wanted)


@each_row("wrong", [[1 << 63], ["5"], [0.5], [True], {"a": [5]}], ids=str)
@each_row("codec", CODECS, ids=lambda each: type(each).__name__)
def test_element_that_does_not_fit_its_type_is_rejected(codec: Codec[Any], wrong: Any) -> None:
    with pytest.raises(EncodeError):
        codec.encode(Slots(longs=wrong))


@pytest.mark.parametrize("codec", CODECS, ids=lambda each: type(each).__name__)
def test_list_in_two_places_stays_one_list(codec: Codec[Any]) -> None:
    items = [5]
    found = codec.decode(codec.encode(Slots(longs=items, rest=[items])))
    assert found.longs is found.rest[0]
    assert repr(found.longs) == "[JLong(5)]"


def test_a_value_that_names_its_class_keeps_it() -> None:
    """Java's own lists may hold values of another class than the declared one."""
    found = CODECS[0].decode(CODECS[0].encode(Slots(longs=[JInt(5)], optional=None)))
    assert repr(found.longs) == "[5]"


MADE: list[Callable[[], Any]] = [lambda: {5: 1}, lambda: JMap("java.util.TreeMap", {5: 1})]


@pytest.mark.parametrize("made", MADE)
def test_encoding_does_not_change_the_value(made: Callable[[], Any]) -> None:
    given = made()
    CODECS[0].encode(Slots(map=given))
    assert repr(given) == repr(made())


@java_class("com.example.Sorted", serial_version_uid=1)
@dataclass
class Sorted:
    order: Annotated[Any, "java.util.Comparator<String>"] = None


@pytest.mark.parametrize("kind", [SerializationCodec, MarshallingCodec])
def test_type_argument_of_a_comparator_is_ignored(kind: Callable[..., Codec[Any]]) -> None:
    codec = kind([Sorted])
    value = Sorted(JValue("java.lang.String$CaseInsensitiveComparator"))
    assert codec.decode(codec.encode(value)) == value
