"""The tags of a River message: the first byte of each item.

Source: `org.jboss.marshalling.river.Protocol` of JBoss Marshalling 2.0.9 to 2.0.11.
"""

from __future__ import annotations

__all__ = [
    "BLOCKS",
    "COLLECTIONS",
    "EMPTY_OBJECTS",
    "PREDEFINED",
    "PRIMITIVES",
    "SCALARS",
    "SINGLE",
    "SIZES",
    "WRAPPERS",
]

SCALARS = {
    0x49: ("b", "java.lang.Byte"),
    0x4A: ("h", "java.lang.Short"),
    0x4B: ("i", "java.lang.Integer"),
    0x4C: ("q", "java.lang.Long"),
    0x4D: ("H", "java.lang.Character"),
    0x4E: ("f", "java.lang.Float"),
    0x4F: ("d", "java.lang.Double"),
}
"""Tags of boxed numbers: the `struct` format of the number, and its class."""

PRIMITIVES = {
    0x20: "Z",
    0x21: "B",
    0x22: "S",
    0x23: "I",
    0x24: "J",
    0x25: "C",
    0x26: "F",
    0x27: "D",
}
"""Tags of the types of fields and array components: the JVM's letter."""

SIZES = (("", 0), (">B", 0x100), (">H", 0x10000), (">i", 0))
"""The sizes of strings, arrays and collections, by tag: the format, and what 0 means."""

BLOCKS = {0x32: ">B", 0x33: ">H", 0x34: ">i"}
"""Tags of data that a class writes in addition to its fields: the format of its length."""

COLLECTIONS = {
    0x5A: "java.util.ArrayList",
    0x5B: "java.util.LinkedList",
    0x5E: "java.util.HashSet",
    0x5F: "java.util.LinkedHashSet",
    0x60: "java.util.TreeSet",
    0x63: "java.util.IdentityHashMap",
    0x64: "java.util.HashMap",
    0x65: "java.util.Hashtable",
    0x66: "java.util.LinkedHashMap",
    0x67: "java.util.TreeMap",
    0x72: "java.util.concurrent.ConcurrentHashMap",
    0x73: "java.util.concurrent.CopyOnWriteArrayList",
    0x74: "java.util.concurrent.CopyOnWriteArraySet",
    0x75: "java.util.Vector",
    0x76: "java.util.Stack",
    0x78: "java.util.ArrayDeque",
}
"""Tags of collections and maps; the size precedes the tag."""

EMPTY_OBJECTS = {
    0x5D: "java.util.Collections$EmptyList",
    0x62: "java.util.Collections$EmptySet",
    0x69: "java.util.Collections$EmptyMap",
}

WRAPPERS = {
    0x7C: "java.util.Collections$UnmodifiableCollection",
    0x7D: "java.util.Collections$UnmodifiableList",
    0x7E: "java.util.Collections$UnmodifiableMap",
    0x7F: "java.util.Collections$UnmodifiableSet",
    0x80: "java.util.Collections$UnmodifiableSortedSet",
    0x81: "java.util.Collections$UnmodifiableSortedMap",
}
"""Tags of wrappers; the wrapped collection or map follows."""

SINGLE = {"List": 0x5C, "Set": 0x61}
"""Tags of collections of one element, by their kind."""

PREDEFINED = {
    0x14: "java.lang.String",
    0x15: "java.lang.Class",
    0x16: "java.lang.Object",
    0x17: "java.lang.Enum",
    **{0x18 + place: f"[{letter}" for place, letter in enumerate("ZBSIJCFD")},
    0x29: "java.lang.Boolean",
    0x2A: "java.lang.Byte",
    0x2B: "java.lang.Short",
    0x2C: "java.lang.Integer",
    0x2D: "java.lang.Long",
    0x2E: "java.lang.Character",
    0x2F: "java.lang.Float",
    0x30: "java.lang.Double",
    0x31: "java.lang.Void",
    **COLLECTIONS,
    **EMPTY_OBJECTS,
    **WRAPPERS,
    **{tag: f"java.util.Collections$Singleton{what}" for what, tag in SINGLE.items()},
    0x68: "java.util.Collections$SingletonMap",
    0x7A: "java.util.Collections$ReverseComparator2",
    0x6D: "java.util.AbstractCollection",
    0x6E: "java.util.AbstractSet",
    0x6F: "java.util.AbstractList",
    0x70: "java.util.AbstractQueue",
    0x71: "java.util.AbstractSequentialList",
}
"""Classes that have a tag instead of a description."""
