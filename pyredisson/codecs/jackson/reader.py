"""Converts a tree to a Python value, by its class names and the schemas.

In an Object slot every value except String, Integer, Boolean and Double must carry its class, as
Java demands. In a declared slot the class is optional. Java writes containers without a class only
at the root (`int[]`, `List.of(...)`, records). For those the reader returns a value that encodes to
the same bytes: `JArray("int", ...)` or an immutable list or map. Unknown classes become
`JavaObject` and `JavaValue`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Any

from pyredisson.java.build import check_size, make_collection, make_map
from pyredisson.java.containers import JArray, JList, JMap
from pyredisson.java.jdk import CONTAINERS, Kind, element_class, is_final
from pyredisson.java.names import array_class, is_class_name
from pyredisson.java.numbers import double_to_string
from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.scalars import JFloat
from pyredisson.java.types import OBJECT, JavaType
from pyredisson.java.values import JEnumSet
from pyredisson.limits import DEFAULT_LIMITS, Limits
from pyredisson.rejection import Rejection, reject_class, reject_name, reject_value

from .declared import DeclaredReader
from .mismatch import TypingMismatch, missed, other_typing
from .model import Model, erased_array
from .other_jdk import EMPTY
from .parser import IonTimestamp, Members, Nothing, Real
from .scalars import READERS, double_of, integer_of
from .typing import arguments_of, is_natural, scalar_like

__all__ = ["TreeReader"]

_LIST = "java.util.ImmutableCollections$ListN"
_MAP = "java.util.ImmutableCollections$MapN"
# The classes as which Jackson reads these interfaces.
_INTERFACES = {
    "java.util.Collection": "java.util.ArrayList",
    "java.util.List": "java.util.ArrayList",
    "java.util.Set": "java.util.HashSet",
    "java.util.Map": "java.util.LinkedHashMap",
}
# Java reads some values of these at the root from a message that does not name the class.
_READABLE = {"java.lang.Long", "java.lang.Double", "[B"}
_ENUM_SET = re.compile(r"java\.util\.EnumSet<([\w.$]+)>")
_ENUM_MAP = re.compile(r"java\.util\.EnumMap<([\w.$]+),[\w.$<>,]+>")


class TreeReader(DeclaredReader):
    """Reads the messages of one codec.

    `generic`: unknown classes become `JavaObject` instead of a rejection. `natural`: the classes
    whose values the format has.
    """

    def __init__(
        self,
        model: Model,
        limits: Limits,
        generic: bool,
        natural: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(model, limits)
        self._readable = natural | _READABLE
        self._generic = generic
        self._named: set[type] = set()

    def root(self, tree: Any) -> Any:
        """Read a whole message."""
        if not self._typing:
            return self.any(tree, 0)
        found = self._loose(tree, 0)
        if type(found) not in self._named and type(tree) is not str:
            return self._named_root(tree, found)
        return found

    def _named_root(self, tree: Any, found: Any) -> Any:
        """Return a root whose class has not been met; keep a name where Java would write none."""
        name, rest = None, tree
        if isinstance(tree, (Members, dict)):
            name, rest = self.split(tree)
        elif type(tree) is list and len(tree) == 2 and type(tree[0]) is str:
            name, rest = (tree[0] if scalar_like(tree[0]) else None), tree[1]
        if name is None or isinstance(found, (JavaObject, JavaValue)) or is_natural(name, found):
            return found
        model, rules = self._model, self._model.rules
        class_name = model.class_of(found)
        if model.names(class_name) and not (isinstance(found, Enum) and self._unnamed(found)):
            if not isinstance(found, Enum) and not hasattr(found, "class_name"):
                self._named.add(type(found))  # others depend on the value
            return found
        schema = model.schema_of(type(found))
        if schema is not None and schema.kind != "enum":
            missed(found, f"named the class {name} at the root", other_typing(name, rules))
            return found
        if rules.strict and name not in self._readable:  # the writer rejects all such values
            return found
        if not self._generic:
            raise TypingMismatch(name, rules)
        scalar = name in self._scalars and name[0] != "["
        return JavaValue(name, found) if scalar else self._opaque(name, rest, 0)

    def _unnamed(self, found: Enum) -> bool:
        """Return whether the constant has a class of its own, which Java does not name."""
        return not self._model.rules.everything and self._model.has_body(found)

    def any(self, tree: Any, depth: int) -> Any:
        """Read a value that Java declares as Object."""
        if isinstance(tree, (Members, dict)):
            return self._members(tree, depth)
        if isinstance(tree, list):
            if not self._typing:
                return self._items(tree, self.any, depth)
            if len(tree) == 2 and type(tree[0]) is str:
                return self.tagged(tree[0], tree[1], OBJECT, depth)
            raise Rejection("an array that does not begin with its class")
        if type(tree) is Real and not self._typing:
            return _exact(tree, self._limits)
        return _natural(tree)

    def _members(self, tree: Any, depth: int) -> Any:
        if not self._typing:
            if isinstance(tree, Nothing):
                return JMap(OBJECT.name, {})
            return self._map("java.util.HashMap", tree, OBJECT, OBJECT, depth)
        name, rest = self.split(tree)
        if name is None:
            raise Rejection("an object without exactly one @class")
        return self.tagged(name, rest, OBJECT, depth)

    def tagged(self, name: str, tree: Any, declared: JavaType, depth: int) -> Any:
        """Read a value with the name of its class.

        Raises:
            Rejection: the value is not of that class, or the class is unknown and not `generic`.
        """
        name = _INTERFACES.get(name, name)
        schema = self._model.by_name.get(name)
        if schema is not None:
            if schema.abstract:
                raise Rejection(f"{name} is abstract in Java", name)
            return self.exact(name, declared)(_present(tree, name), depth)
        if name in self._scalars:
            if tree is None and name in EMPTY:
                return EMPTY[name]
            return self._scalars[name](_present(tree, name), self._limits)
        if name in CONTAINERS:
            return self.container(name, _present(tree, name), declared, depth)
        return self._rarer(name, tree, declared, depth)

    def _rarer(self, name: str, tree: Any, declared: JavaType, depth: int) -> Any:
        """Read arrays, enum sets and maps, and classes that are unknown."""
        component = erased_array(name)
        if component is not None and self._known(component.name):
            try:
                return self._array(component, _present(tree, name), depth)
            except TypingMismatch:
                if declared != OBJECT or not self._generic:
                    raise
                return self._opaque(name, tree, depth)
        enum_map = _ENUM_MAP.fullmatch(name)
        enum_set = _ENUM_SET.fullmatch(name)
        if enum_set is not None and enum_set[1] in self._model.by_name:
            element = self.slot(JavaType(enum_set[1]))
            many = len(self._model.by_name[enum_set[1]].constants) > 64
            values = self._items(_list(tree, name), element, depth)
            return JEnumSet(enum_set[1], values, jumbo=many)
        if enum_map is not None and enum_map[1] in self._model.by_name:
            content = declared.arguments[1] if len(declared.arguments) == 2 else OBJECT
            found = self._map(
                "java.util.LinkedHashMap", tree, JavaType(enum_map[1]), content, depth
            )
            return JMap("java.util.EnumMap", found)
        return self._opaque(name, tree, depth)

    def _known(self, name: str) -> bool:
        return name in self._model.by_name or is_final(name) is not None

    def container(self, name: str, tree: Any, declared: JavaType, depth: int) -> Any:
        """Read a collection or map of the JDK; the declared arguments type its elements."""
        arguments = arguments_of(name, declared)
        if CONTAINERS[name].kind is Kind.MAP:
            key, value = arguments if len(arguments) == 2 else (OBJECT, OBJECT)
            return self._map(name, tree, key, value, depth)
        element = self.slot(arguments[0] if len(arguments) == 1 else OBJECT)
        values = self._items(_list(tree, name), element, depth)
        check_size(values, name)
        return make_collection(name, values)

    def _map(self, name: str, tree: Any, key: JavaType, value: JavaType, depth: int) -> Any:
        if not isinstance(tree, (Members, dict)):
            raise reject_value(tree, f"a {name}")
        depth = self.deeper(depth)
        read, read_key = self.slot(value), self.key(key)
        pairs = tree.items() if isinstance(tree, dict) else tree
        entries = [(read_key(each), read(content, depth)) for each, content in pairs]
        check_size(entries, name)
        return make_map(name, entries)

    def _array(self, component: JavaType, tree: Any, depth: int) -> Any:
        shown = component.name + "[]" * component.dimensions
        if component.primitive and component.name == "byte":
            return READERS["[B"](tree, self._limits)
        if component.primitive and component.name == "char":
            return READERS["[C"](tree, self._limits)
        items = _list(tree, array_class(shown))
        if component.primitive and any(each is None for each in items):
            raise reject_value(None, f"an element of a {shown}[]")
        return JArray(shown, self._items(items, self._element(component, shown), depth))

    def _element(self, component: JavaType, shown: str) -> Callable[[Any, int], Any]:
        if not component.dimensions:
            return self.slot(component)
        inner = component.component
        typed = self._typing and not self._model.final(inner.name)
        own = array_class(shown[:-2])

        def read(tree: Any, depth: int) -> Any:
            if tree is None:
                return None
            if self._wrapped(tree, own):
                if not self._model.typed(component):
                    self._unexpected(own)
                tree = tree[1]
            elif typed:
                return self._other_array(component, tree, depth)
            return self._array(inner, tree, depth)

        return read

    def array(self, declared: JavaType, tree: Any, depth: int) -> Any:
        """Read a value that Java declares as this array type, with its class or without."""
        component = declared.component
        # With class names, Java's writer does not know the type arguments; its reader always does.
        if self._typing and not self._model.final(component.name):
            component = JavaType(component.name, (), component.dimensions)
        shown = component.name + "[]" * component.dimensions
        if isinstance(tree, list) and len(tree) == 2 and type(tree[0]) is str:
            if tree[0] == array_class(shown):
                if not self._model.typed(declared):
                    self._unexpected(tree[0])
                tree = _present(tree[1], tree[0])
            elif erased_array(tree[0]) is not None:
                return self._other_array(declared, tree, depth)
        found = self._array(component, tree, depth)
        return list(found) if isinstance(found, JArray) else found

    def _other_array(self, declared: JavaType, tree: Any, depth: int) -> Any:
        """Read an array of another class than the declared one: a `String[]` is an `Object[]`."""
        if not isinstance(tree, list) or len(tree) != 2 or type(tree[0]) is not str:
            raise Rejection(f"an element of a {declared}[] that does not begin with its class")
        if not self._model.accepts(declared, tree[0]):
            raise Rejection(f"a {tree[0]} is not a {declared}")
        return self.tagged(tree[0], tree[1], declared, depth)

    @staticmethod
    def _wrapped(tree: Any, name: str) -> bool:
        return isinstance(tree, list) and len(tree) == 2 and tree[0] == name

    def _opaque(self, name: str, tree: Any, depth: int) -> Any:
        component = erased_array(name)
        plain = name if component is None else element_class(component.name)
        if not is_class_name(name) and not re.fullmatch(
            r"[\w.$]{1,500}<[\w.$<>,\[\]]{1,500}>", name
        ):
            raise reject_name(name)
        if not self._generic:
            raise reject_class(plain)
        if isinstance(tree, (Members, dict)) and self.split(tree)[0] is None:
            return JavaObject(name, self._plain_members(tree, depth))
        return JavaValue(name, self._plain(tree, depth))

    def _plain_members(self, tree: Any, depth: int) -> dict[str, Any]:
        depth = self.deeper(depth)
        pairs = tree.items() if isinstance(tree, dict) else tree
        return {key: self._plain(value, depth) for key, value in pairs}

    def _plain(self, tree: Any, depth: int) -> Any:
        """Read a value inside an unknown class, as it is in the message."""
        if isinstance(tree, (Members, dict)):
            name, rest = self.split(tree)
            members = self._plain_members(rest, depth)
            return members if name is None else JavaObject(name, members)
        if isinstance(tree, list):
            depth = self.deeper(depth)
            if self._typing and len(tree) == 2 and type(tree[0]) is str and scalar_like(tree[0]):
                return JavaValue(tree[0], self._plain(tree[1], depth))
            return [self._plain(each, depth) for each in tree]
        if type(tree) is Real:
            return _exact(tree, self._limits)
        return integer_of(tree) if type(tree) is int else tree

    def _loose(self, tree: Any, depth: int) -> Any:
        """Read at the root, or inside an array without a class."""
        if isinstance(tree, (Members, dict)) and self.split(tree)[0] is None:
            return self._map(_MAP, tree, OBJECT, OBJECT, depth)
        if type(tree) is not list:
            return self.any(tree, depth)
        if len(tree) == 2 and type(tree[0]) is str and scalar_like(tree[0]):
            return self.any(tree, depth)
        return _untyped(self._items(tree, self._row, depth), self._model)

    def _row(self, tree: Any, depth: int) -> Any:
        """Read an element of an array without a class; only rows of scalars have no class."""
        found = self._loose(tree, depth)
        if type(found) in {JList, JMap} and found.class_name in {_LIST, _MAP}:
            named = isinstance(tree, list) and tree[:1] == [found.class_name]
            if not named and not (isinstance(tree, (Members, dict)) and self.split(tree)[0]):
                raise Rejection(
                    "an array of a final class at the root: Java writes no class there, and "
                    "cannot read it either; use the typed codec with the class of the values"
                )
        return found


def _present(tree: Any, name: str) -> Any:
    if tree is None:
        raise reject_value(tree, f"a {name}")
    return tree


def _list(tree: Any, class_name: str) -> list[Any]:
    if type(tree) is not list:
        raise reject_value(tree, f"a {class_name}")
    return tree


def _natural(tree: Any) -> Any:
    if type(tree) is int:
        return integer_of(tree)
    if type(tree) is IonTimestamp:
        return READERS["java.util.Date"](str(tree), DEFAULT_LIMITS)
    return double_of(tree) if type(tree) is Real else tree


def _exact(tree: Real, limits: Limits) -> Any:
    """Return a number as the type that encodes to this text again, or a double's other text."""
    number = float(tree)
    text = double_to_string(number)
    if text == tree:
        return number
    decimal = READERS["java.math.BigDecimal"](tree, limits)
    return number if text in {str(decimal), f"{decimal:f}"} else decimal


_UNTYPED: dict[type, tuple[str, str]] = {
    int: ("int", "java.lang.Integer"),
    float: ("double", "java.lang.Double"),
    bool: ("boolean", "java.lang.Boolean"),
    str: ("java.lang.String", "java.lang.String"),
    JFloat: ("float", "java.lang.Float"),
    bytes: ("byte[]", "byte[]"),
}


def _untyped(values: list[Any], model: Model) -> Any:
    """Return the array or immutable list that Java writes like this without its class."""
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
    if kind is JFloat:  # like the elements of every float[]
        values = [None if each is None else float(each) for each in values]
    if any(model.class_of(each) == "java.lang.Long" for each in present):
        component = "long" if component == "int" else ""
    return JArray(component, values) if component else JList(_LIST, values)
