"""The Java type model that all object codecs share.

Plain Python values stand for the obvious Java class::

    None null           str    String      bytes    byte[]       Decimal  BigDecimal
    bool Boolean        float  Double      list     ArrayList    UUID     UUID
    int  Integer, or Long beyond 32 bits   set      HashSet      datetime java.util.Date
    date LocalDate      time   LocalTime   dict     HashMap      (aware ones)
    timedelta Duration         (aware: OffsetTime)

The wrappers are subclasses of these types that name another class: `JLong(5)`, `JArray("int", [1,
2])`, `JList("java.util.LinkedList", ["a"])`. They are equal to the plain value. A decoder returns
the plain value if that encodes to the same bytes again, otherwise a wrapper.

Each name is imported when it is first used.

* Classes and their fields: `schema`, `types`, `names`, `arguments` (binds type variables where a
  type is declared), `beans` (names of properties).
* The Java class of a value: `classes`, `coerce` (if the declared type decides), `checks`.
* Facts of the JDK: `jdk`, `supertypes`, `throwables`, `views`.
* The wrappers: `scalars`, `containers`, `values`, `parts`, `enums`, `nanos`, `durations`, `objects`
  (unknown classes).
* Parts of java.time values: `times`. Numbers and `java.util.Date`: `numbers`. Java's encoding of
  strings: `modified_utf8`.
* The order of maps and sets: `hashing`, `hash_codes`, `tree_bins`, `map_orders`, `comparators`.
* One object in several places: `shared`. Collections from decoded values: `build`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._support.lazy_names import lazily

if TYPE_CHECKING:
    from .containers import JArray, JEntries, JList, JMap, JSet
    from .durations import JDuration
    from .enums import DayOfWeek, Month, NaturalOrder, RoundingMode, TimeUnit
    from .nanos import JInstant, JLocalDateTime, JOffsetDateTime, JTime
    from .scalars import JBigInteger, JByte, JChar, JDate, JDouble, JFloat, JInt, JLong, JShort
    from .schema import (
        ClassSchema,
        EnumConstant,
        Getter,
        JavaField,
        SchemaField,
        java_class,
        java_enum,
        schema_of,
    )
    from .types import JavaType, parse_type
    from .values import (
        JEnumMap,
        JEnumSet,
        JSerialized,
        JText,
        JValue,
        JZonedDateTime,
    )

__all__ = [
    "ClassSchema",
    "DayOfWeek",
    "EnumConstant",
    "Getter",
    "JArray",
    "JBigInteger",
    "JByte",
    "JChar",
    "JDate",
    "JDouble",
    "JDuration",
    "JEntries",
    "JEnumMap",
    "JEnumSet",
    "JFloat",
    "JInstant",
    "JInt",
    "JList",
    "JLocalDateTime",
    "JLong",
    "JMap",
    "JOffsetDateTime",
    "JSerialized",
    "JSet",
    "JShort",
    "JText",
    "JTime",
    "JValue",
    "JZonedDateTime",
    "JavaField",
    "JavaType",
    "Month",
    "NaturalOrder",
    "RoundingMode",
    "SchemaField",
    "TimeUnit",
    "java_class",
    "java_enum",
    "parse_type",
    "schema_of",
]

_HOMES = {
    ".containers": (
        "JArray",
        "JEntries",
        "JList",
        "JMap",
        "JSet",
    ),
    ".durations": ("JDuration",),
    ".enums": (
        "DayOfWeek",
        "Month",
        "NaturalOrder",
        "RoundingMode",
        "TimeUnit",
    ),
    ".nanos": (
        "JInstant",
        "JLocalDateTime",
        "JOffsetDateTime",
        "JTime",
    ),
    ".scalars": (
        "JBigInteger",
        "JByte",
        "JChar",
        "JDate",
        "JDouble",
        "JFloat",
        "JInt",
        "JLong",
        "JShort",
    ),
    ".schema": (
        "ClassSchema",
        "EnumConstant",
        "Getter",
        "JavaField",
        "SchemaField",
        "java_class",
        "java_enum",
        "schema_of",
    ),
    ".types": (
        "JavaType",
        "parse_type",
    ),
    ".values": (
        "JEnumMap",
        "JEnumSet",
        "JSerialized",
        "JText",
        "JValue",
        "JZonedDateTime",
    ),
}

__getattr__, __dir__ = lazily(globals(), _HOMES)
