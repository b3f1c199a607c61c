"""The JDK's views of lists and maps, and similar classes that programs do not name.

`subList`, `keySet()`, `values()`, `entrySet()`, `headMap` and `nCopies` return them. Kryo writes
each like a container, with the JDK's internal class, and mostly cannot read that. The table has the
classes of which a released Redisson has written a value.
"""

from __future__ import annotations

from .jdk import Kind

__all__ = ["ENTRIES", "QUEUES", "SUB_LIST", "VIEWS", "VIEW_TYPES"]

SUB_LIST = "java.util.ImmutableCollections$SubList"
_CONCURRENT = "java.util.concurrent."
QUEUES = {
    f"{_CONCURRENT}{name}"
    for name in ("PriorityBlockingQueue", "LinkedTransferQueue", "DelayQueue")
}
ENTRIES = {
    "java.util.KeyValueHolder",
    "java.util.HashMap$Node",
    *(f"java.util.AbstractMap$Simple{kind}Entry" for kind in ("", "Immutable")),
}
# By supertype.
_TYPES = {
    "AbstractList": "ArrayList$SubList AbstractList$SubList AbstractList$RandomAccessSubList "
    "Collections$CopiesList",
    "List": "concurrent.CopyOnWriteArrayList$COWSubList",
    "AbstractCollection": "HashMap$Values LinkedHashMap$LinkedValues TreeMap$Values "
    "WeakHashMap$Values IdentityHashMap$Values EnumMap$Values AbstractMap$2 "
    "concurrent.ConcurrentHashMap$ValuesView concurrent.ConcurrentSkipListMap$Values",
    "AbstractSet": "HashMap$KeySet HashMap$EntrySet LinkedHashMap$LinkedKeySet "
    "LinkedHashMap$LinkedEntrySet TreeMap$EntrySet WeakHashMap$KeySet WeakHashMap$EntrySet "
    "TreeMap$AscendingSubMap$AscendingEntrySetView "
    "TreeMap$DescendingSubMap$DescendingEntrySetView IdentityHashMap$KeySet "
    "IdentityHashMap$EntrySet EnumMap$KeySet EnumMap$EntrySet AbstractMap$1 "
    "ImmutableCollections$MapN$1 Collections$CheckedMap$CheckedEntrySet Collections$SetFromMap "
    "concurrent.ConcurrentSkipListMap$EntrySet",
    "NavigableSet": "TreeMap$KeySet concurrent.ConcurrentSkipListMap$KeySet",
    "NavigableMap": "TreeMap$AscendingSubMap TreeMap$DescendingSubMap "
    "concurrent.ConcurrentSkipListMap$SubMap",
    "AbstractMap": "stream.Collectors$Partition",
    "AbstractQueue": "Collections$AsLIFOQueue",
    "concurrent.BlockingQueue": "concurrent.ArrayBlockingQueue",
}
_KINDS = {"NavigableMap": Kind.MAP, "AbstractMap": Kind.MAP}

# Classes that Java writes but cannot read: their form in Python (a JList or a JMap).
VIEWS: dict[str, Kind] = {
    f"java.util.{name}": _KINDS.get(above, Kind.LIST)
    for above, names in _TYPES.items()
    for name in names.split()
}
# All of these classes, and their direct supertypes.
VIEW_TYPES: dict[str, str] = {
    **{f"java.util.{n}": f"java.util.{above}" for above, ns in _TYPES.items() for n in ns.split()},
    **dict.fromkeys(QUEUES, "java.util.AbstractQueue java.util.concurrent.BlockingQueue"),
    **dict.fromkeys(ENTRIES, "java.util.Map$Entry"),
    "java.util.Map$Entry": "",
    SUB_LIST: "java.util.AbstractCollection java.util.List java.util.RandomAccess",
}
