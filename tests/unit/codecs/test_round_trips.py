"""A codec decodes its own bytes to the same value, with the same types."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import (
    DoubleCodec,
    IntegerCodec,
    JsonJacksonCodec,
    Kryo5Codec,
    LongCodec,
    StringCodec,
    TypedJsonJacksonCodec,
)
from tests.unit.codecs.strategies import (
    ENTRIES,
    INT,
    JSON_GRAPHS,
    KRYO_GRAPHS,
    LONG,
    TEXT,
    as_java_has_it,
)

pytestmark = pytest.mark.no_cover  # the same branches, thousands of times

KRYO = Kryo5Codec()
JSON = JsonJacksonCodec(release="4.7.0")
LOOSE = JsonJacksonCodec(release="4.7.0", strict=False)


@settings(max_examples=300, deadline=None)
@given(KRYO_GRAPHS | ENTRIES)
def test_kryo5(value: Any) -> None:
    data = KRYO.encode(value)
    found = KRYO.decode(data)
    assert repr(found) == repr(value)
    assert KRYO.encode(found) == data


@settings(max_examples=300, deadline=None)
@given(JSON_GRAPHS)
def test_json_jackson_in_a_slot(value: Any) -> None:
    data = JSON.encode([value])
    found = JSON.decode(data)
    assert repr(found) == repr([value])
    assert JSON.encode(found) == data


@settings(max_examples=200, deadline=None)
@given(JSON_GRAPHS)
def test_json_jackson_at_the_root(value: Any) -> None:
    data = LOOSE.encode(value)
    assert json.loads(data) is not None
    assert LOOSE.encode(JSON.decode(data)) == data


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | TEXT | INT | st.floats(allow_nan=False, allow_infinity=False),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(TEXT, inner.filter(lambda v: v is not None)).map(as_java_has_it)
        ),
        max_leaves=10,
    )
)
def test_typed_json_jackson_without_a_class(value: Any) -> None:
    codec = TypedJsonJacksonCodec()
    data = codec.encode(value)
    assert repr(codec.decode(data)) == repr(value)
    assert json.loads(data) == value


@given(TEXT)
def test_string(value: str) -> None:
    for charset in ("UTF-8", "UTF-16", "utf_32", "UTF-16LE"):
        assert StringCodec(charset).decode(StringCodec(charset).encode(value)) == value


@given(LONG, INT, st.floats())
def test_numbers(long: int, integer: int, double: float) -> None:
    assert LongCodec().decode(LongCodec().encode(long)) == long
    assert IntegerCodec().decode(IntegerCodec().encode(integer)) == integer
    assert repr(DoubleCodec().decode(DoubleCodec().encode(double))) == repr(double)


@settings(max_examples=100, deadline=None)
@given(KRYO_GRAPHS | ENTRIES)
def test_decoded_values_can_be_copied_and_pickled(value: Any) -> None:
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert repr(twin) == repr(value)
        assert KRYO.encode(twin) == KRYO.encode(value)
