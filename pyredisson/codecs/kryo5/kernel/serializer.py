"""What a Java class needs to be written and read: the base of all serializers.

A serializer knows one class's body. Whether a null may stand in its place is a
matter of the class (`nullable`: the body itself spells it) or of a byte before the
body; a position whose class is fixed uses `read_or_null` and `write_or_null`.

An application's own Kryo serializers are subclasses of this one:
``Kryo5Codec(serializers={Money: MoneySerializer("com.example.Money")})``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .reader import Reader
    from .writer import Writer

__all__ = ["Serializer"]


class Serializer(ABC):
    """Reads and writes the body of one Java class.

    Attributes:
        class_name: the JVM's name of the class, as in the header.
        smallest: bytes that a body has at least; 0 makes its elements count as free.
        final: the Java class is final (asked of an application's own serializers only).
        supertypes: JVM names of what the class extends and implements (as `final`).
        nullable: the body spells null itself.
        null: how it spells it, if so.
        generic: it asks for the type arguments of its position (`Writer.arguments`), so
            whoever calls must have set them; all others never see any.
        wrapper: a boxed primitive or an enum: references mode does not track it.
    """

    smallest: int = 1
    final: bool = False
    supertypes: tuple[str, ...] = ()
    nullable: ClassVar[bool] = False
    null: ClassVar[bytes] = b"\0"
    generic: bool = False
    wrapper: ClassVar[bool] = False

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name

    @abstractmethod
    def read(self, source: Reader) -> Any:
        """Read a body; None where it spells null."""

    @abstractmethod
    def write(self, sink: Writer, value: Any) -> None:
        """Write the body of a value that is not None.

        Raises:
            Refusal: the value is not one of this class.
        """

    def read_or_null(self, source: Reader) -> Any:
        """Read where null is possible and the class is known."""
        return self.read(source) if self.nullable or source.flag() else None

    def write_or_null(self, sink: Writer, value: Any) -> None:
        """Write where null is possible and the class is known."""
        if value is None:
            sink.out += self.null
            return
        if not self.nullable:
            sink.out.append(1)
        self.write(sink, value)

    def read_many(self, source: Reader, count: int) -> list[Any]:
        """Read so many bodies, one after the other."""
        read = self.read
        return [read(source) for _ in range(count)]

    def write_many(self, sink: Writer, values: list[Any]) -> None:
        """Write the bodies of values that are not None."""
        write = self.write
        for value in values:
            write(sink, value)
