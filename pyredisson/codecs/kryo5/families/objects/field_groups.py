"""Field groups: adjacent simple fields of a class, read by one match, written by one function.

Adjacent strings, numbers, booleans, enums and times are read and written together, without a call
of each serializer. One regular expression finds the end of every value, and one function turns its
groups into attributes; another function writes them. Both functions are compiled once per class
from `field_templates`. Their text contains templates and names of attributes that are plain
identifiers, never data.

A group handles only the common case. In any other (a long or non-ASCII text, a wrong type, a NaN,
an early end) it changes nothing; then the fields' serializers do the work or raise the error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import groupby
from keyword import iskeyword
from typing import Any

from pyredisson.codecs.kryo5.kernel.input import SHORT_TEXT, STRIPPED, odd_text
from pyredisson.codecs.kryo5.kernel.output import encode_text

from .field_templates import NULLABLE, PATTERNS, VALUES, WRITES, shared
from .fields import Field, KnownField, PrimitiveField, UnwritableField

__all__ = [
    "FieldGroup",
    "TextMessage",
    "define",
    "is_identifier",
    "is_plain",
    "lines_of",
    "setting_of",
    "split",
]


def is_plain(cls: Any) -> bool:
    """Return whether plain assignment sets an attribute of an instance."""
    return bool(cls.__setattr__ is object.__setattr__)


def define(text: str, name: str, scope: dict[str, Any]) -> None:
    """Compile functions into a scope; their text consists of templates and identifiers only."""
    exec(compile(text, name, "exec"), scope)  # noqa: S102 - the text contains no data


def setting_of(cls: Any) -> str:
    """Return the template of a line that sets an attribute, even if the class is frozen."""
    return "    {o}.{name} = {value}" if is_plain(cls) else "    put({o}, '{name}', {value})"


def lines_of(
    cls: Any, members: list[tuple[Field, str]], scope: dict[str, Any], o: str = "o", first: int = 0
) -> tuple[bytes, list[str], list[str]]:
    """Return the pattern of adjacent simple fields, and the lines that set and write them.

    `o` is the variable of the object, `first` the number of the first group. The function adds the
    names that the lines use to `scope`.
    """
    pattern, read, write, setting = b"", [], [], setting_of(cls)
    for number, (field, name) in enumerate(members, first):
        kind = _kind(field) or ""
        if kind == "enum":
            scope[f"READ{number}"], scope[f"WRITE{number}"] = _constants(field)
        value = VALUES[kind].format(g=f"g{number}", enum=f"READ{number}")
        if _boxed(field, kind):
            value = f"None if g{number} is None else {value}"
        pattern += _pattern(field, kind)
        read.append(setting.format(o=o, name=name, value=value))
        write += [f"    v = {o}.{name}", *_written(field, kind, number)]
    return pattern, read, write


class FieldGroup:
    """Adjacent simple fields of a class.

    Attributes:
        members: the fields, each with the name of its attribute.
        pattern: the regular expression of all fields.
        match: matches the pattern at a position of a message.
        fill: sets an object's attributes from a match.
        make: makes an object with only these attributes from a match.
    """

    __slots__ = ("_write", "fill", "make", "match", "members", "pattern", "scanner")
    depth = 1
    names = 1

    def __init__(self, cls: Any, members: list[tuple[Field, str]]) -> None:
        self.members = members
        scope: dict[str, Any] = {**shared(), "new": cls.__new__, "CLASS": cls}
        self.pattern, setting, write = lines_of(cls, members, scope)
        compiled: Any = re.compile(self.pattern, re.DOTALL)
        self.match: Callable[[bytes, int], re.Match[bytes] | None] = compiled.match
        self.scanner: Callable[[bytes, int], Any] = compiled.scanner
        groups = "".join(f"g{number}, " for number in range(len(members)))
        read = [f"    {groups}= m.groups()", *setting]
        make = ["def make(m):", "    o = new(CLASS)", *read, "    return o"]
        source = ["def fill(o, m):", *read, *make, "def write(out, o):", *write, "    return True"]
        define("\n".join(source), f"<field group of {cls.__name__}>", scope)
        self.fill: Callable[[Any, re.Match[bytes]], None] = scope["fill"]
        self.make: Callable[[re.Match[bytes]], Any] = scope["make"]
        self._write: Callable[[bytearray, Any], bool] = scope["write"]

    def write(self, out: bytearray, value: Any) -> bool:
        """Append the fields of an object; if it cannot, append nothing and return False."""
        start = len(out)
        try:
            if self._write(out, value):
                return True
        except (AttributeError, TypeError):  # no such attribute, or a value without a hash
            pass
        del out[start:]
        return False


class TextMessage:
    """A message that is one text: it has the interface of a `FieldGroup`."""

    pattern = b"(%b)" % SHORT_TEXT
    depth = 0
    names = 1

    @staticmethod
    def make(match: re.Match[bytes]) -> str | None:
        """Return the text of a match."""
        text = match[1]
        return text.translate(STRIPPED).decode() if text[0] < 0x80 else odd_text(text)

    @staticmethod
    def write(out: bytearray, value: str) -> bool:
        """Append a text."""
        encode_text(out, value)
        return True


def split(cls: Any, members: list[tuple[Field, str]]) -> list[FieldGroup | tuple[Field, str]]:
    """Return the fields of a class, each with its attribute, adjacent simple ones as groups."""
    found: list[FieldGroup | tuple[Field, str]] = []
    for simple, group in groupby(members, lambda member: _is_simple(*member)):
        neighbours = list(group)
        found += [FieldGroup(cls, neighbours)] if simple else neighbours
    return found


def is_identifier(name: str) -> bool:
    """Return whether an attribute's name is an identifier, as generated code needs."""
    return name.isascii() and name.isidentifier() and not iskeyword(name)


def _is_simple(field: Field, name: str) -> bool:
    return is_identifier(name) and _kind(field) is not None


def _kind(field: Field) -> str | None:
    if not isinstance(field, (PrimitiveField, KnownField)) or isinstance(field, UnwritableField):
        return None
    form = field.serializer.form
    return form.kind if form is not None and form.kind in VALUES else None


def _boxed(field: Field, kind: str) -> bool:
    return isinstance(field, KnownField) and kind not in NULLABLE


def _pattern(field: Field, kind: str) -> bytes:
    if kind == "enum":
        return rb"([\0-\x%02x])" % len(_members(field))
    form = rb"\0|\x01(%b)" if _boxed(field, kind) else rb"(%b)"
    return rb"(?:%b)" % (form % PATTERNS[kind])


def _written(field: Field, kind: str, number: int) -> list[str]:
    body = WRITES[kind].strip("\n").replace("{enum}", f"WRITE{number}").split("\n")
    if not _boxed(field, kind):
        return body
    return [
        "    if v is None:",
        "        out.append(0)",
        "    else:",
        "        out.append(1)",
        *(f"    {line}" for line in body),
    ]


def _members(field: Any) -> tuple[Any, ...]:
    members: tuple[Any, ...] = field.serializer.form.members
    return members


def _constants(field: Any) -> tuple[list[Any], dict[Any, bytes]]:
    """Return the constants by their byte, and the byte of each constant."""
    members = [None, *_members(field)]
    return members, {member: bytes([number]) for number, member in enumerate(members)}
