"""The content of a class file as plain values: names with dots, types as in Java source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntFlag

from pyredisson.java.types import JavaType

__all__ = [
    "Access",
    "Annotation",
    "ClassFile",
    "Field",
    "InnerClass",
    "Method",
    "TypeVariable",
]


class Access(IntFlag):
    """The access flags that matter here (JVMS 4.1, 4.5, 4.6, 4.7.6)."""

    PUBLIC = 0x0001
    PRIVATE = 0x0002
    STATIC = 0x0008
    FINAL = 0x0010
    BRIDGE = 0x0040  # of a method
    TRANSIENT = 0x0080  # of a field
    INTERFACE = 0x0200
    ABSTRACT = 0x0400
    SYNTHETIC = 0x1000
    ANNOTATION = 0x2000
    ENUM = 0x4000
    MODULE = 0x8000


@dataclass(frozen=True, slots=True)
class TypeVariable:
    """A type variable with its bounds; without bounds the bound is Object."""

    name: str
    bounds: tuple[JavaType, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation that is available at run time.

    Values are str, bool, int or float; a list for an array; the name of an enum constant; the
    descriptor of a class; an `Annotation` for a nested one.
    """

    name: str
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Field:
    """A field: its declared type with arguments, the erased type, and its constant value if any."""

    name: str
    flags: Access
    type: JavaType
    erased: JavaType
    annotations: tuple[Annotation, ...] = ()
    constant: int | float | str | None = None


@dataclass(frozen=True, slots=True)
class Method:
    """A method; `code` is its bytecode, `signature` the generic form of the descriptor."""

    name: str
    flags: Access
    descriptor: str
    signature: str | None = None
    annotations: tuple[Annotation, ...] = ()
    code: bytes = b""


@dataclass(frozen=True, slots=True)
class InnerClass:
    """A row of `InnerClasses`; an anonymous class has no `simple` name, a local no `outer`."""

    name: str
    outer: str | None
    simple: str | None
    flags: Access


@dataclass(frozen=True, slots=True)
class ClassFile:
    """One class. `flags` are those of the source: for a nested class, from `InnerClasses`.

    `returned` maps the name of a method without arguments that only returns a field to that field's
    name; `bodies` maps an enum constant with a class body to the class.
    """

    name: str
    flags: Access
    superclass: JavaType | None
    interfaces: tuple[JavaType, ...] = ()
    variables: tuple[TypeVariable, ...] = ()
    fields: tuple[Field, ...] = ()
    methods: tuple[Method, ...] = ()
    components: tuple[str, ...] | None = None
    permitted: tuple[str, ...] = ()
    inner: tuple[InnerClass, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    returned: Mapping[str, str] = field(default_factory=dict)
    bodies: Mapping[str, str] = field(default_factory=dict)

    @property
    def own(self) -> InnerClass | None:
        """The row of `InnerClasses` about this class itself; None if it is not nested."""
        return next((each for each in self.inner if each.name == self.name), None)

    @property
    def is_record(self) -> bool:
        """Whether the class has a `Record` attribute."""
        return self.components is not None

    @property
    def is_enum(self) -> bool:
        """Whether the class is an enum, but not the class of a constant's body."""
        superclass = self.superclass
        return superclass is not None and superclass.name == "java.lang.Enum"

    @property
    def is_enum_body(self) -> bool:
        """Whether the class is that of an enum constant's body."""
        return bool(self.flags & Access.ENUM) and not self.is_enum

    @property
    def is_interface(self) -> bool:
        """Whether the class is an interface or an annotation type."""
        return bool(self.flags & Access.INTERFACE)

    @property
    def is_hidden(self) -> bool:
        """Whether source cannot name it: anonymous, local, synthetic, a module or a package."""
        own = self.own
        return (
            bool(self.flags & (Access.SYNTHETIC | Access.MODULE))
            or self.name.endswith("package-info")
            or (own is not None and (own.outer is None or own.simple is None))
        )
