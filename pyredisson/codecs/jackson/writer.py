"""Writes a Python value as the pieces of a message, with a plan made once per declared type.

`slot(type)` returns the writer of values that Java declares as that type. A dynamic slot (Object,
interfaces, classes that may have subclasses) looks up the value's class and keeps one writer per
class. Values that Java's types do not allow are rejected, so that no Java reader fails on a message
from Python.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, NoReturn, TypeVar
from uuid import UUID

from pyredisson.codecs.released import reject_unreleased
from pyredisson.java.arguments import bind
from pyredisson.java.build import check_size
from pyredisson.java.classes import require_root
from pyredisson.java.containers import JMap
from pyredisson.java.jdk import CONTAINERS, Kind, is_final
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import ClassSchema
from pyredisson.java.types import OBJECT, JavaType
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_class, reject_value

from .arrays import Arrays
from .bean_introspection import reading
from .constants import Names
from .elements import elements_in, entries_in
from .format import Format, Write, too_deep
from .model import Model, erased_array
from .other_jdk import REFERENCES, TAGS, reference
from .passthrough import passthrough
from .roots import require_readable
from .rules import Rules
from .typing import BOXES, DEFAULTS, arguments_of, is_natural

F = TypeVar("F")

__all__ = ["TreeWriter"]

_OPAQUE = (JavaObject, JavaValue)  # always with their class
_KEY_NUMBERS = {"java.lang.Integer", "java.lang.Long"}
_ENUM_MAP = "java.util.EnumMap"
_ENUM_SETS = {"java.util.EnumSet", "java.util.RegularEnumSet", "java.util.JumboEnumSet"}


def _sure(rules: Rules, name: str, write: Write[F]) -> Write[F]:
    """Return the writer of a root or a field; reject a UUID that not all releases read alike."""
    return write if rules.sure or name != "java.util.UUID" else _reject_uuid


def _reject_uuid(value: Any, depth: int) -> NoReturn:
    if not isinstance(value, UUID):
        raise reject_value(value, "a UUID")
    what = "a java.util.UUID at the root or in a field that is declared as one"
    raise reject_unreleased(what, "4.2.0")


class TreeWriter(Generic[F]):
    """Writes the values of one codec."""

    def __init__(
        self, fmt: Format[F], model: Model, limits: Limits, classes: tuple[type, ...] = ()
    ) -> None:
        self._format = fmt
        self._model = model
        self._rules = model.rules
        self._names = Names(fmt, model)
        self._limits = limits
        self._classes = classes
        self._slots: dict[JavaType, Write[F]] = {}
        self._roots: dict[str, tuple[Write[F], bool]] = {}  # and whether it names the class
        self._readable: set[str] = set()
        self._root_beans: dict[type, Write[F]] = {}
        self._opaque = passthrough("", fmt, model, limits)
        self._arrays = Arrays(fmt, model, limits, self.slot, self._runtime)

    def root(self, value: Any) -> F:
        """Write a whole message.

        Raises:
            Rejection: Java could not read a part of it, or it is not of the codec's `root` classes.
        """
        write = self._root_beans.get(type(value))
        if write is not None:
            return write(value, 0)
        require_root(value, self._classes)
        if value is None:
            return self._format.null
        if isinstance(value, _OPAQUE) and not self._is_bean(value.class_name):
            return self._opaque(value, 0)
        name = self._model.class_of(value)
        found = self._roots.get(name)
        if found is None:
            found = self._roots[name] = self._root(name)
        write, named = found
        everything = self._rules.everything
        if not everything and isinstance(value, Enum) and self._model.has_body(value):
            piece, named = self._format.constant(self._names.shown(name, value)), False
        else:
            piece = write(value, 0)
        if name not in self._readable:
            if self._rules.strict and self._rules.typing:
                require_readable(self._format, name, value, named)
            if not isinstance(value, (int, float, Enum)):  # these depend on the value
                self._readable.add(name)
                if self._model.schema_of(type(value)) is not None:
                    self._root_beans[type(value)] = write
        return piece

    def _is_bean(self, name: str) -> bool:
        return name in self._model.by_name and not self._model.is_enum(name)

    def _root(self, name: str) -> tuple[Write[F], bool]:
        schema = self._model.by_name.get(name)
        named = self._model.names(name)
        if schema is not None and schema.kind != "enum":
            return self._runtime(name, OBJECT, named), named
        return _sure(self._rules, name, self._runtime(name, OBJECT, named)), named

    def of(self, declared: JavaType) -> Write[F]:
        """Return the writer of a message of a declared type, for the typed codecs."""
        return self.slot(declared)

    def slot(self, declared: JavaType) -> Write[F]:
        """Return the writer of values of a declared type."""
        found = self._slots.get(declared)
        if found is None:
            # A class may refer to itself: until its plan is made, look up the writer at each call.
            self._slots[declared] = self._later(declared)
            found = self._slots[declared] = self._make(declared)
        return found

    def _later(self, declared: JavaType) -> Write[F]:
        def write(value: Any, depth: int) -> F:
            return self._slots[declared](value, depth)

        return write

    def _make(self, declared: JavaType) -> Write[F]:
        name, null = declared.name, self._format.null
        if declared.primitive:
            return self._scalar(BOXES.get(name, name))
        if declared.dimensions:
            return self._arrays.declared(declared)
        known = self._format.scalar(name) is not None
        unencoded = name.startswith("java.time.") and name not in self._model.by_name
        if self._model.final(name) and (known or unencoded):
            typed = self._model.typed(declared)
            return self._nullable(_sure(self._rules, name, self._scalar_of(name, typed)))
        schema = self._model.by_name.get(name)
        if schema is None or not schema.final:
            return self._dynamic(declared)
        exact = self._runtime(name, declared, self._model.typed(declared))

        def final(value: Any, depth: int) -> F:
            if value is None:
                return null
            if self._model.schema_of(type(value)) is not schema:
                raise reject_value(value, f"a {name}")
            return exact(value, depth)

        return final

    def _nullable(self, write: Write[F]) -> Write[F]:
        null = self._format.null
        return lambda value, depth: null if value is None else write(value, depth)

    def _scalar(self, name: str) -> Write[F]:
        scalar, limits = self._format.scalar(name), self._limits
        if scalar is None:
            return passthrough(name, self._format, self._model, limits)
        found = scalar
        return lambda value, _: found(value, limits)

    def _tag(self, name: str, write: Write[F]) -> Write[F]:
        tagged = self._format.tagged
        return lambda value, depth: tagged(name, write(value, depth))

    def _dynamic(self, declared: JavaType) -> Write[F]:
        """Return the writer that writes each value by its own class."""
        writers: dict[str, Write[F]] = {}
        null, class_of, model = self._format.null, self._model.class_of, self._model
        fit = DEFAULTS.get(declared.name)

        def write(value: Any, depth: int) -> F:
            if value is None:
                return null
            name = fit.get(type(value)) or class_of(value) if fit else class_of(value)
            found = writers.get(name)
            if found is None:
                known = isinstance(value, _OPAQUE)
                if not known and not model.accepts(declared, name):
                    raise Rejection(f"a {name} is not a {declared}")
                found = writers[name] = self._runtime(name, declared, self._rules.typing)
            return found(value, depth)

        return write

    def _runtime(self, name: str, declared: JavaType, tagged: bool) -> Write[F]:
        """Return the writer of values of exactly this class."""
        schema = self._model.by_name.get(name)
        if schema is not None:
            return self._schema(schema, declared, tagged)
        if name in CONTAINERS:
            return self._container(name, declared, tagged)
        component = erased_array(name)
        if component is not None:
            if not (component.name in self._model.by_name or is_final(component.name) is not None):
                raise reject_class(component.name)
            return self._arrays.array(component, str(component), name if tagged else None)
        return self._rarer(name, declared, tagged)

    def _rarer(self, name: str, declared: JavaType, tagged: bool) -> Write[F]:
        """Return the writer of references, enum sets and maps, scalars and unknown classes."""
        if name in REFERENCES and (self._rules.times or not REFERENCES[name]):
            content = self.slot(declared.arguments[0] if declared.arguments else OBJECT)
            return reference(name, content, self._format.null)
        if name == OBJECT.name and not self._rules.typing:
            return self._nothing
        if name == _ENUM_MAP or name in _ENUM_SETS:
            made = self._enum_map(declared, tagged) if name == _ENUM_MAP else self._enum_set(tagged)
            read = self._scalar(name)  # as an unknown class, because the message names no enum
            return lambda value, depth: (read if isinstance(value, _OPAQUE) else made)(value, depth)
        return self._scalar_of(name, tagged)

    def _scalar_of(self, name: str, tagged: bool) -> Write[F]:
        """Return the writer of a scalar class, or of an unknown one."""
        bare = self._scalar(name)
        if not tagged or self._format.scalar(name) is None:
            return bare
        typed = self._tag(TAGS.get(name, name), bare)
        if name == "java.lang.Double" and self._rules.typed_special:
            return lambda value, depth: (bare if is_natural(name, value) else typed)(value, depth)
        natural = name in {"java.lang.String", "java.lang.Integer", "java.lang.Boolean"}
        return bare if natural or name == "java.lang.Double" else typed

    def _schema(self, schema: ClassSchema, declared: JavaType, tagged: bool) -> Write[F]:
        name = schema.class_name
        if schema.kind == "enum":
            texts = self._names.pieces(schema, self._limits)

            def write(value: Any, _: int) -> F:
                try:
                    return texts[value]
                except KeyError:
                    raise reject_value(value, f"a constant of {name}") from None

            return self._tag(name, write) if tagged else write
        if schema.abstract:
            raise Rejection(f"{name} is abstract in Java", name)
        if not self._model.specialises(schema, declared):
            raise Rejection(f"a {name} is not a {declared}")
        container = self._model.container_of(schema)
        if container is not None:
            return self._container(name, container, tagged)
        properties = self._model.properties(schema, bind(schema, declared))
        fields = [
            (each.key, each.attribute, self._arrays.member(each.type), each.type.primitive)
            for each in properties
        ]
        if schema.kind == "record" and not fields:  # Jackson does not treat it as an empty bean
            return lambda value, depth: self._format.object(name if tagged else None, [])
        own = {field.attribute for _, field in schema.all_fields()}
        methods = {each.attribute for each in properties if each.method} - own
        bean = self._format.bean(
            name if tagged else None, fields, self._rules.nulls, self._limits.max_depth
        )
        return reading(bean, fields, methods, name)

    def _container(self, name: str, declared: JavaType, tagged: bool) -> Write[F]:
        arguments = arguments_of(name, declared)
        base = name if name in CONTAINERS else declared.name
        if CONTAINERS[base].kind is Kind.MAP:
            key, value = arguments if len(arguments) == 2 else (OBJECT, OBJECT)
            return self._map(name, base, name if tagged else None, key, value)
        kind = arguments[0] if len(arguments) == 1 else OBJECT
        tag, element = name if tagged else None, self.slot(kind)
        limit, array = self._limits.max_depth, self._format.array

        def write(value: Any, depth: int) -> F:
            if depth >= limit:
                raise too_deep(limit)
            items = elements_in(value, name, base, kind)
            return array(tag, [element(one, depth + 1) for one in items])

        return write

    def _map(
        self, java: str, base: str, tag: str | None, key: JavaType, value: JavaType
    ) -> Write[F]:
        element, limit, fmt = self.slot(value), self._limits.max_depth, self._format
        nulls, model = self._rules.nulls, self._model
        numbers = fmt.integer_keys

        def write(mapping: Any, depth: int) -> F:
            if depth >= limit:
                raise too_deep(limit)
            members: list[tuple[str | int, F]] = []
            for each, content in entries_in(mapping, java, base, key):
                text = self._names.key(each, key)
                if text == "@class" and self._rules.typing:
                    raise Rejection(
                        'a map with the key "@class", which Java would read as its class'
                    )
                number = numbers and model.class_of(each) in _KEY_NUMBERS
                name = int(each) if number else text
                if content is not None:  # Redisson's mapper omits nulls
                    members.append((name, element(content, depth + 1)))
                elif nulls:
                    members.append((name, fmt.null))
            if base in CONTAINERS:  # without its nulls a `singletonMap` may be too small
                check_size(members, base)
            return fmt.object(tag, members)

        return write

    def _enum_set(self, tagged: bool) -> Write[F]:
        def write(value: Any, depth: int) -> F:
            schema = self._names.schema_in(value)
            if schema is None or schema.kind != "enum":
                raise reject_value(value, "an EnumSet with constants of an enum that has a schema")
            name, texts = schema.class_name, self._names.pieces(schema, self._limits)
            if any(each not in texts for each in value):
                raise reject_value(value, f"an EnumSet of {name} only")
            tag = f"java.util.EnumSet<{name}>" if tagged else None
            return self._format.array(tag, [texts[each] for each in texts if each in value])

        return write

    def _enum_map(self, declared: JavaType, tagged: bool) -> Write[F]:
        content = declared.arguments[1] if len(declared.arguments) == 2 else OBJECT

        def write(value: Any, depth: int) -> F:
            first = next(iter(value), None)
            schema = self._model.schema_of(type(first))
            if schema is None or schema.kind != "enum":
                raise reject_value(value, "an EnumMap with keys of an enum that has a schema")
            name = schema.class_name
            tag = f"java.util.EnumMap<{name},java.lang.Object>" if tagged else None
            return self._map(_ENUM_MAP, _ENUM_MAP, tag, JavaType(name), content)(value, depth)

        return write

    def _nothing(self, value: Any, depth: int) -> F:
        """Write an object without members and without a known class, as it was read."""
        if not isinstance(value, JMap) or value:
            raise reject_value(value, "an object without members")
        bean = self._format.bean(None, (), False, self._limits.max_depth)
        return bean(value, depth)
