"""Parses the Java types of fields, as in Java source.

An example is ``parse_type("Map<String, ? extends com.example.Line[]>")``. Common names of
`java.lang`, `java.util`, `java.math` and `java.time` need no package. The functions work on text
only and import nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum

from .names import PRIMITIVES

__all__ = ["OBJECT", "JavaType", "Wildcard", "parse_type"]

_SHORT = {
    **{
        name: f"java.lang.{name}"
        for name in [
            "Object",
            "Boolean",
            "Byte",
            "Short",
            "Character",
            "Integer",
            "Long",
            "Float",
            "Double",
            "Number",
            "String",
            "CharSequence",
            "Comparable",
            "Iterable",
            "Enum",
            "Class",
            "Throwable",
            "Exception",
            "StringBuilder",
        ]
    },
    **{
        name: f"java.util.{name}"
        for name in [
            "Collection",
            "List",
            "ArrayList",
            "LinkedList",
            "Set",
            "HashSet",
            "LinkedHashSet",
            "SortedSet",
            "TreeSet",
            "EnumSet",
            "Map",
            "HashMap",
            "LinkedHashMap",
            "SortedMap",
            "TreeMap",
            "EnumMap",
            "Queue",
            "Deque",
            "ArrayDeque",
            "Date",
            "UUID",
            "Optional",
            "Locale",
            "Currency",
            "TimeZone",
            "BitSet",
        ]
    },
    **{name: f"java.math.{name}" for name in ("BigInteger", "BigDecimal")},
    **{
        name: f"java.time.{name}"
        for name in [
            "Instant",
            "Duration",
            "Period",
            "LocalDate",
            "LocalTime",
            "LocalDateTime",
            "OffsetTime",
            "OffsetDateTime",
            "ZonedDateTime",
            "ZoneId",
            "ZoneOffset",
            "Year",
            "YearMonth",
            "MonthDay",
            "DayOfWeek",
            "Month",
        ]
    },
}
_TOKEN = re.compile(r"\s*(\?|<|>|,|\[\s*\]|&|\.?(?:[^\W\d]|\$)[\w$]*(?:\.[\w$]+)*)")


class Wildcard(Enum):
    """The kind of wildcard of a type argument."""

    NONE = ""
    ANY = "?"
    EXTENDS = "? extends"
    SUPER = "? super"


@dataclass(frozen=True, slots=True)
class JavaType:
    """One type: ``List<String>[]`` is the name `java.util.List`, one argument, one dimension.

    `name` is the JVM's name of the class (``com.example.Outer$Inner``), a primitive, or the name of
    a type variable if `variable`. If `wildcard` is set, the other attributes are its bound.
    """

    name: str
    arguments: tuple[JavaType, ...] = ()
    dimensions: int = 0
    variable: bool = False
    wildcard: Wildcard = Wildcard.NONE

    @property
    def primitive(self) -> bool:
        """Whether it is int, long or another primitive, but not an array."""
        return self.name in PRIMITIVES and self.dimensions == 0

    @property
    def component(self) -> JavaType:
        """The type of an array's elements."""
        return replace(self, dimensions=self.dimensions - 1)

    def __str__(self) -> str:
        if self.wildcard is Wildcard.ANY:
            return "?"
        prefix = f"{self.wildcard.value} " if self.wildcard is not Wildcard.NONE else ""
        arguments = f"<{', '.join(map(str, self.arguments))}>" if self.arguments else ""
        return f"{prefix}{self.name}{arguments}{'[]' * self.dimensions}"


OBJECT = JavaType("java.lang.Object")


def parse_type(text: str, variables: Collection[str] = ()) -> JavaType:
    """Parse a type as in Java source; `variables` are the type variables in scope.

    Raises:
        ValueError: the text is not a type, or a class name lacks its package.
    """
    tokens = _tokens(text)
    found, rest = _type(tokens, 0, text, variables)
    if rest != len(tokens):
        raise ValueError(f"{text!r} is not a Java type: {tokens[rest]!r} is left over")
    return found


def _tokens(text: str) -> list[str]:
    tokens, place = [], 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        if match is None:
            raise ValueError(f"{text!r} is not a Java type: {text[place:]!r}")
        tokens.append("[]" if match[1].startswith("[") else match[1])
        place = match.end()
    return tokens


def _type(
    tokens: list[str], at: int, text: str, variables: Collection[str]
) -> tuple[JavaType, int]:
    if at >= len(tokens):
        raise ValueError(f"{text!r} is not a Java type: it ends early")
    word = tokens[at]
    if word == "?":
        return _wildcard(tokens, at + 1, text, variables)
    if not (word[0].isalpha() or word[0] in "_$."):
        raise ValueError(f"{text!r} is not a Java type: {word!r} is not a name")
    at += 1
    arguments: list[JavaType] = []
    if at < len(tokens) and tokens[at] == "<":
        at += 1
        while True:
            argument, at = _type(tokens, at, text, variables)
            arguments.append(argument)
            if at >= len(tokens) or tokens[at] not in {",", ">"}:
                raise ValueError(f"{text!r} is not a Java type: its < has no >")
            at += 1
            if tokens[at - 1] == ">":
                break
    dimensions = 0
    while at < len(tokens) and tokens[at] == "[]":
        dimensions += 1
        at += 1
    variable = word in variables
    name = word if variable else _full(word, text)
    return JavaType(name, tuple(arguments), dimensions, variable), at


def _wildcard(
    tokens: list[str], at: int, text: str, variables: Collection[str]
) -> tuple[JavaType, int]:
    if at < len(tokens) and tokens[at] in {"extends", "super"}:
        kind = Wildcard.EXTENDS if tokens[at] == "extends" else Wildcard.SUPER
        bound, at = _type(tokens, at + 1, text, variables)
        return replace(bound, wildcard=kind), at
    return replace(OBJECT, wildcard=Wildcard.ANY), at


def _full(word: str, text: str) -> str:
    if word in PRIMITIVES or "." in word:
        return word.removeprefix(".")
    found = _SHORT.get(word)
    if found is None:
        raise ValueError(
            f"{text!r}: {word!r} needs its package; "
            f"write a class of the default package as {'.' + word!r}"
        )
    return found
