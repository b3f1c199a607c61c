"""Makes the Python object of a stream's object: a JDK value, a schema class or a `JavaObject`.

An object is made when its data is complete. If its data refers to the object itself, it is created
at that moment and filled later, so Python objects have the same circles. Only a circle through an
object that cannot change after its creation (a record, a frozen class, an immutable list) is
rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from pyredisson.java.build import keep_order
from pyredisson.java.containers import JEntries, JList, JMap
from pyredisson.java.enums import JDK_ENUMS
from pyredisson.java.jdk import PLAIN
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import ClassSchema, SchemaField, schema_of
from pyredisson.java.supertypes import jdk_final, jdk_supertypes
from pyredisson.java.throwables import THROWABLES
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

from .class_hierarchy import base_of
from .jdk import BUILDERS, COPIES
from .preserved_metadata import LOST
from .schema_mismatch import schema_mismatches
from .sharing import Apart
from .stream_model import StreamObject
from .wrapped import Wrapped, lock, wrap

__all__ = [
    "DATA",
    "STARTED",
    "BlindMaker",
    "Maker",
    "is_mutable",
    "is_thrown",
    "make_instance",
    "zero_of",
]

DATA = "@data"
"""The field of a `JavaObject` with the data that its classes wrote in addition to their fields."""

_JDK = {each.class_name: each for each in map(schema_of, JDK_ENUMS) if each is not None}
STARTED: dict[str, Callable[[], Any]] = {
    "java.util.ArrayList": list,
    "java.util.HashMap": dict,
    **{
        f"java.util.{name}": partial(JList, f"java.util.{name}")
        for name in ("LinkedList", "ArrayDeque", "concurrent.CopyOnWriteArrayList")
    },
    **{
        f"java.util.{name}": partial(JMap, f"java.util.{name}")
        for name in ("LinkedHashMap", "Hashtable", "concurrent.ConcurrentHashMap")
    },
}
"""The factories of containers that can be filled after their creation, by class name."""
_SETTERS = (object.__setattr__, BaseException.__setattr__)
_ZEROS: dict[str, Any] = {"boolean": False, "char": "\0", "float": 0.0, "double": 0.0}


class Maker:
    """Makes the values of one codec; a `blind` maker only makes placeholders."""

    blind = False

    def __init__(self, schemas: Mapping[str, ClassSchema], limits: Limits) -> None:
        self._schemas = schemas
        self._limits = limits
        self._open: set[int] = set()

    def begin(self, started: Any) -> Any:
        """Register a container that is read element by element, and return it."""
        self._open.add(id(started))
        return started

    def end(self, started: Any) -> None:
        """Mark the container as complete."""
        self._open.discard(id(started))

    def check_complete(self, inside: Any, class_name: str) -> Any:
        """Return the object inside a wrapper, which must be complete: the Python wrapper copies it.

        Raises:
            Rejection: the object inside contains the wrapper.
        """
        if id(inside) in self._open:
            raise Rejection(f"a {class_name} in a circle with the object that it wraps", class_name)
        return inside

    def start(self, class_name: str) -> Any:
        """Return a new object to refer to before it is complete; None if the class allows none."""
        if "$Synchronized" in class_name and class_name in BUILDERS:  # it is its own mutex
            return wrap(class_name)
        schema = self._schemas.get(class_name)
        if schema is not None and is_thrown(schema):  # it is often its own cause
            return make_instance(schema)[0]
        if class_name in BUILDERS or schema is not None:
            return None
        return JavaObject(class_name, {})

    def refer(self, class_name: str) -> Any:
        """Return the object that is being read, for a reference in its own data.

        Raises:
            Rejection: the object cannot change after its creation.
        """
        schema = self._schemas.get(class_name)
        if schema is not None and is_mutable(schema):
            return self.begin(make_instance(schema)[0])
        made = STARTED.get(class_name)
        found = self.start(class_name) if made is None else made()
        if found is None:
            raise Rejection(
                f"a {class_name} that contains itself in a circle, but cannot change", class_name
            )
        return self.begin(found)

    def finish(self, raw: StreamObject, started: Any) -> Any:
        """Return the value of an object that was read."""
        self.end(started)
        if isinstance(started, JavaObject):
            started.fields.update(_members(raw))
            return started
        if raw.class_name not in self._schemas and raw.class_name not in BUILDERS:
            return JavaObject(raw.class_name, _members(raw))
        found = self._known(raw, started)
        if isinstance(found, Wrapped):
            locks = "Synchronized" in raw.class_name
            own = started is not None and raw.field("mutex") is started
            made = lock(found, locked=not locks or own)
            return made if started is None else started.fill(made)
        return found if started is None or found is started else fill(started, found)

    def _known(self, raw: StreamObject, started: Any) -> Any:
        schema = self._schemas.get(raw.class_name)
        if schema is not None:
            return _instance(raw, schema, started, self._limits)
        if raw.class_name in COPIES:
            for level in raw.levels.values():
                for each in level.fields.values():
                    self.check_complete(each, raw.class_name)
        try:
            return BUILDERS[raw.class_name](raw, self._limits)
        except Rejection as error:
            error.class_name = raw.class_name
            raise
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ) as error:  # of a part of an unexpected type
            message = f"a {raw.class_name} with unexpected parts: {error}"
            raise Rejection(message, raw.class_name) from None

    def constant(self, class_name: str, name: str) -> Any:
        """Return an enum's constant."""
        schema = self._schemas.get(class_name) or _JDK.get(class_name)
        if schema is None and jdk_final(class_name) is not None:
            raise Rejection(f"{class_name} is no enum", class_name)
        if schema is None:
            return JavaValue(class_name, name)
        members = getattr(schema.python, "__members__", {})
        found = members.get(name) if schema.kind == "enum" else None
        if found is None:
            raise Rejection(f"{class_name} has no constant {name[:60]!r}", class_name)
        return found


class BlindMaker(Maker):
    """Makes a `JavaObject` of every object, so that any stream can be read to its end."""

    blind = True

    def refer(self, class_name: str) -> Any:
        """Return a placeholder for the object that is being read."""
        return JavaObject(class_name, {})

    def finish(self, raw: StreamObject, started: Any) -> Any:
        """Return the placeholder of an object."""
        return JavaObject(raw.class_name, {}) if started is None else started

    def constant(self, class_name: str, name: str) -> Any:
        """Return a constant by its name."""
        return JavaValue(class_name, name)


def fill(started: Any, found: Any) -> Any:
    """Fill a container that was created before its elements were read, and return it."""
    if type(started) is dict and isinstance(found, JMap):
        raise Rejection("a HashMap in a circle, with an order that a dict does not keep")
    if isinstance(started, dict) and isinstance(found, dict):
        started.update(found)
    elif isinstance(started, list) and isinstance(found, list) and not isinstance(found, JEntries):
        started.extend(found)
    else:
        raise Rejection("a map in a circle, whose keys no dict can hold")
    return started


def make_instance(schema: ClassSchema) -> tuple[Any, Callable[[Any, str, Any], None]]:
    """Return an empty object of a schema's class, and the function that sets its fields."""
    cls: Any = schema.python
    plain = cls.__setattr__ is object.__setattr__
    return cls.__new__(cls), setattr if plain else object.__setattr__


def is_mutable(schema: ClassSchema) -> bool:
    """Return whether objects of a class can be created before their fields are known."""
    cls: Any = schema.python
    return schema.kind == "class" and cls.__setattr__ in _SETTERS


def zero_of(field: SchemaField) -> Any:
    """Return the value that Java gives a field that the message does not have."""
    return _ZEROS.get(field.type.name, 0) if field.type.primitive else None


def _members(raw: StreamObject) -> dict[str, Any]:
    """Return the fields of all classes by name; hidden fields have their class as a prefix."""
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


def is_thrown(schema: ClassSchema | None) -> bool:
    """Return whether a class is an exception."""
    while schema is not None:
        if schema.extends is not None and schema.extends.name in THROWABLES:
            return True
        schema = schema.parent
    return False


def _instance(raw: StreamObject, schema: ClassSchema, started: Any, limits: Limits) -> Any:
    """Set the fields that the message has; missing fields are zero or None, as in Java."""
    above = base_of(schema)
    known = jdk_supertypes(above) if above in BUILDERS else set[str]()
    own_data = any(level.parts for level in raw.levels.values() if level.class_name not in known)
    if schema.kind == "enum" or own_data:
        message = f"a {raw.class_name} with other data than its fields"
        raise Rejection(message, raw.class_name)
    found, put = make_instance(schema)
    found = found if started is None else started
    if above in BUILDERS:
        _extend(found, BUILDERS[above](raw.of(above), limits), schema)
    for owner, each in schema.all_fields():
        fields = raw.level(owner.class_name).fields
        put(found, each.attribute, _value(each, fields))
    lost = schema_mismatches(raw, schema)
    for level, outer in _outers(schema):
        if outer.name in raw.level(level).fields:
            _keep(found, outer.attribute, raw.level(level).fields[outer.name])
    if lost:
        _keep(found, LOST, "; ".join(lost))
    own = {each.attribute for _, each in schema.all_fields()}
    for name, value in raw.level("java.lang.Throwable").fields.items():
        if name not in own:
            with suppress(AttributeError):  # an object with slots has only its fields
                put(found, name, value)
    return found


def _outers(schema: ClassSchema) -> list[tuple[str, SchemaField]]:
    """Return the inner classes of a hierarchy, each with the field of its outer object."""
    above = [] if schema.parent is None else _outers(schema.parent)
    return above if schema.outer is None else [*above, (schema.class_name, schema.outer)]


def _extend(found: Any, content: Any, schema: ClassSchema) -> None:
    """Fill an object of a class that extends a collection or map."""
    plain: Any = dict if isinstance(content, (dict, JEntries)) else list
    plain = set if isinstance(found, set) else plain
    if not isinstance(found, plain):
        raise Rejection(f"the schema of {schema.class_name} must be a {plain.__name__}")
    add = list.extend if plain is list else plain.update
    try:
        add(found, content)
    except TypeError:  # Python cannot hash a key or an element
        found = ()
    if len(found) != len(content):
        raise Rejection(f"Python cannot hold this {schema.class_name}", schema.class_name)
    keep_order(found, content)
    for name in ("access_order", "comparator", "room"):
        preserved = getattr(content, name, None)
        if preserved is not None:
            _keep(found, name, preserved)


def _keep(found: Any, name: str, value: Any) -> None:
    try:
        object.__setattr__(found, name, value)
    except AttributeError:
        raise Rejection(f"{type(found).__qualname__} has __slots__, but none for {name}") from None


def _value(field: SchemaField, fields: Mapping[str, Any]) -> Any:
    kind = field.type
    if field.name not in fields:
        return zero_of(field)
    value = fields[field.name]
    plain = PLAIN.get(kind.name)
    if plain is not None and value is not None and not kind.dimensions:
        if not isinstance(value, plain):
            raise Rejection(f"a value in {field.name} that is not a {kind.name}")
        return value if isinstance(value, Apart) else plain(value)
    return value
