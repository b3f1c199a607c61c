"""The schemas as Jackson sees them: resolved types, finality, properties in their order.

Type variables are replaced as Jackson does: by the arguments of the declared type, unresolved ones
by their bound, `? super X` by Object. Arguments of an extends clause are kept whole. Everything
here runs once per class, never per value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from pyredisson.java import jdk
from pyredisson.java.arguments import seen_as
from pyredisson.java.beans import field_like
from pyredisson.java.classes import class_of
from pyredisson.java.enums import DayOfWeek, Month, RoundingMode, TimeUnit
from pyredisson.java.names import component_of, jvm_name
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import ClassSchema, Getter, SchemaField
from pyredisson.java.schemas import collect
from pyredisson.java.supertypes import jdk_final, jdk_supertypes
from pyredisson.java.types import OBJECT, JavaType, Wildcard
from pyredisson.java.values import JText
from pyredisson.rejection import Rejection

from .rules import Rules

__all__ = ["Model", "Property", "erased_array"]

Bindings = Mapping[str, JavaType]
_LONG = "java.lang.Long"
_UUID = "java.util.UUID"
_ENUMS = collect([DayOfWeek, Month, RoundingMode, TimeUnit])
_NAMED = (JavaObject, JavaValue, JText)
_ANY = {"java.lang.Object", "java.io.Serializable"}
_INTERFACES = {
    "java.lang.Comparable",
    "java.lang.CharSequence",
    "java.lang.Iterable",
    "java.io.Serializable",
    *(f"java.util.{name}" for name in ("Collection", "List", "Set", "Map", "Queue", "Deque")),
}


def erased_array(class_name: str) -> JavaType | None:
    """Return the component of an array class as a type; None for other classes."""
    component = component_of(class_name)
    if component is None:
        return None
    return JavaType(jdk.element_class(component), dimensions=component.count("[]"))


@dataclass(frozen=True, slots=True)
class Property:
    """One member of an object: its key, its Python attribute, its resolved type.

    `method`: the value is the result of a Java method, not a field.
    """

    key: str
    attribute: str
    type: JavaType
    method: bool = False


class Model:
    """The schemas of one codec."""

    def __init__(self, schemas: Mapping[str, ClassSchema], rules: Rules) -> None:
        self.rules = rules
        self.by_name = {**_ENUMS, **schemas}
        self._by_type: dict[type, ClassSchema | None] = {
            each.python: each for each in self.by_name.values()
        }

    def schema_of(self, kind: type) -> ClassSchema | None:
        """Return the schema of a Python class or of the nearest base that has one."""
        try:
            return self._by_type[kind]
        except KeyError:
            found = next((s for base in kind.__mro__ if (s := self._by_type.get(base))), None)
            self._by_type[kind] = found
            return found

    def class_of(self, value: Any) -> str:
        """Return the Java class of a value that is not None.

        Raises:
            Rejection: the value has no Java class.
        """
        schema = self.schema_of(type(value))
        if schema is not None:
            return schema.class_name
        return value.class_name if type(value) in _NAMED else class_of(value)

    def is_enum(self, name: str) -> bool:
        """Return whether a class is an enum with a schema; it has no subclass of another name."""
        return name in self.by_name and self.by_name[name].kind == "enum"

    def has_body(self, member: Enum) -> bool:
        """Return whether a constant has a class of its own in Java, which is final."""
        schema = self.by_name[self.class_of(member)]
        return any(each.body for each in schema.constants if each.name == member.name)

    def final(self, name: str) -> bool:
        """Return whether a class is final in Java 17; for an array, whether its element is."""
        schema = self.by_name.get(name)
        return schema.final if schema is not None else jdk_final(name) is True

    def typed(self, declared: JavaType) -> bool:
        """Return whether values of a declared type carry their class (natural values never do)."""
        name = declared.name
        if self.rules.everything:
            return bool(declared.dimensions) or not declared.primitive
        if name == _LONG:
            return self.rules.typed_long
        if name == _UUID:
            return self.rules.typed_uuid and not declared.dimensions
        return self.rules.typing and not self.final(name)

    def names(self, class_name: str) -> bool:
        """Return whether the message of a value of this class names it (but for natural values)."""
        schema = self.by_name.get(class_name)
        if schema is not None and schema.kind != "enum":
            return self.rules.everything or (self.rules.typing and not schema.final)
        component = erased_array(class_name)
        if component is None:
            return self.typed(JavaType(class_name))
        return self.typed(JavaType(component.name, (), component.dimensions + 1))

    def accepts(self, declared: JavaType, class_name: str) -> bool:
        """Return whether Java could assign a value of this class to the declared type."""
        if not declared.dimensions and declared.name in _ANY:
            return True
        component = erased_array(class_name)
        if declared.dimensions:
            if component is None:
                return False
            wanted = declared.component
            if wanted.primitive or component.primitive:
                return (wanted.name, wanted.dimensions) == (component.name, component.dimensions)
            element = component.name if not component.dimensions else _jvm(component)
            return self.accepts(wanted, element)
        schema = self.by_name.get(class_name)
        if schema is not None:
            return declared.name in _supertypes(schema)
        return declared.name in jdk_supertypes(class_name)

    def specialises(self, schema: ClassSchema, declared: JavaType) -> bool:
        """Return whether Jackson can read this class where these arguments are declared.

        `TypeFactory.constructSpecializedType` rejects a class whose extends clause binds an
        argument to another class than the declared one, or has no arguments.
        """
        found = seen_as(schema, declared.name)
        if found is None or len(found.arguments) != len(declared.arguments):
            return found is None or not declared.arguments
        bound: dict[str, JavaType] = {}
        pairs = zip(found.arguments, declared.arguments, strict=True)
        return all(self._specialises(mine, wanted, bound) for mine, wanted in pairs)

    def _specialises(
        self, actual: JavaType, expected: JavaType, bound: dict[str, JavaType]
    ) -> bool:
        if actual.variable and actual.dimensions <= expected.dimensions:
            inner = replace(expected, dimensions=expected.dimensions - actual.dimensions)
            return bound.setdefault(actual.name, inner) == inner
        if expected == OBJECT:
            return True
        if (actual.name, actual.dimensions) != (expected.name, expected.dimensions):
            return expected.name in _INTERFACES and self.accepts(expected, actual.name)
        if len(actual.arguments) != len(expected.arguments):
            return not expected.arguments
        pairs = zip(actual.arguments, expected.arguments, strict=True)
        return all(self._specialises(mine, wanted, bound) for mine, wanted in pairs)

    def container_of(self, schema: ClassSchema) -> JavaType | None:
        """Return the JDK's collection or map that a class extends; None for other classes."""
        above: ClassSchema | None = schema
        while above is not None and above.parent is not None:
            above = above.parent
        extends = above.extends if above is not None else None
        if extends is None or extends.name not in jdk.CONTAINERS:
            return None
        return self.resolve(extends, {}, schema.variables)

    def resolve(self, declared: JavaType, bindings: Bindings, bounds: Bindings) -> JavaType:
        """Replace the variables and wildcards of a type."""
        if declared.wildcard is Wildcard.SUPER:
            return OBJECT
        if declared.variable:
            found = bindings.get(declared.name)
            if found is None:
                bound = bounds.get(declared.name, OBJECT)
                if bound.variable and bound.name != declared.name:
                    found = self.resolve(bound, bindings, bounds)
                else:
                    found = JavaType(bound.name if not bound.variable else OBJECT.name)
            return replace(found, dimensions=found.dimensions + declared.dimensions)
        arguments = tuple(self.resolve(each, bindings, bounds) for each in declared.arguments)
        return JavaType(declared.name, arguments, declared.dimensions)

    def properties(self, schema: ClassSchema, bindings: Bindings) -> list[Property]:
        """Return the members that Jackson writes for a class, in its order."""
        if "java.lang.Throwable" in _supertypes(schema):
            raise Rejection(
                f"{schema.class_name} is an exception: Jackson writes more of it than a schema "
                "has. Omit its schema to decode it as a JavaObject",
                schema.class_name,
            )
        found: dict[str, Property] = {}
        hidden: set[str] = set()
        fields = self._fields(schema)
        above: ClassSchema | None = schema
        while above is not None:
            for getter in above.getters:
                name, field = self._getter(getter, fields)
                if name is None:
                    continue
                if getter.json_ignore or (field is not None and self._left_out(field)):
                    hidden.add(name)
                resolved = self.resolve(getter.type, bindings, above.variables)
                made = _of_getter(getter, self.rules.mapper.named(name), field, fields, resolved)
                found.setdefault(name, made)
            for each in above.fields:
                if fields[each.name] is not each:
                    continue
                if each.json_ignore or (each.transient and not self.rules.getters):
                    hidden.add(each.name)
                if self._visible(above, each):
                    resolved = self.resolve(each.type, bindings, above.variables)
                    found.setdefault(
                        each.name,
                        Property(
                            each.json or self.rules.mapper.named(each.name),
                            each.attribute,
                            resolved,
                        ),
                    )
            bindings = self._parent_bindings(above, bindings)
            above = above.parent
        kept = _merged(each for name, each in found.items() if name not in hidden)
        if self.rules.getters and (schema.kind == "record" or not self.rules.sorted):
            return kept
        return sorted(kept, key=lambda each: each.key.encode("utf-16-be", "surrogatepass"))

    @staticmethod
    def _fields(schema: ClassSchema) -> dict[str, SchemaField]:
        """Return the fields of a class and its superclasses, without hidden ones."""
        found: dict[str, SchemaField] = {}
        for _, each in schema.all_fields():
            found.setdefault(each.name, each)
        return found

    def _getter(
        self, getter: Getter, fields: Mapping[str, SchemaField]
    ) -> tuple[str | None, SchemaField | None]:
        """Return the property of a getter (None if it has none) and its field."""
        if not self.rules.getters:
            seen = getter.kind == "is" or getter.json is not None
            return getter.legacy if seen else None, fields.get(getter.legacy)
        name = getter.name
        if name is not None and name not in fields:
            name = field_like(name, fields) or name
        return name, fields.get(name or "")

    def _left_out(self, field: SchemaField) -> bool:
        return field.json_ignore or (field.transient and not self.rules.transient)

    def _visible(self, schema: ClassSchema, field: SchemaField) -> bool:
        if not self.rules.getters:
            return True
        if schema.kind == "record" or field.json is not None:
            return True
        return field.public and not field.transient

    def _parent_bindings(self, schema: ClassSchema, bindings: Bindings) -> dict[str, JavaType]:
        parent = schema.parent
        if parent is None or schema.extends is None:
            return {}
        arguments = [self.resolve(a, bindings, schema.variables) for a in schema.extends.arguments]
        if len(arguments) != len(parent.variables):
            return {}
        return dict(zip(parent.variables, arguments, strict=True))


def _merged(properties: Iterable[Property]) -> list[Property]:
    """Return one property per key; reject two fields with the same key."""
    found: dict[str, Property] = {}
    for each in properties:
        other = found.get(each.key)
        if other is not None and not other.method:
            raise Rejection(f"two fields that become {each.key!r} in JSON, which Jackson rejects")
        found[each.key] = each
    return list(found.values())


def _of_getter(
    getter: Getter,
    default: str,
    field: SchemaField | None,
    fields: Mapping[str, SchemaField],
    resolved: JavaType,
) -> Property:
    key = getter.json or (field.json if field is not None else None) or default
    if field is not None:
        return Property(key, field.attribute, resolved)
    returned = fields.get(getter.returns or "")
    attribute = getter.attribute if returned is None else returned.attribute
    return Property(key, attribute, resolved, method=True)


def _jvm(component: JavaType) -> str:
    return jvm_name(component.name + "[]" * component.dimensions)


def _supertypes(schema: ClassSchema) -> set[str]:
    names: set[str] = set()
    above: ClassSchema | None = schema
    while above is not None:
        names |= {above.class_name, *above.interfaces}
        if above.extends is not None:
            names |= jdk_supertypes(above.extends.name)
        above = above.parent
    if schema.kind == "enum":
        names |= {"java.lang.Enum", "java.lang.Comparable"}
    return names
