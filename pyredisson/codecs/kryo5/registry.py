"""Finds the serializer of a class name, of a registered id, or of a value.

It looks in the JDK's tables and in the schemas. It rejects the name of any other class (and of
arrays of such), with what to do about it. It imports nothing by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from pyredisson.codecs.released import reject_unreleased
from pyredisson.java.classes import fixed_class_of
from pyredisson.java.enums import JDK_ENUMS
from pyredisson.java.jdk import BOXES
from pyredisson.java.names import component_of, element_name, jvm_name
from pyredisson.java.objects import JavaObject
from pyredisson.java.schema import ClassSchema, schema_of
from pyredisson.java.schemas import Schemas, collect
from pyredisson.limits import DEFAULT_LIMITS, Limits
from pyredisson.rejection import Rejection, reject_class
from pyredisson.releases import Number, parse_release

from .families import custom
from .families.arrays import array_serializer
from .families.containers.subclasses import old_wrapper, subclass_base, subclass_serializer
from .families.enums import EnumSerializer, enum_classes, enum_of
from .families.java_serialized import JavaStreamSerializer, class_named, old_wrapper_kind, stream_of
from .families.objects.bodies import ObjectSerializer
from .families.objects.bulk_lists import ListMessage
from .families.objects.field_groups import FieldGroup, TextMessage
from .families.objects.message_codegen import MessageFunctions, compile_message
from .families.objects.records import RecordSerializer
from .families.unreleased import Unreleased
from .jdk import ROWS, newest_since
from .kernel.output import encode_name, put_varint
from .kernel.reader import Readable, Reader
from .kernel.serializer import LIST, TEXT, Serializer
from .kernel.tracked import Tracked, untracked
from .kernel.typed_scalars import READERS, WRITERS
from .kernel.writer import Writer
from .releases import Release
from .supertypes import TypeTree, looks_throwable

__all__ = ["Registry"]

# The classes that every Kryo 5 has registered, in the order of their ids.
_REGISTERED = [
    name for _, name in sorted((row.byte, name) for name, row in ROWS.items() if row.byte)
]


class Registry:
    """The classes that one codec knows."""

    def __init__(
        self,
        schemas: Schemas,
        release: Release,
        allowed: Iterable[str] = (),
        *,
        references: bool = False,
        serializers: Mapping[type, custom.Serializer] | None = None,
        limits: Limits = DEFAULT_LIMITS,
        floor: Number | None = None,
        same_ids: bool = True,
    ) -> None:
        self.release = release
        self._floor = floor
        self._same_ids = same_ids
        self.limits = limits
        self.references = references
        self._schemas = {**collect(JDK_ENUMS), **collect(schemas)}
        self._enums = {
            name: schema
            for schema in self._schemas.values()
            if schema.kind == "enum"
            for name in {schema.class_name, *enum_classes(schema).values()}
        }
        customs = {each.class_name: each for each in (serializers or {}).values()}
        self._custom = {name: custom.OwnSerializer(each) for name, each in customs.items()}
        self._types = TypeTree(self._schemas, self._enums, customs)
        self._ids = {name: number for number, name in enumerate(_REGISTERED)}
        for name in allowed:
            self._ids.setdefault(jvm_name(name), len(self._ids))
        self._required = len(self._ids) > len(_REGISTERED)
        self._names = list(self._ids)
        self._by_name: dict[str, Serializer] = {}
        self._known: dict[str, Serializer] = {}
        self._heads: dict[str, tuple[bool, bytes]] = {}
        self.encoded: dict[bytes, Readable] = {}  # by a class name's bytes in messages
        self._elements: dict[str, Serializer | None] = {}
        self._by_type: dict[type, Serializer] = {
            cls: self.by_name(each.class_name) for cls, each in (serializers or {}).items()
        }
        # Functions that read a value by the byte of its class header, and write one by its type.
        self.readers: dict[int, Callable[[Reader], Any]] = {}
        self.writers: dict[type, Callable[[bytearray, Any], bool]] = {}
        self.most_names = min(limits.max_class_names, 0x80)
        self._direct()

    def _direct(self) -> None:
        plain = set()
        for byte, class_name in enumerate(_REGISTERED, 2):
            if not (self.references or class_name in self._custom):
                name = class_name.rpartition(".")[2]
                plain.add(name)
                self.readers[byte] = READERS.get(name, self.by_name(class_name).read)
        for cls, (names, write) in WRITERS.items():
            if plain.issuperset(names.split()) and cls not in self._by_type:
                self.writers[cls] = write

    @property
    def schemas(self) -> dict[str, ClassSchema]:
        """The schemas by JVM name, those of the JDK's enums included."""
        return self._schemas

    def id_of(self, class_name: str) -> int | None:
        """Return the id of a registered class; None for other classes.

        A constant with a body has the id of its enum, an EnumSet that of `java.util.EnumSet`.
        """
        found = self._ids.get(class_name)
        if found is None and self._required:
            if class_name in self._enums:
                return self._ids.get(self._enums[class_name].class_name)
            if class_name.endswith("EnumSet"):
                return self._ids.get("java.util.EnumSet")
        return found

    def name_of(self, number: int) -> str:
        """Return the name of the class with this id."""
        if number >= len(self._names):
            raise Rejection(
                f"class id {number} is not registered; a Java codec with allowedClasses needs "
                "the same allowed_classes= here"
            )
        return self._names[number]

    def head(self, class_name: str) -> tuple[bool, bytes]:
        """Return whether the class header is a name, and the bytes of the name or of the id."""
        found = self._heads.get(class_name)
        if found is None:
            number, out = self.id_of(class_name), bytearray()
            if number is not None:
                if not self._same_ids and number >= len(_REGISTERED):
                    raise reject_unreleased("the ids of allowed_classes", "4.1.0")
                put_varint(out, number + 2)
            else:
                self.check_allowed(class_name)
                encode_name(out, class_name)
            self._heads[class_name] = found = number is None, bytes(out)
        return found

    def check_allowed(self, class_name: str) -> None:
        """Reject an unregistered class if the codec has `allowed_classes`."""
        if self._required and self.id_of(class_name) is None:
            raise Rejection(f"the Java class {class_name} is not in allowed_classes", class_name)

    def by_name(self, class_name: str) -> Serializer:
        """Return the serializer of a class by the JVM's name.

        Raises:
            Rejection: nothing describes the class; the rejection has its name.
        """
        found = self._by_name.get(class_name)
        if found is None:
            self.check_allowed(class_name)
            found = self._released(self._make(class_name))
            self._by_name[class_name] = found = self._tracked(found)
        return found

    def _tracked(self, found: Serializer) -> Serializer:
        """Return the serializer; in references mode, one that adds the markers."""
        if not self.references:
            return found
        row = ROWS.get(found.class_name)
        return Tracked(found, row.single, single_empty=row.single_empty) if row else Tracked(found)

    def _released(self, found: Serializer) -> Serializer:
        """Return the serializer; a read-only one if not all possible releases read its bytes."""
        if self._floor is None or found.class_name in self._custom:
            return found
        since = newest_since(found.class_name, self._schemas.get(found.class_name))
        return found if parse_release(since) <= self._floor else Unreleased(found, since)

    def _make(self, class_name: str) -> Serializer:
        custom_one, row = self._custom.get(class_name), ROWS.get(class_name)
        if custom_one is not None:
            return custom_one
        found = self._of_schema(class_name) if row is None else row.made(class_name, self)
        if found is not None:
            return found
        component = component_of(class_name)
        found = array_serializer(component, self) if component else None
        stream = stream_of(class_name, self.release)
        if found is None and stream is not None:
            found = JavaStreamSerializer(class_name, stream, self._schemas)
        kind = old_wrapper_kind(class_name)
        if found is None and kind is not None:
            found = old_wrapper(class_name, self, kind)
        if found is None and looks_throwable(class_name):
            found = JavaStreamSerializer(
                class_name, "java.lang.Throwable", self._schemas, sure=False
            )
        if found is None:
            name = element_name(class_name)
            raise reject_class(name, ", and Kryo cannot skip a value")
        return found

    def _of_schema(self, class_name: str) -> Serializer | None:
        enum = self._enums.get(class_name)
        if enum is not None:
            return EnumSerializer(enum, class_name, loose=enum.class_name in self._ids)
        schema = self._schemas.get(class_name)
        if schema is None:
            return None
        if schema.abstract:
            raise Rejection(f"{class_name} is abstract, so it has no values", class_name)
        if schema.kind == "record":
            return RecordSerializer(schema, self)
        stream = stream_of(class_name, self.release, schema)
        if stream is not None:
            return JavaStreamSerializer(class_name, stream, self._schemas)
        base = subclass_base(schema)
        if base:
            row = ROWS.get(base)
            readable = row is None or self.release.has(row.subclasses)
            return subclass_serializer(schema, base, self, readable=readable)
        return ObjectSerializer(schema, self)

    def known(self, class_name: str) -> Serializer:
        """Return the serializer for a position that fixes the class; it reads plain numbers."""
        found = self._known.get(class_name)
        if found is None:
            row = ROWS.get(class_name)
            if row is None or row.known is None:
                return self.by_name(class_name)
            self._known[class_name] = found = self._tracked(row.known(class_name, self))
        return found

    def element(self, class_name: str) -> Serializer | None:
        """Return `known` for a final class; None for all others."""
        if class_name not in self._elements:
            final = self.final(class_name)
            self._elements[class_name] = self.known(class_name) if final else None
        return self._elements[class_name]

    def primitive(self, name: str) -> Serializer:
        """Return the serializer of a primitive."""
        return untracked(self.known(BOXES[name]))

    def of(self, value: Any) -> Serializer:
        """Return the serializer of a value that is not None."""
        cls = type(value)
        found = self._by_type.get(cls)
        if found is not None:
            return found
        if cls is int and -0x80000000 <= value < 0x80000000:
            return self.by_name("java.lang.Integer")
        name = class_named(value)
        if isinstance(value, Enum):
            return self.by_name(enum_of(self, name).class_of(value))
        found = self.by_name(name)
        if cls is JavaObject and not isinstance(untracked(found), JavaStreamSerializer):
            raise Rejection(f"a JavaObject cannot be a {name} here; use its Python class", name)
        if fixed_class_of(cls) is not None:
            self._check_own(cls, name)
            self._by_type[cls] = found
        return found

    def of_type(self, cls: type) -> Serializer | None:
        """Return the serializer that all values of a type share, if it is known yet."""
        return self._by_type.get(cls)

    def of_all(self, kinds: set[type], values: list[Any]) -> Serializer | None:
        """Return the serializer that all these values share, if it is known."""
        if len(kinds) != 1:
            return None
        (kind,) = kinds
        if kind is int and int not in self._by_type:
            fit = min(values) >= -0x80000000 and max(values) < 0x80000000
            return self.by_name("java.lang.Integer") if fit else None
        return self._by_type.get(kind)

    def simple(
        self, cls: type
    ) -> tuple[str, FieldGroup | MessageFunctions | TextMessage | ListMessage] | None:
        """Return the Java name and the fast path of a type; None if it has none."""
        if cls is str:
            text = self._by_name["java.lang.String"]
            return (text.class_name, TextMessage()) if text.form is TEXT else None
        if cls is list:
            plain = self.of([]).form is LIST and {str, int} <= self.writers.keys()
            heads = Writer(self, self.limits)
            heads.class_name("java.util.ArrayList")
            return ("java.util.ArrayList", ListMessage(bytes(heads.out))) if plain else None
        schema = schema_of(cls)
        if schema is None or schema.python is not cls:
            return None
        found = self._by_name.get(schema.class_name)
        if not isinstance(found, ObjectSerializer) or found.schema is not schema:
            return None
        fast = found.only_group or compile_message(self, found)
        return (schema.class_name, fast) if fast else None

    def _check_own(self, cls: type, name: str) -> None:
        """Reject a Python class if another class of the codec has its Java name."""
        schema = self._schemas.get(name)
        own = next((found for base in cls.__mro__ if (found := schema_of(base))), None)
        if own is not None and schema is not None and own.python is not schema.python:
            raise Rejection(f"{cls.__qualname__} is not the class that schemas= has for {name}")

    def final(self, class_name: str) -> bool | None:
        """Return whether a class is final (an array: by its element); None if it is unknown."""
        return self._types.final(class_name)

    def accepts(self, declared: str, class_name: str) -> bool:
        """Return whether a value of this class fits a field of the declared class."""
        return self._types.accepts(declared, class_name)

    def is_comparator(self, value: Any) -> bool:
        """Return whether a value is a comparator."""
        return self._types.accepts("java.util.Comparator", self.of(value).class_name)
