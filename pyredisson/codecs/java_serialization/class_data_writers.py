"""Class-data writers: the fields that each JDK class writes, and what its `writeObject` adds.

The counterpart of `jdk`, which reads the same. A function fills the `ClassData` of one class: the
fields that `descriptions` names, then data and objects in their order. It serves the class itself
and its subclasses, so it uses the elements of the value, not its class. If a Python value lacks a
fact (a table's size), the function writes what Java has after adding the elements one by one.
Sources: the `writeObject` methods of OpenJDK 8 to 17.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from operator import is_
from typing import Any

from pyredisson.java.build import entries_of, items_of
from pyredisson.java.checks import (
    check_big,
    check_date,
    check_decimal,
    check_int,
)
from pyredisson.java.classes import class_of
from pyredisson.java.comparators import REVERSE_OF, check_comparator
from pyredisson.java.containers import JArray, JEntries, JList
from pyredisson.java.hashing import table_size
from pyredisson.java.numbers import unscaled_of
from pyredisson.java.scalars import JBigInteger
from pyredisson.java.schema import schema_of
from pyredisson.java.values import JValue
from pyredisson.rejection import Rejection, reject_value

from .boxes import CODES
from .class_hierarchy import base_of
from .preserved_metadata import old_table
from .replaced import Made
from .sharing import INTEGERS
from .sink import Sink
from .stream_model import ClassData

__all__ = ["CLASS_DATA_WRITERS"]

Writer = Callable[[Sink, Any, ClassData], None]
_CONCURRENT = "java.util.concurrent."
_LOCKS = f"{_CONCURRENT}locks."
_QUEUE_CAPACITY = (1 << 31) - 1


def _items(value: Any, level: ClassData) -> list[Any]:
    return items_of(value, level.class_name)


def _pairs(value: Any, level: ClassData) -> list[Any]:
    schema, name = schema_of(type(value)), level.class_name
    if schema is not None and base_of(schema) == "java.util.LinkedHashMap":
        name = "java.util.LinkedHashMap"  # keeps the dict's order
    return [part for entry in entries_of(value, name) for part in entry]


def _add(level: ClassData, items: list[Any], form: str = "", *numbers: Any) -> None:
    if form:
        level.add_block(struct.pack(">" + form, *numbers))
    for each in items:
        level.add_object(each)


def _comparator(value: Any, level: ClassData) -> Any:
    return check_comparator(getattr(value, "comparator", None), level.class_name)


def _sized(sink: Sink, value: Any, level: ClassData) -> None:
    """ArrayList: its size as a field, and again as data."""
    items = _items(value, level)
    level.fields["size"] = len(items)
    _add(level, items, "i", len(items))


def _counted(sink: Sink, value: Any, level: ClassData) -> None:
    items = _items(value, level)
    _add(level, items, "i", len(items))


def _until_null(sink: Sink, value: Any, level: ClassData) -> None:
    _add(level, [*_items(value, level), None])


def _vector(sink: Sink, value: Any, level: ClassData) -> None:
    items = _items(value, level)
    room = max(getattr(value, "room", 10), 1)
    while room < len(items):
        room *= 2
    level.fields["capacityIncrement"] = 0
    level.fields["elementCount"] = len(items)
    padding = [None] * (room - len(items))
    level.fields["elementData"] = JArray("java.lang.Object", [*items, *padding])


def _arrays_list(sink: Sink, value: Any, level: ClassData) -> None:
    items = _items(value, level)
    array = getattr(value, "array", None)
    component = _component(items) if array is None else array.component
    same = array is not None and len(array) == len(items) and all(map(is_, array, items))
    level.fields["a"] = array if same else JArray(component, items)


def _component(items: list[Any]) -> str:
    """Return the component of the array that `Arrays.asList(...)` makes for these elements."""
    names = {class_of(each) for each in items if each is not None}
    (name,) = names if len(names) == 1 else ("",)
    return name if name == "java.lang.String" or name in CODES else "java.lang.Object"


def _priority_queue(sink: Sink, value: Any, level: ClassData) -> None:
    items = _items(value, level)
    level.fields["size"] = len(items)
    level.fields["comparator"] = _comparator(value, level)
    _add(level, items, "i", max(2, len(items) + 1))


def _hash_set(sink: Sink, value: Any, level: ClassData) -> None:
    items = _items(value, level)
    load, capacity = getattr(value, "room", (0.75, 0))
    if not capacity or len(items) > capacity * load:
        capacity = table_size(len(items), items)
    _add(level, items, "ifi", capacity, load, len(items))


def _tree_set(sink: Sink, value: Any, level: ClassData) -> None:
    items = _items(value, level)
    level.add_object(_comparator(value, level))
    _add(level, items, "i", len(items))


def _skip_set(sink: Sink, value: Any, level: ClassData) -> None:
    entries = [(each, True) for each in _items(value, level)]
    name = f"{_CONCURRENT}ConcurrentSkipListMap"
    level.fields["m"] = JEntries(name, entries, _comparator(value, level))


def _array_set(sink: Sink, value: Any, level: ClassData) -> None:
    level.fields["al"] = JList(f"{_CONCURRENT}CopyOnWriteArrayList", _items(value, level))


def _hash_map(sink: Sink, value: Any, level: ClassData) -> None:
    pairs = _pairs(value, level)
    count = len(pairs) // 2
    capacity = table_size(count, list(value) if isinstance(value, dict) else ())
    _table_of(value, level, capacity, capacity // 4 * 3 if count else 0, pairs)


def _table_of(
    value: Any, level: ClassData, capacity: int, threshold: int, pairs: list[Any]
) -> None:
    """Write a hash table, with the size that was read if the entries still fit."""
    load, room = 0.75, getattr(value, "room", None)
    if room is not None and len(pairs) // 2 <= room[0] * room[2]:
        load, threshold, capacity = room
        if pairs:
            threshold = int(capacity * load)
    level.fields |= {"loadFactor": load, "threshold": threshold}
    _add(level, pairs, "ii", capacity, len(pairs) // 2)


def _linked_map(sink: Sink, value: Any, level: ClassData) -> None:
    level.fields["accessOrder"] = getattr(value, "access_order", False)


def _tree_map(sink: Sink, value: Any, level: ClassData) -> None:
    pairs = _pairs(value, level)
    level.fields["comparator"] = _comparator(value, level)
    _add(level, pairs, "i", len(pairs) // 2)


def _identity_map(sink: Sink, value: Any, level: ClassData) -> None:
    pairs = _pairs(value, level)
    level.fields["size"] = len(pairs) // 2
    _add(level, pairs, "i", len(pairs) // 2)


def _skip_map(sink: Sink, value: Any, level: ClassData) -> None:
    level.fields["comparator"] = _comparator(value, level)
    _add(level, [*_pairs(value, level), None])


def _lock(state: int) -> dict[str, Any]:
    return {"sync": Made(f"{_LOCKS}ReentrantLock$NonfairSync", {"state": state})}


def _concurrent_map(sink: Sink, value: Any, level: ClassData) -> None:
    """Write sixteen segments, like Java 7; Java reads and drops them."""
    name = f"{_CONCURRENT}ConcurrentHashMap$Segment"
    segments = [Made(name, {"loadFactor": 0.75, **_lock(0)}) for _ in range(16)]
    level.fields |= {"segmentMask": 15, "segmentShift": 28, "segments": JArray(name, segments)}
    _add(level, [*_pairs(value, level), None, None])


def _table(sink: Sink, value: Any, level: ClassData) -> None:
    pairs = _pairs(value, level)
    _table_of(value, level, *old_table(len(pairs) // 2), pairs)


def _properties(sink: Sink, value: Any, level: ClassData) -> None:
    level.fields["defaults"] = None


def _blocking_queue(sink: Sink, value: Any, level: ClassData) -> None:
    """Write a queue with its locks, which Java holds while it writes the queue."""
    items = _items(value, level)
    level.fields["capacity"] = getattr(value, "room", _QUEUE_CAPACITY)
    if level.class_name.endswith("Deque"):
        lock = Made(f"{_LOCKS}ReentrantLock", _lock(1))
        level.fields["lock"] = lock
        locks = {"notEmpty": lock, "notFull": lock}
    else:
        level.fields["count"] = JValue(f"{_CONCURRENT}atomic.AtomicInteger", len(items))
        put, take = (Made(f"{_LOCKS}ReentrantLock", _lock(1)) for _ in range(2))
        level.fields |= {"putLock": put, "takeLock": take}
        locks = {"notEmpty": take, "notFull": put}
    for name, lock in locks.items():
        condition = f"{_LOCKS}AbstractQueuedSynchronizer$ConditionObject"
        level.fields[name] = Made(condition, {"this$0": lock.fields["sync"]})
    _add(level, [*items, None])


def _none(sink: Sink, value: Any, level: ClassData) -> None:
    """Write nothing, for classes without fields of their own."""


def _empty(sink: Sink, value: Any, level: ClassData) -> None:
    name = level.class_name
    (entries_of if name.endswith("Map") else items_of)(value, name)


def _singleton(sink: Sink, value: Any, level: ClassData) -> None:
    (level.fields["element"],) = _items(value, level)


def _singleton_map(sink: Sink, value: Any, level: ClassData) -> None:
    level.fields["k"], level.fields["v"] = _pairs(value, level)


def _reversed(sink: Sink, value: Any, level: ClassData) -> None:
    cmp = value.parts[0] if value.parts else None
    level.fields["cmp"] = check_comparator(cmp, REVERSE_OF)


def _boxed(sink: Sink, value: Any, level: ClassData) -> None:
    level.fields["value"] = value


def _date(sink: Sink, value: Any, level: ClassData) -> None:
    millis = value.parts[0] if _is_parts(value) else check_date(value)
    level.add_block(struct.pack(">q", check_int(millis, 64, "a number of milliseconds")))


def _is_parts(value: Any) -> bool:
    return isinstance(value, JValue) and bool(value.parts)


def _timestamp(sink: Sink, value: Any, level: ClassData) -> None:
    """Write a Timestamp: whole seconds in its Date, the fraction in `nanos`."""
    millis, nanos = _part(value, level, 2)
    if millis % 1000 or not 0 <= check_int(nanos, 32, "a number of nanoseconds") < 10**9:
        raise Rejection(
            "a java.sql.Timestamp takes whole seconds in milliseconds, and nanoseconds below 10**9"
        )
    level.fields["nanos"] = nanos


def _part(value: Any, level: ClassData, count: int) -> tuple[Any, ...]:
    if not isinstance(value, JValue) or len(value.parts) != count:
        raise reject_value(value, f"a {level.class_name} of {count} parts")
    return value.parts


def _uuid(sink: Sink, value: Any, level: ClassData) -> None:
    high, low = value.int >> 64, value.int & 0xFFFFFFFFFFFFFFFF
    level.fields["leastSigBits"], level.fields["mostSigBits"] = map(_signed, (low, high))


def _signed(value: int) -> int:
    return value - (value >> 63 << 64)


def _big_integer(sink: Sink, value: Any, level: ClassData) -> None:
    """Write sign and magnitude; the other fields are unused caches."""
    number = check_big(value, sink.limits)
    level.fields |= {"bitCount": -1, "bitLength": -1, "firstNonzeroByteNum": -2}
    level.fields |= {"lowestSetBit": -2, "signum": (number > 0) - (number < 0)}
    size = (abs(number).bit_length() + 7) // 8
    level.fields["magnitude"] = abs(number).to_bytes(size, "big")


def _big_decimal(sink: Sink, value: Any, level: ClassData) -> None:
    unscaled, scale = unscaled_of(check_decimal(value, sink.limits))
    digits = getattr(value, "unscaled", INTEGERS.get(unscaled))
    level.fields |= {"scale": scale, "intVal": JBigInteger(unscaled) if digits is None else digits}


def _atomic(sink: Sink, value: Any, level: ClassData) -> None:
    (level.fields["value"],) = _part(value, level, 1)


def _atomic_boolean(sink: Sink, value: Any, level: ClassData) -> None:
    (found,) = _part(value, level, 1)
    if not isinstance(found, bool):
        raise reject_value(found, "a boolean")
    level.fields["value"] = int(found)


def _uri(sink: Sink, value: Any, level: ClassData) -> None:
    text = _text(value, level)
    level.fields["string"] = getattr(value, "string", text)


def _text(value: Any, level: ClassData) -> str:
    if not isinstance(value, str):
        raise reject_value(value, f"a {level.class_name}")
    return str(value)


def _builder(sink: Sink, value: Any, level: ClassData) -> None:
    """Write a StringBuilder or StringBuffer, by default with room for 16 more chars."""
    units = _text(value, level).encode("utf-16-be", "surrogatepass")
    chars = [chr(each) for (each,) in struct.iter_unpack(">H", units)]
    room = max(getattr(value, "room", len(chars) + 16), len(chars))
    array = JArray("char", chars + ["\0"] * (room - len(chars)))
    if level.class_name.endswith("Buffer"):
        level.fields |= {"count": len(chars), "shared": False, "value": array}
    else:
        _add(level, [array], "i", len(chars))


def _bits(sink: Sink, value: Any, level: ClassData) -> None:
    words = JArray("long", value.parts)
    if words and not words[-1]:
        raise Rejection("a java.util.BitSet whose last word is zero: Java omits such words")
    level.fields["bits"] = words


def _locale(sink: Sink, value: Any, level: ClassData) -> None:
    parts = value.parts if isinstance(value, JValue) else ()
    if len(parts) not in {3, 5} or not all(isinstance(each, str) for each in parts):
        raise reject_value(value, "a java.util.Locale, with language, country and variant")
    names = ("language", "country", "variant", "script", "extensions")
    level.fields |= dict(zip(names, (*parts, "", ""), strict=False))
    level.fields["hashcode"] = -1


def _many(writer: Writer, prefix: str, names: str) -> dict[str, Writer]:
    return {prefix + name: writer for name in names.split()}


CLASS_DATA_WRITERS: dict[str, Writer] = {
    **_many(_boxed, "java.lang.", "Integer Long Short Byte Float Double Boolean Character"),
    **_many(_none, "java.lang.", "Number String$CaseInsensitiveComparator"),
    **_many(_builder, "java.lang.", "StringBuilder StringBuffer"),
    "java.math.BigInteger": _big_integer,
    "java.math.BigDecimal": _big_decimal,
    "java.net.URI": _uri,
    "java.sql.Timestamp": _timestamp,
    **_many(_none, "java.sql.", "Date Time"),
    "java.util.ArrayList": _sized,
    **_many(_counted, "java.util.", "LinkedList ArrayDeque concurrent.CopyOnWriteArrayList"),
    **_many(_until_null, _CONCURRENT, "ConcurrentLinkedQueue ConcurrentLinkedDeque"),
    **_many(_blocking_queue, _CONCURRENT, "LinkedBlockingQueue LinkedBlockingDeque"),
    "java.util.Vector": _vector,
    "java.util.Arrays$ArrayList": _arrays_list,
    "java.util.PriorityQueue": _priority_queue,
    "java.util.HashSet": _hash_set,
    **_many(_none, "java.util.", "Stack LinkedHashSet Collections$ReverseComparator"),
    "java.util.TreeSet": _tree_set,
    f"{_CONCURRENT}ConcurrentSkipListSet": _skip_set,
    f"{_CONCURRENT}CopyOnWriteArraySet": _array_set,
    "java.util.HashMap": _hash_map,
    "java.util.LinkedHashMap": _linked_map,
    "java.util.TreeMap": _tree_map,
    "java.util.IdentityHashMap": _identity_map,
    "java.util.Hashtable": _table,
    "java.util.Properties": _properties,
    f"{_CONCURRENT}ConcurrentHashMap": _concurrent_map,
    f"{_CONCURRENT}ConcurrentSkipListMap": _skip_map,
    f"{_CONCURRENT}atomic.AtomicBoolean": _atomic_boolean,
    **_many(_atomic, f"{_CONCURRENT}atomic.", "AtomicInteger AtomicLong AtomicReference"),
    **_many(_empty, "java.util.Collections$", "EmptyList EmptySet EmptyMap"),
    **_many(_singleton, "java.util.Collections$", "SingletonList SingletonSet"),
    "java.util.Collections$SingletonMap": _singleton_map,
    REVERSE_OF: _reversed,
    "java.util.Date": _date,
    "java.util.UUID": _uuid,
    "java.util.BitSet": _bits,
    "java.util.Locale": _locale,
}
"""The functions that fill the data of a class, by class name."""
