"""Finds Jackson's properties by a class's methods and annotations, for Jackson 2 and 3.

A getter, a setter and a field of one property share their annotations if both Jackson versions see
one property. `getURL` and a field `URL` are two properties for Jackson 2, so the getter keeps its
own annotations. A getter that adds nothing to its field is dropped. Facts that a schema cannot
express become notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pyredisson.classfile import Access, Annotation, ClassFile, Method
from pyredisson.classfile.signatures import return_type
from pyredisson.java.beans import field_like, property_name
from pyredisson.java.types import JavaType

from .java_text import is_jdk, java_text, scoped

__all__ = ["Getter", "Properties", "json_name", "properties_of"]

_PACKAGES = (
    *("com.fasterxml.jackson.", "tools.jackson.", "com.esotericsoftware.kryo."),
    "org.redisson.",
)
_JACKSON = (".jackson.annotation.", ".jackson.databind.annotation.")
_HANDLED = {"JsonProperty", "JsonGetter", "JsonIgnore", "JsonIgnoreProperties"}
_READERS = {
    *("JsonCreator", "JsonAlias", "JsonSetter", "JacksonInject", "JsonPropertyDescription"),
    *("JsonClassDescription", "JsonPOJOBuilder", "JsonEnumDefaultValue", "JsonAnySetter"),
}
_BOOLEANS = {JavaType("boolean"), JavaType("java.lang.Boolean")}

Find = Callable[[str], ClassFile | None]


@dataclass(frozen=True, slots=True)
class Getter:
    """A getter.

    Attributes:
        of_field: whether its property is a field.
        returns: the name of the field that it returns, or None.
        json: the name from `@JsonProperty`, or None; with it the method may have any name.
    """

    method: str
    of_field: bool
    type: JavaType
    text: str
    returns: str | None = None
    json: str | None = None
    json_ignore: bool = False


@dataclass(frozen=True, slots=True)
class Properties:
    """The properties of JSON that are not fields, and the fields whose form in JSON differs.

    Attributes:
        getters: getters whose property is no field, or a field of another type.
        renamed: field -> its name in JSON.
        ignored: fields that JSON does not contain.
        shown: fields that Jackson 3 includes because they have a public getter.
        notes: facts that a schema cannot express.
    """

    getters: tuple[Getter, ...] = ()
    renamed: dict[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def properties_of(file: ClassFile, find: Find) -> Properties:
    """Return the JSON properties of a class; `find` looks up interfaces for default methods."""
    collector = _Collector(file)
    for method in _methods(file, find):
        collector.add(method)
    return collector.properties()


class _Collector:
    """Collects the properties from a class's methods, one by one."""

    def __init__(self, file: ClassFile) -> None:
        self.file = file
        self.fields = {each.name: each.type for each in file.fields if _is_own(each.flags)}
        self.renamed: dict[str, str] = {}
        self.ignored = set(_ignored_by_class(file.annotations))
        self.shown: set[str] = set()
        self.getters: dict[str, Getter] = {}
        self.notes = list(_unknown(file.annotations, ""))
        for each in file.fields:
            self._annotate(each.name, each.annotations)
            self.notes.extend(_unknown(each.annotations, f" on {each.name}"))

    def add(self, method: Method) -> None:
        self.notes.extend(_unknown(method.annotations, f" on {method.name}()"))
        old, new = self._names(method)
        if old == new and old in self.fields:
            self._annotate(old, method.annotations)
        given, ignored = json_name(method.annotations), _is_ignored(method.annotations)
        if self.file.is_record and method.name in self.fields:
            return  # the accessor of a component
        shown = _is_getter(method)
        named = given is not None and _returns(method)
        # Jackson 2 finds a property only for these.
        names = [old, new] if method.name.startswith("is") or named else [new]
        if ignored:
            if shown and old != new and new in self.fields:
                self._keep(method, [], ignored=True)
        elif named and (old != new or old not in self.fields):
            self._keep(method, names, given or None)
        elif shown and any(names):
            self.shown.update([new] if new else [])
            declared = _type(self.file, method)
            if any(self.fields.get(name or "") != declared for name in names):
                self._keep(method, names)

    def _names(self, method: Method) -> tuple[str | None, str | None]:
        """Return the property of an accessor in Jackson 2 and 3."""
        old, new = (property_name(method.name, jackson3=each) for each in (False, True))
        if new is not None and new not in self.fields:
            new = field_like(new, self.fields) or new
        return old, new

    def _keep(
        self,
        method: Method,
        names: list[str | None],
        json: str | None = None,
        *,
        ignored: bool = False,
    ) -> None:
        of_field = all(name in self.fields for name in names)
        getter = _getter(self.file, method, of_field, json, ignored)
        self.getters.setdefault(method.name, getter)

    def properties(self) -> Properties:
        names = [] if self.file.is_enum else sorted(self.getters)
        return Properties(
            getters=tuple(self.getters[name] for name in names),
            renamed=self.renamed,
            ignored=frozenset(self.ignored),
            shown=frozenset(self.shown),
            notes=tuple(dict.fromkeys(self.notes)),
        )

    def _annotate(self, name: str, annotations: tuple[Annotation, ...]) -> None:
        given = json_name(annotations)
        if given is not None:
            self.renamed.setdefault(name, given or name)
        if _is_ignored(annotations):
            self.ignored.add(name)


def _is_own(flags: Access) -> bool:
    return not flags & (Access.STATIC | Access.SYNTHETIC)


def json_name(annotations: tuple[Annotation, ...]) -> str | None:
    """Return the name from `@JsonProperty`: empty if it has none, None without the annotation."""
    found = _jackson(annotations, "JsonProperty") or _jackson(annotations, "JsonGetter")
    return None if found is None else str(found.values.get("value", ""))


def _methods(file: ClassFile, find: Find) -> Iterator[Method]:
    """Yield a class's methods, then the default methods of its available interfaces."""
    yield from file.methods
    seen: set[str] = set()
    waiting = [each.name for each in file.interfaces]
    while waiting:
        name = waiting.pop(0)
        found = None if name in seen or is_jdk(name) else find(name)
        seen.add(name)
        if found is not None:
            waiting.extend(each.name for each in found.interfaces)
            yield from (each for each in found.methods if not each.flags & Access.ABSTRACT)


def _is_getter(method: Method) -> bool:
    unwanted = Access.STATIC | Access.BRIDGE | Access.SYNTHETIC
    if method.flags & unwanted or not method.flags & Access.PUBLIC:
        return False
    if not method.descriptor.startswith("()") or method.name == "getClass":
        return False
    if method.name.startswith("is"):
        return len(method.name) > 2 and return_type(method.descriptor) in _BOOLEANS
    rest = method.name.removeprefix("get")
    plain = bool(rest) and rest != method.name and not rest[0].islower()
    return plain and not method.descriptor.endswith(")V")


def _returns(method: Method) -> bool:
    return method.descriptor.startswith("()") and not method.descriptor.endswith(")V")


def _type(file: ClassFile, method: Method) -> JavaType:
    variables = [each.name for each in file.variables]
    erased = return_type(method.descriptor)
    declared = return_type(method.signature) if method.signature else erased
    return scoped(declared, variables, erased)


def _getter(
    file: ClassFile, method: Method, of_field: bool, json: str | None, ignored: bool
) -> Getter:
    declared = _type(file, method)
    return Getter(
        method.name,
        of_field,
        declared,
        java_text(declared, [each.name for each in file.variables]),
        file.returned.get(method.name),
        json,
        ignored,
    )


def _jackson(annotations: tuple[Annotation, ...], simple: str) -> Annotation | None:
    for each in annotations:
        package, _, name = each.name.rpartition(".")
        if name == simple and f".{package}.".endswith(_JACKSON):
            return each
    return None


def _is_ignored(annotations: tuple[Annotation, ...]) -> bool:
    found = _jackson(annotations, "JsonIgnore")
    return found is not None and found.values.get("value", True) is True


def _ignored_by_class(annotations: tuple[Annotation, ...]) -> list[str]:
    found = _jackson(annotations, "JsonIgnoreProperties")
    names = found.values.get("value", []) if found is not None else []
    return [str(name) for name in names] if isinstance(names, list) else []


def _unknown(annotations: tuple[Annotation, ...], where: str) -> Iterator[str]:
    for each in annotations:
        simple = each.name.rpartition(".")[2].replace("$", ".")
        if each.name.startswith(_PACKAGES) and simple not in _HANDLED | _READERS:
            yield f"a schema cannot contain @{simple}{where}"
