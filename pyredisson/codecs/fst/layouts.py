"""The layouts of JDK classes for which FST has no serializer.

FST writes the values of their fields without names, so the layout must be known beforehand. These
are the layouts of OpenJDK 8 to 17. A class with neither a layout nor a serializer nor a schema is
rejected by name.

FST imitates Java serialization for a class with a `writeObject`, `readObject`, `writeReplace` or
`readResolve`. It then writes for each class of the hierarchy a mark, the fields (by type and name),
a zero, and what `writeObject` wrote. For other classes it writes all fields and a zero.

Each field has a type: a letter of the JVM (`L` is any object), or a class that FST does not name in
a field of exactly that class (`@` Class, `#` AtomicInteger, `!` a lock). The data that
`writeObject` adds has codes:

- `i`, `f`, `q`, `c`: a number;
- `o`: an object;
- `*`: as many objects as the previous number says, `2`: twice as many, `b`: as many bytes;
- `s`: as many objects as the field `size` says;
- `~`: objects up to a null, which stands in place of a key or an element.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from pyredisson.codecs.java_serialization.throwables import ABSTRACT, THROWN
from pyredisson.java.enums import JDK_ENUMS
from pyredisson.java.schema import schema_of
from pyredisson.java.throwables import THROWABLES

__all__ = [
    "ABOVE",
    "IDS",
    "IMITATED",
    "JDK_CONSTANTS",
    "NUMBERS",
    "PLAIN_FIELDS",
    "ClassDataLayout",
    "Hierarchy",
    "How",
]


class How(Enum):
    """How a class of the hierarchy writes its fields."""

    OWN = auto()  # by its writeObject, as in Java
    PUT = auto()  # by its writeObject, as a map by name
    BARE = auto()  # without a writeObject


@dataclass(frozen=True, slots=True)
class ClassDataLayout:
    """One class of an object's hierarchy: its fields with their types, and its data."""

    class_name: str
    how: How
    fields: tuple[tuple[str, str], ...] = ()
    data: str = ""


Hierarchy = tuple[ClassDataLayout, ...]
_TYPES = {
    "@": "java.lang.Class",
    "#": "java.util.concurrent.atomic.AtomicInteger",
    "!": "java.util.concurrent.locks.ReentrantLock",
}


def _layout(how: How, name: str, fields: str = "", data: str = "") -> ClassDataLayout:
    pairs = (each.split(":") for each in fields.split())
    full = name if name.startswith("sun.") else f"java.{name}"
    return ClassDataLayout(full, how, tuple((each, _TYPES.get(t, t)) for each, t in pairs), data)


def _own(name: str, fields: str = "", data: str = "") -> ClassDataLayout:
    return _layout(How.OWN, name, fields, data)


def _put(name: str, fields: str, data: str = "") -> ClassDataLayout:
    return _layout(How.PUT, name, fields, data)


def _bare(name: str, fields: str = "") -> ClassDataLayout:
    return _layout(How.BARE, name, fields)


def _by_class(*hierarchies: Hierarchy) -> dict[str, Hierarchy]:
    return {each[-1].class_name: each for each in hierarchies}


def _chain(*layouts: ClassDataLayout) -> list[Hierarchy]:
    """Return the hierarchies of a class and of its subclasses, each with one more class."""
    return [layouts[: end + 1] for end in range(len(layouts))]


_C, _CONCURRENT = "util.Collections$", "util.concurrent."
_LOCKS = f"{_CONCURRENT}locks."
_HASH_SET = _own("util.HashSet", data="ifi*")
_HASH_MAP = _own("util.HashMap", "loadFactor:F threshold:I", "ii2")
_DATE = _own("util.Date", data="q")
_TIME_ZONE = _bare("util.TimeZone", "ID:L")
_THROWABLE = _own("lang.Throwable", "suppressedExceptions:L stackTrace:L detailMessage:L cause:L")
_INET = _put("net.InetAddress", "hostName:L address:I family:I")
_LIST, _RANDOM = _bare(_C + "UnmodifiableList", "list:L"), "UnmodifiableRandomAccessList"
_COLLECTION = _bare(_C + "UnmodifiableCollection", "c:L")
_LOCKED = _own(_C + "SynchronizedCollection", "c:L mutex:L")
_LOCKED_MAP = _own(_C + "SynchronizedMap", "m:L mutex:L")
_RULES = "startDay startDayOfWeek startMode startMonth startTime startTimeMode startYear"
_DAYS = "dstSavings endDay endDayOfWeek endMode endMonth endTime endTimeMode rawOffset"
_RULE_FIELDS = " ".join(f"{each}:I" for each in f"{_DAYS} serialVersionOnStream {_RULES}".split())


def _thrown(name: str) -> Hierarchy:
    if name == _THROWABLE.class_name:
        return (_THROWABLE,)
    return (*_thrown(THROWABLES[name]), _bare(name.removeprefix("java.")))


IMITATED: dict[str, Hierarchy] = {
    **{name: _thrown(name) for name in THROWN if name not in ABSTRACT},
    **_by_class(
        (_own("io.File", "path:L", "c"),),
        (_bare("lang.String$CaseInsensitiveComparator"),),
        (_bare("lang.Number"), _own("math.BigDecimal", "scale:I intVal:L")),
        (_bare("math.MathContext", "precision:I roundingMode:L"),),
        (_own("net.URI", "string:L"),),
        (_own("net.URL", "hashCode:I port:I authority:L file:L host:L protocol:L ref:L"),),
        (_bare("net.SocketAddress"), _put("net.InetSocketAddress", "hostname:L port:I addr:L")),
        (
            _own(
                "util.Calendar",
                "areFieldsSet:Z isTimeSet:Z lenient:Z firstDayOfWeek:I "
                "minimalDaysInFirstWeek:I nextStamp:I serialVersionOnStream:I time:J zone:L "
                "isSet:L fields:L",
                "o",
            ),
            _bare("util.GregorianCalendar", "gregorianCutover:J"),
        ),
        (
            _TIME_ZONE,
            _own("util.SimpleTimeZone", f"useDaylight:Z {_RULE_FIELDS} monthLength:L", "ibo"),
        ),
        (
            _TIME_ZONE,
            _bare(
                "sun.util.calendar.ZoneInfo",
                "willGMTOffsetChange:Z checksum:I dstSavings:I rawOffset:I rawOffsetDiff:I "
                "offsets:L simpleTimeZoneParams:L transitions:L",
            ),
        ),
        (_own("util.ArrayDeque", data="i*"),),
        (_put("util.BitSet", "bits:L"),),
        (_own("util.CollSer", "tag:I", "i*"),),
        (_bare(_C + "CopiesList", "n:I element:L"),),
        (_bare(_C + "EmptyList"),),
        (_bare(_C + "EmptyMap"),),
        (_bare(_C + "EmptySet"),),
        (_bare(_C + "ReverseComparator"),),
        (_bare(_C + "SetFromMap", "m:L"),),
        (_bare("util.Currency", "currencyCode:L"),),
        (_own("util.EnumMap", "keyType:@", "i2"),),
        (_own("util.IdentityHashMap", "size:I", "i2"),),
        (_HASH_SET, _bare("util.LinkedHashSet")),
        (
            _put(
                "util.Locale",
                "country:L extensions:L hashcode:I variant:L language:L script:L",
            ),
        ),
        (_own("util.PriorityQueue", "size:I comparator:L", "is"),),
        (_own("util.TreeMap", "comparator:L", "i2"),),
        (_own("util.TreeSet", data="oi*"),),
        (_own(_CONCURRENT + "ConcurrentLinkedDeque", data="~"),),
        (_own(_CONCURRENT + "ConcurrentLinkedQueue", data="~"),),
        (_own(_CONCURRENT + "ConcurrentSkipListMap", "comparator:L", "~2"),),
        (_own(_CONCURRENT + "CopyOnWriteArrayList", data="i*"),),
        (
            _own(
                _CONCURRENT + "LinkedBlockingQueue",
                "capacity:I count:# notEmpty:L notFull:L putLock:! takeLock:!",
                "~",
            ),
        ),
        (
            _own(
                _CONCURRENT + "LinkedBlockingDeque",
                "capacity:I notEmpty:L notFull:L lock:!",
                "~",
            ),
        ),
        (
            _bare(_LOCKS + "AbstractOwnableSynchronizer"),
            _bare(_LOCKS + "AbstractQueuedSynchronizer", "state:I"),
            _bare(_LOCKS + "ReentrantLock$Sync"),
            _bare(_LOCKS + "ReentrantLock$NonfairSync"),
        ),
        (_bare(_CONCURRENT + "atomic.AtomicReferenceArray", "array:L"),),
        (_bare("util.regex.Pattern", "flags:I pattern:L"),),
        (_COLLECTION, _LIST),
        (_COLLECTION, _LIST, _bare(_C + _RANDOM)),
        *_chain(
            _INET,
            _put(
                "net.Inet6Address",
                "ipaddress:L scope_id_set:Z scope_id:I ifname:L scope_ifname_set:Z",
            ),
        ),
        *(
            (_DATE, each)
            for each in (_bare("sql.Date"), _bare("sql.Time"), _bare("sql.Timestamp", "nanos:I"))
        ),
        *_chain(
            _LOCKED_MAP,
            _bare(_C + "SynchronizedSortedMap", "sm:L"),
            _bare(_C + "SynchronizedNavigableMap", "nm:L"),
        ),
        *_chain(
            _LOCKED,
            _bare(_C + "SynchronizedSet"),
            _bare(_C + "SynchronizedSortedSet", "ss:L"),
            _bare(_C + "SynchronizedNavigableSet", "ns:L"),
        ),
        (_LOCKED, _bare(_C + "SynchronizedList", "list:L")),
    ),
}
"""Classes for which FST imitates Java serialization: their hierarchies, superclass first."""

ABOVE: dict[str, Hierarchy] = {
    **IMITATED,
    **_by_class(
        (_DATE,),
        (_HASH_SET,),
        (_own("util.ArrayList", "size:I", "i*"),),
        (_own("util.LinkedList", data="i*"),),
        *_chain(_HASH_MAP, _bare("util.LinkedHashMap", "accessOrder:Z")),
    ),
}
"""The same for superclasses of schema classes. For some of them FST has a serializer, but not for
their subclasses."""


def _plain(name: str, fields: str = "") -> tuple[str, ClassDataLayout]:
    layout = _bare(name, fields)
    return layout.class_name, layout


_CHECKED = "type:@ c:L"
_ZERO = "zeroLengthElementArray:L"
_TYPED = "keyType:@ valueType:@ m:L"
_ENDS, _SUB_MAP = "fromStart:Z hiInclusive:Z loInclusive:Z toEnd:Z", "hi:L lo:L m:L"

PLAIN_FIELDS: dict[str, ClassDataLayout] = dict(
    (
        _plain("lang.Object"),
        _plain(
            "lang.StackTraceElement",
            "format:B lineNumber:I classLoaderName:L declaringClass:L fileName:L methodName:L "
            "moduleName:L moduleVersion:L",
        ),
        _plain("util.AbstractMap$SimpleEntry", "key:L value:L"),
        _plain("util.AbstractMap$SimpleImmutableEntry", "key:L value:L"),
        _plain("util.Arrays$ArrayList", "a:L"),
        _plain(_C + "AsLIFOQueue", "q:L"),
        _plain(_C + "CheckedCollection", f"{_CHECKED} {_ZERO}"),
        _plain(_C + "CheckedList", f"{_CHECKED} list:L {_ZERO}"),
        _plain(_C + "CheckedMap", _TYPED),
        _plain(_C + "CheckedQueue", f"{_CHECKED} {_ZERO} queue:L"),
        _plain(_C + "CheckedRandomAccessList", f"{_CHECKED} list:L {_ZERO}"),
        _plain(_C + "CheckedSet", f"{_CHECKED} {_ZERO}"),
        _plain(_C + "CheckedSortedMap", f"{_TYPED} sm:L"),
        _plain(_C + "CheckedSortedSet", f"{_CHECKED} {_ZERO} ss:L"),
        _plain(_C + "ReverseComparator2", "cmp:L"),
        _plain(_C + "SingletonList", "element:L"),
        _plain(_C + "SingletonMap", "k:L v:L"),
        _plain(_C + "SingletonSet", "element:L"),
        _plain(_C + "UnmodifiableCollection", "c:L"),
        _plain(_C + "UnmodifiableMap", "m:L"),
        _plain(_C + "UnmodifiableNavigableMap", "m:L nm:L sm:L"),
        _plain(_C + "UnmodifiableNavigableSet", "c:L ns:L ss:L"),
        _plain(_C + "UnmodifiableSet", "c:L"),
        _plain(_C + "UnmodifiableSortedMap", "m:L sm:L"),
        _plain(_C + "UnmodifiableSortedSet", "c:L ss:L"),
        _plain("util.TreeMap$AscendingSubMap", f"{_ENDS} {_SUB_MAP}"),
        _plain("util.TreeMap$DescendingSubMap", f"{_ENDS} reverseComparator:L {_SUB_MAP}"),
        _plain("util.UUID", "leastSigBits:J mostSigBits:J"),
        _plain(_CONCURRENT + "ConcurrentHashMap$KeySetView", "map:L value:L"),
        _plain(_CONCURRENT + "ConcurrentSkipListSet", "m:L"),
        _plain(_CONCURRENT + "CopyOnWriteArraySet", "al:L"),
        _plain(_CONCURRENT + "atomic.AtomicBoolean", "value:I"),
        _plain(_CONCURRENT + "atomic.AtomicInteger", "value:I"),
        _plain(_CONCURRENT + "atomic.AtomicIntegerArray", "array:L"),
        _plain(_CONCURRENT + "atomic.AtomicLong", "value:J"),
        _plain(_CONCURRENT + "atomic.AtomicLongArray", "array:L"),
        _plain(_CONCURRENT + "atomic.AtomicReference", "value:L"),
        _plain(_LOCKS + "AbstractQueuedSynchronizer$ConditionObject", "this$0:L"),
        _plain(_LOCKS + "ReentrantLock", "sync:L"),
    )
)
"""Classes of which FST writes all fields in one piece."""

_REGISTERED = """
java.lang.String java.lang.Byte java.lang.Short java.lang.Integer java.lang.Long
java.lang.Float java.lang.Double java.math.BigDecimal java.math.BigInteger
java.lang.Character java.lang.Boolean java.util.TreeMap java.util.HashMap
java.util.ArrayList java.util.concurrent.ConcurrentHashMap java.net.URL java.util.Date
java.sql.Date java.text.SimpleDateFormat java.util.TreeSet java.util.LinkedList
java.util.SimpleTimeZone java.util.GregorianCalendar java.util.Vector java.util.Hashtable
java.util.BitSet java.util.Locale java.lang.StringBuffer java.lang.StringBuilder
java.lang.Object [Ljava.lang.Object; [[Ljava.lang.Object; [[[Ljava.lang.Object;
[B [[B [C [[C [S [[S [I [[I [F [[F [D [[D [J [[J
"""
IDS: dict[int, str] = dict(enumerate(_REGISTERED.split(), 3))
"""The classes that FST 2.57 registers itself, by number, in its order (`addDefaultClazzes`)."""
NUMBERS: dict[str, int] = {name: number for number, name in IDS.items()}
JDK_CONSTANTS: dict[str, list[Any]] = {
    schema.class_name: list(each) for each in JDK_ENUMS if (schema := schema_of(each)) is not None
}
"""The constants of the JDK's enums, by their classes."""
