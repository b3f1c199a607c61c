"""Enum constants and map keys as strings."""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, TypeVar

from pyredisson.java.enums import Month
from pyredisson.java.schema import ClassSchema
from pyredisson.java.types import OBJECT, JavaType
from pyredisson.java.values import JEnumSet
from pyredisson.limits import Limits
from pyredisson.rejection import reject_value

from .format import Format
from .keys import fits_key, key_text
from .model import Model
from .typing import BOXES

__all__ = ["Names"]


F = TypeVar("F")


class Names(Generic[F]):
    """Encodes constants and keys by one codec's rules."""

    def __init__(self, fmt: Format[F], model: Model) -> None:
        self._format = fmt
        self._model = model
        self._rules = model.rules

    def text(self, name: str, member: Enum) -> str:
        """Return the string of a constant: its name, unless an annotation gives it another."""
        schema = self._model.by_name[name]
        found = next(each for each in schema.constants if each.name == member.name)
        if found.json is not None:
            return found.json
        return (found.text or found.name) if self._rules.getters else found.name

    def shown(self, name: str, member: Enum) -> str:
        """Return the string of a constant as a value; Ion's symbols ignore @JsonProperty."""
        if self._format.renamed_constants:
            return self.text(name, member)
        found = next(e for e in self._model.by_name[name].constants if e.name == member.name)
        return found.text or found.name

    def schema_in(self, value: Any) -> ClassSchema | None:
        """Return the schema of an EnumSet's enum; None if it is unknown."""
        if isinstance(value, JEnumSet):
            return self._model.by_name.get(value.enum_name)
        if not value or not isinstance(value, (set, frozenset, list)):
            return None
        return self._model.schema_of(type(next(iter(value))))

    def pieces(self, schema: ClassSchema, limits: Limits) -> dict[Enum, F]:
        """Return the pieces of an enum's constants, in Java's order."""
        members: dict[str, Enum] = schema.python.__members__  # type: ignore[attr-defined]  # its kind is enum
        fmt, name = self._format, schema.class_name
        number = fmt.scalar("java.lang.Integer")
        if schema.python is Month and self._rules.times and fmt.renamed_constants and number:
            return {each: number(each.value, limits) for each in members.values()}
        return {e: fmt.constant(self.shown(name, e)) for e in members.values()}

    def key(self, value: Any, declared: JavaType) -> str:
        """Return the string of a map's key: a constant's name, else `toString()`."""
        if isinstance(value, Enum):
            schema = self._model.schema_of(type(value))
            if schema is not None and self._model.accepts(declared, schema.class_name):
                return self.text(schema.class_name, value)
            raise reject_value(value, "a key that Jackson writes by toString()")
        text = key_text(value, self._model)
        if declared != OBJECT:
            wanted = BOXES.get(declared.name, declared.name)
            if not fits_key(value, wanted, self._model, declared):
                raise reject_value(value, f"a {declared} as key")
        return text
