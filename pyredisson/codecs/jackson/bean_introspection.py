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
from .model import Property

F = TypeVar("F")

__all__ = ["comparing", "computed_keys", "reading"]

_MISSED = "__java_missed__"


def _missed(made: Any, what: str) -> None:
    """Mark an object that cannot be written as it was read.

    Raises:
        Rejection: the object cannot be marked.
    """
    try:
        object.__setattr__(made, _MISSED, what)
    except AttributeError:
        raise Rejection(f"the message {what}, which its schema does not have") from None


def _called(value: Any, name: str) -> Any:
    """Return an attribute's value, or the result of the method that it is."""
    found = getattr(value, name)
    return found() if callable(found) else found


def comparing(
    known: set[str], computed: list[tuple[str, str, Callable[[Any, int], Any]]]
) -> Callable[[Any, dict[str, Any], int], None]:
    """Return a function that marks an object if Python cannot keep all of its message."""

    def compare(made: Any, tree: dict[str, Any], depth: int) -> None:
        for key in tree:
            if key not in known:
                _missed(made, f"had {key!r}")
        for key, attribute, read in computed:
            if key in tree and _called(made, attribute) != read(tree[key], depth):
                _missed(made, f"had another {key!r} than Python's {attribute} returns")

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
        what = getattr(value, _MISSED, None)
        if what is not None:
            raise Rejection(
                f"a {name} whose message {what}: writing it would lose that; "
                "renew its schema, or write a new object"
            )
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
