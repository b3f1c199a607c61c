"""FST, written: null, boxed values, strings, lists, sets, maps, dates and primitive arrays.

What Java writes for the same values. A text, an array, a container or a `BigInteger` that
occurs again is the place at which it began; boxed values and dates are always written. The
rule: what FST has a serializer of its own for; all else is refused. Sources:
`FSTObjectOutput` and `FSTObjectRegistry` of FST 2.57; the serializers that `alwaysCopy`.
"""

from __future__ import annotations

import struct
from typing import Any

from pyredisson.codecs.java.build import entries_of, items_of
from pyredisson.codecs.java.checks import check_big, check_char, check_date, check_float, check_int
from pyredisson.codecs.java.classes import class_of
from pyredisson.codecs.java.shared import Shared
from pyredisson.codecs.limits import Limits
from pyredisson.codecs.refusal import Refusal, refuse_value

from .layouts import IDS
from .numbers import put_char, put_int, put_text

__all__ = ["FstWriter"]

_NUMBERS = {name: number for number, name in IDS.items()}
_COLLECTIONS = {f"java.util.{name}" for name in ("ArrayList", "LinkedList", "Vector", "Stack")}
_COLLECTIONS |= {"java.util.HashSet"}
_MAPS = {f"java.util.{name}" for name in ("HashMap", "LinkedHashMap", "Hashtable")}
_MAPS |= {"java.util.concurrent.ConcurrentHashMap"}
_COPIED = {f"java.lang.{name}" for name in ("Byte", "Short", "Character", "Float", "Double")}
_COPIED |= {"java.util.Date"}
_ARRAYS = {"I": ("i", 32), "J": ("q", 64), "F": ("f", 32), "D": ("d", 64)}


class FstWriter:
    """The bytes of one message so far."""

    def __init__(self, limits: Limits) -> None:
        self.out = bytearray()
        self._limits = limits
        self._shared = Shared(limits)
        self._named: list[str] = []

    def value(self, value: Any) -> None:
        """Write an object.

        Raises:
            Refusal: no value that this writer knows.
        """
        if value is None or isinstance(value, bool):
            self.out.append({None: 0xFF, True: 0xF0, False: 0xEF}[value])
            return
        name = class_of(value)
        if name == "java.lang.Integer":
            self.out += b"\xf7" + put_int(check_int(value, 32, "an Integer"))
        elif name == "java.lang.Long":
            self.out += b"\xf6" + put_int(check_int(value, 64, "a Long"), long=True)
        elif name in _COPIED:
            self._instance(value, name)
        else:
            self._object(value, name)

    def _object(self, value: Any, name: str) -> None:
        place = self._shared.number(id(value))
        if place is not None:
            self.out += b"\xf9" + put_int(place)
            return
        self._shared.add(id(value), len(self.out))
        if name == "java.lang.String":
            self.out += b"\xfc" + put_text(value)
        elif name.startswith("["):
            self._array(value, name)
        elif name in _COLLECTIONS or name in _MAPS:
            self._container(value, name)
        else:
            self._instance(value, name)

    def _instance(self, value: Any, name: str) -> None:
        body = self._scalar(value, name)
        self.out.append(0)
        self._class(name)
        self.out += body

    def _class(self, name: str) -> None:
        if name in _NUMBERS:
            self.out += put_char(_NUMBERS[name])
        elif name in self._named:
            self.out += put_char(1000 + self._named.index(name))
        else:
            self._named.append(name)
            self.out.append(not name.startswith("["))  # a short name in ASCII, but of no array
            self.out += put_text(name)

    def _scalar(self, value: Any, name: str) -> bytes:  # noqa: PLR0911 - a table of classes
        if name == "java.lang.Byte":
            return bytes([check_int(value, 8, "a Byte") & 0xFF])
        if name == "java.lang.Short":
            return put_char(check_int(value, 16, "a Short") & 0xFFFF)
        if name == "java.lang.Character":
            return put_char(ord(check_char(value)))
        if name == "java.lang.Float":
            return struct.pack("<f", check_float(value, 32))
        if name == "java.lang.Double":
            return struct.pack("<d", check_float(value, 64))
        if name == "java.util.Date":
            return put_int(check_date(value), long=True)
        if name == "java.math.BigInteger":
            number = check_big(value, self._limits)
            size = (number if number >= 0 else ~number).bit_length() // 8 + 1
            return put_int(size) + number.to_bytes(size, "big", signed=True)
        raise Refusal(f"a {name}, which this codec reads only")

    def _container(self, value: Any, name: str) -> None:
        self._shared.enter(id(value))
        self.out.append(0)
        self._class(name)
        if name in _COLLECTIONS:
            items = items_of(value, name)
            self.out += put_int(len(items))
        else:
            entries = entries_of(value, name)
            self.out += put_int(len(entries))
            items = [part for entry in entries for part in entry]
        for each in items:
            self.value(each)
        self._shared.leave(id(value))

    def _array(self, value: Any, name: str) -> None:
        code = name[1:]
        if code not in {"B", "C", "S", "Z", *_ARRAYS}:
            raise Refusal(f"a {name}, which this codec reads only")
        self.out.append(0xFB)
        self._class(name)
        self.out += put_int(len(value))
        if code == "B":
            numbers = value if isinstance(value, bytes) else _bytes(value)
            self.out += numbers
        elif code == "Z":
            self.out += bytes(_boolean(each) for each in value)
        elif code == "C":
            self.out += b"".join(put_char(ord(check_char(each))) for each in value)
        elif code == "S":
            self.out += b"".join(
                put_char(check_int(each, 16, "a short") & 0xFFFF) for each in value
            )
        else:
            form, bits = _ARRAYS[code]
            whole = code in "IJ"
            checked = [
                check_int(each, bits, "a number") if whole else check_float(each, bits)
                for each in value
            ]
            self.out += struct.pack(f"<{len(checked)}{form}", *checked)


def _bytes(values: Any) -> bytes:
    return bytes(check_int(each, 8, "a byte") & 0xFF for each in values)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise refuse_value(value, "a boolean")
    return value
