"""Collects the facts about one class that a codec needs: fields, constants, getters.

Types are Java's; type variables of outer classes are erased.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from dataclasses import field as field_of

from pyredisson.classfile import Access, ClassFile, Field, default_serial_version_uid
from pyredisson.java.supertypes import jdk_supertypes
from pyredisson.java.types import JavaType

from .java_text import is_jdk, java_text, names_in, scoped, variable_text
from .properties import Getter, Properties, json_name, properties_of

__all__ = ["Description", "FieldDescription", "describe", "is_data"]

Find = Callable[[str], ClassFile | None]

_NO_PARENT = {"java.lang.Object", "java.lang.Record", "java.lang.Enum"}
_KRYO = "com.esotericsoftware.kryo.KryoSerializable"
_SERIALIZABLE = {"java.io.Serializable", "java.io.Externalizable"}
# The methods that Java's streams call, as `ObjectStreamClass` looks them up.
_OWN = {
    ("writeObject", "(Ljava/io/ObjectOutputStream;)V"): Access.PRIVATE,
    ("readObject", "(Ljava/io/ObjectInputStream;)V"): Access.PRIVATE,
    ("readObjectNoData", "()V"): Access.PRIVATE,
    ("writeReplace", "()Ljava/lang/Object;"): 0,
    ("readResolve", "()Ljava/lang/Object;"): 0,
    ("writeExternal", "(Ljava/io/ObjectOutput;)V"): Access.PUBLIC,
}


@dataclass(frozen=True, slots=True)
class FieldDescription:
    """One field: its type, that type's text, and its form in JSON.

    `hidden` is true if Jackson 3 ignores the field, because it is not public and has no getter.
    """

    name: str
    type: JavaType
    text: str
    json: str | None = None
    json_ignore: bool = False
    transient: bool = False
    hidden: bool = False
    constant: int | float | str | None = None


@dataclass(frozen=True, slots=True)
class Description:
    """One class. `parent` is its superclass unless that is Object, Record or Enum.

    `notes` describe behaviour of the class that a schema cannot express.
    """

    file: ClassFile
    parent: JavaType | None = None
    extends: str | None = None
    variables: tuple[str, ...] = ()
    interfaces: tuple[str, ...] = ()
    fields: tuple[FieldDescription, ...] = ()
    getters: tuple[Getter, ...] = ()
    constants: tuple[str, ...] = ()
    constants_json: dict[str, str] = field_of(default_factory=dict)
    serial_version_uid: int | None = None
    outer: FieldDescription | None = None
    own_serialization: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The class's name in the JVM."""
        return self.file.name

    def supertypes(self) -> list[str]:
        """Return the names of the superclass and of all interfaces."""
        return [*([self.parent.name] if self.parent is not None else []), *self.interfaces]

    def references(self) -> Iterator[tuple[str, str]]:
        """Yield (class, the place that refers to it) for all classes that the bytes may contain."""
        if self.parent is not None:
            yield self.parent.name, f"superclass of {self.name}"
        yield from self.declared()
        if not self.file.is_enum:
            yield from ((name, f"permits of {self.name}") for name in self.file.permitted)

    def declared(self) -> Iterator[tuple[str, str]]:
        """Yield (class, the place that refers to it) for all declared types of values."""
        if self.parent is not None:
            for argument in self.parent.arguments:
                yield from ((name, f"extends of {self.name}") for name in names_in(argument))
        for variable in self.file.variables:
            for bound in variable.bounds:
                yield from ((name, f"bound in {self.name}") for name in names_in(bound))
        for each in self.fields:
            if not each.transient:
                yield from ((name, f"{self.name}.{each.name}") for name in names_in(each.type))


def describe(file: ClassFile, find: Find, *, json: bool = True) -> Description:
    """Describe a class; `find` looks up its interfaces; without `json`, skip getters.

    Raises:
        ValueError: the class has a name that a schema cannot contain.
    """
    variables = [each.name for each in file.variables]
    interfaces = tuple(_interfaces(file, find))
    found = properties_of(file, find) if json else Properties()
    if file.is_enum:
        return _enum(file, interfaces, found, json=json)
    parent = file.superclass
    if parent is not None:
        parent = None if parent.name in _NO_PARENT else scoped(parent, variables)
    return Description(
        file=file,
        parent=parent,
        extends=_extends(parent, variables, find),
        variables=tuple(variable_text(each, variables) for each in file.variables),
        interfaces=interfaces,
        fields=tuple(_fields(file, variables, found, json=json)),
        getters=() if file.is_interface else found.getters,
        serial_version_uid=_serial_version_uid(file, find),
        outer=_outer(file, find),
        own_serialization=tuple(_own_serialization(file, find)),
        notes=(*found.notes, *_notes(interfaces)),
    )


def _extends(parent: JavaType | None, variables: list[str], find: Find) -> str | None:
    if parent is None or (not parent.arguments and find(parent.name) and not is_jdk(parent.name)):
        return None  # the Python base class contains this fact
    return java_text(parent, variables)


def _enum(
    file: ClassFile, interfaces: tuple[str, ...], found: Properties, *, json: bool
) -> Description:
    constants = [each for each in file.fields if each.flags & Access.ENUM]
    names = {
        each.name: name for each in constants if json and (name := json_name(each.annotations))
    }
    notes = list(found.notes)
    if any(each.name == "toString" and each.descriptor.startswith("()") for each in file.methods):
        notes.append("toString() is overridden: JsonJackson3Codec needs text={...} in @java_enum")
    return Description(
        file=file,
        interfaces=interfaces,
        constants=tuple(each.name for each in constants),
        constants_json=names,
        notes=tuple(notes),
    )


def _fields(
    file: ClassFile, variables: list[str], found: Properties, *, json: bool
) -> Iterator[FieldDescription]:
    fields = {
        each.name: each
        for each in file.fields
        if not each.flags & (Access.STATIC | Access.SYNTHETIC)
    }
    for name in [*(file.components or ()), *fields]:
        each = fields.pop(name, None)
        if each is None:
            continue
        declared = scoped(each.type, variables, each.erased)
        yield FieldDescription(
            name=name,
            type=declared,
            text=java_text(declared, variables),
            json=found.renamed.get(name),
            json_ignore=name in found.ignored,
            transient=bool(each.flags & Access.TRANSIENT),
            hidden=_is_hidden(file, each, found) if json else False,
            constant=each.constant,
        )


def _is_hidden(file: ClassFile, field: Field, found: Properties) -> bool:
    named = field.name in found.shown | found.ignored or field.name in found.renamed
    return not (named or file.is_record or field.flags & Access.PUBLIC)


def _interfaces(file: ClassFile, find: Find) -> Iterator[str]:
    """Yield the interfaces of a class, and their superinterfaces as far as they are available."""
    seen: set[str] = set()
    waiting = [each.name for each in file.interfaces]
    while waiting:
        name = waiting.pop(0)
        if name not in seen:
            seen.add(name)
            yield name
            above = None if is_jdk(name) else find(name)
            waiting.extend(each.name for each in (above.interfaces if above else ()))


def _serial_version_uid(file: ClassFile, find: Find) -> int | None:
    """Return the UID that a class declares or that Java computes; None if it has none."""
    for each in file.fields:
        if each.name == "serialVersionUID" and each.flags & Access.STATIC:
            return each.constant if isinstance(each.constant, int) else None
    computed = not file.is_record and not file.is_interface and is_serializable(file, find)
    return default_serial_version_uid(file) if computed else None


def is_serializable(file: ClassFile, find: Find) -> bool:
    """Return whether a class or a superclass is Serializable, as far as the files show."""
    current: ClassFile | None = file
    line: set[str] = set()
    while current is not None and current.name not in line:
        line.add(current.name)
        above = current.superclass
        if not _SERIALIZABLE.isdisjoint(_interfaces(current, find)):
            return True
        if above is None or is_jdk(above.name):
            return above is not None and not _SERIALIZABLE.isdisjoint(jdk_supertypes(above.name))
        current = find(above.name)
    return False


def is_data(file: ClassFile, find: Find) -> bool:
    """Return whether a class is meant as a value, as far as the files show."""
    return file.is_record or file.is_enum or is_serializable(file, find)


def _outer(file: ClassFile, find: Find) -> FieldDescription | None:
    """Return the field with the outer object of an inner class, which Java serializes, too."""
    for each in file.fields:
        if each.name.startswith("this$") and each.flags & Access.SYNTHETIC:
            text = java_text(each.erased, [])
            found = FieldDescription(each.name, each.erased, text)
            return found if is_serializable(file, find) else None
    return None


def _own_serialization(file: ClassFile, find: Find) -> Iterator[str]:
    """Yield the methods with which the class customizes how Java's streams write it."""
    if file.is_interface or not is_serializable(file, find):
        return
    for (name, descriptor), access in _OWN.items():
        for each in file.methods:
            fits = (each.name, each.descriptor) == (name, descriptor)
            if fits and each.flags & access == access and not each.flags & Access.STATIC:
                yield name


def _notes(interfaces: tuple[str, ...]) -> Iterator[str]:
    if _KRYO in interfaces:
        yield (
            f"it implements {_KRYO}: the Kryo codecs write what its own methods write, not these "
            "fields"
        )
