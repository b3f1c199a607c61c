"""JsonJacksonCodec and TypedJsonJacksonCodec: exact JSON, refusals, tolerant reading."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any
from uuid import UUID

import pytest

from pyredisson.codecs import JsonJacksonCodec, Limits, TypedJsonJacksonCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JBigInteger,
    JChar,
    JDate,
    JEntries,
    JFloat,
    JList,
    JLong,
    JMap,
    JSet,
)
from tests.support.rows import each_row

CODEC = JsonJacksonCodec(release="4.7.0")
LOOSE = JsonJacksonCodec(release="4.7.0", strict=False)
PLAIN: TypedJsonJacksonCodec[Any] = TypedJsonJacksonCodec()
ID = UUID("01234567-89ab-cdef-0123-456789abcdef")
DATE = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)


class Word(StrEnum):
    YES = "yes"


# Redisson 4.7.0 with Jackson 2.21.3: the value, typed and untyped.
EXACT: list[tuple[Any, str, str]] = [
    (None, "null", "null"),
    ("hello", '"hello"', '"hello"'),
    (42, "42", "42"),
    (1.5, "1.5", "1.5"),
    (True, "true", "true"),
    (JLong(1), '["java.lang.Long",1]', "1"),
    (1700000000000, '["java.lang.Long",1700000000000]', "1700000000000"),
    (b"\x01\x02\x03\xff", '"AQID/w=="', '"AQID/w=="'),
    (
        ["a", 1, JLong(2), None, True],
        '["java.util.ArrayList",["a",1,["java.lang.Long",2],null,true]]',
        '["a",1,2,null,true]',
    ),
    ({"id": JLong(7)}, '{"@class":"java.util.HashMap","id":["java.lang.Long",7]}', '{"id":7}'),
    ({"a": None, "b": 1}, '{"@class":"java.util.HashMap","b":1}', '{"b":1}'),
    (DATE, '["java.util.Date",1700000000000]', "1700000000000"),
    (Decimal("12.50"), '["java.math.BigDecimal",12.50]', "12.50"),
    (Decimal("-0.0"), '["java.math.BigDecimal",0.0]', "0.0"),
    (JBigInteger(2**70), f'["java.math.BigInteger",{2**70}]', str(2**70)),
    (ID, f'["java.util.UUID","{ID}"]', f'"{ID}"'),
    ({"a"}, '["java.util.HashSet",["a"]]', '["a"]'),
    ([b"\x01"], '["java.util.ArrayList",[["[B","AQ=="]]]', '["AQ=="]'),
    ([JArray("byte", [-1])], '["java.util.ArrayList",[["[B","/w=="]]]', '["/w=="]'),
    (
        [JArray("char", ["\ud83d", "\ude00"])],
        '["java.util.ArrayList",[["[C","\\uD83D\\uDE00"]]]',
        '["\\uD83D\\uDE00"]',
    ),
    ("\ud800/\x7f\u2028\x1f", '"\\uD800/\x7f\u2028\\u001F"', '"\\uD800/\x7f\u2028\\u001F"'),
    (
        {True: 1, 2: 1, 2.5: 1, JFloat(0.1): 1, Decimal("1E+2"): 1, ID: 1, JChar("c"): 1},
        f'{{"@class":"java.util.HashMap","{ID}":1,"0.1":1,"2":1,"c":1,"2.5":1,"1E+2":1,"true":1}}',
        f'{{"{ID}":1,"0.1":1,"2":1,"c":1,"2.5":1,"1E+2":1,"true":1}}',
    ),
]


@each_row(("value", "typed", "untyped"), EXACT)
def test_exact_bytes(value: Any, typed: str, untyped: str) -> None:
    assert LOOSE.encode(value).decode() == typed
    assert PLAIN.encode(value).decode() == untyped


@each_row(
    ("value", "told"),
    [
        (object(), "object"),
        ([object()], "object"),
        (2**63, "64 bits"),
        (JBigInteger(10**1000), "1000 digits"),
        (Decimal("1E+1000"), "1000 digits"),
        (Decimal("1E-10000"), "scale"),
        ({None: 1}, "a key that Jackson"),
        ({b"": 1}, "a key that Jackson"),
        ({JDate(1): 1}, "a key that Jackson"),
        ({Word.YES: 1}, "a key that Jackson"),
        ({2**64: 1}, "65 bits"),
        ({JBigInteger(10**5000): 1}, "1000 digits"),
        ({"@class": 1}, '"@class"'),
        (JArray("int", [None]), "an int"),
        (JArray("boolean", [1]), "a boolean"),
        (JArray("byte", [1000]), "a byte"),
        (JArray("java.lang.String", [1]), "a String"),
        (JArray("java.util.UUID", ["a"]), "a UUID"),
        (JArray("java.lang.Number", ["a"]), "a java.lang.String is not a java.lang.Number"),
        (JArray("java.lang.Object[]", [JArray("int")]), "a [I is not a java.lang.Object[]"),
        (JArray("com.example.Foo"), "not known here"),
        (JList("com.example.Foo"), "not known here"),
        (JList("[I", [1]), "is not a int[]"),
        (JList("java.util.HashMap"), "java.util.HashMap"),
        (JMap("java.util.ArrayList"), "java.util.ArrayList"),
        (JList("java.util.Collections$EmptyList", [1]), "0 elements"),
        (JMap("java.util.Hashtable", {"a": None}), "no null"),
    ],
)
def test_rejected_values(value: Any, told: str) -> None:
    with pytest.raises(EncodeError, match=re.escape(told)) as caught:
        CODEC.encode(value)
    assert caught.value.codec == "JsonJacksonCodec"


def test_at_class_key_is_special_only_with_class_names() -> None:
    assert PLAIN.encode({"@class": 1}) == b'{"@class":1}'
    assert PLAIN.decode(b'{"@class":1}') == {"@class": 1}


@each_row(
    ("text", "value"),
    [
        (' [ "java.util.List" , [ 1 ] ] ', [1]),
        ('["java.util.Set",[1]]', JSet("java.util.HashSet", [1])),
        ('{"@class":"java.util.Map","a":1}', JMap("java.util.LinkedHashMap", {"a": 1})),
        ('{"a":1,"@class":"java.util.HashMap"}', {"a": 1}),
        ('["java.util.HashMap",{"a":1}]', {"a": 1}),
        ("5000000000", 5000000000),
        ('["[Ljava.lang.Long;",[1]]', JArray("java.lang.Long", [1])),
        (str(2**64), JBigInteger(2**64)),
        ("1e2", 100.0),
        ("1e999", float("inf")),
        ('["java.lang.Float","Infinity"]', JFloat("inf")),
        ('["java.lang.Double",1]', 1.0),
        ('["java.math.BigDecimal",1]', Decimal(1)),
        ("[]", JArray("int")),
        ('["a","b"]', JArray("java.lang.String", ["a", "b"])),
        ("[1,5000000000]", JArray("long", [1, 5000000000])),
        ("[5000000000,null]", JList("java.util.ImmutableCollections$ListN", [5000000000, None])),
        ("[null]", JList("java.util.ImmutableCollections$ListN", [None])),
        (
            '[["java.util.ImmutableCollections$ListN",["a"]]]',
            JList(
                "java.util.ImmutableCollections$ListN",
                [JList("java.util.ImmutableCollections$ListN", ["a"])],
            ),
        ),
        (
            '[[],["a"],null]',
            JArray(
                "java.lang.String[]",
                [JArray("java.lang.String"), JArray("java.lang.String", ["a"]), None],
            ),
        ),
        (
            "[[1],[1.5]]",
            JList(
                "java.util.ImmutableCollections$ListN",
                [JArray("int", [1]), JArray("double", [1.5])],
            ),
        ),
        ('{"a":1,"a":2}', JEntries("java.util.ImmutableCollections$MapN", [("a", 1), ("a", 2)])),
        (
            '["[Ljava.util.UUID;",["01234567-89AB-cdef-0123-456789abcdef",null]]',
            JArray("java.util.UUID", [ID, None]),
        ),
    ],
)
def test_other_valid_forms_are_decoded(text: str, value: Any) -> None:
    assert repr(CODEC.decode(text.encode())) == repr(value)


@each_row(
    ("text", "told"),
    [
        ("", "not JSON"),
        ('[1,{"a":["java.lang.Byte",1]}]', "a final class at the root"),
        ("[", "not JSON"),
        ("1 2", "not JSON"),
        ("NaN", "NaN is not JSON"),
        ("1" * 4301, "4300 digits"),
        ("1." + "1" * 4300, "4300 digits"),
        ('["java.util.ArrayList",[[1]]]', "does not begin with its class"),
        ('["java.util.ArrayList",[{"a":1}]]', "without exactly one @class"),
        ('{"@class":1}', "without exactly one @class"),
        (
            '{"@class":"java.util.HashMap","@class":"java.util.HashMap"}',
            "without exactly one @class",
        ),
        ('["java.util.ArrayList",1]', "not a java.util.ArrayList"),
        ('["java.util.ArrayList",null]', "not a java.util.ArrayList"),
        ('["java.util.HashMap",[]]', "not a java.util.HashMap"),
        ('["java.util.Collections$EmptyList",[1]]', "0 elements"),
        ('{"@class":"java.util.Collections$EmptyMap","a":1}', "0 elements"),
        ('["java.lang.Long","1"]', "not a long"),
        ('["java.lang.Long",9223372036854775808]', "out of the range"),
        ('["java.lang.Integer",2147483648]', "out of the range"),
        ('["java.lang.String",1]', "not a String"),
        ('["java.lang.Boolean",1]', "not a boolean"),
        ('["java.lang.Character","ab"]', "one UTF-16 unit"),
        ('["java.lang.Character",1]', "not a char"),
        ('["java.lang.Float",1e39]', "range of a float"),
        ('["java.lang.Double","x"]', "not a double"),
        ('["java.lang.Double",' + "1" * 400 + "]", "range of a double"),
        ('["java.math.BigDecimal","1"]', "not a BigDecimal"),
        ('["java.math.BigDecimal",1e-10000]', "beyond 9999"),
        ('["java.math.BigDecimal",1e99999999999999999999]', "beyond 9999"),
        ('["java.util.Date",9223372036854775808]', "out of the range"),
        ('["java.util.UUID","x"]', "not a UUID"),
        ('["[B","*"]', "not base64"),
        ('["[B","AQ"]', "not base64"),
        ('["[B","é"]', "not base64"),
        ('["[I",[null]]', "an element of a int[]"),
        ('["[I",["a"]]', "not an int"),
        ('["[Ljava.lang.Number;",["a"]]', "a java.lang.String is not a java.lang.Number"),
        ('["a b.c",1]', "no class name"),
    ],
)
def test_rejected_bytes(text: str, told: str) -> None:
    with pytest.raises(DecodeError, match=re.escape(told)) as caught:
        CODEC.decode(text.encode())
    assert caught.value.data == text.encode()


def test_not_utf_8() -> None:
    with pytest.raises(DecodeError, match="not UTF-8"):
        CODEC.decode(b'"\xff"')


@pytest.mark.parametrize(
    ("text", "class_name"),
    [
        ('{"@class":"com.example.OrderTask","orderId":"A1"}', "com.example.OrderTask"),
        ('["com.example.Status","CLOSED"]', "com.example.Status"),
        ('["java.util.ArrayList",[["[[Lcom.example.Foo;",[]]]]', "com.example.Foo"),
        ('["java.util.ArrayList",[["Foo",1]]]', "Foo"),
    ],
)
def test_a_class_without_schema(text: str, class_name: str) -> None:
    with pytest.raises(DecodeError, match="pass its schema") as caught:
        JsonJacksonCodec(unknown="error").decode(text.encode())
    assert caught.value.class_name == class_name


def test_limits() -> None:
    with pytest.raises(DecodeError, match="longer than 3 bytes"):
        JsonJacksonCodec(limits=Limits(max_bytes=3)).decode(b"1234")
    value: Any = []
    for _ in range(99):
        value = [value]
    assert CODEC.decode(CODEC.encode(value)) == value
    with pytest.raises(EncodeError, match="deeper than 100"):
        CODEC.encode([value])
    text = CODEC.encode(value).decode()
    with pytest.raises(DecodeError, match="deeper than 100"):
        CODEC.decode(f'["java.util.ArrayList",[{text}]]'.encode())
    for _ in range(20_000):
        value = [value]
    with pytest.raises(EncodeError, match="too deep for Python"):
        JsonJacksonCodec(limits=Limits(max_depth=10**6)).encode(value)
    with pytest.raises(DecodeError, match="too deep for Python"):
        JsonJacksonCodec(limits=Limits(max_depth=10**6)).decode(b"[" * 100_000)


@each_row(
    ("cls", "value", "text"),
    [
        (str, "a", '"a"'),
        (bool, True, "true"),
        (int, 5, "5"),
        (int, 5000000000, "5000000000"),
        (float, 1.5, "1.5"),
        (bytes, b"\x01", '"AQ=="'),
        (Decimal, Decimal("12.50"), "12.50"),
        (UUID, ID, f'"{ID}"'),
        (datetime, DATE, "1700000000000"),
        (list, [1, {"a": [1.5]}], '[1,{"a":[1.5]}]'),
        (dict, {"a": [1]}, '{"a":[1]}'),
        (set, JSet("java.util.HashSet", [1]), "[1]"),
        (JLong, JLong(5), "5"),
        (JChar, JChar("c"), '"c"'),
    ],
)
def test_typed_codec(cls: type[Any], value: Any, text: str) -> None:
    codec = TypedJsonJacksonCodec(cls)
    assert codec.encode(value).decode() == text
    found = codec.decode(text.encode())
    assert repr(found) == repr(value)
    assert isinstance(found, cls)
    for wrong in (b"null", b'"\\u0000\\u0000"' if cls is not str else b"1"):
        with pytest.raises(DecodeError):
            codec.decode(wrong)


@each_row(("cls", "value"), [(str, 1), (int, True), (float, 1), (list, (1,)), (dict, None)])
def test_typed_codec_rejects_other_values(cls: type[Any], value: Any) -> None:
    with pytest.raises(EncodeError, match=cls.__name__):
        TypedJsonJacksonCodec(cls).encode(value)


def test_typed_codec_without_a_java_class() -> None:
    with pytest.raises(TypeError, match="complex"):
        TypedJsonJacksonCodec(complex)
    assert repr(TypedJsonJacksonCodec(dict)) == "TypedJsonJacksonCodec(dict)"
    assert repr(PLAIN) == "TypedJsonJacksonCodec()"
