"""Writers of arrays: with or without their class, and of other arrays than the declared one.

A plain `list` is written as the declared array, a `JArray` as the array that it names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pyredisson.java.checks import check_char
from pyredisson.java.containers import JArray
from pyredisson.java.objects import JavaValue
from pyredisson.java.types import JavaType
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .elements import array_name, bytes_in, listed
from .format import Format, Write, too_deep
from .model import Model, erased_array
from .passthrough import passthrough

F = TypeVar("F")

__all__ = ["Arrays"]


class Arrays(Generic[F]):
    """The arrays of one writer; `slot` and `runtime` make the writers of their elements."""

    def __init__(
        self,
        fmt: Format[F],
        model: Model,
        limits: Limits,
        slot: Callable[[JavaType], Write[F]],
        runtime: Callable[[str, JavaType, bool], Write[F]],
    ) -> None:
        self._format = fmt
        self._model = model
        self._limits = limits
        self._slot = slot
        self._runtime = runtime
        self._raw = passthrough("", fmt, model, limits)

    def member(self, declared: JavaType) -> Write[F]:
        """Return the writer of a member's value, for which Java uses the declared array."""
        if declared.dimensions and self._model.typed(declared):
            return self.declared(declared, member=True)
        return self._slot(declared)

    def declared(self, declared: JavaType, *, member: bool = False) -> Write[F]:
        """Return the writer of values declared as this array."""
        component = declared.component
        tagged = self._model.typed(declared)
        own = array_name(component)
        null, class_of = self._format.null, self._model.class_of
        typed = self.array(component, str(component), own if tagged else None)
        others: dict[str, Write[F]] = {}

        def write(value: Any, depth: int) -> F:
            if value is None:
                return null
            name = own if type(value) is list else class_of(value)
            if name == own:
                return typed(value, depth)
            found = others.get(name)
            if found is None:
                if not self._model.accepts(declared, name):
                    raise Rejection(f"a {name} is not a {declared}")
                other = erased_array(name) if member else None
                if other is None:
                    found = self._runtime(name, declared, tagged)
                else:
                    found = self._member_array(component, other, name)
                others[name] = found
            return found(value, depth)

        return write

    def _member_array(self, declared: JavaType, component: JavaType, name: str) -> Write[F]:
        """Return the writer of an array that is not the one that a member declares.

        Jackson writes its elements like those of the declared array, which name their class.
        """
        write, model = self.array(declared, str(declared), name), self._model

        def checked(value: Any, depth: int) -> F:
            rows = listed(value, str(component))
            if component.dimensions:
                row = str(component.component)
                rows = [JArray(row, each) if type(each) is list else each for each in rows]
            for each in rows:
                if each is not None and not model.accepts(component, model.class_of(each)):
                    raise reject_value(each, f"an element of a {component}[]")
            return write(JArray(str(component), rows), depth)

        return checked

    def array(self, component: JavaType, shown: str, tag: str | None) -> Write[F]:
        """Return the writer of an array, with its class unless that is None."""
        fmt, limit = self._format, self._limits.max_depth
        if component.primitive and component.name in {"byte", "char"}:
            packed = self._bytes if component.name == "byte" else self._chars
            return packed if tag is None else self._tag(tag, packed)
        if self._model.final(component.name):
            element = self._slot(component)
        else:
            element = self._slot(JavaType(component.name, (), component.dimensions))

        def write(value: Any, depth: int) -> F:
            if depth >= limit:
                raise too_deep(limit)
            try:
                values = listed(value, shown)
            except Rejection:
                if isinstance(value, JavaValue):  # as it was read, with its class
                    return self._raw(value, depth)
                raise
            return fmt.array(tag, [element(each, depth + 1) for each in values])

        return write

    def _bytes(self, value: Any, _: int) -> F:
        return self._format.binary(bytes_in(value))

    def _chars(self, value: Any, _: int) -> F:
        return self._format.text("".join(map(check_char, listed(value, "char"))))

    def _tag(self, name: str, write: Write[F]) -> Write[F]:
        tagged = self._format.tagged
        return lambda value, depth: tagged(name, write(value, depth))
