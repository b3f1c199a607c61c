"""The stream writer: what the writers of Java's object stream and JBoss River share.

An object is a class description and, for each class of its hierarchy from the topmost on, the
class's data. `class_data_writers` has those of JDK classes, schemas those of the application's.
`StreamWriter` and `RiverWriter` encode and number these. An object that occurs twice (the same one,
not an equal one) is written once and then referred to, as Java does; a mutable one may contain
itself. Only classes of `descriptions` and of schemas are written, and each value is first checked
against its field's type.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

from pyredisson.java.classes import class_of
from pyredisson.java.coerce import coerce
from pyredisson.java.enums import JDK_ENUMS
from pyredisson.java.names import component_of
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.schema import ClassSchema, SchemaField, schema_of
from pyredisson.java.shared import Shared
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .boxes import CODES, identity, pack_primitive
from .class_data_writers import CLASS_DATA_WRITERS
from .descriptions import KNOWN, Description
from .objects import is_mutable
from .preserved_metadata import LOST
from .replaced import REPLACED, Made, enum_name_of
from .schemas import described, fits, serialized
from .stream_model import ClassData
from .throwable_writer import fill_thrown, thrown_description
from .throwables import STACK_ELEMENT, THROWABLE, THROWN
from .typed import Typed
from .write_object_cases import ADDRESSES, WRITE_OBJECT_CASES

__all__ = ["BaseStreamWriter", "Fields"]

Fields = tuple[tuple[str, str, str], ...]
_ADDS = 0x09  # data of a `writeObject`, or of an Externalizable in blocks
_CHECKED = {THROWABLE.name, STACK_ELEMENT.name, *ADDRESSES}
_NO_ENUMS = {"java.lang.Class", "java.io.ObjectStreamClass"}


class BaseStreamWriter(ABC):
    """Writes one stream to `out`; `named`: its reader reads a value's class before the value."""

    def __init__(
        self, schemas: Mapping[str, ClassSchema], limits: Limits, *, named: bool = False
    ) -> None:
        self.named = named
        self.limits = limits
        self.out = bytearray()
        self._schemas = schemas
        self._shared = Shared(limits)
        self._kept: list[Any] = []
        self._typed = Typed(self.keep)

    def value(self, value: Any, boxed: str | None = None) -> None:
        """Write an object; `boxed` is the class of a plain number, if a field fixes it.

        Raises:
            Rejection: the writer cannot write such a value.
        """
        if value is None:
            self._null()
            return
        key = identity(value, boxed)
        number = self._shared.number(key)
        if number is not None:
            self._reference(number)
            return
        self._shared.enter(key, circles=self._can_change(value))
        self._object(self._typed.elements(value), boxed, key)
        self._shared.leave(key)

    def checked(self, value: Any, kind: str) -> None:
        """Write a value that Java declares as this type.

        Raises:
            Rejection: the value does not fit.
        """
        if value is not None and kind in CODES:
            pack_primitive(value, CODES[kind])
            self.value(value, kind)
            return
        if value is not None and not isinstance(value, Made) and not fits(value, kind):
            value = self._coerced(value, kind)
        self.value(value)

    def _coerced(self, value: Any, kind: str) -> Any:
        """Return a plain value as the class that the declared type requires."""
        found = coerce(kind, value)
        if found is None:
            raise reject_value(value, f"a {kind}")
        return self.keep(found)

    def keep(self, made: Any) -> Any:
        """Keep a value alive as long as the stream, which identifies it by its `id`; return it."""
        self._kept.append(made)
        return made

    def _can_change(self, value: Any) -> bool:
        schema = self._schema_of(value)
        if schema is not None:
            return is_mutable(schema)
        # Java creates the values of REPLACED only after it has read their data.
        return getattr(value, "class_name", None) not in REPLACED

    def _schema_of(self, value: Any) -> ClassSchema | None:
        found = schema_of(type(value))
        return None if found is None else self._schemas.get(found.class_name)

    def _object(self, value: Any, boxed: str | None, key: Any) -> None:
        schema = self._schema_of(value)
        if isinstance(value, JavaObject):
            self._whole(key, thrown_description(value), value)
        elif isinstance(value, Made):
            self._whole(key, KNOWN[value.class_name], value)
        elif isinstance(value, JavaValue):
            self._check_constant(value.class_name, value.value)
            self._constant(value.class_name, value.value, key)
        elif isinstance(value, Enum) and (schema is not None or type(value) in JDK_ENUMS):
            self._constant(enum_name_of(value) or "", value.name, key)
        elif schema is not None:
            self._instance(value, schema, key)
        else:
            self._named(value, boxed or class_of(value), key)

    def _check_constant(self, class_name: str, name: Any) -> None:
        if not isinstance(name, str):
            raise reject_value(name, "an enum constant's name")
        if class_name in _NO_ENUMS:
            raise Rejection(f"a {class_name}, which this codec can only read")

    def _named(self, value: Any, name: str, key: Any) -> None:
        if name == "java.lang.String":
            self._string(value)
        elif name.startswith("["):
            self._array(value, name, key)
        elif name in REPLACED or name in WRITE_OBJECT_CASES:
            made = self.keep((REPLACED.get(name) or WRITE_OBJECT_CASES[name])(self, value, name))
            self._whole(key, KNOWN[made.class_name], made)
        elif name in CLASS_DATA_WRITERS:
            self._whole(key, KNOWN[name], value)
        else:
            raise Rejection(f"a {name}, which this codec can only read")

    def _instance(self, value: Any, schema: ClassSchema, key: Any) -> None:
        unsure = schema.kind == "record" and schema.serial_version_uid is None
        if self.named and unsure and "java.io.Serializable" not in schema.interfaces:
            name = schema.class_name
            raise Rejection(
                f"the schema of the record {name} does not name java.io.Serializable", name
            )
        self._whole(key, described(schema), value)

    def _whole(self, key: Any, description: Description, value: Any) -> None:
        """Write an object: its class, and the data of each class."""
        self._begin(key, description)
        for each in description.line():
            level: ClassData = self.keep(ClassData(each.name))
            schema = self._schemas.get(each.name)
            if isinstance(value, Made):
                level.fields = {name: value.fields[name] for _, name, _ in each.fields}
                level.parts = value.parts if each is description else []
            elif schema is not None:
                level.fields = self.members(value, schema, _attributes(value, schema))
            elif each.name in THROWN or each.name == STACK_ELEMENT.name:
                fill_thrown(value, level)
            else:
                CLASS_DATA_WRITERS[each.name](self, value, level)
            self._level(each, level, checked=schema is not None or each.name in _CHECKED)

    def _level(self, each: Description, level: ClassData, *, checked: bool) -> None:
        for code, name, signature in self._ordered(each.fields):
            value = level.fields[name]
            try:
                if not signature:
                    self.out += pack_primitive(value, code)
                elif checked:
                    self.checked(value, _kind_of(signature))
                else:
                    self.value(value)
            except Rejection as error:
                if checked and error.place is None:
                    error.place = f"{each.name}.{name}"
                raise
        for is_block, part in level.parts:
            if is_block:
                self._data(part)
            else:
                self.value(part)
        if each.flags & _ADDS:
            self._end()

    def members(self, value: Any, schema: ClassSchema, found: dict[str, Any]) -> dict[str, Any]:
        """Return the values of a class's fields, converted as the type arguments require."""
        fields = {each.name: each for each in serialized(schema)}
        return {
            name: self.member(value, schema, fields[name], each) for name, each in found.items()
        }

    def member(self, value: Any, owner: ClassSchema, field: SchemaField, found: Any) -> Any:
        """Return the value of one field, converted as the type arguments require.

        Raises:
            Rejection: the value does not fit them.
        """
        schema = self._schema_of(value)
        if schema is None or not (field.type.arguments or field.type.variable):
            return found
        return self._typed.member(value, schema, owner, field, found)

    def _ordered(self, fields: Fields) -> Iterable[tuple[str, str, str]]:
        """Return the fields in the order of the stream."""
        return fields

    @abstractmethod
    def text(self, text: str) -> bytes:
        """Encode a string within data, as `writeUTF` does."""

    @abstractmethod
    def _null(self) -> None: ...

    @abstractmethod
    def _reference(self, number: int) -> None: ...

    @abstractmethod
    def _string(self, text: str) -> None: ...

    @abstractmethod
    def _array(self, value: Any, name: str, key: Any) -> None: ...

    @abstractmethod
    def _constant(self, class_name: str, name: str, key: Any) -> None: ...

    @abstractmethod
    def _begin(self, key: Any, description: Description) -> None: ...

    @abstractmethod
    def _data(self, data: bytes) -> None: ...

    @abstractmethod
    def _end(self) -> None: ...


@lru_cache(maxsize=1024)
def _kind_of(signature: str) -> str:
    """Return the type of a field as in Java source."""
    return component_of("[" + signature.replace("/", ".")) or "java.lang.Object"


def _attributes(value: Any, schema: ClassSchema) -> dict[str, Any]:
    """Return the values of the fields of one class of the hierarchy."""
    lost = getattr(value, LOST, None)
    if lost:
        raise Rejection(
            f"a {schema.class_name} that Java wrote from another version of the class than its "
            f"schema ({lost}); writing it would lose that: renew the schema, or make a new object"
        )
    found = {}
    for each in serialized(schema):
        try:
            found[each.name] = getattr(value, each.attribute)
        except AttributeError:
            message = f"a {schema.class_name} lacks the attribute {each.attribute!r}; set it"
            if each is schema.outer:
                message += f": it belongs to a {each.type.name}, which Java writes with it"
            raise Rejection(message) from None
    return found
