"""Random values that Java serialization writes inside Kryo, as a Python program makes them.

The rule: what Java orders or counts anew when it reads is left out (a HashMap of several
entries) or does not count (the capacity of a set, `settled`); what Java cannot serialize
stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from pyredisson.codecs import Kryo5Codec
from pyredisson.codecs.kryo5.releases import Release
from pyredisson.errors import EncodeError
from pyredisson.java import JArray, JEntries, JEnumMap, JList, JMap, JSet, JValue
from pyredisson.java.objects import JavaObject
from tests.unit.codecs import shapes

_CODEC = Kryo5Codec(schemas=shapes, release="4.7.0")
_PREFIX = "java.util.Collections$"
_HASH_MAP = "java.util.HashMap"
_CAPACITY = re.compile("(770c)[0-9a-f]{8}(3f400000)")


def settled(told: str) -> str:
    """Return a message without the capacity of its sets, which Java chooses as it reads."""
    return _CAPACITY.sub(r"\1\2", told)


def wrapped(random: Random, declared: str, value: Any) -> Any:
    """Return a collection or map in a wrapper that fits the declared type, where it can be."""
    what = declared.removeprefix("java.util.")
    if (
        random.randrange(3)
        or what not in {"List", "Set", "Collection", "Map"}
        or not _steady(value)
    ):
        return value
    how = random.choice(["Unmodifiable", "Synchronized"])
    made: Any
    if random.randrange(4) == 0:
        ordered = isinstance(value, list) and type(value) is not list
        middle = "RandomAccess" if what == "List" and not ordered else ""
        made = JValue(f"{_PREFIX}{how}{middle}{what}", value)
    elif isinstance(value, JEntries):
        made = JEntries(f"{_PREFIX}{how}Map", value)
    elif isinstance(value, dict):
        made = JMap(f"{_PREFIX}{how}Map", value)
    else:
        what = random.choice(["RandomAccessList", "List"]) if what == "List" else what
        made = (JSet if isinstance(value, set) else JList)(f"{_PREFIX}{how}{what}", value)
    try:
        _CODEC.encode(made)
    except EncodeError:
        return value
    return made


def _steady(value: Any) -> bool:
    """Say whether Java keeps all orders in a value."""
    if isinstance(value, dict) and len(value) > 1:
        name = value.class_name if isinstance(value, JMap) else _HASH_MAP
        return name != _HASH_MAP and all(map(_steady, (*value, *value.values())))
    if isinstance(value, JEntries):
        return all(map(_steady, (part for entry in value for part in entry)))
    if isinstance(value, dict):
        return all(map(_steady, (*value, *value.values())))
    if isinstance(value, (list, set)):
        return all(map(_steady, value))
    if isinstance(value, JValue):
        return all(map(_steady, value.parts))
    return not hasattr(value, "__dict__") or all(map(_steady, vars(value).values()))


def enum_map(random: Random, text: Callable[[], str]) -> Any:
    """Return an `EnumMap<Color, String>`, as a dict or by its name."""
    made = {each: text() for each in random.sample(list(shapes.Color), random.randrange(4))}
    if random.randrange(3) == 0:
        return made
    return JEnumMap("com.example.Color", made)


def anything(random: Random, text: Callable[[], str], release: Release) -> Any:
    """Return an exception, an EnumMap or an address."""
    choice = random.randrange(6 if release.has("3.38.0") else 4)
    if choice >= 4:
        address = JValue("java.net.Inet4Address", f"10.0.{random.randrange(256)}.1")
        named: Any = address if random.randrange(2) else text()
        return JValue("java.net.InetSocketAddress", named, 80) if choice == 5 else address
    if choice == 3:
        return JEnumMap("com.example.Phase", {shapes.Phase.PAID: text(), shapes.Phase.NEW: 7})
    fields: dict[str, Any] = {"detailMessage": text()}
    if choice == 2:
        fields["cause"] = JavaObject(
            "java.io.IOException", {"detailMessage": text(), "cause": None}
        )
        fields["suppressedExceptions"] = [JavaObject("java.lang.Error", {})]
        place = {"declaringClass": "a.B", "methodName": text(), "lineNumber": random.randrange(99)}
        element = JavaObject("java.lang.StackTraceElement", {"format": 1, **place})
        fields["stackTrace"] = JArray("java.lang.StackTraceElement", [element])
    return JavaObject("java.lang.IllegalStateException", fields)
