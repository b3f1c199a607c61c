"""Collections, maps and arrays of a named Java class.

`JList("java.util.LinkedList", [...])` is a `list`, `JSet` a `set`, `JMap` a `dict`; `JArray("int",
[...])` is a `list` too. Copies and slices of them are plain. A `JSet` stores the order in which
Java wrote its elements. `JEntries` is for keys that a `dict` cannot hold: those that Python cannot
hash or treats as equal (`1` and `1L`). `comparator` is the Java object that orders a sorted class;
None is the natural order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from reprlib import recursive_repr
from typing import Any, TypeVar

from .hashing import java_order
from .names import array_class

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

__all__ = ["JArray", "JEntries", "JList", "JMap", "JSet"]


class JArray(list[T]):
    """A Java array, except `byte[]`, which is plain `bytes` in Python.

    Args:
        component: the type of its elements as in Java source: `int`, `java.lang.String`, `int[]`.
        values: the elements. Those of a primitive or wrapper type are plain values.

    Raises:
        ValueError: the component is not the name of a type.
    """

    __slots__ = ("class_name", "component")

    def __init__(self, component: str, values: Iterable[T] = ()) -> None:
        super().__init__(values)
        self.component = component
        self.class_name = array_class(component)

    @recursive_repr()
    def __repr__(self) -> str:
        return f"JArray({self.component!r}, {list(self)!r})"


class JList(list[T]):
    """A Java collection of another class than `ArrayList`."""

    __slots__ = ("class_name", "comparator")

    def __init__(self, class_name: str, values: Iterable[T] = (), comparator: Any = None) -> None:
        super().__init__(values)
        self.class_name = class_name
        self.comparator = comparator

    @recursive_repr()
    def __repr__(self) -> str:
        return f"JList({self.class_name!r}, {list(self)!r}{_comparator(self.comparator)})"


class JMap(dict[K, V]):
    """A Java map of another class than `HashMap`."""

    __slots__ = ("class_name", "comparator")

    def __init__(
        self,
        class_name: str,
        entries: Mapping[K, V] | Iterable[tuple[K, V]] = (),
        comparator: Any = None,
    ) -> None:
        super().__init__(entries)
        self.class_name = class_name
        self.comparator = comparator

    @recursive_repr()
    def __repr__(self) -> str:
        return f"JMap({self.class_name!r}, {dict(self)!r}{_comparator(self.comparator)})"


class JEntries(list[tuple[K, V]]):
    """A Java map as a list of pairs, for keys that Python cannot distinguish or hash."""

    __slots__ = ("class_name", "comparator")

    def __init__(
        self, class_name: str, entries: Iterable[tuple[K, V]] = (), comparator: Any = None
    ) -> None:
        super().__init__(entries)
        self.class_name = class_name
        self.comparator = comparator

    @recursive_repr()
    def __repr__(self) -> str:
        return f"JEntries({self.class_name!r}, {list(self)!r}{_comparator(self.comparator)})"


class JSet(set[T]):
    """A Java set with its class and the order of its elements.

    Iteration is in the order of `values`; elements that are added later follow, in the order of a
    Java `HashSet`.
    """

    __slots__ = ("_order", "class_name", "comparator")

    def __init__(self, class_name: str, values: Iterable[T] = (), comparator: Any = None) -> None:
        order = tuple(values)
        super().__init__(order)
        self.class_name = class_name
        self.comparator = comparator
        self._order = order

    def __iter__(self) -> Iterator[T]:
        present = {id(each): each for each in super().__iter__()}
        kept = [present.pop(id(each)) for each in self._order if id(each) in present]
        return iter(kept + java_order(present.values()) if present else kept)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.class_name, list(self), self.comparator)

    @recursive_repr()
    def __repr__(self) -> str:
        return f"JSet({self.class_name!r}, {list(self)!r}{_comparator(self.comparator)})"


def _comparator(comparator: Any) -> str:
    return "" if comparator is None else f", {comparator!r}"
