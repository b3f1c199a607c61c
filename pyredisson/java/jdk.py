"""The table of the JDK's containers and wrappers: their kind, and whether they are final.

Codecs read and write only classes that such tables or schemas contain; any other name in a message
causes a `DecodeError`. "Final" is as in JDK 17.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .names import PRIMITIVES, component_of

__all__ = [
    "BOXES",
    "CONTAINERS",
    "PLAIN",
    "Container",
    "Kind",
    "accepts",
    "element_class",
    "is_final",
]


class Kind(Enum):
    """The kind of a container: its Java interface, and its form in Python."""

    LIST = "java.util.List"
    QUEUE = "java.util.Queue"
    SET = "java.util.Set"
    MAP = "java.util.Map"


@dataclass(frozen=True, slots=True)
class Container:
    """A collection or map class of the JDK.

    Attributes:
        kind: its interface.
        size: the number of elements if the class fixes it, as in `singletonList`, or None.
        final: whether the class is final, as the immutable collections are.
        comparator: whether Kryo writes a comparator after the length.
        nulls: whether it permits nulls as elements, keys and values.
    """

    kind: Kind
    size: int | None = None
    final: bool = False
    comparator: bool = False
    nulls: bool = True


def _many(kind: Kind, names: str, *, nulls: bool = True) -> dict[str, Container]:
    return {f"java.util.{name}": Container(kind, nulls=nulls) for name in names.split()}


def _immutable(kind: Kind, names: str) -> dict[str, Container]:
    prefix = "java.util.ImmutableCollections$"
    return {prefix + name: Container(kind, final=True, nulls=False) for name in names.split()}


CONTAINERS: dict[str, Container] = {
    **_many(
        Kind.LIST,
        "ArrayList LinkedList Vector Stack Arrays$ArrayList concurrent.CopyOnWriteArrayList",
    ),
    **_many(
        Kind.QUEUE,
        "ArrayDeque concurrent.LinkedBlockingQueue concurrent.LinkedBlockingDeque "
        "concurrent.ConcurrentLinkedQueue concurrent.ConcurrentLinkedDeque",
        nulls=False,
    ),
    **_many(Kind.SET, "HashSet LinkedHashSet concurrent.CopyOnWriteArraySet"),
    **_many(Kind.SET, "concurrent.ConcurrentSkipListSet", nulls=False),
    **_many(Kind.MAP, "HashMap LinkedHashMap WeakHashMap IdentityHashMap"),
    **_many(Kind.MAP, "Hashtable Properties concurrent.ConcurrentHashMap", nulls=False),
    **_immutable(Kind.LIST, "List12 ListN"),
    **_immutable(Kind.SET, "Set12 SetN"),
    **_immutable(Kind.MAP, "Map1 MapN"),
    "java.util.PriorityQueue": Container(Kind.QUEUE, comparator=True, nulls=False),
    "java.util.TreeSet": Container(Kind.SET, comparator=True, nulls=False),
    "java.util.TreeMap": Container(Kind.MAP, comparator=True),
    "java.util.concurrent.ConcurrentSkipListMap": Container(Kind.MAP, comparator=True, nulls=False),
    "java.util.Collections$EmptyList": Container(Kind.LIST, size=0),
    "java.util.Collections$EmptySet": Container(Kind.SET, size=0),
    "java.util.Collections$EmptyMap": Container(Kind.MAP, size=0),
    "java.util.Collections$SingletonList": Container(Kind.LIST, size=1),
    "java.util.Collections$SingletonSet": Container(Kind.SET, size=1),
    "java.util.Collections$SingletonMap": Container(Kind.MAP, size=1),
}

# The wrapper of each primitive.
BOXES = {
    **{name: f"java.lang.{name.capitalize()}" for name in PRIMITIVES},
    "int": "java.lang.Integer",
    "char": "java.lang.Character",
}

# The Python types of boxed elements of arrays; the array has their class.
PLAIN: dict[str, type] = {
    "java.lang.Byte": int,
    "java.lang.Short": int,
    "java.lang.Long": int,
    "java.lang.Float": float,
    "java.lang.Character": str,
}

_FINAL = {
    "java.lang.String",
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Short",
    "java.lang.Character",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Float",
    "java.lang.Double",
    "java.util.UUID",
    *PRIMITIVES,
}
_OPEN_NUMBERS = {"java.math.BigInteger", "java.math.BigDecimal"}
_NUMBERS = {
    *_OPEN_NUMBERS,
    *(f"java.lang.{name}" for name in ["Byte", "Short", "Integer", "Long", "Float", "Double"]),
}
_COLLECTIONS = {name for name, each in CONTAINERS.items() if each.kind is not Kind.MAP}
_ANY = {"java.lang.Object", "java.io.Serializable"}

# The declared type of an array's component -> the classes that its elements may have.
_SUBTYPES: dict[str, set[str]] = {
    "java.lang.Number": _NUMBERS,
    "java.lang.CharSequence": {"java.lang.String"},
    "java.lang.Comparable": {*_NUMBERS, *_FINAL, "java.util.Date"},
    "java.lang.Iterable": _COLLECTIONS,
    "java.util.Collection": _COLLECTIONS,
    **{
        kind.value: {name for name, each in CONTAINERS.items() if each.kind is kind}
        for kind in Kind
    },
    **{name: {name} for name in (*_OPEN_NUMBERS, "java.util.Date")},
    **{name: {name} for name, each in CONTAINERS.items() if not each.final},
}
_SUBTYPES["java.util.Queue"].add("java.util.LinkedList")


def element_class(component: str) -> str:
    """Strip all dimensions: `int[][]` to `int`."""
    return component.rstrip("[]")


def is_final(component: str) -> bool | None:
    """Return whether a class, or an array's innermost component, is final; None if unknown.

    Names are in Java source form, as for `JArray`.
    """
    name = element_class(component)
    if name in _FINAL:
        return True
    if name in CONTAINERS:
        return CONTAINERS[name].final
    return False if name in _SUBTYPES or name in _ANY else None


def accepts(component: str, class_name: str) -> bool:
    """Return whether an element of this class fits an array with a non-final component.

    The elements of an array of arrays must be of exactly the declared class: Java
    writes others as bytes that it cannot read back.
    """
    if component in _ANY:
        return True
    if component.endswith("[]"):
        return component_of(class_name) == component[:-2]
    return class_name in _SUBTYPES.get(component, ())
