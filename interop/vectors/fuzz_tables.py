"""Tables and order of the random values: which types stand for an open one, how Java sorts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.java import (
    JByte,
    JChar,
    JFloat,
    JList,
    JLong,
    JSet,
    JShort,
)
from pyredisson.java.hash_codes import java_hash

WRAP: dict[str, Callable[[Any], Any]] = {
    "java.lang.Byte": JByte,
    "java.lang.Short": JShort,
    "java.lang.Character": JChar,
    "java.lang.Long": JLong,
    "java.lang.Float": JFloat,
}
BOXES = {
    "Boolean": "boolean",
    "Byte": "byte",
    "Short": "short",
    "Character": "char",
    "Integer": "int",
    "Long": "long",
    "Float": "float",
    "Double": "double",
}
COLLECTIONS = {
    f"java.util.{name}"
    for name in (
        *["List", "ArrayList", "LinkedList", "Collection", "Set", "HashSet", "LinkedHashSet"],
        "TreeSet",
    )
}
MAPS = {f"java.util.{name}" for name in ("Map", "HashMap", "LinkedHashMap", "TreeMap")}
_NUMBERS = ["Integer", "Long", "Double", "Short", "Byte", "Float", "BigInteger", "BigDecimal"]
_EXAMPLES = [
    f"com.example.{name}"
    for name in (
        *["OrderTask", "Stamp", "Color", "Phase", "Point", "Pair", "Crate", "Leaf"],
        *["StringCrate", "Empty", "Box<String>", "Tree"],
    )
]
_JDK = ["String", "Boolean", "UUID", "Date", "Character"]
OPEN: dict[str, list[str]] = {
    "java.lang.Object": [
        *_NUMBERS,
        *_JDK,
        *_EXAMPLES,
        *["byte[]", "int[]", "String[]", "Object[]", "Instant", "LocalDate", "LocalDateTime"],
        *["List", "Map", "LinkedHashSet", "Optional<Object>", "Long[]", "com.example.Stamp[]"],
    ],
    "java.lang.Number": _NUMBERS,
    "java.lang.CharSequence": ["String", "StringBuilder"],
    "java.lang.Comparable": ["String", "Integer", "UUID", "com.example.Color"],
    "java.io.Serializable": ["String", "Integer", "ArrayList", "int[]"],
}


def same(one: Any, other: Any) -> bool:
    """Say whether Python, or Java, may take the two for equal."""
    try:
        return bool(one == other)
    except TypeError:
        return True


def hashable(value: Any) -> bool:
    """Say whether a value may be a key in Python."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def made_set(name: str, items: list[Any]) -> Any:
    """Return the set, or the list that stands for it."""
    try:
        found: JSet[Any] = JSet(name, items)
    except TypeError:
        return JList(name, items)
    return found if len(found) == len(items) else JList(name, items[:1])


def hash_map_order(entries: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Sort as the HashMap does that Kryo makes for a number of entries."""
    wanted = len(entries) + 1 if len(entries) < 3 else int(len(entries) / 0.75 + 1)
    size = 1
    while size < wanted:
        size *= 2

    def bucket(entry: tuple[Any, Any]) -> int:
        spread = java_hash(entry[0]) or 0
        return (spread ^ spread >> 16) & size - 1

    return sorted(entries, key=bucket)
