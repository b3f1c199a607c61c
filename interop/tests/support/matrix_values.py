"""Typed values of both languages that stand for each other, by codec.

Rule: a row is what Java offers and what Python then has; the same row read from right to left is
what Python offers and what Java then has.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from interop.peer.values import Java
from pyredisson.java import JArray, JByte, JChar, JFloat, JList, JLong, JMap, JSet, JShort

Row = tuple[Java, Any]


def _java_list(*values: Java) -> Java:
    return Java("list", list(values))


def _string(value: str) -> Row:
    return Java("string", value), value


STRINGS = [
    _string("order-1"),
    _string("héllo, 你好"),
    _string("😀"),
    _string('line\nbreak\ttab "quoted" \\ \0'),
    _string("x" * 5000),
]
LONGS = [
    (Java("long", value), value) for value in (0, 1, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63))
]

_NARROW: list[Row] = [
    (Java("float", 0.5), JFloat(0.5)),
    (Java("short", 300), JShort(300)),
    (Java("byte", -1), JByte(-1)),
    (Java("char", "é"), JChar("é")),
    (Java("bytes", b"\x00\xff"), b"\x00\xff"),
]
"""In JSON they need a place that keeps their type, such as a list; alone they lose it."""

OBJECTS: list[Row] = [
    (Java("null"), None),
    *STRINGS,
    _string(""),
    (Java("int", 0), 0),
    (Java("int", -1), -1),
    (Java("int", 2**31 - 1), 2**31 - 1),
    (Java("long", 5), JLong(5)),
    (Java("long", 1_700_000_000_000), JLong(1_700_000_000_000)),
    (Java("long", -(2**63)), JLong(-(2**63))),
    (Java("double", 1.5), 1.5),
    (Java("double", 0.0), 0.0),
    (Java("double", 1e300), 1e300),
    (Java("bool", True), True),
    (Java("bool", False), False),
    (_java_list(), []),
    (_java_list(Java("string", "a"), Java("string", "b")), ["a", "b"]),
    (
        _java_list(Java("string", "a"), Java("int", 1), Java("long", 2), Java("null")),
        ["a", 1, JLong(2), None],
    ),
    (_java_list(*(java for java, _ in _NARROW)), [python for _, python in _NARROW]),
    (Java("linkedlist", [Java("long", 1)]), JList("java.util.LinkedList", [JLong(1)])),
    (Java("set", [Java("string", "a")]), {"a"}),
    (
        Java("linkedset", [Java("int", 3), Java("int", 1)]),
        JSet("java.util.LinkedHashSet", [3, 1]),
    ),
    (
        Java("map", [(Java("string", "k"), _java_list(Java("bool", False)))]),
        {"k": [False]},
    ),
    (
        Java(
            "linkedmap",
            [(Java("string", "b"), Java("int", 1)), (Java("string", "a"), Java("long", 2))],
        ),
        JMap("java.util.LinkedHashMap", {"b": 1, "a": JLong(2)}),
    ),
    (
        Java(
            "map",
            [
                (
                    Java("string", "deep"),
                    Java("map", [(Java("string", "er"), _java_list(Java("double", 2.5)))]),
                )
            ],
        ),
        {"deep": {"er": [2.5]}},
    ),
    (
        _java_list(Java("array:string", [Java("string", "a"), Java("string", "b")])),
        [JArray("java.lang.String", ["a", "b"])],
    ),
    (
        _java_list(Java("array:p:int", [Java("int", 1), Java("int", -1)])),
        [JArray("int", [1, -1])],
    ),
    (Java("bigdecimal", "12.50"), Decimal("12.50")),
    (Java("date", 1_700_000_000_123), datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)),
]

_KRYO_ONLY: list[Row] = [
    *_NARROW,
    (Java("double", float("inf")), float("inf")),
    (Java("array:long", [Java("long", 7)]), JArray("java.lang.Long", [7])),
    (
        Java("array:array:long", [Java("array:long", [Java("long", 7)])]),
        JArray("java.lang.Long[]", [JArray("java.lang.Long", [7])]),
    ),
    (Java("array:p:double", [Java("double", 0.5)]), JArray("double", [0.5])),
    (Java("map", [(Java("int", 1), Java("string", "v"))]), {1: "v"}),
]

ROWS: dict[str, Sequence[Row]] = {
    "String": [*STRINGS, _string("")],
    "Long": LONGS,
    "Kryo5": [*OBJECTS, *_KRYO_ONLY],
    "JsonJackson": OBJECTS,
}
"""By the codec's name."""
