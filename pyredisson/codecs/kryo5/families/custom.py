"""Custom serializers: the base class of those that an application registers.

``Kryo5Codec(serializers={Money: MoneySerializer("com.example.Money")})`` registers one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from pyredisson.codecs.kryo5.kernel import serializer as kernel
from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.writer import Writer

__all__ = ["OwnSerializer", "Serializer"]


class Serializer(ABC):
    """Reads and writes the body of one Java class, as the service's own serializer does.

    Attributes:
        class_name: the JVM's name of the class, as in the header.
        smallest: the minimum length of a body in bytes; default 1. With 0, elements count against
            `Limits.max_free`.
        final: whether the Java class is final; default False.
        supertypes: the JVM names of the class's superclasses and interfaces; default none.
        nullable: whether the body itself encodes null (`setAcceptsNull(true)` in Java); default
            False.
        null: the body that encodes null, if `nullable`; default one zero byte.
    """

    smallest: int = 1
    final: bool = False
    supertypes: tuple[str, ...] = ()
    nullable: bool = False
    null: bytes = b"\0"

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name

    @abstractmethod
    def read(self, source: Reader) -> Any:
        """Read a body; return None if it encodes null.

        Args:
            source: the message; the position is at the body.
        """

    @abstractmethod
    def write(self, sink: Writer, value: Any) -> None:
        """Write the body of a value that is not None.

        Args:
            sink: the message so far.
            value: an object of the Python class that the serializer is registered for.
        """


class OwnSerializer(kernel.Serializer):
    """The adapter around a custom serializer: it passes no type arguments on."""

    def __init__(self, inner: Serializer) -> None:
        super().__init__(inner.class_name)
        self.inner = inner
        self.smallest = inner.smallest
        self.nullable = inner.nullable
        self.null = inner.null

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return self.inner.read(source)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        self.inner.write(sink, value)
