"""`JValue`: the parts of a value whose JDK class has no Python type; see `values`."""

from __future__ import annotations

from typing import Any

__all__ = ["JValue"]


class JValue:
    """The parts of a value of a JDK class, in the order of the class's documentation."""

    __slots__ = ("class_name", "parts")

    def __init__(self, class_name: str, *parts: Any) -> None:
        self.class_name = class_name
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JValue):
            return NotImplemented
        return (self.class_name, self.parts) == (other.class_name, other.parts)

    def __hash__(self) -> int:
        return hash((self.class_name, self.parts))

    def __repr__(self) -> str:
        return f"JValue({', '.join(map(repr, (self.class_name, *self.parts)))})"
