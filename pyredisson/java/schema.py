"""Schemas: Python classes that describe Java classes, field by field.

A decorator ties a dataclass (attrs, msgspec and plain classes work, too) to a Java class. Each
field of the Java class is annotated with its Java type, as in Java source::

    @java_class("com.example.OrderTask")
    @dataclass
    class OrderTask:
        orderId: Annotated[str | None, "String"] = None
        createdAt: Annotated[int, "long"] = 0
        tags: Annotated[list[str] | None, "List<String>"] = None

    @java_enum("com.example.Color")
    class Color(Enum):
        RED = auto()
        GREEN = auto()

`pyredisson schema app.jar com.example.OrderTask -o tasks.py` writes such a module from class files;
pass it to a codec: ``Kryo5Codec(schemas=tasks)``. Kryo writes neither names nor lengths, so a
schema contains all facts of the class file (all fields of the class itself, full generic types,
whether it is final). Python base classes with schemas are the Java superclass and the interfaces.
"""

from __future__ import annotations

import enum
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar, get_args, get_origin

from .beans import property_name, stream_methods
from .types import OBJECT, JavaType, parse_type

__all__ = [
    "ClassSchema",
    "EnumConstant",
    "Getter",
    "JavaField",
    "SchemaField",
    "java_class",
    "java_enum",
    "schema_of",
]

T = TypeVar("T", bound=type)
_ATTRIBUTE = "__java_schema__"


@dataclass(frozen=True, slots=True)
class JavaField:
    """The Java type of a field and more facts: ``Annotated[str, JavaField("String", ...)]``.

    Args:
        type: the Java type, as in Java source.
        name: Java's name of the field, if it differs from the Python attribute.
        json: the name in JSON, if `@JsonProperty` sets another.
        json_ignore: whether the field has `@JsonIgnore`.
        transient: whether the field is `transient` in Java; only TypedJsonJackson3 writes it then.
        public: False if Jackson 3 ignores the field, because it is not public. A getter with its
            name makes it a property again.
        returns: for a getter, Java's name of the field that it returns.
    """

    type: str
    name: str | None = None
    json: str | None = None
    json_ignore: bool = False
    transient: bool = False
    public: bool = True
    returns: str | None = None


@dataclass(frozen=True, slots=True)
class SchemaField:
    """One Java field: Python's `attribute`, Java's `name` and full `type`."""

    attribute: str
    name: str
    type: JavaType
    json: str | None = None
    json_ignore: bool = False
    transient: bool = False
    public: bool = True


@dataclass(frozen=True, slots=True)
class Getter:
    """A public method that is a property in JSON: `isEmpty` is `empty`.

    `name` is the property in Jackson 3 (None: it does not treat the method as a getter), `legacy`
    that in Jackson 2. The Python `attribute` (a field, a property or a method without arguments)
    has the value, unless the getter `returns` a field. `kind` is "is" or "get".
    """

    name: str | None
    legacy: str
    type: JavaType
    attribute: str
    kind: str
    json: str | None = None
    json_ignore: bool = False
    returns: str | None = None


@dataclass(frozen=True, slots=True)
class EnumConstant:
    """One constant: the name in Python and Java, and the class of its `body`, if it has one."""

    name: str
    body: str | None = None
    json: str | None = None
    text: str | None = None  # toString(), if it is not the name


@dataclass(frozen=True, slots=True)
class ClassSchema:
    """Everything in a class file on which the bytes of an object depend.

    `class_name` is the JVM's name; `kind` is "class", "record", "enum" or "interface"; `fields` are
    the class's own in declaration order; `variables` maps its type variables to their bounds;
    `extends` is the superclass with its arguments, None for java.lang.Object. `outer` is the field
    with the outer object of an inner class that is not static; only Java's streams write it.
    `own_serialization` has the class's methods that Java's streams call.
    """

    class_name: str
    python: type
    kind: str = "class"
    final: bool = False
    abstract: bool = False
    variables: Mapping[str, JavaType] = field(default_factory=dict)
    extends: JavaType | None = None
    interfaces: tuple[str, ...] = ()
    fields: tuple[SchemaField, ...] = ()
    getters: tuple[Getter, ...] = ()
    constants: tuple[EnumConstant, ...] = ()
    serial_version_uid: int | None = None
    outer: SchemaField | None = None
    own_serialization: tuple[str, ...] = ()

    @property
    def parent(self) -> ClassSchema | None:
        """The schema of the superclass, if it has one."""
        return _parent(self.python)

    def all_fields(self) -> list[tuple[ClassSchema, SchemaField]]:
        """Return the fields of the class and of its superclasses, its own first."""
        found: list[tuple[ClassSchema, SchemaField]] = []
        schema: ClassSchema | None = self
        while schema is not None:
            found.extend((schema, each) for each in schema.fields)
            schema = schema.parent
        return found


def java_class(
    class_name: str,
    *,
    final: bool = False,
    abstract: bool = False,
    interface: bool = False,
    record: bool = False,
    variables: Iterable[str] = (),
    extends: str | None = None,
    interfaces: Iterable[str] = (),
    getters: Mapping[str, str | JavaField] | None = None,
    serial_version_uid: int | None = None,
    outer: str | JavaField | None = None,
    own_serialization: Iterable[str] = (),
) -> Callable[[T], T]:
    """Return a decorator that makes a Python class the schema of a Java class.

    Args:
        class_name: the JVM's name: ``com.example.Outer$Inner``.
        final: the Java class is final (a record always is).
        abstract: the Java class is abstract, so only its subclasses have values.
        interface: it is an interface; the Python classes of its implementations extend this class.
        record: the Java class is a record; the fields are its components, in their order.
        variables: the type variables, each ``T`` or ``T extends Comparable<T>``.
        extends: the superclass with type arguments, as in Java source; by default that of the
            Python base class.
        interfaces: JVM names of interfaces that are not Python base classes and matter to a codec.
        getters: methods that are properties in JSON: ``{"isEmpty": "boolean"}``; if the property
            has another name, ``{"compute": JavaField("int", json="sum")}``.
        serial_version_uid: the serialVersionUID for Java's streams, also inside Kryo.
        outer: the outer class of an inner class that is not static; see docs/schemas.md.
        own_serialization: the methods of the class that Java's streams call; see docs/schemas.md.

    Raises:
        TypeError: a field has no Java type.
        ValueError: a text is not a Java type, or own_serialization has an unknown method.
    """

    def tie(cls: T) -> T:
        bounds = _variables(variables)
        superclass = _superclass(cls, extends, bounds)
        schema = ClassSchema(
            class_name=class_name,
            python=cls,
            kind="interface" if interface else "record" if record else "class",
            final=final or record,
            abstract=abstract or interface,
            variables=bounds,
            extends=superclass,
            interfaces=_interfaces(cls, interfaces),
            fields=tuple(_fields(cls, bounds)),
            getters=tuple(_getters(getters or {}, bounds)),
            serial_version_uid=serial_version_uid,
            outer=_outer(outer),
            own_serialization=stream_methods(own_serialization),
        )
        setattr(cls, _ATTRIBUTE, schema)
        return cls

    return tie


def java_enum(
    class_name: str,
    *,
    bodies: Iterable[str] | Mapping[str, str] = (),
    json: Mapping[str, str] | None = None,
    text: Mapping[str, str] | None = None,
    serial_version_uid: int | None = None,
) -> Callable[[T], T]:
    """Return a decorator that makes a Python `Enum`, in Java's order, the schema of a Java enum.

    Args:
        class_name: the JVM's name.
        bodies: the constants with a class body (``PAID { ... }``), whose classes javac numbers; or
            a mapping of constants to their classes, if these have other names, as in Kotlin.
        json: names in JSON from `@JsonProperty`.
        text: the results of `toString()` that differ from the name; Jackson 3 writes them.
        serial_version_uid: without effect; for symmetry with `java_class`.
    """

    def tie(cls: T) -> T:
        if not issubclass(cls, enum.Enum):
            raise TypeError(f"{cls.__qualname__} is not an Enum")
        named = bodies if isinstance(bodies, Mapping) else _numbered(class_name, cls, bodies)
        constants = tuple(
            EnumConstant(name, named.get(name), (json or {}).get(name), (text or {}).get(name))
            for name in cls.__members__
        )
        schema = ClassSchema(
            class_name=class_name,
            python=cls,
            kind="enum",
            final=not named,
            interfaces=_interfaces(cls, ()),
            constants=constants,
            serial_version_uid=serial_version_uid,
        )
        setattr(cls, _ATTRIBUTE, schema)
        return cls

    return tie


def _superclass(cls: type, extends: str | None, bounds: Mapping[str, JavaType]) -> JavaType | None:
    if extends:
        return parse_type(extends, bounds)
    parent = _parent(cls)
    return None if parent is None else JavaType(parent.class_name)


def _outer(declared: str | JavaField | None) -> SchemaField | None:
    if declared is None:
        return None
    spec = declared if isinstance(declared, JavaField) else JavaField(declared)
    return SchemaField("__java_outer__", spec.name or "this$0", parse_type(spec.type, {}))


def _numbered(class_name: str, cls: type[enum.Enum], bodies: Iterable[str]) -> dict[str, str]:
    own = set(bodies)
    names = [name for name in cls.__members__ if name in own]
    return {name: f"{class_name}${number}" for number, name in enumerate(names, 1)}


def schema_of(cls: type) -> ClassSchema | None:
    """Return the schema of exactly this class; None if it has none."""
    found = cls.__dict__.get(_ATTRIBUTE)
    return found if isinstance(found, ClassSchema) else None


def _parent(cls: type) -> ClassSchema | None:
    for base in cls.__mro__[1:]:
        found = schema_of(base)
        if found is not None and found.kind != "interface":
            return found
    return None


def _interfaces(cls: type, declared: Iterable[str]) -> tuple[str, ...]:
    found = dict.fromkeys(declared)
    for base in cls.__mro__[1:]:
        schema = schema_of(base)
        if schema is not None and schema.kind == "interface":
            found.update(dict.fromkeys([schema.class_name, *schema.interfaces]))
    return tuple(found)


def _variables(declared: Iterable[str]) -> dict[str, JavaType]:
    texts = [text.split(None, 1) for text in declared]
    names = [words[0] for words in texts]
    bounds = {}
    for words in texts:
        bound = words[1].removeprefix("extends").split("&")[0] if len(words) > 1 else ""
        bounds[words[0]] = parse_type(bound, names) if bound.strip() else OBJECT
    return bounds


_LIKELY: dict[Any, tuple[str, str]] = {
    str: ("str", "java.lang.String"),
    int: ("int", "long"),
    float: ("float", "double"),
    bool: ("bool", "boolean"),
    bytes: ("bytes", "byte[]"),
}
"""For a hint: Python types that may lack a Java type, and what the field probably is in Java."""


def _fields(cls: type, variables: Mapping[str, JavaType]) -> Iterable[SchemaField]:
    hints = _hints(cls)
    for attribute in inspect.get_annotations(cls):
        hint = hints[attribute]
        if get_origin(hint) is typing.ClassVar:
            continue
        specs = [each for each in get_args(hint)[1:] if isinstance(each, (str, JavaField))]
        if get_origin(hint) is not Annotated or not specs:
            likely = _LIKELY.get(hint) if isinstance(hint, type) else None
            python, java = likely or ("...", "com.example.Type")
            raise TypeError(
                f"{cls.__qualname__}.{attribute} has no Java type; write it as "
                f'Annotated[{python}, "{java}"], with the type that the field has in Java'
            )
        spec = specs[0] if isinstance(specs[0], JavaField) else JavaField(specs[0])
        yield SchemaField(
            attribute=attribute,
            name=spec.name or attribute,
            type=parse_type(spec.type, variables),
            json=spec.json,
            json_ignore=spec.json_ignore,
            transient=spec.transient,
            public=spec.public,
        )


def _hints(cls: type) -> dict[str, typing.Any]:
    """Return the annotations; classes that are defined later are Any, as only Java types matter."""
    later: dict[str, typing.Any] = {}
    while True:
        try:
            return typing.get_type_hints(cls, localns=later, include_extras=True)
        except NameError as error:
            if error.name is None or error.name in later:
                raise
            later[error.name] = typing.Any


def _getters(
    methods: Mapping[str, str | JavaField], variables: Mapping[str, JavaType]
) -> Iterable[Getter]:
    for method, declared in methods.items():
        spec = declared if isinstance(declared, JavaField) else JavaField(declared)
        kind = "is" if method.startswith("is") else "get"
        explicit = spec.name or (method if spec.json else None)
        yield Getter(
            name=spec.name or property_name(method, jackson3=True) or explicit,
            legacy=spec.name or property_name(method, jackson3=False) or method,
            type=parse_type(spec.type, variables),
            attribute=method,
            kind=kind,
            json=spec.json,
            json_ignore=spec.json_ignore,
            returns=spec.returns,
        )
