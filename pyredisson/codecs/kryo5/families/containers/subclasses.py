"""An application's own subclasses of collections and maps, and old wrappers of the JDK.

Java writes a subclass with its own name and the body of its JDK class. Java loses the fields of the
subclass, so the codec ignores them. The wrappers (`Collections.unmodifiableList` and similar) had
such bodies, too, before Redisson let Java serialize them. Java could write but not read those, so
the codec only reads them. The same holds, before 3.19.2, for classes whose constructor Java did not
call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.build import keep_order, make_map
from pyredisson.java.containers import JEntries, JList, JMap
from pyredisson.java.jdk import CONTAINERS, Kind
from pyredisson.java.schema import ClassSchema
from pyredisson.java.supertypes import jdk_supertypes
from pyredisson.rejection import Rejection, reject_value

from .bodies import CollectionSerializer, MapSerializer

__all__ = ["old_wrapper", "read_only", "subclass_base", "subclass_serializer"]

_ENUM_MAP = "java.util.EnumMap"  # from releases that wrote it as a plain map
_INTERFACES = {"java.util.Collection", "java.util.Map"}


def subclass_base(schema: ClassSchema) -> str | None:
    """Return the JDK container that a class extends; None if it extends none.

    Raises:
        Rejection: it extends a container that pyredisson does not know.
    """
    current: ClassSchema | None = schema
    above: frozenset[str] = frozenset()
    while current is not None:
        if current.extends is not None and current.extends.name in CONTAINERS:
            return current.extends.name
        named = (*current.interfaces, *([current.extends.name] if current.extends else ()))
        above = above.union(*map(jdk_supertypes, named))
        current = current.parent
    if "java.util.EnumMap" in above:
        return _ENUM_MAP
    if not above.isdisjoint(_INTERFACES):
        raise Rejection(
            f"{schema.class_name} is a collection or map, which Java writes as its elements; "
            "extend one of the JDK's common classes in Java, or pass a serializer in serializers=",
            schema.class_name,
        )
    return None


def _builder(schema: ClassSchema, base: str) -> Callable[[Any], Any]:
    kind = CONTAINERS[base].kind
    cls: Any = schema.python
    plain: Any = {Kind.MAP: dict, Kind.SET: set}.get(kind, list)
    if not issubclass(cls, plain):
        raise Rejection(f"the schema of {schema.class_name} must be a subclass of {plain.__name__}")
    extend: Any = getattr(plain, "extend" if plain is list else "update")

    def build(items: Any) -> Any:
        found = cls.__new__(cls)
        try:
            extend(found, items)
        except TypeError:  # Python cannot hash an element
            found = None
        if found is None or len(found) != len(items):
            raise Rejection(
                f"a {plain.__name__} cannot hold the elements of this {schema.class_name}",
                schema.class_name,
            )
        return keep_order(found, make_map(base, items) if kind is Kind.MAP else items)

    return build


def subclass_serializer(
    schema: ClassSchema, base: str, registry: Classes, *, readable: bool
) -> Serializer:
    """Return the serializer of a class that extends a JDK container.

    `readable`: whether Java can read the class. If not, the serializer only reads.
    """
    if base == _ENUM_MAP:
        linked = "java.util.LinkedHashMap"
        return read_only(schema.class_name, registry, linked, _builder(schema, linked))
    build = _builder(schema, base)
    if not readable:
        return read_only(schema.class_name, registry, base, build)
    make = MapSerializer if CONTAINERS[base].kind is Kind.MAP else CollectionSerializer
    return make(schema.class_name, registry, base, build)


class _OldCollection(CollectionSerializer):
    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        raise reject_value(value, f"writable as {self.class_name}: Java could not read it")


class _OldMap(MapSerializer):
    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        raise reject_value(value, f"writable as {self.class_name}: Java could not read it")


def read_only(
    class_name: str,
    registry: Classes,
    base: str | None = None,
    build: Callable[[Any], Any] | None = None,
) -> Serializer:
    """Return a read-only serializer of a container that Java can write but not read."""
    make = _OldMap if CONTAINERS[base or class_name].kind is Kind.MAP else _OldCollection
    return make(class_name, registry, base, build)


def old_wrapper(class_name: str, registry: Classes, kind: Kind) -> Serializer:
    """Return a read-only serializer of a wrapper that old releases wrote as a container."""
    if kind is Kind.MAP:
        linked = "java.util.LinkedHashMap"
        return read_only(class_name, registry, linked, lambda v: _map(class_name, v))
    return read_only(class_name, registry, "java.util.ArrayList", lambda v: JList(class_name, v))


def _map(class_name: str, entries: list[tuple[Any, Any]]) -> Any:
    try:
        found: JMap[Any, Any] = JMap(class_name, entries)
    except TypeError:
        return JEntries(class_name, entries)
    return found if len(found) == len(entries) else JEntries(class_name, entries)
