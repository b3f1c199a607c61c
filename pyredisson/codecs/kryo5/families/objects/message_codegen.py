"""Message codegen: functions for whole messages of a class, nested objects included.

If each nested object is of its declared class and none is null, all messages of a class have class
headers with the same bytes in the same places. So one generated function reads the message, with
one match for everything between two containers, and another one writes it. In any other case they
return None or False; then the slow path does the work or raises the error. The generated text
contains names of attributes that are plain identifiers, never data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import islice
from textwrap import indent
from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.decimals import are_wide
from pyredisson.codecs.kryo5.kernel.generics import Generic
from pyredisson.codecs.kryo5.kernel.input import short_texts
from pyredisson.codecs.kryo5.kernel.serializer import DECIMAL, LIST, MAP, Serializer
from pyredisson.codecs.kryo5.kernel.typed_scalars import WRITERS
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.build import make_map
from pyredisson.java.hashing import put_order
from pyredisson.rejection import Rejection

from .bodies import ObjectSerializer
from .bulk_lists import put_ints, put_texts, read_some_ints
from .field_groups import FieldGroup, define, is_identifier, lines_of, setting_of
from .field_templates import DECIMALS, NULLABLE, PATTERNS, VALUES, WRITES, kind_of, shared
from .fields import Field, KnownField, OpenField
from .message_templates import (
    READ_ENTRIES,
    READ_MANY,
    READ_OBJECTS,
    SEGMENT,
    WRITE_DECIMAL,
    WRITE_ENTRIES,
    WRITE_MANY,
    WRITE_NULL,
    WRITE_OBJECTS,
    WRITE_TYPED_VALUE,
)
from .typed_values import TYPED_VALUES, put_typed_value, typed_value

__all__ = ["MessageFunctions", "compile_message"]

_LISTS, _MAPS = "java.util.ArrayList", "java.util.HashMap"
_MOST = 50  # the most objects in a fixed layout
_SHORT = rb"([\x01-\x21])"  # a length plus one: up to 32 elements
_SAME = rb"([\x82-\xa1])"  # with the flag: all are of one class


class _NoFixedLayoutError(Exception):
    """The class's messages have no fixed layout."""


class MessageFunctions:
    """The functions of a class whose messages have a fixed layout.

    Attributes:
        depth: the maximum nesting of its messages.
        names: the maximum number of class names in one message.
    """

    __slots__ = ("_read", "_write", "depth", "names")

    def __init__(self, scope: dict[str, Any], depth: int, names: int) -> None:
        self._read: Callable[[bytes, int], tuple[Any, int] | None] = scope["read"]
        self._write: Callable[[bytearray, Any], bool] = scope["write"]
        self.depth = depth
        self.names = names

    def match(self, data: bytes) -> Any:
        """Return the value of a whole message; None if it has another layout."""
        found = self._read(data, 0)
        return found[0] if found is not None and found[1] == len(data) else None

    @staticmethod
    def make(value: Any) -> Any:
        """Return what `match` returned: the value itself."""
        return value

    def write(self, out: bytearray, value: Any) -> bool:
        """Append the body of an object; if it cannot, return False, with `out` in any state."""
        try:
            return self._write(out, value)
        except (AttributeError, TypeError):  # no such attribute, or a value without a hash
            return False


def compile_message(registry: Classes, serializer: ObjectSerializer) -> MessageFunctions | None:
    """Return the functions of a class's messages; None if these have no fixed layout."""
    heads = Writer(registry, registry.limits)
    try:
        heads.class_name(serializer.class_name)
        maker = _MessageCompiler(registry, heads, bytes(heads.out))
        scope = maker.made(serializer)
        return MessageFunctions(scope, maker.deepest, len(heads.names))
    except (_NoFixedLayoutError, Rejection):
        return None


class _MessageCompiler:
    """The generated text so far: the pattern of the current segment, and the lines after it."""

    def __init__(
        self,
        registry: Classes,
        heads: Writer,
        head: bytes = b"",
        within: _MessageCompiler | None = None,
    ) -> None:
        self.registry = registry
        self.heads = heads
        self.scope: dict[str, Any] = {
            **shared(),
            "MAP": _MAPS,
            "islice": islice,
            "make_map": make_map,
            "typed_value": typed_value,
            "put_ints": put_ints,
            "put_typed_value": put_typed_value,
            "put_order": put_order,
            "put_texts": put_texts,
            "read_ints": read_some_ints,
            "read_texts": short_texts,
            "writers": registry.writers,
        }
        self.pattern = re.escape(head)
        self.first = self.groups = self.count = self.depth = self.deepest = 0
        self.pending: list[str] = []
        self.read: list[str] = []
        self.write: list[str] = []
        self.classes: list[str] = within.classes if within else []
        self.budget: Iterator[int] = within.budget if within else iter(range(_MOST))

    def made(self, serializer: ObjectSerializer) -> dict[str, Any]:
        """Return the functions that read and write this class, without its header."""
        self.object(serializer)
        self.end()
        source = ["def read(data, pos):", *self.read, "    return o1, pos"]
        source += ["def write(out, o1):", *self.write, "    return True"]
        define("\n".join(source), f"<message of {serializer.class_name}>", self.scope)
        return self.scope

    def head(self, serializer: Serializer) -> bytes:
        """Return the class header at this place."""
        start = len(self.heads.out)
        self.heads.class_name(serializer.class_name)
        return bytes(self.heads.out[start:])

    def end(self) -> None:
        """End a segment."""
        if self.pattern:
            groups = "".join(f"g{number}, " for number in range(self.first, self.groups))
            self.scope[f"match{self.count}"] = re.compile(self.pattern, re.DOTALL).match
            text = SEGMENT if groups else SEGMENT.replace("    {groups}= m.groups()\n", "")
            self.read.append(text.format(n=self.count, groups=groups))
        self.read += self.pending
        self.pattern, self.pending, self.first = b"", [], self.groups
        self.count += 1

    def down(self, by: int) -> None:
        """Add `by` levels of nesting."""
        self.depth += by
        self.deepest = max(self.deepest, self.depth)

    def object(self, serializer: ObjectSerializer) -> str:
        """Add an object, without its header; return its variable."""
        cls = serializer.schema.python
        own = self.registry.of_type(cls) not in {None, serializer}
        if own or serializer.variables or serializer.class_name in self.classes:
            raise _NoFixedLayoutError
        if next(self.budget, None) is None:
            raise _NoFixedLayoutError
        self.classes.append(serializer.class_name)
        self.down(1)
        self.count += 1
        n, o = self.count, f"o{self.count}"
        self.scope |= {f"new{n}": cls.__new__, f"CLASS{n}": cls}
        self.pending.append(f"    {o} = new{n}(CLASS{n})")
        self.write += [f"    if {o}.__class__ is not CLASS{n}:", "        return False"]
        for step in serializer.steps:
            if isinstance(step, FieldGroup):
                pattern, read, write = lines_of(cls, step.members, self.scope, o, self.groups)
                self.pattern += pattern
                self.groups += len(step.members)
                self.pending += read
                self.write += write
            else:
                self.field(cls, o, *step)
        for number, (name, zero) in enumerate(serializer.transient):
            self.scope[f"zero{n}_{number}"] = zero
            self.set(cls, o, name, f"zero{n}_{number}")
        self.down(-1)
        self.classes.pop()
        return o

    def set(self, cls: Any, o: str, name: str, value: str) -> None:
        """Add the line that sets an attribute."""
        if not is_identifier(name):
            raise _NoFixedLayoutError
        self.pending.append(setting_of(cls).format(o=o, name=name, value=value))

    def field(self, cls: Any, o: str, field: Field, name: str) -> None:
        """Add a field that is not simple."""
        arguments = field.arguments if isinstance(field, (OpenField, KnownField)) else None
        if isinstance(field, KnownField):
            serializer, head = field.serializer, b"\1"
        elif isinstance(field, OpenField):
            serializer = self.declared(field)
            head = self.head(serializer)
        else:
            raise _NoFixedLayoutError
        self.pattern += re.escape(head)
        self.scope[f"HEAD{o}{name}"] = head
        self.write += [f"    v = {o}.{name}"]
        if serializer.form is DECIMAL and are_wide(self.registry.limits):
            self.write += [f"    out += HEAD{o}{name}", WRITE_DECIMAL]
            self.pattern += b"(%b)" % DECIMALS
            inner = f"decimal(g{self.groups})"
            self.groups += 1
        elif isinstance(serializer, ObjectSerializer):
            inner = f"o{self.count + 1}"
            self.write += [f"    {inner} = v", f"    out += HEAD{o}{name}"]
            self.object(serializer)
        else:
            self.write += [f"    out += HEAD{o}{name}"]
            inner = self.container(serializer, arguments or ())
        self.set(cls, o, name, inner)

    def declared(self, field: OpenField) -> Serializer:
        """Return the serializer of the most common class of a field's values."""
        for name, example in ((_LISTS, []), (_MAPS, {})):
            if field.arguments and self.registry.accepts(field.declared, name):
                return self.registry.of(example)
        return self.registry.by_name(field.declared)

    def container(self, serializer: Serializer, arguments: tuple[Generic, ...]) -> str:
        """Add a list or a map after its header; return its variable."""
        raws = [each.raw for each in arguments if each.variable is None and each.raw]
        self.count += 1
        n, o = self.count, f"c{self.count}"
        if serializer.form is LIST and len(raws) == 1:
            self.list(n, o, raws[0])
        elif serializer.form is MAP and len(raws) == 2:
            self.map(n, o, *raws)
        else:
            raise _NoFixedLayoutError
        return o

    def list(self, n: int, o: str, raw: str) -> None:
        """Add a list of texts, numbers or objects."""
        known = self.registry.element(raw)
        kind = {"String": "texts", "Integer": "ints"}.get(kind_of(known) or "") if known else ""
        each = self.registry.by_name(raw)
        self.groups += 1
        count = self.groups - 1
        if kind:
            self.down(1)
            self.pattern += _SHORT
            self.end()
            self.read.append(READ_MANY.format(read=f"read_{kind}", count=count, o=o))
            self.write.append(WRITE_MANY.format(write=f"put_{kind}"))
        elif known is None and isinstance(each, ObjectSerializer):
            head = self.head(each) + b"\0"
            self.pattern += _SAME + re.escape(head)
            self.end()
            self.scope[f"HEAD{n}"] = head
            self.down(1)
            for which in ("first", "next"):  # the first object has the names of classes
                maker = _MessageCompiler(self.registry, self.heads, within=self)
                scope = maker.made(each)
                self.scope |= {f"{which}{n}": scope["read"], f"write_{which}{n}": scope["write"]}
            self.deepest = max(self.deepest, self.depth + maker.deepest)
            self.read.append(READ_OBJECTS.format(n=n, count=count, o=o))
            self.write.append(WRITE_OBJECTS.format(n=n))
        else:
            raise _NoFixedLayoutError
        self.down(-1)

    def map(self, n: int, o: str, key: str, value: str) -> None:
        """Add a map of texts to values of one simple class, or of any class."""
        keys, values = self.registry.element(key), self.registry.element(value)
        kind = kind_of(values) if values else None
        any_class = value == "java.lang.Object" and len(self.registry.writers) == len(WRITERS)
        if keys is None or kind_of(keys) != "String" or not (kind or any_class):
            raise _NoFixedLayoutError
        boxed = kind is not None and kind not in NULLABLE
        form = TYPED_VALUES if kind is None else PATTERNS[kind]
        pattern = rb"(%b)(?:%b)" % (
            PATTERNS["String"],
            (rb"\0|\x01(%b)" if boxed else b"(%b)") % form,
        )
        read = VALUES[kind].format(g="b", enum="") if kind else "typed_value(b)"
        self.down(1)
        self.down(-1)
        self.groups += 1
        count = self.groups - 1
        self.pattern += _SHORT
        self.end()
        compiled: Any = re.compile(pattern, re.DOTALL)
        self.scope[f"scan{n}"] = compiled.scanner
        self.read.append(
            READ_ENTRIES.format(
                n=n,
                o=o,
                count=count,
                key=VALUES["String"].format(g="a"),
                value=f"None if b is None else {read}" if boxed else read,
            )
        )
        self.write.append(WRITE_ENTRIES)
        lines = [indent(WRITES[kind], "    ") if kind else WRITE_TYPED_VALUE]
        self.write += [WRITE_NULL, *lines] if boxed else lines
