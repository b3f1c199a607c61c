"""A tree of JSON as a Python value, by the class names in it.

The rule: in an Object slot everything but String, Integer, Boolean and Double
carries its class, as Java demands. Only at the root does Java write containers
without one (`int[]`, `List.of(...)`, records); those are read as what encodes to the
same bytes again, `JArray("int", ...)` or an immutable list or map.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.codecs.java.build import check_size, make_collection, make_map
from pyredisson.codecs.java.classes import class_of
from pyredisson.codecs.java.containers import JArray, JList
from pyredisson.codecs.java.jdk import CONTAINERS, PLAIN, Kind, accepts, element_class, is_final
from pyredisson.codecs.java.names import component_of, is_class_name, jvm_name
from pyredisson.codecs.limits import Limits
from pyredisson.codecs.refusal import Refusal, refuse_value

from .parser import Members, Real
from .scalars import READERS, double_of, integer_of
from .typing import declared_typed, scalar_like

__all__ = ["TreeReader"]

_LIST = "java.util.ImmutableCollections$ListN"
_MAP = "java.util.ImmutableCollections$MapN"
# Jackson reads these interfaces as the classes beside them.
_INTERFACES = {
    "java.util.Collection": "java.util.ArrayList",
    "java.util.List": "java.util.ArrayList",
    "java.util.Set": "java.util.HashSet",
    "java.util.Map": "java.util.LinkedHashMap",
}
_BOXES = {
    "boolean": "java.lang.Boolean",
    "short": "java.lang.Short",
    "int": "java.lang.Integer",
    "long": "java.lang.Long",
    "float": "java.lang.Float",
    "double": "java.lang.Double",
}


class TreeReader:
    """Reads the tree of one message; `typing` says whether class names stand in it."""

    __slots__ = ("_depth", "_limits", "_typing")

    def __init__(self, typing: bool, limits: Limits) -> None:
        self._typing = typing
        self._limits = limits
        self._depth = 0

    def root(self, tree: Any) -> Any:
        """Read the whole message."""
        return self._loose(tree) if self._typing else self._slot(tree)

    def bare(self, class_name: str, tree: Any) -> Any:
        """Read a value of a class that is known beforehand; None is null."""
        if tree is None:
            return None
        reader = READERS.get(class_name)
        if reader is not None:
            return reader(tree, self._limits)
        container = CONTAINERS.get(class_name)
        if container is None:
            return self._array(class_name, tree)
        if container.kind is Kind.MAP:
            if not isinstance(tree, Members):
                raise refuse_value(tree, f"a {class_name}")
            return self._map(class_name, tree)
        values = self._many(_list(tree, class_name), self._slot)
        check_size(values, class_name)
        return make_collection(class_name, values)

    def _slot(self, tree: Any) -> Any:
        """Read where Java has declared Object."""
        if isinstance(tree, Members):
            return self._members(tree)
        if isinstance(tree, list):
            if not self._typing:
                return self._many(tree, self._slot)
            if len(tree) == 2 and type(tree[0]) is str:
                return self._tagged(tree[0], tree[1])
            raise Refusal("an array that does not begin with its class")
        return _natural(tree)

    def _members(self, tree: Members) -> Any:
        if not self._typing:
            return self._map("java.util.HashMap", tree)
        names = [value for key, value in tree if key == "@class"]
        if len(names) != 1 or type(names[0]) is not str:
            raise Refusal("an object without one @class")
        return self._tagged(names[0], Members(each for each in tree if each[0] != "@class"))

    def _tagged(self, class_name: str, tree: Any) -> Any:
        class_name = _INTERFACES.get(class_name, class_name)
        if class_name not in READERS and class_name not in CONTAINERS:
            component = component_of(class_name)
            if component is None or is_final(component) is None:
                raise _unknown(class_name if component is None else element_class(component))
        if tree is None:
            raise refuse_value(tree, f"a {class_name}")
        return self.bare(class_name, tree)

    def _map(self, class_name: str, tree: Members) -> Any:
        self._descend()
        entries = [(key, self._slot(value)) for key, value in tree]
        self._depth -= 1
        check_size(entries, class_name)
        return make_map(class_name, entries)

    def _many(self, trees: list[Any], read: Callable[[Any], Any]) -> list[Any]:
        self._descend()
        values = [read(each) for each in trees]
        self._depth -= 1
        return values

    def _array(self, class_name: str, tree: Any) -> Any:
        component = component_of(class_name) or ""
        read = self._element(component)
        return JArray(component, self._many(_list(tree, class_name), read))

    def _element(self, component: str) -> Callable[[Any], Any]:
        """Return what reads one element of an array."""
        plain: Callable[[Any], Any] = PLAIN.get(_BOXES.get(component, component), _same)
        if component in _BOXES:
            box = _BOXES[component]
            return lambda tree: plain(self.bare(box, _present(tree, component)))
        if declared_typed(component):
            return lambda tree: None if tree is None else plain(self._declared(component, tree))
        name = jvm_name(component)
        return lambda tree: None if tree is None else plain(self.bare(name, tree))

    def _declared(self, component: str, tree: Any) -> Any:
        if component == "java.util.UUID" and type(tree) is str:  # as before 4.2.0
            return self.bare(component, tree)
        value = self._slot(tree)
        class_name = class_of(value)
        if class_name != component and not accepts(component, class_name):
            raise Refusal(f"a {class_name} is no element of a {component}[]")
        return value

    def _loose(self, tree: Any) -> Any:
        """Read at the root, or inside an array without a class."""
        if isinstance(tree, Members) and all(key != "@class" for key, _ in tree):
            return self._map(_MAP, tree)
        if type(tree) is not list:
            return self._slot(tree)
        if len(tree) == 2 and type(tree[0]) is str and scalar_like(tree[0]):
            return self._slot(tree)
        return _untyped(self._many(tree, self._loose))

    def _descend(self) -> None:
        self._depth += 1
        if self._depth > self._limits.max_depth:
            raise Refusal(f"nested deeper than {self._limits.max_depth}")


def _same(value: Any) -> Any:
    return value


def _present(tree: Any, component: str) -> Any:
    if tree is None:
        raise refuse_value(tree, f"an element of a {component}[]")
    return tree


def _list(tree: Any, class_name: str) -> list[Any]:
    if type(tree) is not list:
        raise refuse_value(tree, f"a {class_name}")
    return tree


def _natural(tree: Any) -> Any:
    if type(tree) is int:
        return integer_of(tree)
    return double_of(tree) if type(tree) is Real else tree


def _unknown(class_name: str) -> Refusal:
    if not is_class_name(class_name):
        return Refusal(f"{class_name[:60]!r} is no class name")
    return Refusal(
        f"the Java class {class_name} is not known here; register a schema for it, "
        "or let Java send a String, number, list or map",
        class_name,
    )


_UNTYPED: dict[type, tuple[str, str]] = {
    int: ("int", "java.lang.Integer"),
    float: ("double", "java.lang.Double"),
    bool: ("boolean", "java.lang.Boolean"),
    str: ("java.lang.String", "java.lang.String"),
}


def _untyped(values: list[Any]) -> Any:
    """Guess the array or the immutable list that Java writes without its class."""
    present = [each for each in values if each is not None]
    if values and not present:
        return JList(_LIST, values)
    kinds = {type(each) for each in present}
    if kinds == {JArray}:
        components = {each.component for each in present if each} or {"int"}
        if len(components) > 1:
            return JList(_LIST, values)
        component = components.pop()
        arrays: list[Any] = [each if each is None or each else JArray(component) for each in values]
        return JArray(f"{component}[]", arrays)
    kind = kinds.pop() if len(kinds) == 1 else None if kinds else int
    if kind not in _UNTYPED:
        return JList(_LIST, values)
    component = _UNTYPED[kind][len(present) < len(values)]
    if any(class_of(each) == "java.lang.Long" for each in present):
        component = "long" if component == "int" else ""
    return JArray(component, values) if component else JList(_LIST, values)
