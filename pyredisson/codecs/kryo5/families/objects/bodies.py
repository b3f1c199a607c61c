"""Objects of an application's classes: Kryo's `FieldSerializer`.

A body has no names and no count. It has the fields of the class and of its superclasses without
transient ones, sorted by name (in UTF-16 units; of equal names the subclass's first). `fields`
decides once how to read and write each, when the codec first uses the class.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments, Hierarchy
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.schema import ClassSchema
from pyredisson.rejection import Rejection, reject_value

from .field_groups import FieldGroup, is_plain, split
from .fields import Field, make_field
from .object_codegen import compile_object

__all__ = ["ObjectSerializer", "make_setter", "utf16"]

_ZEROS: dict[str, Any] = {"boolean": False, "char": "\0", "float": 0.0, "double": 0.0}


def utf16(name: str) -> bytes:
    """Return the UTF-16 units by which `String.compareTo` compares."""
    return name.encode("utf-16-be", "surrogatepass")


def make_setter(cls: type) -> Any:
    """Return the function that sets an attribute, even if the class is frozen."""
    return setattr if is_plain(cls) else object.__setattr__


class ObjectSerializer(Serializer):
    """The body of a class that has a schema."""

    def __init__(self, schema: ClassSchema, registry: Classes) -> None:
        super().__init__(schema.class_name)
        self.schema = schema
        self._hierarchy = Hierarchy(schema)
        every = schema.all_fields()
        every.sort(key=lambda pair: utf16(pair[1].name))
        written = [(owner, each) for owner, each in every if not each.transient]
        self.names = [each.attribute for _, each in written]
        self.transient = [
            (each.attribute, _ZEROS.get(each.type.name, 0) if each.type.primitive else None)
            for _, each in every
            if each.transient
        ]
        self._steps: list[FieldGroup | tuple[Field, str]] | None = None
        self._only: FieldGroup | None = None
        self.variables = bool(self._hierarchy.parameters)
        self._written = written
        self._registry = registry
        self._class: Any = schema.python
        self._new: Any = self._class.__new__
        self._set = make_setter(schema.python)
        self.smallest = sum(_smallest(each.type.name, each.type.primitive) for _, each in written)

    def _fields(self) -> list[Field]:
        """Return the fields in their order."""
        return [
            make_field(owner, self.schema, each, self._registry) for owner, each in self._written
        ]

    @property
    def steps(self) -> list[FieldGroup | tuple[Field, str]]:
        """The fields in their order, adjacent simple ones as one group; made at first use."""
        if self._steps is None:
            members = list(zip(self._fields(), self.names, strict=True))
            self._steps = split(self.schema.python, members)
            if (
                len(self._steps) == 1
                and not self.transient
                and isinstance(self._steps[0], FieldGroup)
            ):
                self._only = self._steps[0]
            self._compile(self._steps)
        return self._steps

    def _compile(self, steps: list[FieldGroup | tuple[Field, str]]) -> None:
        """Replace the methods `read` and `write` with generated functions."""
        helpers: dict[str, Callable[..., Any]] = {
            "reject": lambda value: reject_value(value, f"a {self.class_name}"),
            "locate": self._locate,
            "write_field": self._write_field,
        }
        compiled = compile_object(self._class, steps, self.transient, helpers)
        if compiled is not None:
            bind = self._hierarchy.bind if self.variables else None
            self.__dict__ |= compiled.methods(bind)

    def _locate(self, error: Exception, value: Any, place: int) -> None:
        """Add to an error the field in which it happened."""
        step = self.steps[place]
        if place < 0 or isinstance(step, FieldGroup):
            return
        field, name = step
        if isinstance(error, AttributeError) and not hasattr(value, name):
            raise Rejection(f"a {self.class_name} lacks a field: {error}") from None
        if isinstance(error, Rejection) and error.place is None:
            error.place = f"{self.class_name}.{field.name}"

    @property
    def only_group(self) -> FieldGroup | None:
        """The field group that is the whole object, if there is one."""
        return self._only if self.steps else None

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        found = self._new(self._class)
        if source.objects is not None:
            source.objects[source.slot] = found
        source.descend()
        mark = len(source.bindings)
        if arguments and self.variables:
            self._hierarchy.bind(arguments, source.bindings)
        for step in self._steps or self.steps:
            if isinstance(step, tuple):
                field, name = step
                self._set(found, name, field.read(source))
                continue
            match = step.match(source.data, source.pos)
            if match is None:
                for field, name in step.members:
                    self._set(found, name, field.read(source))
            else:
                source.pos = match.end()
                step.fill(found, match)
        for name, zero in self.transient:
            self._set(found, name, zero)
        if self.variables:
            del source.bindings[mark:]
        source.depth -= 1
        return found

    def read_many(self, source: Reader, count: int, arguments: Arguments = None) -> list[Any]:
        group = self.only_group
        if group is None or not count:
            return super().read_many(source, count, arguments)
        source.descend()
        found: list[Any] = []
        while count > len(found):
            matches = list(
                islice(iter(group.scanner(source.data, source.pos).match, None), count - len(found))
            )
            found += map(group.make, matches)
            if matches:
                source.pos = matches[-1].end()
            if count > len(found):
                source.depth -= 1
                found.append(self.read(source, arguments))
                source.depth += 1
        source.depth -= 1
        return found

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, self.schema.python):
            raise reject_value(value, f"a {self.class_name}")
        sink.descend()
        mark = len(sink.bindings)
        if arguments and self.variables:
            self._hierarchy.bind(arguments, sink.bindings)
        for step in self._steps or self.steps:
            if isinstance(step, tuple):
                self._write_field(sink, value, *step)
            elif not step.write(sink.out, value):
                for field, name in step.members:
                    self._write_field(sink, value, field, name)
        if self.variables:
            del sink.bindings[mark:]
        sink.depth -= 1

    def write_many(self, sink: Writer, values: list[Any], arguments: Arguments = None) -> None:
        group = self.only_group
        sink.descend()
        sink.depth -= 1
        for value in values:
            if (
                group is None
                or value.__class__ is not self._class
                or not group.write(sink.out, value)
            ):
                self.write(sink, value, arguments)

    def _write_field(self, sink: Writer, value: Any, field: Field, name: str) -> None:
        try:
            part = getattr(value, name)
        except AttributeError as error:
            raise Rejection(f"a {self.class_name} lacks a field: {error}") from None
        try:
            field.write(sink, part)
        except Rejection as error:
            if error.place is None:
                error.place = f"{self.class_name}.{field.name}"
            raise


def _smallest(name: str, primitive: bool) -> int:
    if not primitive:
        return 1
    return {"short": 2, "char": 2, "float": 4, "double": 8}.get(name, 1)
