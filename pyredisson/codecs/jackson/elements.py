"""The elements of containers and arrays, for the writer.

Each function rejects a Python value of another kind, and names the Java class.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pyredisson.java.build import entries_of, items_of
from pyredisson.java.checks import check_int
from pyredisson.java.containers import JArray, JEntries
from pyredisson.java.jdk import CONTAINERS
from pyredisson.java.names import array_class
from pyredisson.java.types import JavaType
from pyredisson.rejection import reject_value

from .mismatch import require_kept

__all__ = ["array_name", "bytes_in", "elements_in", "entries_in", "listed"]


def elements_in(value: Any, name: str, base: str, element: JavaType) -> Sequence[Any]:
    """Return the elements of a collection of this class, which is or extends `base`."""
    if name not in CONTAINERS:
        if not isinstance(value, (list, set, frozenset)):
            raise reject_value(value, f"a {name}")
        require_kept(value, name)
    return items_of(value, base, element.name)


def entries_in(value: Any, name: str, base: str, key: JavaType) -> Sequence[tuple[Any, Any]]:
    """Return the entries of a map of this class, which is or extends `base`."""
    if name not in CONTAINERS:
        if not isinstance(value, (dict, JEntries)):
            raise reject_value(value, f"a {name}")
        require_kept(value, name)
    if base in CONTAINERS:
        return entries_of(value, base, key.name)
    entries = list(value.items()) if isinstance(value, dict) else list(value)
    # The remaining class is EnumMap, which Java keeps in the order of the constants.
    constants: Any = type(entries[0][0]) if entries else ()
    places = {each: place for place, each in enumerate(constants)}
    return sorted(entries, key=lambda entry: places.get(entry[0], 0))


def bytes_in(value: Any) -> bytes:
    """Return the content of a `byte[]`."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return bytes(check_int(each, 8, "a byte") & 0xFF for each in listed(value, "byte"))


def listed(value: Any, component: str) -> Sequence[Any]:
    """Return the elements of an array."""
    if type(value) is list or isinstance(value, JArray):
        return value
    raise reject_value(value, f"a {component}[]")


def array_name(component: JavaType) -> str:
    """Return the JVM's name of the array with this component."""
    return array_class(component.name + "[]" * component.dimensions)
