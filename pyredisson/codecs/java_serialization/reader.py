"""Reads Java's object stream: `java.io.ObjectStreamConstants`, protocol version 2.

Every object, string, array, enum and class description gets the next handle when it begins. Names
in the message are looked up only in tables and schemas.
"""

from __future__ import annotations

import struct
from typing import Any

from pyredisson.codecs.cursor import Cursor, new_array
from pyredisson.java.modified_utf8 import from_modified
from pyredisson.java.names import component_of
from pyredisson.java.objects import JavaValue
from pyredisson.rejection import Rejection

from .literals import literal
from .objects import Maker
from .sharing import Sharing
from .stream_model import ClassData, ClassDescription, StreamObject

__all__ = ["Pending", "StreamReader", "read_primitives"]

_NULL, _REFERENCE, _CLASS_DESC, _OBJECT, _STRING, _ARRAY, _CLASS, _BLOCK = range(0x70, 0x78)
_END, _RESET, _LONG_BLOCK, _EXCEPTION, _LONG_STRING, _PROXY, _ENUM = range(0x78, 0x7F)
_BASE = 0x7E0000
_WRITE, _SERIALIZABLE, _EXTERNALIZABLE, _BLOCKS, _IS_ENUM = 1, 2, 4, 8, 16
_FORMS = {"Z": "?", "B": "b", "C": "H", "S": "h", "I": "i", "J": "q", "F": "f", "D": "d"}
_PENDING = object()


class Pending:
    """An object that is being read; `started` is the Python object if its data refers to it."""

    __slots__ = ("class_name", "started")

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.started: Any = None

    def refer(self, maker: Maker) -> Any:
        """Return the Python object, before it is complete.

        Raises:
            Rejection: the object can only be created when its data is complete.
        """
        if self.started is None:
            self.started = maker.refer(self.class_name)
        return self.started


def read_primitives(source: Cursor, code: str, count: int) -> Any:
    """Read the elements of an array of primitives."""
    form = _FORMS[code]
    source.claim(count, struct.calcsize(form))
    if code == "B":
        return source.take(count)
    values = struct.unpack(f">{count}{form}", source.take(count * struct.calcsize(form)))
    return list(map(chr, values)) if code == "C" else list(values)


class StreamReader:
    """Reads one stream."""

    def __init__(self, source: Cursor, maker: Maker, sharing: Sharing | None = None) -> None:
        self._source = source
        self._maker = maker
        self._sharing = sharing or Sharing()
        self._handles: list[Any] = []
        self._began = 0, 0, 0

    def read(self) -> Any:
        """Read the header and the one object of a message."""
        if self._source.take(4) != b"\xac\xed\x00\x05":
            raise Rejection("not a Java object stream, which begins with aced0005")
        return self.object()

    def skip(self, maker: Maker) -> None:
        """Read the object of the last `next` again, after its value could not be made.

        `maker` makes its value and all later values of the stream.
        """
        self._maker = maker
        handles, self._source.pos, self._source.depth = self._began
        del self._handles[handles:]
        self.object()

    def next(self) -> Any:
        """Read one more object of a stream that has several."""
        self._began = len(self._handles), self._source.pos, self._source.depth
        return self.object()

    def object(self) -> Any:
        """Read an object, a string, an array, an enum constant, a class or null."""
        tag = self._source.byte()
        self._source.descend()
        value = self._tagged(tag)
        self._source.ascend()
        return value

    def _tagged(self, tag: int) -> Any:
        if tag == _NULL:
            return None
        if tag == _REFERENCE:
            return self._reference()
        if tag in {_STRING, _LONG_STRING}:
            return self._string(tag)
        read = {
            _OBJECT: self._object,
            _ARRAY: self._array,
            _ENUM: self._enum,
            _CLASS: self._class,
        }.get(tag)
        if read is None:
            raise Rejection(f"no object begins with 0x{tag:02x}")
        return read()

    def _new(self, value: Any = _PENDING) -> int:
        self._handles.append(value)
        return len(self._handles) - 1

    def _reference(self) -> Any:
        number = self._source.unpack(">i") - _BASE
        if not 0 <= number < len(self._handles):
            raise Rejection("a reference to an unknown object")
        found = self._handles[number]
        if isinstance(found, Pending):
            return found.refer(self._maker)
        if found is _PENDING and not self._maker.blind:
            raise Rejection("objects that refer to each other in a circle")
        if isinstance(found, ClassDescription):
            return JavaValue("java.io.ObjectStreamClass", found.name)
        self._sharing.refer(number)
        return found

    def _string(self, tag: int) -> str:
        size = self._source.unpack(">H" if tag == _STRING else ">q")
        text = self._sharing.text(from_modified(self._source.take(size)))
        self._new(text)
        return text

    def _text(self) -> str:
        return from_modified(self._source.take(self._source.unpack(">H")))

    def _description(self) -> ClassDescription | None:
        tag = self._source.byte()
        if tag == _NULL:
            return None
        if tag == _REFERENCE:
            number = self._source.unpack(">i") - _BASE
            found = self._handles[number] if 0 <= number < len(self._handles) else None
            if not isinstance(found, ClassDescription):
                raise Rejection("a reference to something other than a class description")
            return found
        self._source.descend()
        if tag == _CLASS_DESC:
            found = self._described()
        elif tag == _PROXY:
            found = self._proxy()
        else:
            raise Rejection(f"no class description begins with 0x{tag:02x}")
        for is_block, _ in self._annotation():
            if is_block:
                raise Rejection("a class description with additional data")
        found.parent = self._description()
        self._source.ascend()
        return found

    def _described(self) -> ClassDescription:
        name = self._source.class_name(self._text())
        found = ClassDescription(name, uid=self._source.unpack(">q"))
        self._new(found)
        found.how = self._source.byte()
        found.adds = bool(found.how & _WRITE)
        for _ in range(self._source.claim(self._source.unpack(">H"), 3)):
            code = chr(self._source.byte())
            field_name, kind = self._text(), ""
            if code in "[L":
                kind = self.object()
                if not isinstance(kind, str):
                    raise Rejection("a field without a type")
            elif code not in _FORMS:
                raise Rejection(f"a field of the unknown type {code!r}")
            found.fields.append((code, field_name, kind))
        return found

    def _proxy(self) -> ClassDescription:
        found = ClassDescription("java.lang.reflect.Proxy", _SERIALIZABLE)
        self._new(found)
        for _ in range(self._source.claim(self._source.unpack(">i"), 2)):
            self._source.class_name(self._text())
        return found

    def _annotation(self) -> list[tuple[bool, Any]]:
        """Read blocks and objects up to the end mark."""
        level = ClassData("")
        while True:
            tag = self._source.byte()
            if tag == _END:
                return level.parts
            if tag in {_BLOCK, _LONG_BLOCK}:
                size = self._source.unpack(">B" if tag == _BLOCK else ">i")
                level.add_block(self._source.take(size))
            else:
                self._source.pos -= 1
                level.add_object(self.object())

    def _needed(self) -> ClassDescription:
        found = self._description()
        if found is None:
            raise Rejection("an object without a class")
        return found

    def _object(self) -> Any:
        description = self._needed()
        pending = Pending(description.name)
        handle = self._new(pending)
        raw = StreamObject(description.name, description.line())
        for each in raw.line:
            level = ClassData(each.name)
            self._level(each, level)
            if level.fields or level.parts:
                raw.levels[each.name] = level
        value = self._maker.finish(raw, pending.started)
        value = self._sharing.number(raw.class_name, handle, value)
        self._handles[handle] = value
        return value

    def _level(self, described: ClassDescription, level: ClassData) -> None:
        flags = described.how
        if flags & _EXTERNALIZABLE:
            if not flags & _BLOCKS:
                message = f"a {described.name}, whose data only its Java class can read"
                raise Rejection(message, described.name)
            level.parts = self._annotation()
            return
        if not flags & _SERIALIZABLE or flags & _IS_ENUM:
            raise Rejection(f"a {described.name} that is not serializable", described.name)
        for code, name, _ in described.fields:
            level.fields[name] = self._field(code)
        if flags & _WRITE:
            level.parts = self._annotation()

    def _field(self, code: str) -> Any:
        if code in "[L":
            return self.object()
        value = self._source.unpack(">" + _FORMS[code])
        return chr(value) if code == "C" else value

    def _array(self) -> Any:
        description = self._needed()
        handle = self._new()
        name = description.name
        if not name.startswith("["):
            raise Rejection(f"an array of the class {name}", name)
        count = self._source.unpack(">i")
        component = component_of(name) or "java.lang.Object"
        if name[1:] in _FORMS:
            value = read_primitives(self._source, name[1:], count)
            if not isinstance(value, bytes):
                value = new_array(component, value)
            self._handles[handle] = value
            return value
        found = self._handles[handle] = self._maker.begin(new_array(component))
        for _ in range(self._source.claim(count)):
            found.append(self.object())
        self._maker.end(found)
        return found

    def _enum(self) -> Any:
        description = self._needed()
        handle = self._new()
        name = self.object()
        if not isinstance(name, str):
            raise Rejection("an enum constant without a name")
        if self._handles[-1] is name:  # Java interns the names in its source
            self._handles[-1] = literal(name)
        value = self._maker.constant(description.name, name)
        self._handles[handle] = value
        return value

    def _class(self) -> Any:
        value = JavaValue("java.lang.Class", self._needed().name)
        self._new(value)
        return value
