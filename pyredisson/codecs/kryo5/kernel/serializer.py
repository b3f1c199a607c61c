"""The base of all serializers: reads and writes one Java class.

A serializer reads and writes the body of one class. Null is encoded by the body itself (`nullable`)
or by a byte before the body; a position whose class is fixed uses `read_or_null` and
`write_or_null`.

The type arguments of a position are a parameter. Only containers and objects with type variables
use it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from .generics import Arguments
from .reader import Reader
from .writer import Writer

__all__ = ["DECIMAL", "LIST", "MAP", "TEXT", "Form", "Serializer"]


@dataclass(frozen=True, slots=True)
class Form:
    """Marks a serializer whose values generated code can read and write by itself.

    Attributes:
        kind: the kind of value, such as `Long`: a key of `families/objects/field_templates`, or
            one of those that `message_codegen` handles itself (`BigDecimal`, `ArrayList`,
            `HashMap`).
        members: the constants of an enum.
    """

    kind: str
    members: tuple[Any, ...] = ()


DECIMAL, LIST, MAP, TEXT = Form("BigDecimal"), Form("ArrayList"), Form("HashMap"), Form("String")


class Serializer(ABC):
    """Reads and writes the body of one Java class.

    Attributes:
        class_name: the JVM's name of the class, as in the header.
        smallest: minimum length of a body in bytes; with 0, elements count against
            `Limits.max_free`.
        nullable: the body encodes null itself.
        null: the encoding of null, if the body has one.
        wrapper: a boxed primitive or an enum: references mode does not track it.
        form: set if generated code can read and write its values.
    """

    smallest: int = 1
    nullable: bool = False
    null: bytes = b"\0"
    wrapper: ClassVar[bool] = False
    form: Form | None = None

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name

    @abstractmethod
    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        """Read a body; None where it encodes null."""

    @abstractmethod
    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        """Write the body of a value that is not None.

        Raises:
            Rejection: the value is not one of this class.
        """

    def read_or_null(self, source: Reader, arguments: Arguments = None) -> Any:
        """Read a body or null, where the class is known."""
        return self.read(source, arguments) if self.nullable or source.flag() else None

    def write_or_null(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        """Write a body or null, where the class is known."""
        if value is None:
            sink.out += self.null
            return
        if not self.nullable:
            sink.out.append(1)
        self.write(sink, value, arguments)

    def read_many(self, source: Reader, count: int, arguments: Arguments = None) -> list[Any]:
        """Read `count` bodies."""
        read = self.read
        return [read(source, arguments) for _ in range(count)]

    def write_many(self, sink: Writer, values: list[Any], arguments: Arguments = None) -> None:
        """Write the bodies of values that are not None."""
        write = self.write
        for value in values:
            write(sink, value, arguments)
