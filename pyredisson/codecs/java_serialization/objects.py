"""What a reader makes of an object: the JDK's value, the schema's class or a `JavaObject`.

A `JavaObject` exists before its fields are read, so that objects may refer to each other
in circles through it; everything else is made when it is complete, and a circle through
it is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from pyredisson.codecs.java.enums import JDK_ENUMS
from pyredisson.codecs.java.jdk import PLAIN
from pyredisson.codecs.java.objects import JavaObject, JavaValue
from pyredisson.codecs.java.schema import ClassSchema, SchemaField, schema_of
from pyredisson.codecs.java.throwables import THROWABLES
from pyredisson.codecs.limits import Limits
from pyredisson.codecs.refusal import Refusal

from .jdk import BUILDERS
from .raw import Raw
from .wrapped import Wrapped, wrap

__all__ = ["DATA", "BlindMaker", "Maker", "erased", "make_instance", "zero_of"]

DATA = "@data"
"""The field of a `JavaObject` with what its classes wrote beside their fields."""

_JDK = {each.class_name: each for each in map(schema_of, JDK_ENUMS) if each is not None}
_ZEROS: dict[str, Any] = {"boolean": False, "char": "\0", "float": 0.0, "double": 0.0}


class Maker:
    """Makes the values of one codec; `blind` is one that makes nothing of what it is given."""

    blind = False

    def __init__(self, schemas: Mapping[str, ClassSchema], limits: Limits) -> None:
        self._schemas = schemas
        self._limits = limits

    def start(self, class_name: str) -> Any:
        """Return the object to be, if it may be referred to before it is read."""
        if class_name.startswith("java.util.Collections$Synchronized"):  # its own mutex
            return wrap(class_name)
        schema = self._schemas.get(class_name)
        if schema is not None and _is_thrown(schema):  # mostly its own cause
            return make_instance(schema)[0]
        if class_name in BUILDERS or schema is not None:
            return None
        return JavaObject(class_name, {})

    def finish(self, raw: Raw, started: Any) -> Any:
        """Return the value of an object that was read."""
        if isinstance(started, JavaObject):
            started.fields.update(_members(raw))
            return started
        found = self._known(raw, started)
        if isinstance(started, Wrapped):
            found.locked = raw.field("mutex") is started
            return started.fill(found)
        return found

    def _known(self, raw: Raw, started: Any) -> Any:
        schema = self._schemas.get(raw.class_name)
        if schema is not None:
            return _instance(raw, schema, started)
        try:
            builder = BUILDERS[raw.class_name]
        except KeyError:
            message = f"a {raw.class_name} of an unknown kind"
            raise Refusal(message, raw.class_name) from None
        try:
            return builder(raw, self._limits)
        except Refusal as error:
            error.class_name = raw.class_name
            raise
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ) as error:  # a part of another type
            message = f"a {raw.class_name} with unusual parts: {error}"
            raise Refusal(message, raw.class_name) from None

    def constant(self, class_name: str, name: str) -> Any:
        """Return an enum's constant."""
        schema = self._schemas.get(class_name) or _JDK.get(class_name)
        if schema is None:
            return JavaValue(class_name, name)
        members = getattr(schema.python, "__members__", {})
        found = members.get(name) if schema.kind == "enum" else None
        if found is None:
            raise Refusal(f"{class_name} has no constant {name[:60]!r}", class_name)
        return found


class BlindMaker(Maker):
    """Makes a `JavaObject` of everything, so that any stream can be read to its end."""

    blind = True

    def start(self, class_name: str) -> Any:
        """Return the object to be."""
        return JavaObject(class_name, {})

    def finish(self, raw: Raw, started: Any) -> Any:
        """Return it as it is."""
        return started

    def constant(self, class_name: str, name: str) -> Any:
        """Return a constant by its name."""
        return JavaValue(class_name, name)


def make_instance(schema: ClassSchema) -> tuple[Any, Callable[[Any, str, Any], None]]:
    """Return an object of a schema's class without fields, and what sets them, frozen or not."""
    cls: Any = schema.python
    plain = cls.__setattr__ is object.__setattr__
    return cls.__new__(cls), setattr if plain else object.__setattr__


def erased(owner: ClassSchema, field: SchemaField) -> str:
    """Return the class that the JVM has for a field's type, without its dimensions."""
    kind = field.type
    return owner.variables[kind.name].name if kind.variable else kind.name


def zero_of(field: SchemaField) -> Any:
    """Return what Java leaves in a field that a message lacks."""
    return _ZEROS.get(field.type.name, 0) if field.type.primitive else None


def _members(raw: Raw) -> dict[str, Any]:
    """Name the fields of all levels; one that a subclass hides has its class before it."""
    found: dict[str, Any] = {}
    data: list[Any] = []
    taken = {name for level in raw.levels.values() for name in level.fields}
    last = {name: level for level in raw.levels.values() for name in level.fields}
    for level in raw.levels.values():
        for name, value in level.fields.items():
            hidden = last[name] is not level and name in taken
            found[f"{level.class_name}.{name}" if hidden else name] = value
        data += [value for _, value in level.parts]
    if data:
        found[DATA] = data
    return found


def _is_thrown(schema: ClassSchema | None) -> bool:
    while schema is not None:
        if schema.extends is not None and schema.extends.name in THROWABLES:
            return True
        schema = schema.parent
    return False


def _instance(raw: Raw, schema: ClassSchema, started: Any) -> Any:
    """Set the fields that the message has; those that it lacks are zero, as Java leaves them."""
    if schema.kind == "enum" or any(level.parts for level in raw.levels.values()):
        message = f"a {raw.class_name} that is not just its fields"
        raise Refusal(message, raw.class_name)
    found, put = make_instance(schema)
    found = found if started is None else started
    for owner, each in schema.all_fields():
        fields = raw.level(owner.class_name).fields
        put(found, each.attribute, _value(each, fields))
    own = {each.attribute for _, each in schema.all_fields()}
    for name, value in raw.level("java.lang.Throwable").fields.items():
        if name not in own:
            with suppress(AttributeError):  # a class with slots keeps its fields only
                put(found, name, value)
    return found


def _value(field: SchemaField, fields: Mapping[str, Any]) -> Any:
    kind = field.type
    if field.name not in fields:
        return zero_of(field)
    value = fields[field.name]
    plain = PLAIN.get(kind.name)
    if plain is not None and value is not None and not kind.dimensions:
        if not isinstance(value, plain):
            raise Refusal(f"a value of another class than {kind.name} in {field.name}")
        return plain(value)
    return value
