"""Random values in the form in which the decoders return them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from pyredisson.java import (
    JArray,
    JBigInteger,
    JByte,
    JChar,
    JDate,
    JEntries,
    JFloat,
    JList,
    JLong,
    JMap,
    JSet,
    JShort,
)
from pyredisson.java.hashing import put_order

INT = st.integers(-(2**31), 2**31 - 1)
LONG = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(codec="utf-16-le"), max_size=40)
UNIT = st.characters(max_codepoint=0xFFFF)
SMALL_FLOAT = st.floats(width=32)
DECIMAL = st.builds(
    lambda unscaled, scale: Decimal(unscaled).scaleb(scale),
    st.integers(-(10**25), 10**25),
    st.integers(-20, 0),
)
DATE = st.integers(-62135596800000, 253402300799999).map(
    lambda millis: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=millis)
)

SCALARS: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    INT,
    TEXT,
    st.floats(),
    st.binary(max_size=20),
    st.uuids(),
    DECIMAL,
    DATE,
    LONG.map(JLong),
    st.integers(-128, 127).map(JByte),
    st.integers(-(2**15), 2**15 - 1).map(JShort),
    SMALL_FLOAT.map(JFloat),
    UNIT.map(JChar),
    st.integers(-(2**200), 2**200).map(JBigInteger),
    st.integers(10**15, 2**63 - 1).map(JDate),
)
PRIMITIVE_ARRAYS: st.SearchStrategy[Any] = st.one_of(
    st.lists(INT, max_size=5).map(lambda v: JArray("int", v)),
    st.lists(LONG, max_size=5).map(lambda v: JArray("long", v)),
    st.lists(st.integers(-(2**15), 2**15 - 1), max_size=5).map(lambda v: JArray("short", v)),
    st.lists(st.floats(), max_size=5).map(lambda v: JArray("double", v)),
    st.lists(SMALL_FLOAT, max_size=5).map(lambda v: JArray("float", v)),
    st.lists(st.booleans(), max_size=5).map(lambda v: JArray("boolean", v)),
    st.lists(UNIT, max_size=5).map(lambda v: JArray("char", v)),
    st.lists(st.none() | TEXT, max_size=5).map(lambda v: JArray("java.lang.String", v)),
    st.lists(st.none() | LONG, max_size=5).map(lambda v: JArray("java.lang.Long", v)),
    st.lists(st.none() | st.lists(INT, max_size=3).map(lambda v: JArray("int", v)), max_size=3).map(
        lambda v: JArray("int[]", v)
    ),
)
LISTS = ("java.util.LinkedList", "java.util.Arrays$ArrayList", "java.util.Vector")
MAPS = ("java.util.LinkedHashMap", "java.util.WeakHashMap")
SETS = ("java.util.HashSet", "java.util.LinkedHashSet")


def as_java_has_it(entries: dict[Any, Any]) -> dict[Any, Any]:
    """Return a dict in Java's order, in which it is encoded and decoded."""
    keys = list(entries)
    return {keys[each]: entries[keys[each]] for each in put_order(keys) or range(len(keys))}


def graphs(keys: st.SearchStrategy[Any], in_maps: bool) -> st.SearchStrategy[Any]:
    """Return a strategy for nested values; `in_maps` allows nulls in maps."""

    def extend(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        values = st.none() | inner
        entries = st.dictionaries(keys, values if in_maps else inner, max_size=4)
        return st.one_of(
            st.lists(values, max_size=5),
            st.lists(values, max_size=5).map(lambda v: JArray("java.lang.Object", v)),
            st.builds(JList, st.sampled_from(LISTS), st.lists(values, max_size=5)),
            st.builds(JSet, st.sampled_from(SETS), st.lists(TEXT | st.none(), unique=True)),
            entries.map(as_java_has_it),
            st.builds(JMap, st.sampled_from(MAPS), entries),
        )

    return st.recursive(SCALARS | PRIMITIVE_ARRAYS, extend, max_leaves=12)


KRYO_GRAPHS = st.none() | graphs(
    TEXT | INT | LONG.map(JLong).filter(lambda v: abs(v) > 2**31), True
)
PAIRS = st.lists(st.tuples(st.lists(INT, max_size=2), TEXT), min_size=1, max_size=3)
ENTRIES = PAIRS.map(lambda v: JEntries("java.util.HashMap", v))
JSON_GRAPHS = graphs(TEXT.filter(lambda key: key != "@class"), False)
