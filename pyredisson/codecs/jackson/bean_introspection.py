"""Bean introspection: reads the attributes and methods of a Python object for the writer.

A Java getter without a field is an attribute, a property or a method without arguments in Python. A
missing one raises a `Rejection`, never an `AttributeError`. If a message had members that Python
could not keep, the object is marked, and the writer rejects it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from pyredisson.rejection import Rejection

from .format import BeanField, Write
from .mismatch import TypingMismatch, missed, other_typing, require_kept
from .model import Property
from .rules import Rules

F = TypeVar("F")
Mark = tuple[str, str] | None

__all__ = ["comparing", "computed_keys", "reading"]


def _called(value: Any, name: str) -> Any:
    """Return an attribute's value, or the result of the method that it is."""
    found = getattr(value, name)
    return found() if callable(found) else found


def comparing(
    known: set[str], computed: list[tuple[str, str, Callable[[Any, int], Any]]], rules: Rules
) -> Callable[[Any, dict[str, Any], int, Mark], None]:
    """Return a function that marks an object if Python cannot keep all of its message.

    Its last argument is the mark of a class name, if there is one.
    """

    def compare(made: Any, tree: dict[str, Any], depth: int, mark: Mark = None) -> None:
        for key, value in tree.items():
            if key not in known:
                advice = other_typing(value, rules) if key == "@class" else ""
                missed(made, f"had {key!r}", advice)
        for key, attribute, read in computed:
            try:
                if key in tree and _called(made, attribute) != read(tree[key], depth):
                    missed(made, f"had another {key!r} than Python's {attribute} returns")
            except TypingMismatch as error:
                mark = error.mark(repr(key))
        if mark is not None:
            missed(made, *mark)

    return compare


def computed_keys(cls: type, properties: list[Property], fields: Mapping[str, Any]) -> set[str]:
    """Return the keys of Java's getters whose value Python cannot keep."""
    stored = {each.attribute for each in properties if not each.method}
    return {
        each.key
        for each in properties
        if each.method
        and (
            each.attribute in stored
            or (each.attribute not in fields and hasattr(cls, each.attribute))
        )
    }


def reading(
    write: Write[F], fields: Sequence[BeanField[F]], methods: set[str], name: str
) -> Write[F]:
    """Wrap a writer: reject a missing attribute, name the field in rejections, and call methods."""

    def checked(value: Any, depth: int) -> F:
        require_kept(value, name)
        try:
            return write(value, depth)
        except AttributeError as error:
            raise Rejection(
                f"a {name} lacks the attribute {error.name!r}, which Java's JSON has"
            ) from None
        except Rejection as error:
            if error.place is None:
                error.place = _place(value, depth, fields, name)
            raise

    return checked if not methods else _calling(checked, methods)


def _place(value: Any, depth: int, fields: Sequence[BeanField[F]], name: str) -> str:
    """Return the field that cannot be written, by writing them one by one."""
    for key, attribute, write, _ in fields:
        part = getattr(value, attribute)
        try:
            if part is not None:
                write(part, depth + 1)
        except Rejection:
            return f"{name}.{key}"
    return name


def _calling(write: Write[F], methods: set[str]) -> Write[F]:
    def view(value: Any, depth: int) -> F:
        return write(_View(value, methods), depth)

    return view


class _View:
    """A view of an object whose methods look like attributes."""

    __slots__ = ("_methods", "_value")

    def __init__(self, value: Any, methods: set[str]) -> None:
        self._value = value
        self._methods = methods

    def __getattr__(self, name: str) -> Any:
        return _called(self._value, name) if name in self._methods else getattr(self._value, name)
