"""Orders of Java's maps and hash codes of Java's values, recorded by `record_orders.py`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from pyredisson.codecs import JsonJacksonCodec, Kryo5Codec, SerializationCodec
from pyredisson.java import (
    JBigInteger,
    JByte,
    JChar,
    JDate,
    JDuration,
    JFloat,
    JInstant,
    JLocalDateTime,
    JLong,
    JMap,
    JOffsetDateTime,
    JSet,
    JShort,
    JText,
    JTime,
    JValue,
    java_class,
)
from pyredisson.java.hash_codes import java_hash
from pyredisson.java.hashing import put_order, table_size
from pyredisson.java.map_orders import map_order, set_order
from pyredisson.rejection import Rejection
from tests.support.rows import each_row
from tests.unit.codecs.shapes import Color

RECORDED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "orders" / "jdk-17.json").read_text("utf-8")
)
KEYS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "JLong": lambda text: JLong(int(text)),
    "Decimal": Decimal,
    "UUID": UUID,
    "JChar": JChar,
}


@java_class("Orders$Point", record=True)
@dataclass(frozen=True)
class Point:
    x: Annotated[int, "int"]
    y: Annotated[int, "long"]
    name: Annotated[str | None, "String"]
    part: Annotated[float, "float"]
    any: Annotated[Any, "Object"]


NAMES = {
    "UTC": UTC,
    "date": date,
    "datetime": datetime,
    "time": time,
    "timedelta": timedelta,
    "timezone": timezone,
    "Decimal": Decimal,
    "UUID": UUID,
    "JBigInteger": JBigInteger,
    "JByte": JByte,
    "JChar": JChar,
    "JDate": JDate,
    "JFloat": JFloat,
    "JInstant": JInstant,
    "JDuration": JDuration,
    "JTime": JTime,
    "JLocalDateTime": JLocalDateTime,
    "JLong": JLong,
    "JOffsetDateTime": JOffsetDateTime,
    "JShort": JShort,
    "JText": JText,
    "JValue": JValue,
    "Point": Point,
}


def _orders() -> Iterator[tuple[dict[str, Any], str, list[int]]]:
    row: dict[str, Any] = {}
    for each in RECORDED:
        if "put" in each:
            row = each
        elif "map" in each:
            yield row, each["map"], each["order"]


@each_row("row", [each for each in RECORDED if "hash" in each], ids=lambda row: str(row["python"]))
def test_hash_codes(row: dict[str, Any]) -> None:
    value = eval(row["python"], dict(NAMES))
    assert java_hash(value) == row["hash"] & 0xFFFFFFFF


def test_maps_are_in_the_recorded_order() -> None:
    seen = 0
    for row, name, wanted in _orders():
        keys = [KEYS[row["key"]](each) for each in row["put"]]
        order = map_order(name, keys)
        assert wanted == (list(range(len(keys))) if order is None else list(order)), row["name"]
        if name == "java.util.HashMap" and keys:
            assert table_size(len(keys), keys) == row["table"], row["name"]
        seen += len(keys) > 1
    assert seen > 1000


NO_OFFSET = ZoneInfo("Europe/Berlin")


@each_row(
    "value",
    [
        b"x",
        object(),
        ["x", b"x"],
        frozenset({b"x"}),
        {"x": b"x"},
        Decimal("NaN"),
        datetime(2024, 1, 1),
        JInstant(2024, 1, 1),
        JOffsetDateTime(2024, 1, 1),
        time(1, 2, tzinfo=NO_OFFSET),
        Point(1, 1, "n", 0.5, b"x"),
        JValue("java.time.Instant", 1),
        JValue("java.util.OptionalInt", 1, 2),
        JValue("java.lang.Class", "x"),
        JText("java.net.URI", "x"),
    ],
)
def test_unknown_hash_codes_are_not_guessed(value: Any) -> None:
    assert java_hash(value) is None
    assert put_order(["channel", value, "coupon"]) is None


def test_a_declared_class_decides_on_plain_values() -> None:
    assert java_hash(-1, "java.lang.Long") == 0
    assert java_hash(-1, "java.math.BigInteger") == 0xFFFFFFFF
    assert java_hash(2**40, "java.math.BigInteger") == 31 * 256
    assert java_hash(1.5, "java.lang.Float") == 0x3FC00000
    assert java_hash(1e300, "java.lang.Float") is None
    moment = datetime(2024, 2, 29, 1, 2, 3, 4, tzinfo=UTC)
    assert java_hash(moment, "java.time.Instant") == java_hash(JInstant.fromisoformat(str(moment)))


def test_bucket_of_identity_compared_keys_loses_no_key() -> None:
    longs = [(each << 32) | each for each in range(12)]
    mixed = [*map(JLong, longs[:6]), *map(date.fromordinal, range(1, 3)), *map(JLong, longs[6:])]
    assert sorted(put_order(mixed) or ()) == list(range(len(mixed)))
    zeros = [JLong(0), 0, JFloat(0), "", *map(JLong, longs[1:])]
    assert sorted(put_order(zeros) or range(len(zeros))) == list(range(len(zeros)))
    no_order = [Point(0, 0, None, 0.0, JLong(i << 32 | i)) for i in range(20)]
    assert sorted(put_order(no_order) or range(20)) == list(range(20))


@pytest.mark.parametrize("codec", [Kryo5Codec(), JsonJacksonCodec(), SerializationCodec()])
def test_a_dict_is_written_as_a_hash_map(codec: Any) -> None:
    given = {"channel": 1, "retry": 2, "coupon": 3}
    wanted = ["coupon", "channel", "retry"]
    data = codec.encode(given)
    assert list(codec.decode(data)) == wanted
    assert type(codec.decode(data)) is dict
    assert codec.encode({each: given[each] for each in reversed(given)}) == data
    # a decoded map keeps its other order, a copy of it does not
    other = JMap("java.util.HashMap", given)
    found = codec.decode(codec.encode(other))
    assert found == given
    assert list(found) == list(given)
    assert codec.encode(found) == codec.encode(other) != data
    assert (
        codec.encode({**found}) == codec.encode(found.copy()) == codec.encode(dict(found)) == data
    )
    found["more"] = 4  # the new key is the last
    assert list(codec.decode(codec.encode(found))) == [*given, "more"]


def test_texts_that_are_equal_to_keys_of_another_class() -> None:
    """The cached order of plain texts must not be used for them."""
    assert put_order(["channel", "coupon"]) == [1, 0]
    assert put_order(["channel", JText("java.net.URI", "coupon")]) is None
    assert put_order([JText("java.net.URI", "channel"), "coupon"]) is None
    assert put_order(["channel", "coupon" + "x" * 100]) == [1, 0]


def test_elements_of_one_bucket() -> None:
    codec = Kryo5Codec()
    assert list(codec.decode(codec.encode({48, 32, 16, 1}))) == [16, 32, 48, 1]
    assert list(codec.decode(codec.encode(JSet("java.util.HashSet", [1, 32, 16])))) == [1, 32, 16]


@java_class("com.example.Shelf")
@dataclass
class Shelf:
    sorted: Annotated[dict[str, int], "SortedMap<String, Integer>"]
    tree: Annotated[dict[Any, int], "TreeMap<Object, Integer>"]
    shared: Annotated[dict[str, int], "java.util.concurrent.ConcurrentHashMap<String, Integer>"]
    old: Annotated[dict[str, int], "java.util.Hashtable<String, Integer>"]
    linked: Annotated[dict[str, int], "LinkedHashMap<String, Integer>"]
    exact: Annotated[dict[int, int], "HashMap<Long, Integer>"]
    words: Annotated[set[str], "TreeSet<String>"]
    names: Annotated[set[str], "LinkedHashSet<String>"]


@pytest.mark.parametrize("codec", [Kryo5Codec(schemas=[Shelf]), JsonJacksonCodec(schemas=[Shelf])])
def test_a_dict_in_a_field_is_in_the_order_of_the_declared_class(codec: Any) -> None:
    given = {"channel": 1, "retry": 2, "coupon": 3}
    longs = {-1: 1, 1: 2, -2: 3, 17: 4}
    shelf = Shelf(given, given, given, given, given, longs, set(given), set(given))
    found = codec.decode(codec.encode(shelf))
    assert found == shelf
    assert list(found.sorted) == list(found.tree) == ["channel", "coupon", "retry"]
    assert list(found.shared) == ["coupon", "channel", "retry"]
    assert list(found.old) == ["retry", "coupon", "channel"]
    assert list(found.linked) == list(given)
    assert list(found.exact) == [-1, 1, -2, 17]  # Long.hashCode(-1) is 0, that of an Integer is not
    assert list(found.words) == ["channel", "coupon", "retry"]
    assert list(found.names) == ["coupon", "channel", "retry"]
    assert codec.encode(found) == codec.encode(shelf)


def test_an_enum_map_is_in_the_order_of_its_constants() -> None:
    codec = JsonJacksonCodec(schemas=[Color])
    one, two = (dict.fromkeys(order, 1) for order in (Color, reversed(Color)))
    assert codec.encode(JMap("java.util.EnumMap", two)) == codec.encode(
        JMap("java.util.EnumMap", one)
    )


@pytest.mark.parametrize("name", ["Hashtable", "concurrent.ConcurrentHashMap", "WeakHashMap"])
def test_keys_without_a_known_order_stay_as_they_are(name: str) -> None:
    assert map_order(f"java.util.{name}", ["b", 1, b"x", None]) is None


@pytest.mark.parametrize("name", ["java.util.TreeMap", "java.util.TreeSet"])
def test_keys_that_cannot_be_sorted_are_rejected(name: str) -> None:
    with pytest.raises(Rejection, match="pass a JMap or JSet"):
        map_order(name, ["b", 1]) if name.endswith("Map") else set_order(name, {"b", 1})


def test_concurrent_map_with_split_trees_loses_no_key() -> None:
    keys = [each << 6 for each in range(9)] + list(range(1, 40))
    keys += [each << 6 for each in range(9, 12)] + list(range(100, 180))
    order = map_order("java.util.concurrent.ConcurrentHashMap", keys)
    assert order is not None
    assert sorted(order) == list(range(len(keys)))
