"""What Jackson makes of a class's methods and annotations (2: public `isX`; 3: `getX`, too).

A getter, a setter and a field of one property share their annotations.  A getter that
says no more than its field does is not kept.  What a schema cannot say becomes a note.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from pyredisson.classfile import Access, Annotation, ClassFile, Method
from pyredisson.classfile.signatures import return_type
from pyredisson.codecs.java.types import JavaType

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
    """A getter; `name` is the property, `returns` the field if it only returns one.

    `json` is the name that `@JsonProperty` gives; then the method may have any name.
    """

    method: str
    name: str
    type: JavaType
    text: str
    returns: str | None = None
    json: str | None = None


@dataclass(frozen=True, slots=True)
class Properties:
    """What JSON has beside fields, and what it makes of fields.

    Attributes:
        getters: those whose property is no field, or a field of another type.
        renamed: field -> its name in JSON.
        ignored: fields that are not in JSON.
        shown: fields that a public getter shows to Jackson 3.
        notes: what a schema cannot say.
    """

    getters: tuple[Getter, ...] = ()
    renamed: dict[str, str] = field(default_factory=dict)
    ignored: frozenset[str] = frozenset()
    shown: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


def properties_of(file: ClassFile, find: Find) -> Properties:
    """Return what JSON makes of a class; `find` looks up interfaces for default methods."""
    collector = _Collector(file)
    for method in _methods(file, find):
        collector.add(method)
    return collector.properties()


class _Collector:
    """Takes a class's methods, one by one, with its fields at hand."""

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
        name = property_name(method)
        if name is not None and name in self.fields:
            self._annotate(name, method.annotations)
        if _is_ignored(method.annotations) or (self.file.is_record and method.name in self.fields):
            return  # left out; the accessor of a component
        given = json_name(method.annotations)
        if name not in self.fields and given is not None and not _is_setter(method):
            if not method.descriptor.endswith(")V"):
                getter = _getter(self.file, method, name or method.name, given or None)
                self.getters.setdefault(method.name, getter)
        elif name is not None and _is_getter(method):
            self.shown.add(name)
            getter = _getter(self.file, method, name)
            if self.fields.get(name) != getter.type:
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
    """Return the name that `@JsonProperty` gives: empty if it gives none, None without it."""
    found = _jackson(annotations, "JsonProperty") or _jackson(annotations, "JsonGetter")
    return None if found is None else str(found.values.get("value", ""))


def property_name(method: Method) -> str | None:
    """Return the property that a getter or setter stands for: `isEmpty` is `empty`."""
    for prefix in ("is", "get", "set"):
        rest = method.name.removeprefix(prefix)
        if rest and rest != method.name:
            return rest[0].lower() + rest[1:]
    return None


def _methods(file: ClassFile, find: Find) -> Iterator[Method]:
    """Yield a class's methods, then the default methods of interfaces that are at hand."""
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


def _is_setter(method: Method) -> bool:
    return not method.descriptor.startswith("()")


def _getter(file: ClassFile, method: Method, name: str, json: str | None = None) -> Getter:
    variables = [each.name for each in file.variables]
    erased = return_type(method.descriptor)
    declared = return_type(method.signature) if method.signature else erased
    declared = scoped(declared, variables, erased)
    return Getter(
        method.name,
        name,
        declared,
        java_text(declared, variables),
        file.returned.get(method.name),
        json,
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
            yield f"@{simple}{where} is not carried by a schema"
