"""Kryo5Codec's shapes: one function handles a whole message, with the slow path's results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import Kryo5Codec
from pyredisson.codecs.kryo5.families.objects.typed_values import typed_value
from pyredisson.codecs.kryo5.registry import Registry
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JavaField, JList, JLong, JMap, java_class
from pyredisson.limits import Limits
from tests.support.rows import each_row


@java_class("com.example.Street")
@dataclass(frozen=True)
class Street:
    name: Annotated[Any, "String"] = None
    number: Annotated[Any, "int"] = 7


@java_class("com.example.Town", final=True)
@dataclass
class Town:
    main: Annotated[Any, "com.example.Street"] = field(default_factory=Street)
    mayor: Annotated[Any, "String"] = "m"


@java_class("com.example.Price")
@dataclass
class Price:
    amount: Annotated[Any, "java.math.BigDecimal"] = Decimal("1.25")
    tax: Annotated[Any, "java.math.BigDecimal"] = Decimal("-0.05")


@java_class("com.example.Trip")
@dataclass
class Trip:
    counts: Annotated[Any, "Map<String, Integer>"] = field(default_factory=dict)
    extra: Annotated[Any, "Map<String, Object>"] = field(default_factory=dict)
    names: Annotated[Any, "List<String>"] = field(default_factory=list)
    numbers: Annotated[Any, "List<Integer>"] = field(default_factory=list)
    prices: Annotated[Any, "List<com.example.Price>"] = field(default_factory=lambda: [Price()])
    second: Annotated[Any, "com.example.Street"] = field(default_factory=Street)
    town: Annotated[Any, "com.example.Town"] = field(default_factory=Town)
    truths: Annotated[Any, "Map<String, Boolean>"] = field(default_factory=dict)
    seen: Annotated[Any, JavaField("String", transient=True)] = None


@java_class("com.example.Avenue")
@dataclass(frozen=True)
class Avenue(Street):
    trees: Annotated[Any, "int"] = 3


@java_class("com.example.Ages")
@dataclass
class Ages:
    ages: Annotated[Any, "Map<Integer, String>"] = field(default_factory=lambda: {1: "a"})


@java_class("com.example.Blind")
@dataclass
class Blind:
    missing: Annotated[Any, "com.example.Missing"] = None


@java_class("com.example.Size")
@dataclass
class Size:
    größe: Annotated[Any, "List<String>"] = field(default_factory=lambda: ["xl"])  # noqa: PLC2401 - the case


SCHEMAS = [Street, Town, Price, Trip, Avenue]
TEXTS = st.one_of(st.text(max_size=4), st.sampled_from(["ab", "key", "x" * 40, "\0a"]))
INTS = st.one_of(st.integers(-200, 200), st.integers(-(1 << 31), (1 << 31) - 1))
DECIMALS = st.one_of(st.none(), st.decimals(allow_nan=False, allow_infinity=False))
STREETS = st.one_of(
    st.builds(Street, st.one_of(st.none(), TEXTS), INTS), st.none(), st.builds(Avenue, TEXTS)
)
OPEN = st.one_of(
    st.none(), TEXTS, INTS, st.booleans(), st.floats(allow_nan=False), st.builds(JLong, INTS)
)
OPEN = OPEN | st.integers(-(1 << 63), (1 << 63) - 1) | st.lists(INTS, max_size=2)
TRIPS = st.builds(
    Trip,
    st.dictionaries(TEXTS, st.one_of(st.none(), INTS), max_size=20),
    st.dictionaries(TEXTS, OPEN, max_size=5),
    st.lists(st.one_of(st.none(), TEXTS), max_size=40),
    st.lists(INTS, max_size=40),
    st.lists(st.builds(Price, DECIMALS, DECIMALS), max_size=4),
    STREETS,
    st.builds(Town, STREETS, TEXTS) | st.none(),
    st.dictionaries(TEXTS, st.booleans(), max_size=3),
)


def learned(limits: Limits | None = None) -> Kryo5Codec:
    codec = Kryo5Codec(schemas=SCHEMAS, limits=limits or Limits())
    codec.decode(codec.encode(Trip()))
    return codec


QUICK = learned()


@pytest.fixture(scope="module")
def plain() -> Any:
    """A codec without any fast path."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Registry, "simple", lambda *_: None)
        return learned()


def test_fast_path_matches_messages_of_the_shape(plain: Kryo5Codec) -> None:
    flat = QUICK._fast_paths[Trip]
    value = Trip({"a": 1}, {"b": "c", "d": None}, ["e", "", "fg"], [1, 300], [Price()] * 2)
    for each in (Trip(), value):
        assert flat is not None
        assert flat.match(QUICK.encode(each)) == each
    assert plain._fast_paths[Trip] is None


@pytest.mark.parametrize("number", ["8000", "808000", "80808000", "8080808000", "818000"])
def test_number_in_more_bytes_than_needed_is_decoded(plain: Kryo5Codec, number: str) -> None:
    """Java reads such a number, but never writes one."""
    data = plain.encode([0, 5])[:-1] + bytes.fromhex(number)
    wanted = [0, -1] if number.startswith("81") else [0, 0]
    assert QUICK.decode(plain.encode([0, 5])) == [0, 5]
    assert plain.decode(data) == wanted
    assert QUICK.decode(data) == wanted


@settings(deadline=None)  # a regular expression may be compiled
@given(value=TRIPS)
def test_fast_path_equals_slow_path(plain: Kryo5Codec, value: Trip) -> None:
    data = plain.encode(value)
    assert QUICK.encode(value) == data
    found = QUICK.decode(data)
    assert repr(found) == repr(plain.decode(data))
    assert QUICK.encode(found) == data


LISTS = st.one_of(
    st.lists(TEXTS, max_size=70), st.lists(INTS, max_size=70), st.lists(TEXTS | INTS | st.none())
)


@settings(deadline=None)  # a regular expression may be compiled
@given(value=LISTS, place=st.integers(0), byte=st.integers(0, 255))
def test_a_list_of_texts_or_numbers(
    plain: Kryo5Codec, value: list[Any], place: int, byte: int
) -> None:
    data = plain.encode(value)
    for _ in range(2):
        assert QUICK.encode(value) == data
        assert QUICK.decode(data) == value
        spoiled = data[: place % len(data)] + bytes([byte]) + data[place % len(data) + 1 :]
        for each in (spoiled, data[: place % len(data)], data + b"\0"):
            assert outcome(QUICK, each) == outcome(plain, each)


@pytest.mark.no_cover  # the same branches, thousands of times
@settings(deadline=None)  # a regular expression may be compiled
@given(value=TRIPS, place=st.integers(0), byte=st.integers(0, 255))
def test_damaged_message_has_the_same_outcome_on_both_paths(
    plain: Kryo5Codec, value: Trip, place: int, byte: int
) -> None:
    data = bytearray(plain.encode(value))
    data[place % len(data)] = byte
    for each in (bytes(data), bytes(data[: place % len(data)]), bytes(data) + b"\0"):
        assert outcome(QUICK, each) == outcome(plain, each)


def outcome(codec: Kryo5Codec, data: bytes) -> str:
    try:
        return repr(codec.decode(data))
    except DecodeError as error:
        return str(error)


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": {"a": "b"}},
        {"counts": {1: 1}},
        {"counts": JMap("java.util.TreeMap", {"a": 1})},
        {"counts": {f"key{n}": n for n in range(40)}},
        {"extra": {"when": ...}},
        {"names": [1]},
        {"names": ["a", 1]},
        {"names": JList("java.util.LinkedList", ["a"])},
        {"names": "text"},
        {"numbers": [1 << 31]},
        {"numbers": ["1"]},
        {"prices": []},
        {"prices": [None]},
        {"prices": [Price(), Street()]},
        {"prices": [Price(Decimal("NaN"))]},
        {"prices": [Price()] * 40},
        {"second": Town()},
        {"town": Street()},
        {"truths": {"a": 1}},
        {"town": Town(Street([]))},
    ],
    ids=repr,
)
def test_value_of_another_shape_is_encoded_alike_on_both_paths(
    plain: Kryo5Codec, wrong: dict[str, Any]
) -> None:
    told = []
    for codec in (QUICK, plain):
        try:
            told.append(codec.encode(replace(Trip(), **wrong)).hex())
        except EncodeError as error:
            told.append(str(error))
    assert told[0] == told[1]


def test_limits_of_depth_and_class_names_apply_to_a_shape() -> None:
    value = Trip(counts={"a": 1})
    data = QUICK.encode(value)
    names = len({b"Trip", b"HashMap", b"ArrayList", b"Price", b"BigDecimal", b"Street"})
    for limits in (Limits(max_depth=3), Limits(max_class_names=names)):
        assert learned(limits).encode(value) == data
        assert learned(limits)._fast_paths[Trip] is not None
    for limits in (Limits(max_depth=2), Limits(max_class_names=names - 1)):
        with pytest.raises((DecodeError, EncodeError)):
            Kryo5Codec(schemas=SCHEMAS, limits=limits).decode(data)


@pytest.mark.parametrize("value", [Ages(), Blind(), Size()], ids=repr)
def test_a_class_without_a_shape(value: Any) -> None:
    codec = Kryo5Codec(schemas=[type(value)])
    assert codec.decode(codec.encode(value)) == value
    assert codec._fast_paths[type(value)] is None


def test_missing_field_is_rejected() -> None:
    value = Trip()
    del value.names
    with pytest.raises(EncodeError, match=r"lacks a field: .* 'names'"):
        QUICK.encode(value)


def nested(depth: int) -> list[type]:
    """Return classes of which each has two fields of the previous class."""
    found: list[type] = [Street]
    for number in range(depth):
        name, inner = f"Level{number}", f"Annotated[Any, 'com.example.{found[-1].__name__}']"
        made: Any = type(
            name, (), {"__annotations__": {"a": inner, "b": inner}, "a": None, "b": None}
        )
        made.__module__ = __name__
        found.append(java_class(f"com.example.{name}")(dataclass(made)))
    return found


def test_deeply_nested_class_has_no_shape() -> None:
    for depth in (3, 7):
        classes = nested(depth)
        codec = Kryo5Codec(schemas=classes)
        value: Any = Street()
        for cls in classes[1:]:
            value = cls(value, value)
        assert codec.decode(codec.encode(value)) == value
        assert (codec._fast_paths[classes[-1]] is None) == (depth == 7)


@each_row("value", [None, "x", "", 5, 300, -1, JLong(7), True, False, 1.5])
def test_typed_value_equals_the_decoded_value(value: Any) -> None:
    data = Kryo5Codec(release="4.7.0").encode(value)
    found = typed_value(data)
    assert (found, type(found)) == (value, type(value))
