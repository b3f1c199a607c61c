"""The JDK's classes in Kryo 5: one row for each class that Kryo itself serializes.

A row has what only Kryo 5 needs: the serializer, the registered id, what changed in which release,
and which values exist only once in Java. The code of the serializers is in `families`. A class with
neither a row nor a schema is an error, except for:

- arrays (`families/arrays`) and the JDK's enums (`java/enums`);
- classes that Redisson lets Java serialize: exceptions, addresses, `EnumMap` and wrappers of
  `Collections`. `families/java_serialized` has them, with their releases.

All other facts about a class are in tables that the codecs share, or in those of other codecs. For
a new class, look at each of them:

- `java/supertypes`: its supertypes, and whether it is final (always needed);
- `java/jdk`: the kind of a container, its fixed size, whether it may hold nulls or a comparator;
- `java/views`: views such as `keySet()`, which Java writes but cannot read (their rows come from
  there);
- `java/classes`, `java/values`: its Python type, if it is neither a `JText` nor a `JValue`;
- `java/coerce`: the plain Python values that a field of the class takes, if any;
- `java/hash_codes`, `java/map_orders`: its hash code, and the iteration order of a map or set;
- `java/types`: its short name in schemas, if it is often used;
- `schema_command/python_types`: its Python type in generated schemas;
- `jackson/typing`, `jackson/other_jdk`: its form in JSON;
- `java_serialization/descriptions`, `class_data_writers`, `jdk_values`: Java's own streams;
- `fst/layouts` and `kryo4/bodies`: the codecs of old releases.

The fast paths name the classes that they serve: see `families/objects`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pyredisson.java.checks import check_float, check_int
from pyredisson.java.jdk import Kind
from pyredisson.java.scalars import JByte, JChar, JFloat, JLong, JShort
from pyredisson.java.schema import ClassSchema
from pyredisson.java.views import VIEWS
from pyredisson.releases import FLOOR, parse_release

from .families import java_serialized, other_jdk, scalars
from .families.containers.bodies import container_serializer
from .families.containers.subclasses import old_wrapper, read_only
from .families.containers.views import View, old_queue
from .families.enums import EnumSetSerializer
from .families.jdk_fields import JdkFields
from .families.times import bodies as times
from .kernel import ids
from .kernel.classes import Classes
from .kernel.serializer import Form, Serializer

__all__ = ["ROWS", "Row", "newest_since"]

Make = Callable[[str, Classes], Serializer]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A class of the JDK.

    Attributes:
        make: makes its serializer.
        known: makes the serializer for positions whose declared type fixes the class; it reads
            plain values. None: the same as `make`.
        byte: the byte of its class header, if every Kryo has the class registered.
        since: the first release with today's bytes.
        before: makes the serializer for releases before `since`. None: they had the same bytes.
        subclasses: the first release whose Java reads an application's subclasses of it.
        single: returns for a body whether Java has only one object of this value. Then the
            constructor is private, and the factory method always returns that object (JDK 8 to 25).
        single_empty: whether Java has only one empty object of this class.
    """

    make: Make
    known: Make | None = None
    byte: int | None = None
    since: str = "3.19.0"
    before: Make | None = None
    subclasses: str = "3.19.0"
    single: Callable[[bytes], bool] | None = None
    single_empty: bool = False

    def made(self, class_name: str, registry: Classes) -> Serializer:
        """Return the serializer for the codec's release."""
        if self.before is None or registry.release.has(self.since):
            return self.make(class_name, registry)
        return self.before(class_name, registry)


def _alone(make: Callable[..., Serializer], *arguments: Any, **options: Any) -> Make:
    """Return a maker of a serializer that uses no other class."""
    return lambda class_name, _: make(class_name, *arguments, **options)


def _with(make: Callable[..., Serializer], *arguments: Any, **options: Any) -> Make:
    """Return a maker of a serializer that looks up other classes."""
    return lambda class_name, registry: make(class_name, registry, *arguments, **options)


def _int(value: Any) -> int:
    return check_int(value, 32, "an int")


def _long(value: Any) -> int:
    return check_int(value, 64, "a long")


def _double(value: Any) -> float:
    return check_float(value, 64)


def _always(_: bytes) -> bool:
    return True


def _zeros(body: bytes) -> bool:
    return not any(body)


def _one_byte(body: bytes) -> bool:
    return len(body) == 1


_TEXT = Row(make=_alone(other_jdk.Text))
_CHARSET = replace(_TEXT, single=_always)
_CONTAINER = Row(make=container_serializer)
_IMMUTABLE = replace(_CONTAINER, single_empty=True)
_EMPTY = replace(_CONTAINER, single=_always)
# Since 3.19.2 Java calls the constructor when it reads a subclass. Before, reading one ends in a
# NullPointerException; for the classes of `_CONSTRUCTED`, so does reading the class itself.
_OPEN = replace(_CONTAINER, subclasses="3.19.2")
_CONSTRUCTED = replace(_OPEN, since="3.19.2", before=_with(read_only))
_QUEUE = Row(make=_with(View, "java.util.ArrayDeque"), since="3.19.2", before=old_queue)
_ENUM_SET = Row(make=_with(EnumSetSerializer))
_MILLIS = Row(make=_alone(times.Millis))
_ENTRY = Row(make=_with(JdkFields, "K V"))


def _time(parts: times.TimeFormat, single: Callable[[bytes], bool] | None = None) -> Row:
    return Row(make=_alone(times.Time, parts), single=single)


ROWS: dict[str, Row] = {
    "java.lang.Boolean": Row(make=_alone(scalars.Boolean), byte=ids.BOOLEAN),
    "java.lang.Byte": Row(
        make=_alone(scalars.Byte, JByte), known=_alone(scalars.Byte, int), byte=ids.BYTE
    ),
    "java.lang.Character": Row(
        make=_alone(scalars.Character, JChar),
        known=_alone(scalars.Character, str),
        byte=ids.CHARACTER,
    ),
    "java.lang.Class": Row(make=_alone(other_jdk.Class), single=_always),
    "java.lang.Double": Row(make=_alone(scalars.Floating, "<d", float), byte=ids.DOUBLE),
    "java.lang.Float": Row(
        make=_alone(scalars.Floating, "<f", JFloat),
        known=_alone(scalars.Floating, "<f", float),
        byte=ids.FLOAT,
    ),
    "java.lang.Integer": Row(make=_alone(scalars.Integer), byte=ids.INTEGER),
    "java.lang.Long": Row(
        make=_alone(scalars.Long, JLong), known=_alone(scalars.Long, int), byte=ids.LONG
    ),
    "java.lang.Short": Row(
        make=_alone(scalars.Short, JShort), known=_alone(scalars.Short, int), byte=ids.SHORT
    ),
    "java.lang.String": Row(make=_alone(scalars.String), byte=ids.STRING),
    "java.lang.String$CaseInsensitiveComparator": Row(make=_alone(other_jdk.Fieldless)),
    "java.lang.StringBuffer": Row(make=_alone(other_jdk.NullableText)),
    "java.lang.StringBuilder": Row(make=_alone(other_jdk.NullableText)),
    "java.math.BigDecimal": Row(make=_alone(scalars.BigDecimal)),
    "java.math.BigInteger": Row(make=_alone(scalars.BigInteger)),
    "java.net.URI": Row(make=_alone(other_jdk.Text, r"[^\x00-\x20\x7f-\xa0\"<>\\^`{|}]+")),
    "java.net.URL": Row(make=_alone(other_jdk.Text, r"[a-z]+:[^\x00-\x20]*")),
    "java.sql.Date": _MILLIS,
    "java.sql.Time": _MILLIS,
    "java.sql.Timestamp": _MILLIS,
    "java.time.Duration": _time(times.DURATION, _zeros),
    "java.time.Instant": _time(times.INSTANT, _zeros),
    "java.time.LocalDate": _time(times.DATE),
    "java.time.LocalDateTime": Row(make=_alone(times.Time, times.DATE_TIME, Form("LocalDateTime"))),
    "java.time.LocalTime": _time(times.TIME, _one_byte),  # whole hours
    "java.time.MonthDay": _time(times.MONTH_DAY),
    "java.time.OffsetDateTime": _time(times.OFFSET_DATE_TIME),
    "java.time.OffsetTime": _time(times.OFFSET_TIME),
    "java.time.Period": _time(times.PERIOD, _zeros),
    "java.time.Year": _time(times.YEAR),
    "java.time.YearMonth": _time(times.YEAR_MONTH),
    "java.time.ZoneOffset": _time(times.OFFSET, _one_byte),  # quarters of an hour
    "java.time.ZoneRegion": Row(make=_alone(times.Zone)),
    "java.time.ZonedDateTime": Row(make=_alone(times.ZonedDateTime)),
    "java.util.AbstractMap$SimpleEntry": _ENTRY,
    "java.util.AbstractMap$SimpleImmutableEntry": _ENTRY,
    "java.util.ArrayDeque": _CONSTRUCTED,
    "java.util.ArrayList": _OPEN,
    "java.util.Arrays$ArrayList": _CONTAINER,
    "java.util.BitSet": Row(make=_alone(other_jdk.BitSet)),
    "java.util.Collections$EmptyList": _EMPTY,
    "java.util.Collections$EmptyMap": _EMPTY,
    "java.util.Collections$EmptySet": _EMPTY,
    "java.util.Collections$ReverseComparator": Row(make=_alone(other_jdk.Fieldless)),
    "java.util.Collections$ReverseComparator2": Row(make=_with(JdkFields, "any")),
    "java.util.Collections$SingletonList": _CONTAINER,
    "java.util.Collections$SingletonMap": _CONTAINER,
    "java.util.Collections$SingletonSet": _CONTAINER,
    # Whether nulls are first, and the comparator.
    "java.util.Comparators$NullComparator": Row(make=_with(JdkFields, "boolean any")),
    "java.util.Currency": Row(make=_alone(other_jdk.NullableText, r"[A-Z]{3}"), single=_always),
    "java.util.Date": Row(make=_alone(scalars.Date)),
    "java.util.EnumSet": _ENUM_SET,  # only as a registered id
    "java.util.GregorianCalendar": Row(make=_alone(times.Calendar)),
    "java.util.HashMap": _CONTAINER,
    # Hash, key, the next of its bucket, value.
    "java.util.HashMap$Node": Row(make=_with(JdkFields, "int K next V")),
    "java.util.HashSet": _OPEN,
    "java.util.Hashtable": _CONSTRUCTED,
    "java.util.IdentityHashMap": _CONSTRUCTED,
    "java.util.ImmutableCollections$List12": _CONTAINER,
    "java.util.ImmutableCollections$ListN": _IMMUTABLE,
    "java.util.ImmutableCollections$Map1": _CONTAINER,
    "java.util.ImmutableCollections$MapN": _IMMUTABLE,
    "java.util.ImmutableCollections$Set12": _CONTAINER,
    "java.util.ImmutableCollections$SetN": _IMMUTABLE,
    "java.util.ImmutableCollections$SubList": Row(
        make=_with(View, "java.util.ImmutableCollections$ListN")
    ),
    # Count, maximum, minimum, sum.
    "java.util.IntSummaryStatistics": Row(make=_with(JdkFields, "long int int long")),
    "java.util.JumboEnumSet": _ENUM_SET,
    "java.util.KeyValueHolder": _ENTRY,  # Map.entry
    "java.util.LinkedHashMap": _CONTAINER,
    "java.util.LinkedHashSet": _CONSTRUCTED,
    "java.util.LinkedList": _CONTAINER,
    "java.util.Locale": Row(make=_alone(other_jdk.Locale)),
    "java.util.LongSummaryStatistics": Row(make=_with(JdkFields, "long long long long")),
    "java.util.Optional": Row(make=_alone(other_jdk.Optional), single_empty=True),
    "java.util.OptionalDouble": Row(
        make=_alone(other_jdk.Fixed, "<d", _double, optional=True), single=_zeros
    ),
    "java.util.OptionalInt": Row(
        make=_alone(other_jdk.Fixed, "<i", _int, optional=True), single=_zeros
    ),
    "java.util.OptionalLong": Row(
        make=_alone(other_jdk.Fixed, "<q", _long, optional=True), single=_zeros
    ),
    "java.util.PriorityQueue": _CONTAINER,
    "java.util.Properties": _CONSTRUCTED,
    "java.util.RegularEnumSet": _ENUM_SET,
    "java.util.SimpleTimeZone": _TEXT,
    "java.util.Stack": _CONSTRUCTED,
    "java.util.TreeMap": _CONTAINER,
    "java.util.TreeSet": _CONTAINER,
    # Before 3.19.1 an object of two varints.
    "java.util.UUID": Row(
        make=_alone(scalars.Uuid), since="3.19.1", before=_alone(scalars.OldUuid)
    ),
    "java.util.Vector": _CONSTRUCTED,
    "java.util.WeakHashMap": _CONSTRUCTED,
    "java.util.concurrent.ConcurrentHashMap": _CONTAINER,
    "java.util.concurrent.ConcurrentHashMap$KeySetView": Row(
        make=_with(other_jdk.KeySetView), since="4.7.0", before=_with(old_wrapper, Kind.SET)
    ),
    "java.util.concurrent.ConcurrentLinkedDeque": _CONSTRUCTED,
    "java.util.concurrent.ConcurrentLinkedQueue": _CONSTRUCTED,
    "java.util.concurrent.ConcurrentSkipListMap": _CONTAINER,
    "java.util.concurrent.ConcurrentSkipListSet": _CONSTRUCTED,
    "java.util.concurrent.CopyOnWriteArrayList": _CONSTRUCTED,
    "java.util.concurrent.CopyOnWriteArraySet": _CONSTRUCTED,
    "java.util.concurrent.DelayQueue": _QUEUE,
    "java.util.concurrent.LinkedBlockingDeque": _CONSTRUCTED,
    "java.util.concurrent.LinkedBlockingQueue": _CONSTRUCTED,
    "java.util.concurrent.LinkedTransferQueue": _QUEUE,
    "java.util.concurrent.PriorityBlockingQueue": replace(
        _QUEUE, make=_with(View, "java.util.ArrayDeque", ordered=True)
    ),
    "java.util.concurrent.atomic.AtomicBoolean": Row(
        make=_alone(other_jdk.AtomicBoolean), since="3.46.0", before=_alone(other_jdk.OldAtomic, 1)
    ),
    "java.util.concurrent.atomic.AtomicInteger": Row(
        make=_alone(other_jdk.Fixed, "<i", _int),
        since="3.46.0",
        before=_alone(other_jdk.OldAtomic, 32),
    ),
    "java.util.concurrent.atomic.AtomicIntegerArray": Row(make=_with(JdkFields, "[I")),
    "java.util.concurrent.atomic.AtomicLong": Row(
        make=_alone(other_jdk.Fixed, "<q", _long),
        since="3.46.0",
        before=_alone(other_jdk.OldAtomic, 64),
    ),
    "java.util.concurrent.atomic.AtomicLongArray": Row(make=_with(JdkFields, "[J")),
    "java.util.concurrent.atomic.AtomicReference": Row(
        make=_alone(other_jdk.Reference), since="3.46.0", before=_with(other_jdk.OldReference)
    ),
    "java.util.concurrent.atomic.AtomicReferenceArray": Row(make=_with(JdkFields, "any")),
    "java.util.regex.Pattern": Row(
        make=_alone(other_jdk.Pattern), since="3.19.1", before=_alone(other_jdk.OldPattern)
    ),
    "sun.nio.cs.ISO_8859_1": _CHARSET,
    "sun.nio.cs.US_ASCII": _CHARSET,
    "sun.nio.cs.UTF_16": _CHARSET,
    "sun.nio.cs.UTF_16BE": _CHARSET,
    "sun.nio.cs.UTF_16LE": _CHARSET,
    "sun.nio.cs.UTF_8": _CHARSET,
    "sun.util.calendar.ZoneInfo": _TEXT,
    **{name: Row(make=_with(old_wrapper, kind)) for name, kind in VIEWS.items()},
}


def newest_since(class_name: str, schema: ClassSchema | None = None) -> str:
    """Return the first release with today's bytes of a class, but at least `FLOOR`."""
    row = ROWS.get(class_name)
    since = java_serialized.stream_since(class_name, schema) if row is None else row.since
    return max(since, FLOOR, key=parse_release)
