"""Converts an object of Java serialization to the Python value that it stands for.

Each JDK class writes its own fields and data; `BUILDERS` has a function for each class name. Any
other class becomes the schema class of its name, or a `JavaObject`. Sources: the `writeObject`
methods of the classes in OpenJDK 8 to 17. A builder rejects data in a form that the class does not
write, and never guesses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pyredisson.java.build import make_collection, make_map
from pyredisson.java.comparators import FIELDLESS, REVERSE_OF, check_comparator
from pyredisson.java.containers import JArray, JEntries, JList, JMap, JSet
from pyredisson.java.hashing import table_size
from pyredisson.java.jdk import CONTAINERS, Kind
from pyredisson.java.objects import JavaValue
from pyredisson.java.values import JEnumMap, JValue
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

from .jdk_values import VALUES, Builder, expect
from .preserved_metadata import (
    PreservedEntries,
    PreservedEnumSet,
    PreservedList,
    PreservedMap,
    PreservedSet,
    old_table,
)
from .stream_model import StreamObject
from .wrapped import wrap

__all__ = ["BUILDERS", "COPIES", "entries_pairs"]


def entries_pairs(items: list[Any]) -> list[tuple[Any, Any]]:
    """Pair keys with the values that follow them."""
    if len(items) % 2:
        raise Rejection("a key without a value")
    return list(zip(items[::2], items[1::2], strict=True))


def _as_list(name: str, items: list[Any]) -> Any:
    return make_collection(name, items) if name in CONTAINERS else JList(name, items)


def _array_list(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    level.numbers("i")
    return _as_list(raw.class_name, level.counted(level.field("size")))


def _counted(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    (count,) = level.numbers("i")
    return _as_list(raw.class_name, level.counted(count))


def _vector(raw: StreamObject, _: Limits) -> Any:
    level = raw.level("java.util.Vector")
    items = expect(level.field("elementData"), JArray, "an array")
    count = level.field("elementCount")
    if not 0 <= count <= len(items):
        raise Rejection("a Vector of another size than its elementCount")
    found = PreservedList(raw.class_name, list(items[:count]))
    if any(each is not None for each in items[count:]):
        raise Rejection("a Vector with elements beyond its elementCount")
    if level.field("capacityIncrement"):
        raise Rejection("a Vector with a capacityIncrement")
    found.room = len(items)
    return found


def _arrays_list(raw: StreamObject, _: Limits) -> Any:
    array = expect(raw.field("a"), JArray, "an array")
    found = PreservedList(raw.class_name, list(array))
    found.array = array
    return found


def _deque(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    (count,) = level.numbers("i")
    return make_collection(raw.class_name, level.counted(count))


def _until_null(raw: StreamObject, _: Limits) -> Any:
    items = raw.level().rest()
    if not items or items.pop() is not None:
        raise Rejection(f"a {raw.class_name} without its end mark")
    return make_collection(raw.class_name, items)


def _bounded(raw: StreamObject, _: Limits) -> Any:
    found = PreservedList(raw.class_name, _until_null(raw, _))
    found.room = raw.level().field("capacity")
    return found


def _priority_queue(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    comparator = check_comparator(level.field("comparator"), raw.class_name)
    level.numbers("i")
    items = level.counted(level.field("size"))
    return make_collection(raw.class_name, items, comparator)


def _hash_set(raw: StreamObject, _: Limits) -> Any:
    level = raw.level("java.util.HashSet")
    capacity, load, count = level.numbers("ifi")
    items = level.counted(count)
    found = make_collection(raw.class_name, items)
    if (load, capacity) == (0.75, table_size(count, items)):
        return found
    if not isinstance(found, JSet):
        raise Rejection(
            f"a {raw.class_name} with a custom capacity, whose elements no set can hold"
        )
    kept = PreservedSet(raw.class_name, items)
    kept.room = load, capacity
    return kept


def _tree_set(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    comparator = check_comparator(level.object(), raw.class_name)
    (count,) = level.numbers("i")
    return make_collection(raw.class_name, level.counted(count), comparator)


def _skip_set(raw: StreamObject, _: Limits) -> Any:
    keys = expect(raw.field("m"), JMap, "a map")
    return make_collection(raw.class_name, list(keys), keys.comparator)


def _array_set(raw: StreamObject, _: Limits) -> Any:
    return make_collection(raw.class_name, list(expect(raw.field("al"), JList, "a list")))


def _hash_map(raw: StreamObject, _: Limits) -> Any:
    level = raw.level("java.util.HashMap")
    capacity, count = level.numbers("ii")
    found = make_map(raw.class_name, entries_pairs(level.counted(2 * count)))
    usual = table_size(count, list(found) if isinstance(found, dict) else ())
    room = level.fields.get("loadFactor", 0.75), level.fields.get("threshold"), capacity
    found = _with_room(raw.class_name, found, room, (usual // 4 * 3 if count else 0, usual))
    if not raw.level("java.util.LinkedHashMap").fields.get("accessOrder"):
        return found
    if not isinstance(found, PreservedMap):
        kind = PreservedMap if isinstance(found, dict) else PreservedEntries
        found = kind(raw.class_name, found)
    found.access_order = True
    return found


def _with_room(name: str, found: Any, room: tuple[Any, ...], usual: tuple[int, int]) -> Any:
    """Preserve the size of a hash table, unless it is the one that its entries would make."""
    if room == (0.75, *usual) or room[1] is None:
        return found
    if not isinstance(found, dict):
        raise Rejection(f"a {name} with a custom capacity, whose keys no dict can hold")
    kept = PreservedMap(name, found)
    kept.room = room[0], room[1], room[2]
    return kept


def _table(raw: StreamObject, _: Limits) -> Any:
    level = raw.level("java.util.Hashtable")
    capacity, count = level.numbers("ii")
    found = make_map(raw.class_name, entries_pairs(level.counted(2 * count)))
    room = level.fields.get("loadFactor", 0.75), level.fields.get("threshold"), capacity
    return _with_room(raw.class_name, found, room, old_table(count)[::-1])


def _tree_map(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    comparator = check_comparator(level.field("comparator"), raw.class_name)
    (count,) = level.numbers("i")
    return make_map(raw.class_name, entries_pairs(level.counted(2 * count)), comparator)


def _identity_map(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    (count,) = level.numbers("i")
    return make_map(raw.class_name, entries_pairs(level.counted(2 * count)))


def _concurrent_map(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    comparator = check_comparator(level.fields.get("comparator"), raw.class_name)
    items = level.rest()
    ends = 1 if raw.class_name.endswith("SkipListMap") else 2
    if len(items) < ends or any(each is not None for each in items[-ends:]):
        raise Rejection(f"a {raw.class_name} without its end mark")
    return make_map(raw.class_name, entries_pairs(items[:-ends]), comparator)


def _comparator(raw: StreamObject, _: Limits) -> Any:
    return JValue(raw.class_name)


def _reversed(raw: StreamObject, _: Limits) -> Any:
    return JValue(raw.class_name, check_comparator(raw.field("cmp"), raw.class_name))


def _empty(raw: StreamObject, _: Limits) -> Any:
    if CONTAINERS[raw.class_name].kind is Kind.MAP:
        return make_map(raw.class_name, [])
    return make_collection(raw.class_name, [])


def _singleton(raw: StreamObject, _: Limits) -> Any:
    return make_collection(raw.class_name, [raw.field("element")])


def _singleton_map(raw: StreamObject, _: Limits) -> Any:
    return make_map(raw.class_name, [(raw.field("k"), raw.field("v"))])


def _wrapped(raw: StreamObject, _: Limits) -> Any:
    """Return the elements of a `Collections.unmodifiable...` or `synchronized...`, in a wrapper."""
    if "Map" in raw.class_name:
        inside = expect(raw.field("m"), (dict, JEntries), "a map")
    else:
        inside = expect(raw.field("c"), (list, JSet), "a collection")
    return wrap(raw.class_name, inside)


def _immutable(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    (count,) = level.numbers("i")
    items = level.counted(count)
    prefix = "java.util.ImmutableCollections$"
    tag = level.field("tag") & 0xFF
    if tag == 3:
        small = len(items) == 2
        return make_map(prefix + ("Map1" if small else "MapN"), entries_pairs(items))
    if tag not in {1, 2, 4}:
        raise Rejection(f"an immutable collection with the unknown tag {tag}")
    if tag == 4:
        found = PreservedList(prefix + "ListN", items)
        found.nullable = True
        return found
    size = "12" if len(items) in {1, 2} else "N"
    return make_collection(f"{prefix}{'Set' if tag == 2 else 'List'}{size}", items)


def _enum_set(raw: StreamObject, _: Limits) -> Any:
    kind = expect(raw.field("elementType"), JavaValue, "a class")
    constants = expect(raw.field("elements"), JArray, "an array")
    try:
        found = PreservedEnumSet(kind.value, list(constants))
    except TypeError:
        raise Rejection("an EnumSet with elements that are not constants") from None
    found.order = tuple(constants)
    return found


def _enum_map(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    (count,) = level.numbers("i")
    pairs = entries_pairs(level.counted(2 * count))
    kind = level.fields.get("keyType")
    if not pairs and isinstance(kind, JavaValue):
        return JEnumMap(kind.value)
    try:
        return JMap(raw.class_name, dict(pairs))
    except TypeError:
        raise Rejection("an EnumMap with keys that are not constants") from None


def _properties(raw: StreamObject, limits: Limits) -> Any:
    if raw.field("defaults") is not None:
        raise Rejection("a Properties with defaults")
    return _table(raw, limits)


def _many(builder: Builder, prefix: str, names: str) -> dict[str, Builder]:
    return {prefix + name: builder for name in names.split()}


_COPYING = {_wrapped, _vector, _arrays_list, _array_set, _skip_set}
BUILDERS: Mapping[str, Builder] = {
    **VALUES,
    "java.util.ArrayList": _array_list,
    "java.util.Arrays$ArrayList": _arrays_list,
    "java.util.CollSer": _immutable,
    "java.util.EnumMap": _enum_map,
    "java.util.EnumSet$SerializationProxy": _enum_set,
    "java.util.Hashtable": _table,
    "java.util.IdentityHashMap": _identity_map,
    "java.util.PriorityQueue": _priority_queue,
    "java.util.Properties": _properties,
    "java.util.TreeMap": _tree_map,
    "java.util.TreeSet": _tree_set,
    **_many(_counted, "java.util.", "LinkedList concurrent.CopyOnWriteArrayList"),
    **_many(_vector, "java.util.", "Vector Stack"),
    **_many(_deque, "java.util.", "ArrayDeque"),
    **_many(_bounded, "java.util.concurrent.", "LinkedBlockingQueue LinkedBlockingDeque"),
    **_many(_until_null, "java.util.concurrent.", "ConcurrentLinkedQueue ConcurrentLinkedDeque"),
    **_many(_hash_set, "java.util.", "HashSet LinkedHashSet"),
    **_many(_hash_map, "java.util.", "HashMap LinkedHashMap"),
    **_many(_concurrent_map, "java.util.concurrent.", "ConcurrentHashMap ConcurrentSkipListMap"),
    "java.util.concurrent.ConcurrentSkipListSet": _skip_set,
    "java.util.concurrent.CopyOnWriteArraySet": _array_set,
    **_many(_empty, "java.util.Collections$", "EmptyList EmptySet EmptyMap"),
    **_many(_singleton, "java.util.Collections$", "SingletonList SingletonSet"),
    "java.util.Collections$SingletonMap": _singleton_map,
    **dict.fromkeys(FIELDLESS, _comparator),
    REVERSE_OF: _reversed,
    **{
        f"java.util.Collections${how}{what}": _wrapped
        for how in ("Unmodifiable", "Synchronized")
        for what in (
            *("Collection", "List", "RandomAccessList", "Set", "SortedSet", "NavigableSet"),
            *("Map", "SortedMap", "NavigableMap"),
        )
    },
}

COPIES = {name for name, builder in BUILDERS.items() if builder in _COPYING}
"""Classes whose Python values copy a container that is a field in Java."""
