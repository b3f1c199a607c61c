"""Bodies of enums and of EnumSet: ordinals plus one.

A constant with a body has a class of its own; Java names the first one `Phase$1`. Sources: Kryo's
`EnumSerializer` and `EnumSetSerializer`.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Form, Serializer
from pyredisson.codecs.kryo5.kernel.tracked import untracked
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.schema import ClassSchema
from pyredisson.java.values import JEnumSet
from pyredisson.rejection import Rejection, reject_value

__all__ = ["EnumSerializer", "EnumSetSerializer", "enum_classes", "enum_of"]


def enum_classes(schema: ClassSchema) -> dict[str, str]:
    """Return the runtime class of each constant, by the constant's name."""
    return {each.name: each.body or schema.class_name for each in schema.constants}


class EnumSerializer(Serializer):
    """An enum, or the class of one constant with a body.

    `loose`: the enum has an id, which also stands for the constants with a body.
    """

    nullable = True
    wrapper = True

    def __init__(self, schema: ClassSchema, class_name: str, *, loose: bool = False) -> None:
        super().__init__(class_name)
        self.schema = schema
        self._loose = loose
        classes = enum_classes(schema)
        members: dict[str, Any] = dict(schema.python.__members__)  # type: ignore[attr-defined] # an Enum
        self._members = [members[each.name] for each in schema.constants]
        self._bodies = {members[name]: own for name, own in classes.items()}
        self._ordinals = {member: number for number, member in enumerate(self._members)}
        if self._is_simple():
            self.form = Form("enum", tuple(self._members))

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        number = source.varint()
        if number == 0:
            return None
        if number > len(self._members):
            raise Rejection(f"{self.class_name} has no constant {number - 1}", self.class_name)
        found = self._members[number - 1]
        if self._bodies[found] != self.class_name and not self._loose:
            raise Rejection(f"{found!r} is not a {self.class_name}", self.class_name)
        return found

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, Enum) or self._bodies.get(value) != self.class_name:
            raise reject_value(value, f"a {self.class_name}")
        sink.varint(self._ordinals[value] + 1)

    def class_of(self, value: Any) -> str:
        """Return the runtime class of a member."""
        return self._bodies[value]

    def ordinal(self, value: Any) -> int:
        """Return the ordinal of a constant."""
        return self._ordinals[value]

    def _is_simple(self) -> bool:
        """Return whether one byte is enough, and no constant equals a number or a text."""
        own = set(self._bodies.values()) <= {self.class_name}
        mixed = any(isinstance(each, (int, str)) for each in self._members)
        return own and not mixed and len(self._members) < 127

    @property
    def members(self) -> list[Any]:
        """The constants in their order."""
        return self._members


def enum_of(registry: Classes, class_name: str) -> EnumSerializer:
    """Return the serializer of an enum, untracked."""
    found = untracked(registry.by_name(class_name))
    if not isinstance(found, EnumSerializer):
        raise Rejection(f"{class_name} is not an enum", class_name)
    return found


class EnumSetSerializer(Serializer):
    """`RegularEnumSet` and, beyond 64 constants, `JumboEnumSet`: the enum, and its constants."""

    smallest = 2

    def __init__(self, class_name: str, registry: Classes) -> None:
        super().__init__(class_name)
        self._registry = registry

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        name = source.class_name()
        if name is None:
            raise Rejection("null where the class of an enum is required")
        enum = enum_of(self._registry, name)
        places = [source.varint() - 1 for _ in range(source.claim(source.varint(), 1))]
        if places != sorted(set(places)) or not all(0 <= e < len(enum.members) for e in places):
            raise Rejection(f"malformed EnumSet of {enum.class_name}", self.class_name)
        self._check_kind(enum)
        return JEnumSet(
            enum.schema.class_name,
            [enum.members[each] for each in places],
            jumbo=len(enum.members) > 64,
        )

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, JEnumSet):
            raise reject_value(value, f"a {self.class_name}")
        enum = enum_of(self._registry, value.enum_name)
        self._check_kind(enum)
        wrong = [each for each in value if each not in enum.members]
        if wrong:
            raise reject_value(wrong[0], f"a {value.enum_name}")
        places = sorted(map(enum.ordinal, value))
        # Java writes the class of the first element; for an empty set, of the first constant.
        sink.class_name(enum.class_of(enum.members[places[0] if places else 0]))
        sink.varint(len(places))
        for each in places:
            sink.varint(each + 1)

    def _check_kind(self, enum: EnumSerializer) -> None:
        wanted = f"java.util.{'Jumbo' if len(enum.members) > 64 else 'Regular'}EnumSet"
        if self.class_name not in {wanted, "java.util.EnumSet"}:
            raise Rejection(
                f"an EnumSet of {enum.class_name} is a {wanted}, not a {self.class_name}",
                self.class_name,
            )
