"""The supertypes of JDK types, and which types are final.

The tables contain the types that codecs support. A type in none of them is unknown (`jdk_final`
returns None), and a codec rejects values that depend on it. "Final" is as in JDK 17.
"""

from __future__ import annotations

from functools import lru_cache

from .jdk import CONTAINERS
from .names import PRIMITIVES
from .throwables import THROWABLES
from .views import SUB_LIST, VIEW_TYPES

__all__ = ["jdk_final", "jdk_supertypes"]

_NUMBERS = "Byte Short Integer Long Float Double"
_TIME = "Instant LocalDateTime OffsetDateTime ZonedDateTime LocalDate LocalTime OffsetTime"
_FINAL_TIME = f"{_TIME} Duration Period Year YearMonth MonthDay ZoneOffset ZoneRegion"
_FINAL = {
    *PRIMITIVES,
    *(f"java.lang.{name}" for name in f"String Boolean Character {_NUMBERS} Class".split()),
    *(f"java.lang.{name}" for name in ("StringBuilder", "StringBuffer", "Void")),
    *(f"java.util.{name}" for name in ("UUID", "Locale", "Currency")),
    *(f"java.util.Optional{name}" for name in ("", "Int", "Long", "Double")),
    *(f"java.time.{name}" for name in f"{_FINAL_TIME} DayOfWeek Month".split()),
    "java.util.concurrent.TimeUnit",
    "java.math.RoundingMode",
    "java.net.URI",
    "java.net.URL",
    "java.net.Inet4Address",
    "java.net.Inet6Address",
    "java.util.regex.Pattern",
    "sun.nio.cs.UTF_8",
    *(name for name, each in CONTAINERS.items() if each.final),
    SUB_LIST,
    "java.util.KeyValueHolder",
}

# A class or interface -> its direct supertypes except Object.
_DIRECT: dict[str, str] = {
    "java.lang.Number": "java.io.Serializable",
    **{f"java.lang.{n}": "java.lang.Number java.lang.Comparable" for n in _NUMBERS.split()},
    "java.lang.String": "java.lang.CharSequence java.lang.Comparable java.io.Serializable",
    "java.lang.Boolean": "java.lang.Comparable java.io.Serializable",
    "java.lang.Character": "java.lang.Comparable java.io.Serializable",
    "java.lang.StringBuilder": "java.lang.CharSequence java.lang.Comparable java.io.Serializable",
    "java.lang.StringBuffer": "java.lang.CharSequence java.lang.Comparable java.io.Serializable",
    "java.lang.Class": "java.io.Serializable java.lang.reflect.Type",
    "java.lang.Enum": "java.lang.Comparable java.io.Serializable",
    "java.lang.Record": "",
    "java.lang.CharSequence": "",
    "java.lang.Comparable": "",
    "java.lang.Cloneable": "",
    "java.lang.Runnable": "",
    "java.io.Serializable": "",
    "java.lang.reflect.Type": "",
    "java.math.BigInteger": "java.lang.Number java.lang.Comparable",
    "java.math.BigDecimal": "java.lang.Number java.lang.Comparable",
    "java.util.Date": "java.lang.Comparable java.io.Serializable java.lang.Cloneable",
    "java.sql.Date": "java.util.Date",
    "java.sql.Time": "java.util.Date",
    "java.sql.Timestamp": "java.util.Date",
    "java.util.UUID": "java.lang.Comparable java.io.Serializable",
    "java.util.Calendar": "java.lang.Comparable java.io.Serializable java.lang.Cloneable",
    "java.util.GregorianCalendar": "java.util.Calendar",
    "java.util.TimeZone": "java.io.Serializable java.lang.Cloneable",
    "java.util.SimpleTimeZone": "java.util.TimeZone",
    "sun.util.calendar.ZoneInfo": "java.util.TimeZone",
    "java.util.Locale": "java.io.Serializable java.lang.Cloneable",
    "java.util.Currency": "java.io.Serializable",
    "java.util.BitSet": "java.io.Serializable java.lang.Cloneable",
    "java.util.Optional": "",
    "java.util.OptionalInt": "",
    "java.util.OptionalLong": "",
    "java.util.OptionalDouble": "",
    "java.util.Comparator": "",
    "java.util.Collections$ReverseComparator": "java.util.Comparator java.io.Serializable",
    "java.lang.String$CaseInsensitiveComparator": "java.util.Comparator java.io.Serializable",
    "java.util.Comparators$NaturalOrderComparator": "java.util.Comparator java.lang.Enum",
    "java.net.URI": "java.lang.Comparable java.io.Serializable",
    "java.net.URL": "java.io.Serializable",
    "java.util.regex.Pattern": "java.io.Serializable",
    "java.nio.charset.Charset": "java.lang.Comparable",
    "sun.nio.cs.Unicode": "java.nio.charset.Charset",
    "sun.nio.cs.UTF_8": "sun.nio.cs.Unicode",
    "sun.nio.cs.US_ASCII": "java.nio.charset.Charset",
    "sun.nio.cs.ISO_8859_1": "java.nio.charset.Charset",
    "sun.nio.cs.UTF_16": "sun.nio.cs.Unicode",
    "sun.nio.cs.UTF_16BE": "sun.nio.cs.Unicode",
    "sun.nio.cs.UTF_16LE": "sun.nio.cs.Unicode",
    **{
        f"java.time.{n}": "java.time.temporal.Temporal java.io.Serializable java.lang.Comparable"
        for n in f"{_TIME} Year YearMonth".split()
    },
    "java.time.temporal.Temporal": "java.time.temporal.TemporalAccessor",
    "java.time.temporal.TemporalAccessor": "",
    "java.time.temporal.TemporalAmount": "",
    "java.time.MonthDay": "java.time.temporal.TemporalAccessor java.io.Serializable "
    "java.lang.Comparable",
    "java.time.Duration": "java.time.temporal.TemporalAmount java.io.Serializable "
    "java.lang.Comparable",
    "java.time.Period": "java.time.temporal.TemporalAmount java.io.Serializable",
    "java.time.ZoneId": "java.io.Serializable",
    "java.time.ZoneRegion": "java.time.ZoneId",
    "java.time.ZoneOffset": "java.time.ZoneId java.lang.Comparable "
    "java.time.temporal.TemporalAccessor",
    "java.time.DayOfWeek": "java.lang.Enum java.time.temporal.TemporalAccessor",
    "java.time.Month": "java.lang.Enum java.time.temporal.TemporalAccessor",
    "java.util.concurrent.TimeUnit": "java.lang.Enum",
    "java.math.RoundingMode": "java.lang.Enum",
    **{
        f"java.util.concurrent.atomic.{n}": "java.lang.Number"
        for n in ("AtomicInteger", "AtomicLong")
    },
    "java.util.concurrent.atomic.AtomicBoolean": "java.io.Serializable",
    "java.util.concurrent.atomic.AtomicReference": "java.io.Serializable",
    "java.lang.Iterable": "",
    "java.util.RandomAccess": "",
    "java.util.Collection": "java.lang.Iterable",
    "java.util.List": "java.util.Collection",
    "java.util.Set": "java.util.Collection",
    "java.util.SortedSet": "java.util.Set",
    "java.util.NavigableSet": "java.util.SortedSet",
    "java.util.Queue": "java.util.Collection",
    "java.util.Deque": "java.util.Queue",
    "java.util.concurrent.BlockingQueue": "java.util.Queue",
    "java.util.concurrent.BlockingDeque": "java.util.concurrent.BlockingQueue java.util.Deque",
    "java.util.Map": "",
    "java.util.SortedMap": "java.util.Map",
    "java.util.NavigableMap": "java.util.SortedMap",
    "java.util.concurrent.ConcurrentMap": "java.util.Map",
    "java.util.concurrent.ConcurrentNavigableMap": "java.util.concurrent.ConcurrentMap "
    "java.util.NavigableMap",
    "java.util.AbstractCollection": "java.util.Collection",
    "java.util.AbstractList": "java.util.AbstractCollection java.util.List",
    "java.util.AbstractSequentialList": "java.util.AbstractList",
    "java.util.AbstractSet": "java.util.AbstractCollection java.util.Set",
    "java.util.AbstractQueue": "java.util.AbstractCollection java.util.Queue",
    "java.util.AbstractMap": "java.util.Map",
    "java.util.EnumSet": "java.util.AbstractSet java.io.Serializable java.lang.Cloneable",
    "java.util.RegularEnumSet": "java.util.EnumSet",
    "java.util.JumboEnumSet": "java.util.EnumSet",
    "java.util.EnumMap": "java.util.AbstractMap java.io.Serializable java.lang.Cloneable",
    "java.util.Dictionary": "",
}
_SERIALIZABLE = "java.io.Serializable"
_CLONEABLE = f"{_SERIALIZABLE} java.lang.Cloneable"
_LIST = f"java.util.AbstractList java.util.RandomAccess {_SERIALIZABLE}"
_DIRECT |= {
    "java.util.ArrayList": f"{_LIST} {_CLONEABLE}",
    "java.util.Vector": f"{_LIST} {_CLONEABLE}",
    "java.util.Stack": "java.util.Vector",
    "java.util.Arrays$ArrayList": _LIST,
    "java.util.LinkedList": f"java.util.AbstractSequentialList java.util.Deque {_CLONEABLE}",
    "java.util.concurrent.CopyOnWriteArrayList": f"java.util.List java.util.RandomAccess "
    f"{_CLONEABLE}",
    "java.util.Collections$EmptyList": _LIST,
    "java.util.Collections$SingletonList": _LIST,
    "java.util.ArrayDeque": f"java.util.AbstractCollection java.util.Deque {_CLONEABLE}",
    "java.util.PriorityQueue": f"java.util.AbstractQueue {_SERIALIZABLE}",
    "java.util.concurrent.LinkedBlockingQueue": "java.util.AbstractQueue "
    f"java.util.concurrent.BlockingQueue {_SERIALIZABLE}",
    "java.util.concurrent.LinkedBlockingDeque": "java.util.AbstractQueue "
    f"java.util.concurrent.BlockingDeque {_SERIALIZABLE}",
    "java.util.concurrent.ConcurrentLinkedQueue": f"java.util.AbstractQueue {_SERIALIZABLE}",
    "java.util.concurrent.ConcurrentLinkedDeque": "java.util.AbstractCollection java.util.Deque "
    f"{_SERIALIZABLE}",
    "java.util.HashSet": f"java.util.AbstractSet {_CLONEABLE}",
    "java.util.LinkedHashSet": "java.util.HashSet",
    "java.util.TreeSet": f"java.util.AbstractSet java.util.NavigableSet {_CLONEABLE}",
    "java.util.concurrent.ConcurrentSkipListSet": "java.util.AbstractSet java.util.NavigableSet "
    f"{_CLONEABLE}",
    "java.util.concurrent.CopyOnWriteArraySet": f"java.util.AbstractSet {_SERIALIZABLE}",
    "java.util.Collections$EmptySet": f"java.util.AbstractSet {_SERIALIZABLE}",
    "java.util.Collections$SingletonSet": f"java.util.AbstractSet {_SERIALIZABLE}",
    "java.util.HashMap": f"java.util.AbstractMap {_CLONEABLE}",
    "java.util.LinkedHashMap": "java.util.HashMap",
    "java.util.WeakHashMap": "java.util.AbstractMap",
    "java.util.IdentityHashMap": f"java.util.AbstractMap {_CLONEABLE}",
    "java.util.Hashtable": f"java.util.Dictionary java.util.Map {_CLONEABLE}",
    "java.util.Properties": "java.util.Hashtable",
    "java.util.TreeMap": f"java.util.AbstractMap java.util.NavigableMap {_CLONEABLE}",
    "java.util.concurrent.ConcurrentHashMap": "java.util.AbstractMap "
    f"java.util.concurrent.ConcurrentMap {_SERIALIZABLE}",
    "java.util.concurrent.ConcurrentSkipListMap": "java.util.AbstractMap "
    f"java.util.concurrent.ConcurrentNavigableMap {_CLONEABLE}",
    "java.util.Collections$EmptyMap": f"java.util.AbstractMap {_SERIALIZABLE}",
    "java.util.Collections$SingletonMap": f"java.util.AbstractMap {_SERIALIZABLE}",
}
_IMMUTABLE = {
    "List": f"java.util.AbstractCollection java.util.List java.util.RandomAccess {_SERIALIZABLE}",
    "Set": f"java.util.AbstractCollection java.util.Set {_SERIALIZABLE}",
    "Map": f"java.util.AbstractMap {_SERIALIZABLE}",
}
_DIRECT |= {
    name: _IMMUTABLE[each.kind.value.removeprefix("java.util.")]
    for name, each in CONTAINERS.items()
    if "Immutable" in name
}


# The wrappers of `Collections`, by the type that they wrap.
_WRAPPED = {
    **{what: f"java.util.{what}" for what in ("Collection", "Queue", "List", "Set", "Map")},
    **{what: f"java.util.{what}" for what in ("SortedSet", "NavigableSet")},
    **{what: f"java.util.{what}" for what in ("SortedMap", "NavigableMap")},
    "RandomAccessList": "java.util.List java.util.RandomAccess",
}
_DIRECT |= {
    f"java.util.Collections${how}{what}": f"{types} {_SERIALIZABLE}"
    for how in ("Unmodifiable", "Synchronized", "Checked")
    for what, types in _WRAPPED.items()
}
_DIRECT |= {
    **THROWABLES,
    **VIEW_TYPES,
    **{
        f"java.util.concurrent.atomic.Atomic{kind}Array": _SERIALIZABLE
        for kind in ("Integer", "Long", "Reference")
    },
    "java.util.Collections$ReverseComparator2": f"java.util.Comparator {_SERIALIZABLE}",
    "java.util.Comparators$NullComparator": f"java.util.Comparator {_SERIALIZABLE}",
    "java.util.IntSummaryStatistics": "",
    "java.util.LongSummaryStatistics": "",
    "java.net.InetAddress": _SERIALIZABLE,
    "java.net.Inet4Address": "java.net.InetAddress",
    "java.net.Inet6Address": "java.net.InetAddress",
    "java.net.SocketAddress": _SERIALIZABLE,
    "java.net.InetSocketAddress": "java.net.SocketAddress",
}


@lru_cache(maxsize=1024)
def jdk_supertypes(name: str) -> frozenset[str]:
    """Return the type itself and all its supertypes."""
    found = {name, "java.lang.Object"}
    for each in _DIRECT.get(name, "").split():
        found |= jdk_supertypes(each)
    return frozenset(found)


def jdk_final(name: str) -> bool | None:
    """Return whether a JDK type (not an array) is final; None if it is unknown."""
    if name in _FINAL:
        return True
    return False if name in _DIRECT or name == "java.lang.Object" or name in CONTAINERS else None
