"""A position in one message, and the base class of the codecs that read with it.

Java serialization, JBoss River, FST and Kryo 4 share it: numbers of fixed size, counts that must
fit the remaining bytes, a nesting limit, and errors with the position. No read goes beyond the end
of the message.
"""

from __future__ import annotations

import struct
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.classes import require_root
from pyredisson.java.containers import JArray
from pyredisson.java.names import is_class_name
from pyredisson.java.schemas import Root, Schemas, collect, roots_of
from pyredisson.limits import DEFAULT_LIMITS, Limits, require_limits
from pyredisson.rejection import Rejection, reject_name

from .base import Codec, as_bytes

__all__ = ["Cursor", "MessageCodec", "new_array"]


class Cursor:
    """Reads one message from its beginning to its end."""

    __slots__ = ("_classes", "_free", "data", "depth", "limits", "pos")

    def __init__(self, data: bytes, limits: Limits, *, depth: int = 0) -> None:
        self.data = data
        self.limits = limits
        self.pos = 0
        self.depth = depth
        self._classes = 0
        self._free = limits.max_free

    def byte(self) -> int:
        """Read one byte, unsigned."""
        return self.take(1)[0]

    def take(self, count: int) -> bytes:
        """Read `count` bytes."""
        end = self.pos + count
        if count < 0 or end > len(self.data):
            raise Rejection("the message ends early" if count >= 0 else "a negative length")
        piece = self.data[self.pos : end]
        self.pos = end
        return piece

    def unpack(self, form: str) -> Any:
        """Read one number in this `struct` format."""
        return struct.unpack(form, self.take(struct.calcsize(form)))[0]

    def claim(self, count: int, each: int = 1) -> int:
        """Check that the remaining bytes can hold `count` elements of at least `each` bytes."""
        if count < 0:
            raise Rejection("a negative length")
        if count * each > len(self.data) - self.pos:
            raise Rejection("the message ends early")
        return count

    def free(self, count: int = 1) -> None:
        """Count elements that occupy no bytes against `Limits.max_free`."""
        self._free -= count
        if self._free < 0:
            raise Rejection(f"more than {self.limits.max_free} elements that occupy no bytes")

    def descend(self) -> None:
        """Enter an object; `ascend` leaves it."""
        self.depth += 1
        if self.depth > self.limits.max_depth:
            raise Rejection(f"nested deeper than {self.limits.max_depth}")

    def ascend(self) -> None:
        """Leave what `descend` entered."""
        self.depth -= 1

    def class_name(self, name: str) -> str:
        """Count, check and return a class name at its first use in the message."""
        self._classes += 1
        if self._classes > self.limits.max_class_names:
            raise Rejection(f"more than {self.limits.max_class_names} class names")
        if not is_class_name(name):
            raise reject_name(name)
        return name


def new_array(component: str, values: Iterable[Any] = ()) -> JArray[Any]:
    """Make an array whose component is named in a message.

    Raises:
        Rejection: the component is not the name of a type.
    """
    try:
        return JArray(component, values)
    except ValueError as error:
        raise Rejection(str(error)[:200]) from None


class MessageCodec(Codec[Any]):
    """A codec whose messages are read with a `Cursor`.

    Args:
        schemas: a module, or modules and classes (`pyredisson.java.schema`).
        root: the class of the values that Java's consumer takes, or several, as for `Kryo5Codec`.
        limits: bounds of one message.
    """

    def __init__(
        self,
        schemas: Schemas = None,
        *,
        root: Root = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.limits = require_limits(limits)
        self.root = roots_of(root)
        self.schemas = collect(schemas, self.root)

    def encode(self, value: Any) -> bytes:
        """Return the bytes that Java writes for the value.

        Raises:
            EncodeError: the codec cannot write this value, it is nested beyond the limit, or it is
                no instance of `root`.
        """
        name = type(self).__name__
        try:
            require_root(value, self.root)
            return self._write(value)
        except Rejection as error:
            raise EncodeError(f"{name}: {error}", codec=name) from None
        except RecursionError:
            raise EncodeError(f"{name}: nested too deep for Python", codec=name) from None

    def decode(self, data: bytes) -> Any:
        """Return the value that Java wrote.

        Raises:
            DecodeError: the bytes are malformed, exceed the limits, or continue after the message
                (Java ignores the rest).
            TypeError: `data` is not bytes.
        """
        data = as_bytes(data, f"{type(self).__name__}.decode")
        if len(data) > self.limits.max_bytes:
            raise self._error(f"longer than {self.limits.max_bytes} bytes", data)
        source = Cursor(data, self.limits)
        try:
            value = self._read(source)
        except Rejection as error:
            raise self._error(f"{error}, at byte {source.pos}", data, error.class_name) from None
        except RecursionError:
            raise self._error("nested too deep for Python", data) from None
        if source.pos != len(data):
            raise self._error(f"{len(data) - source.pos} bytes are left over", data)
        return value

    @abstractmethod
    def _read(self, source: Cursor) -> Any: ...

    @abstractmethod
    def _write(self, value: Any) -> bytes: ...

    def _error(self, message: str, data: bytes, class_name: str | None = None) -> DecodeError:
        return DecodeError(message, codec=type(self).__name__, data=data, class_name=class_name)
