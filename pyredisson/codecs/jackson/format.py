"""The interface of a format: JSON, MessagePack, CBOR, Ion, Smile and Avro implement it.

The writer decides the structure (which members, which class names); a format encodes it as pieces.
Pieces are created from the inside out and joined, so a format knows the length of everything that
it wraps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Generic, TypeVar

from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

F = TypeVar("F")

__all__ = ["BeanField", "Format", "Write"]

Write = Callable[[Any, int], F]
# The member's key, Python's attribute, the writer of its value, and whether None is rejected.
BeanField = tuple[str, str, Callable[[Any, int], F], bool]


class Format(ABC, Generic[F]):
    """A format with pieces of type `F`."""

    null: F
    renamed_constants = True  # @JsonProperty on a constant is used
    integer_keys = False  # keys of maps that declare Integer or Long are numbers
    # Java reads these classes from values that do not name their class, as it does numbers.
    natural = frozenset({"java.lang.String", "java.lang.Boolean"})
    special_doubles = True  # NaN and the infinities are numbers
    named_scalars = True  # Java reads the class that a scalar names

    @abstractmethod
    def scalar(self, class_name: str) -> Callable[[Any, Limits], F] | None:
        """Return the encoder of a scalar class; None for other classes."""

    @abstractmethod
    def text(self, text: str) -> F:
        """Encode a string."""

    def constant(self, text: str) -> F:
        """Encode a constant of an enum."""
        return self.text(text)

    @abstractmethod
    def binary(self, value: bytes) -> F:
        """Encode a `byte[]`."""

    @abstractmethod
    def array(self, class_name: str | None, parts: Sequence[F]) -> F:
        """Encode an array, with its class unless that is None."""

    @abstractmethod
    def object(self, class_name: str | None, members: Sequence[tuple[str | int, F]]) -> F:
        """Encode an object, with its class unless that is None."""

    @abstractmethod
    def tagged(self, class_name: str, piece: F) -> F:
        """Add the class to a piece that is not an object."""

    @abstractmethod
    def message(self, piece: F) -> bytes:
        """Return the whole message."""

    def bean(
        self, class_name: str | None, fields: Sequence[BeanField[F]], nulls: bool, depth_limit: int
    ) -> Write[F]:
        """Return the encoder of objects of one class, attribute by attribute."""
        read = values_of([each[1] for each in fields])
        plan = [(key, write, required) for key, _, write, required in fields]
        null = self.null

        def write_bean(value: Any, depth: int) -> F:
            if depth >= depth_limit:
                raise too_deep(depth_limit)
            depth += 1
            members: list[tuple[str | int, F]] = []
            for (key, write, required), each in zip(plan, read(value), strict=True):
                if each is not None:
                    members.append((key, write(each, depth)))
                elif required:
                    raise missing(key)
                elif nulls:
                    members.append((key, null))
            return self.object(class_name, members)

        return write_bean


def values_of(attributes: Sequence[str]) -> Callable[[Any], Sequence[Any]]:
    """Return a function that reads these attributes of an object at once."""
    if not attributes:
        return lambda _: ()
    if len(attributes) == 1:
        one = attrgetter(attributes[0])
        return lambda value: (one(value),)
    return attrgetter(*attributes)


def too_deep(limit: int) -> Rejection:
    """Return the rejection of a value that is nested too deep."""
    return Rejection(f"nested deeper than {limit}, or the object contains itself")


def missing(key: str) -> Rejection:
    """Return the rejection of None in a member that is primitive in Java."""
    return Rejection(f"the member {key!r} is None, but primitive in Java")
