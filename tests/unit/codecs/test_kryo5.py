"""Kryo5Codec: bytes from the real codec, rejections, and limits."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from pyredisson.codecs import Kryo5Codec, Limits
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JBigInteger,
    JChar,
    JDate,
    JDouble,
    JEntries,
    JFloat,
    JInt,
    JList,
    JLong,
    JMap,
    JSet,
    JShort,
)
from tests.support.rows import each_row

CODEC = Kryo5Codec()
ARRAY_LIST = "01006a6176612e7574696c2e41727261794c6973f4"
HASH_MAP = "01006a6176612e7574696c2e486173684d61f0"
HASH_SET = "01006a6176612e7574696c2e486173685365f4"
TREE_MAP = "01006a6176612e7574696c2e547265654d61f0"
ORDER_TASK = "0100636f6d2e6578616d706c652e4f726465725461" + "73eb"

# Redisson 4.7.0 with Kryo 5.6.2.
GOLDEN: list[tuple[Any, str]] = [
    (None, "00"),
    ("hello", "0368656c6cef"),
    ("", "0381"),
    ("a", "038261"),
    ("héllo", "038668c3a96c6c6f"),
    ("你好", "0383e4bda0e5a5bd"),
    ("😀", "0383eda0bdedb880"),
    (42, "0254"),
    (-1, "0201"),
    (2147483647, "02feffffff0f"),
    (JLong(1), "0902"),
    (1700000000000, "0980a0abfef962"),
    (1.5, "0a000000000000f83f"),
    (JFloat(1.5), "040000c03f"),
    (True, "0501"),
    (JShort(300), "082c01"),
    (JChar("a"), "076100"),
    (b"\x01\x02\x03\xff", "01005bc205010203ff"),
    (
        JArray("java.lang.String", ["a", None, "bc"]),
        "01005b4c6a6176612e6c616e672e537472696e67bb0482618062e3",
    ),
    (["a", "b"], ARRAY_LIST + "83030082618262"),
    ([1, 2, 3], ARRAY_LIST + "840200020406"),
    (["a", 1, JLong(2), None, True], ARRAY_LIST + "0603826102020904000501"),
    (["a", None], ARRAY_LIST + "830301826180"),
    ([1, None], ARRAY_LIST + "830201010200"),
    ([], ARRAY_LIST + "01"),
    ({"k": "v"}, HASH_MAP + "0203826b038276"),
    ({"id": JLong(7)}, HASH_MAP + "020369e4090e"),
    (JSet("java.util.HashSet", ["a"]), HASH_SET + "8203008261"),
    (JMap("java.util.TreeMap", {"k": "v"}), TREE_MAP + "020003826b038276"),
    (
        datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
        "01006a6176612e7574696c2e446174e580d095ffbc31",
    ),
    (Decimal("12.50"), "01006a6176612e6d6174682e426967446563696d61ec0304e204"),
    (
        UUID("01234567-89ab-cdef-0123-456789abcdef"),
        "01006a6176612e7574696c2e555549c4efcdab8967452301efcdab8967452301",
    ),
]


@each_row(("value", "encoded"), GOLDEN)
def test_golden(value: Any, encoded: str) -> None:
    data = bytes.fromhex(encoded)
    assert CODEC.encode(value) == data
    assert CODEC.decode(data) == value
    assert CODEC.encode(CODEC.decode(data)) == data


def test_plain_values_at_object_slots() -> None:
    same: list[tuple[Any, Any]] = [
        (2**31, JLong(2**31)),
        (-(2**31), JInt(-(2**31))),
        (1.0, JDouble(1)),
        ({"a"}, JSet("java.util.HashSet", ["a"])),
        (frozenset({"a"}), JSet("java.util.HashSet", ["a"])),
        ([1], JList("java.util.ArrayList", [1])),
        ({1: 2}, JMap("java.util.HashMap", {1: 2})),
        ({1: 2}, JEntries("java.util.HashMap", [(1, 2)])),
        (b"\x01\xff", JArray("byte", [1, -1])),
        (datetime(1970, 1, 1, 0, 0, 0, 1999, tzinfo=UTC), JDate(1)),
    ]
    for plain, wrapped in same:
        assert CODEC.encode(plain) == CODEC.encode(wrapped)


def test_every_nan_is_encoded_alike() -> None:
    for value in (math.nan, -math.nan):
        assert CODEC.encode(value).hex() == "0a000000000000f87f"
        assert CODEC.encode(JFloat(value)).hex() == "040000c07f"
        assert CODEC.encode(JArray("double", [value])).hex() == "01005bc402000000000000f87f"


def test_the_order_of_a_set_is_javas() -> None:
    names = {"pear", "apple", "fig"}
    wanted = JSet("java.util.HashSet", ["apple", "pear", "fig"])
    assert CODEC.encode(names) == CODEC.encode(wanted)
    assert list(CODEC.decode(CODEC.encode(names))) == ["apple", "pear", "fig"]


@each_row(
    ("value", "told"),
    [
        (object(), "object"),
        ((1, 2), "tuple; use a list"),
        ([1, {"k": object()}], "object"),
        (2**63, "64 bits does not fit a Java long; wrap it: JBigInteger"),
        (-(2**63) - 1, "64 bits"),
        (datetime(2020, 1, 1), "naive datetime"),
        (Decimal("NaN"), "BigDecimal"),
        (Decimal("1E-10000"), "scale 10000"),
        (JArray("int", [1, "a"]), "an int"),
        (JArray("int", [2**31]), "an int"),
        (JArray("int", [True]), "an int"),
        (JArray("long", [2**63]), "a long"),
        (JArray("byte", [128]), "a byte"),
        (JArray("boolean", [1]), "a boolean"),
        (JArray("char", ["ab"]), "a char"),
        (JArray("char", ["😀"]), "a char"),
        (JArray("float", [1e39]), "Java float"),
        (JArray("double", [1]), "a float or double"),
        (JArray("java.lang.Float", [1e39]), "Java float"),
        (JArray("java.lang.String", [1]), "a String"),
        (JArray("java.lang.Boolean", [1]), "a boolean"),
        (JArray("java.util.UUID", ["x"]), "a UUID"),
        (JArray("java.lang.Number", ["a"]), "not an element"),
        (JArray("java.util.List", [{}]), "not an element"),
        (JArray("java.lang.Object[]", [JArray("java.lang.String", ["a"])]), "a java.lang.Object[]"),
        (JArray("int[]", [[1]]), "a int[]"),
        (JArray("com.example.Foo", []), "com.example.Foo"),
        (JList("com.example.Foo", []), "com.example.Foo"),
        (JList("java.util.HashMap", []), "java.util.HashMap"),
        (JMap("java.util.ArrayList", {}), "java.util.ArrayList"),
        (JList("java.lang.String", []), "a String"),
        (JList("java.math.BigInteger", []), "a BigInteger"),
        (JList("java.math.BigDecimal", []), "a BigDecimal"),
        (JList("java.util.Date", []), "a Date"),
        (JList("[I", []), "a int[]"),
        (JList("java.util.Collections$SingletonList", []), "1 elements"),
        (JMap("java.util.Collections$EmptyMap", {1: 1}), "0 elements"),
        (JList("java.util.ImmutableCollections$ListN", [1, None]), "no null"),
        (JList("java.util.ArrayDeque", [None]), "no null"),
        (JMap("java.util.concurrent.ConcurrentHashMap", {1: None}), "no null"),
    ],
)
def test_rejected_values(value: Any, told: str) -> None:
    with pytest.raises(EncodeError, match=re.escape(told)) as caught:
        CODEC.encode(value)
    assert caught.value.codec == "Kryo5Codec"


@pytest.mark.parametrize("build", [JBigInteger, Decimal])
def test_too_long_numbers(build: Callable[[int], Any]) -> None:
    assert CODEC.decode(CODEC.encode(build(1 << 8 * 65_000))) == 1 << 8 * 65_000
    with pytest.raises(EncodeError, match="65536 bytes"):
        CODEC.encode(build(1 << 8 * 65_700))
    with pytest.raises(EncodeError, match="an int of 525601 bits"):
        CODEC.encode(1 << 8 * 65_700)


def test_too_deep_values() -> None:
    value: Any = []
    for _ in range(98):
        value = [value]
    CODEC.encode([value])
    with pytest.raises(EncodeError, match="deeper than 100"):
        CODEC.encode([[value]])
    value.append(value)
    with pytest.raises(EncodeError, match="or contains itself"):
        CODEC.encode(value)


def test_recursion_limit_raises_a_codec_error() -> None:
    codec = Kryo5Codec(limits=Limits(max_depth=10**6))
    value: Any = []
    for _ in range(20_000):
        value = [value]
    with pytest.raises(EncodeError, match="too deep for Python"):
        codec.encode(value)
    deep = bytes.fromhex(ARRAY_LIST) + b"\x02" + b"\x01\x00\x02" * 20_000
    with pytest.raises(DecodeError, match="too deep for Python"):
        codec.decode(deep)


def test_a_class_without_schema() -> None:
    data = bytes.fromhex(ARRAY_LIST + "8301" + "01" + ORDER_TASK[4:] + "007061f98041b1")
    with pytest.raises(DecodeError, match="pass its schema") as caught:
        CODEC.decode(data)
    assert caught.value.class_name == "com.example.OrderTask"
    assert caught.value.data == data


@each_row(
    ("encoded", "told"),
    [
        ("", "ends early"),
        ("02", "ends early"),
        ("0368", "ends early"),
        ("0502", "not a boolean"),
        ("0100", "ends early"),
        ("0a0000", "ends early"),
        ("0000", "1 bytes are left over"),
        ("0368656c6cef00", "1 bytes are left over"),
        ("0b", "allowedClasses"),
        ("010180", "used before it is defined"),
        ("010080", "no class name"),
        ("01008261" + "00", "class a is not known"),
        ("010083" + "2061", "no class name"),
        ("0100" + "5b" * 20 + "c9" + "01", "not known"),
        ("01005b4c63b0", "is no class name"),
        ("02ffffffffff01", "more than 5 bytes"),
        ("02ffffffff7f", "more than 32 bits"),
        ("01005bc2" + "ffffffff0f", "negative length"),
        ("01005bc9" + "03" + "02", "ends early"),
        ("0382c3", "ends early"),
        ("038261" + "c3", "left over"),
        ("0383f09f988061", "malformed text"),
        ("0383ff610000", "malformed text"),
        ("01006a6176612e6d6174682e426967496e74656765f201", "a number of 0 bytes"),
        ("01006a6176612e6d6174682e426967496e74656765f2ffff7f", "65536 bytes"),
        ("01006a6176612e6d6174682e426967446563696d61ec0201a29c01", "scale 10001; limit 9999"),
        (TREE_MAP + "0203826b", "not a java.util.Comparator"),
        (ARRAY_LIST + "83" + "02" + "0201" + "00", "not a boolean"),
        ("01005b4c6a6176612e6c616e672e4e756d6265f2" + "bb", "is no class name"),
        (ARRAY_LIST + "83" + "0105" + "00", "name 5 is used before it is defined"),
    ],
)
def test_rejected_bytes(encoded: str, told: str) -> None:
    data = bytes.fromhex(encoded)
    with pytest.raises(DecodeError, match=re.escape(told)) as caught:
        CODEC.decode(data)
    assert caught.value.data == data
    assert caught.value.codec == "Kryo5Codec"


def test_nulls_that_a_body_encodes() -> None:
    null_array = bytes.fromhex("01005bc2" + "00")
    for body in (null_array, bytes.fromhex("01005bc9" + "00"), bytes.fromhex(HASH_MAP + "00")):
        assert CODEC.decode(body) is None
    assert CODEC.decode(bytes.fromhex(ARRAY_LIST + "00")) is None
    assert CODEC.decode(bytes.fromhex("01006a6176612e6d6174682e426967496e74656765f200")) is None
    assert CODEC.decode(bytes.fromhex("01006a6176612e6d6174682e426967446563696d61ec00")) is None
    immutable = CODEC.encode(JList("java.util.ImmutableCollections$ListN", ["a"]))
    with pytest.raises(DecodeError, match="no null"):
        CODEC.decode(immutable[:-2] + b"\x80")


def test_wrong_elements_of_an_array() -> None:
    numbers = CODEC.encode(JArray("java.lang.Number", [1]))
    with pytest.raises(DecodeError, match=r"not an element of a java.lang.Number\[\]"):
        CODEC.decode(numbers[:-2] + b"\x03\x81")


def test_limits() -> None:
    with pytest.raises(DecodeError, match="longer than 3 bytes"):
        Kryo5Codec(limits=Limits(max_bytes=3)).decode(b"\x0368656c")
    two = CODEC.encode([[1], {}])
    with pytest.raises(DecodeError, match="more than 1 class names"):
        Kryo5Codec(limits=Limits(max_class_names=1)).decode(two)
    with pytest.raises(DecodeError, match="deeper than 1"):
        Kryo5Codec(limits=Limits(max_depth=1)).decode(two)
    nulls = CODEC.encode([None] * 10_000)
    assert CODEC.decode(nulls) == [None] * 10_000
    with pytest.raises(DecodeError, match="10000 elements that occupy no bytes"):
        CODEC.decode(CODEC.encode([None] * 10_001))


def test_empty_array_round_trips_and_codec_has_a_repr() -> None:
    assert CODEC.decode(CODEC.encode([JArray("java.util.UUID[]", [])])) == [[]]
    assert repr(CODEC) == "Kryo5Codec()"
