"""JBoss River, written: null, boxed values, strings, lists, maps and arrays.

What Java writes for the same values. Texts, arrays, lists and maps have numbers, the names
in class descriptions too; one that occurs again is its number, counted back from the end.
Numbers, booleans, the empty text and `emptyList()` have none and are always written.
`HashMap` has no tag in River: it is a Serializable class, described at its first use. The
rule: what is not in these tables is refused. Source: `RiverMarshaller.doWriteObject` of
JBoss Marshalling 2.0.9 to 2.0.11.
"""

from __future__ import annotations

import struct
from typing import Any

from pyredisson.codecs.java.build import entries_of, items_of
from pyredisson.codecs.java.checks import check_char, check_float, check_int
from pyredisson.codecs.java.classes import class_of
from pyredisson.codecs.java.hashing import table_size
from pyredisson.codecs.java.names import component_of
from pyredisson.codecs.java.shared import Shared
from pyredisson.codecs.java_serialization.modified_utf8 import to_modified
from pyredisson.codecs.limits import Limits
from pyredisson.codecs.refusal import Refusal, refuse_value

from .tags import PREDEFINED, PRIMITIVES, SCALARS

__all__ = ["RiverWriter"]

_SCALARS = {name: (tag, form) for tag, (form, name) in SCALARS.items()}
_PRIMITIVE_TAGS = {letter: tag for tag, letter in PRIMITIVES.items()}
_FORMS = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_COMPONENTS = {name: tag for tag, name in PREDEFINED.items() if name.startswith("java.lang.")}
_LISTS = {"java.util.ArrayList": 0x5A, "java.util.LinkedList": 0x5B}
_HASH_MAP = "java.util.HashMap"
_LINKED = "java.util.LinkedHashMap"
_BITS = {"b": 8, "h": 16, "i": 32, "q": 64}


def number_of(value: Any, form: str) -> Any:
    """Return what `struct` packs for a primitive of this form."""
    if form == "?":
        if not isinstance(value, bool):
            raise refuse_value(value, "a boolean")
        return value
    if form == "H":
        return ord(check_char(value))
    if form in "fd":
        return check_float(value, 32 if form == "f" else 64)
    return check_int(value, _BITS[form], "a number")


class RiverWriter:
    """The bytes of one message so far."""

    def __init__(self, limits: Limits) -> None:
        self.out = bytearray([4])
        self._shared = Shared(limits)
        self._objects = 0
        self._classes: list[str] = []

    def value(self, value: Any) -> None:
        """Write an object.

        Raises:
            Refusal: no value that this writer knows.
        """
        if value is None or isinstance(value, bool):
            self.out.append({None: 0x01, True: 0x50, False: 0x51}[value])
            return
        name = class_of(value)
        if name in _SCALARS:
            tag, form = _SCALARS[name]
            self.out.append(tag)
            self.out += struct.pack(">" + form, number_of(value, form))
            return
        number = self._shared.number(id(value))
        if number is not None:
            self._repeated(number)
        elif name == "java.lang.String":
            self._new(value)
            self._string(value)
        elif name == "java.util.Collections$EmptyList":
            self.out.append(0x5D)
        else:
            self._shared.enter(id(value))
            if name in {_HASH_MAP, _LINKED}:
                self._map(value, name)
            else:
                self._new(value)
                self._container(value, name)
            self._shared.leave(id(value))

    def _new(self, value: Any = None) -> None:
        """Give the next number, which a value may be referred to by."""
        if value is not None and value != "":
            self._shared.add(id(value), self._objects)
        self._objects += value != ""

    def _repeated(self, number: int) -> None:
        back = number - self._objects
        if back >= -0x100:
            self.out += bytes([0x39, back & 0xFF])
        elif back >= -0x10000:
            self.out += struct.pack(">BH", 0x3A, back & 0xFFFF)
        else:
            self.out += struct.pack(">Bi", 0x02, number)

    def _container(self, value: Any, name: str) -> None:
        if name in _LISTS:
            items = items_of(value, name)
            self._sized(0x52, len(items))
            self.out.append(_LISTS[name])
            for each in items:
                self.value(each)
        elif name.startswith("["):
            self._array(value, name)
        elif name == "java.util.Collections$SingletonList":
            self.out.append(0x5C)
            self.value(*items_of(value, name))
        else:
            raise Refusal(f"a {name}, which this codec reads only")

    def _sized(self, tag: int, size: int) -> None:
        """Write the tag that fits a size, and the size."""
        if size == 0:
            self.out.append(tag)
        elif size <= 0x100:
            self.out += bytes([tag + 1, size & 0xFF])
        elif size <= 0x10000:
            self.out += struct.pack(">BH", tag + 2, size & 0xFFFF)
        else:
            self.out += struct.pack(">Bi", tag + 3, size)

    def _string(self, text: str) -> None:
        units = len(text) + sum(each > "\uffff" for each in text)
        self._sized(0x3D, units)
        self.out += to_modified(text)

    def _array(self, value: Any, name: str) -> None:
        self._sized(0x41, len(value))
        code = name[1:]
        if code in _PRIMITIVE_TAGS:
            self.out.append(_PRIMITIVE_TAGS[code])
            if code == "B":
                self.out += value if isinstance(value, bytes) else _signed(value)
                return
            if code == "Z":
                self.out += _bits([number_of(each, "?") for each in value])
                return
            form = _FORMS[code]
            numbers = [number_of(each, form) for each in value]
            self.out += struct.pack(f">{len(value)}{form}", *numbers)
            return
        component = component_of(name) or ""
        if component not in _COMPONENTS:
            raise Refusal(f"an array of {component}, which this codec reads only")
        self.out.append(_COMPONENTS[component])
        for each in value:
            self._element(each, component)

    def _element(self, value: Any, component: str) -> None:
        if value is not None and component in _SCALARS:
            tag, form = _SCALARS[component]
            self.out.append(tag)
            self.out += struct.pack(">" + form, number_of(value, form))
            return
        if value is not None and component != "java.lang.Object" and class_of(value) != component:
            raise refuse_value(value, f"a {component}")
        self.value(value)

    def _map(self, value: Any, name: str) -> None:
        entries = entries_of(value, name)
        self.out.append(0x04)
        self._class(name)
        self._new(value)  # its class's names come first
        capacity = table_size(len(entries), list(value) if isinstance(value, dict) else ())
        threshold = capacity // 4 * 3 if entries else 0
        self.out += struct.pack(">fiBBii", 0.75, threshold, 0x32, 8, capacity, len(entries))
        for entry in entries:
            for part in entry:
                self.value(part)
        self.out.append(0x35)
        if name == _LINKED:
            self.out.append(0)  # in the order of insertion

    def _class(self, name: str) -> None:
        if name in self._classes:
            index = self._classes.index(name)
            back = index - len(self._classes)
            if back >= -0x100:
                self.out += bytes([0x3B, back & 0xFF])
            else:  # pragma: no cover - two classes at most are ever described
                self.out += struct.pack(">Bi", 0x06, index)
            return
        self._classes.append(name)
        if name == _LINKED:
            self._description(0x09, name, 0x34C04E5C106CC0FB, [("accessOrder", 0x20)])
            self._class(_HASH_MAP)
            return
        fields = [("loadFactor", 0x26), ("threshold", 0x23)]
        self._description(0x38, name, 0x0507DAC1C31660D1, fields)
        self.out.append(0x16)

    def _description(self, tag: int, name: str, uid: int, fields: list[tuple[str, int]]) -> None:
        self.out.append(tag)
        self._new()
        self._string(name)
        self.out += struct.pack(">Qi", uid, len(fields))
        for field, kind in fields:
            self._new()
            self._string(field)
            self.out += bytes([kind, 0])


def _bits(values: list[bool]) -> bytes:
    packed = bytearray((len(values) + 7) // 8)
    for place, value in enumerate(values):
        packed[place >> 3] |= value << (place & 7)
    return bytes(packed)


def _signed(values: Any) -> bytes:
    return struct.pack(f"{len(values)}b", *(number_of(each, "b") for each in values))
