"""writeObject cases: writes JDK classes that consist of more than their elements or parts.

These are `Collections.unmodifiable...` and `synchronized...`, `EnumMap` and addresses. A wrapper is
a `JList` or `JMap` of its class. The object that it wraps in Java is then one that keeps the order:
an ArrayList, a LinkedList if the list is not RandomAccess, a LinkedHashSet, a LinkedHashMap, a
TreeSet, a TreeMap. ``JValue(wrapper, inside)`` names it explicitly. The same Python object is the
same Java object, and so is the object inside. Sources: `java.util.Collections`,
`java.util.EnumMap`, `java.net.InetAddress` and `InetSocketAddress` of OpenJDK 17; the
serialVersionUIDs are fixed there.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from ipaddress import IPv4Address
from typing import Any

from pyredisson.java.checks import check_int
from pyredisson.java.classes import class_of
from pyredisson.java.containers import JEntries, JList, JMap, JSet
from pyredisson.java.supertypes import jdk_supertypes
from pyredisson.java.values import JValue
from pyredisson.rejection import Rejection, reject_value

from .descriptions import KNOWN, Description
from .replaced import EnumClass, Made, enum_name_of, enum_order
from .sink import Sink
from .wrapped import inside_of

__all__ = ["ADDRESSES", "WRITE_OBJECT_CASES", "enum_map_keys", "inside"]

ADDRESSES = {"java.net.InetAddress", "java.net.InetSocketAddress"}

_PREFIX = "java.util.Collections$"
_HOW = re.compile(r"java\.util\.Collections\$(?:Unmodifiable|Synchronized)")
_RANDOM = "RandomAccess"
# The wrapped interface, the superclass, the field, the UIDs of Unmodifiable... and Synchronized...
_WRAPPERS: tuple[tuple[str, str, str, int, int], ...] = (
    ("Collection", "", "c", 0x19420080CB5EF71E, 0x2A61F84D099C99B5),
    ("List", "Collection", "list", 0xFC0F2531B5EC8E10, 0x9463EFE38344107C),
    ("Set", "Collection", "", 0x801D92D18F9B8055, 0x06C3C27902EEDF3C),
    ("SortedSet", "Set", "ss", 0xBB98248FEBECEF03, 0x78ADB1384B50312E),
    ("NavigableSet", "SortedSet", "ns", 0xAC5A33CB96748287, 0xB3986DCD38B04D9A),
    ("Map", "", "m", 0xF1A5A8FE74F50742, 0x1B73F9094B4B397B),
    ("SortedMap", "Map", "sm", 0x85C82928D3A5D70A, 0x85E6B420B72E0C2F),
    ("NavigableMap", "SortedMap", "nm", 0xBC943925819D6A1B, 0x09B4BD8B2CD84EF7),
)
_INSIDE = {
    "Collection": "java.util.ArrayList",
    f"{_RANDOM}List": "java.util.ArrayList",
    "List": "java.util.LinkedList",
    "Set": "java.util.LinkedHashSet",
    "Map": "java.util.LinkedHashMap",
    **{
        f"{how}{what}": f"java.util.Tree{what}"
        for how in ("Sorted", "Navigable")
        for what in ("Set", "Map")
    },
}


def _wrappers() -> dict[str, Description]:
    found: dict[str, Description] = {}
    for what, above, field, *uids in _WRAPPERS:
        for how, uid in zip(("Unmodifiable", "Synchronized"), uids, strict=True):
            fields = [("L", field, f"Ljava/util/{what};")] if field else []
            locked = how == "Synchronized" and not above
            if locked:
                fields.append(("L", "mutex", "Ljava/lang/Object;"))
            name, parent = f"{_PREFIX}{how}{what}", found.get(f"{_PREFIX}{how}{above}")
            found[name] = Description(name, uid, 2 + locked, tuple(fields), parent)
    return found


_DESCRIBED = _wrappers()
KNOWN.update(_DESCRIBED)


def _wrapper(sink: Sink, value: Any, name: str) -> Made:
    """Return a wrapper; a RandomAccess wrapper gets the class without RandomAccess."""
    found = inside(value, name, named=sink.named)
    described = _DESCRIBED[name.replace(_RANDOM, "")]
    fields = {field: found for each in described.line() for _, field, _ in each.fields}
    return Made(described.name, fields | ({"mutex": value} if "mutex" in fields else {}))


def inside(value: Any, name: str, *, named: bool = False) -> Any:
    """Return the object in a wrapper; if `named`, it is RandomAccess exactly if `name` is."""
    what = _HOW.sub("", name)
    explicit = isinstance(value, JValue)
    found = value.parts[0] if explicit and len(value.parts) == 1 else inside_of(value)
    if found is not None:
        above = jdk_supertypes(class_of(found))
        fits = not what.endswith("List") or (f"java.util.{_RANDOM}" in above) == (_RANDOM in what)
        if f"java.util.{what.removeprefix(_RANDOM)}" in above and (fits or not (named or explicit)):
            return found
    if not explicit:
        found = _ordered(value, _INSIDE[what])
    if explicit or found is None:
        raise reject_value(value, f"a {name} around an object that fits it")
    return found


def _ordered(value: Any, class_name: str) -> Any:
    comparator = getattr(value, "comparator", None)
    if class_name.endswith("Map"):
        if isinstance(value, JEntries):
            return JEntries(class_name, value, comparator)
        return JMap(class_name, value, comparator) if isinstance(value, JMap) else None
    if not isinstance(value, (JList, JSet)):
        return None
    items = list(value)
    return items if class_name == "java.util.ArrayList" else JList(class_name, items, comparator)


def _enum_map(sink: Sink, value: Any, name: str) -> Made:
    """Return an EnumMap: the enum, and the entries in the enum's order."""
    enum_name, keys = enum_map_keys(value)
    entries = [part for key in keys for part in (key, value[key])]
    data = struct.pack(">i", len(keys))
    return Made("java.util.EnumMap", {"keyType": EnumClass(enum_name)}, data, *entries)


def enum_map_keys(value: Any) -> tuple[str, list[Any]]:
    """Return the enum of an EnumMap and its keys in the enum's order.

    Raises:
        Rejection: the value is not an EnumMap, or its enum or that enum's order is unknown.
    """
    if not isinstance(value, JMap):
        raise reject_value(value, "an EnumMap")
    names = {enum_name_of(each) for each in value}
    names |= {getattr(value, "enum_name", None)} - {None}
    (enum_name,) = names if len(names) == 1 else (None,)
    if enum_name is None:
        raise Rejection(
            "an EnumMap whose enum is not known (a JEnumMap names it), or with keys that are not "
            "its constants"
        )
    return enum_name, enum_order(enum_name, value)


def _address(sink: Sink, value: Any, name: str) -> Made:
    """Return an `Inet4Address` as an `InetAddress`; its parts are the address and a name."""
    parts = value.parts if isinstance(value, JValue) else ()
    if len(parts) not in {1, 2} or not isinstance(parts[0], str):
        raise reject_value(value, f"a {name}")
    try:
        number = int(IPv4Address(parts[0]))
    except ValueError as error:
        raise Rejection(f"not a {name}: {error}") from None
    signed = number - (number >> 31 << 32)
    host = parts[1] if len(parts) > 1 else None
    return Made("java.net.InetAddress", {"address": signed, "family": 2, "hostName": host})


def _socket(sink: Sink, value: Any, name: str) -> Made:
    """Return an `InetSocketAddress`: its host's name or address, and the port."""
    parts = value.parts if isinstance(value, JValue) else ()
    if len(parts) != 2 or not 0 <= check_int(parts[1], 32, "a port") < 65536 or parts[0] is None:
        raise reject_value(value, f"a {name}")
    host, port = parts
    addr, hostname = (None, host) if isinstance(host, str) else (host, None)
    return Made(name, {"port": port, "addr": addr, "hostname": hostname})


WRITE_OBJECT_CASES: dict[str, Callable[[Sink, Any, str], Made]] = {
    **dict.fromkeys(_DESCRIBED, _wrapper),
    **dict.fromkeys(
        (f"{_PREFIX}{how}{_RANDOM}List" for how in ("Unmodifiable", "Synchronized")), _wrapper
    ),
    "java.util.EnumMap": _enum_map,
    "java.net.Inet4Address": _address,
    "java.net.InetSocketAddress": _socket,
}
"""The functions that make the object of a class whose parts differ from the Python value's."""
