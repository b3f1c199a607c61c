"""Random objects over the schemas of the test classes, as a Python program would make them.

Type arguments are respected. The rule: what Java would reorder when it reads (hash tables) is in
Java's order, so that a difference in the bytes is a difference of the codecs.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from random import Random
from typing import Any
from uuid import UUID

from interop.vectors.fuzz_serialized import anything, enum_map, wrapped
from interop.vectors.fuzz_tables import (
    BOXES,
    COLLECTIONS,
    MAPS,
    OPEN,
    WRAP,
    hash_map_order,
    hashable,
    made_set,
    same,
)
from pyredisson.codecs.kryo5.releases import Release
from pyredisson.java import (
    DayOfWeek,
    JArray,
    JBigInteger,
    JDate,
    JEntries,
    JEnumSet,
    JInstant,
    JList,
    JLocalDateTime,
    JLong,
    JMap,
    JOffsetDateTime,
    JSet,
    JText,
    JTime,
    JValue,
    JZonedDateTime,
    Month,
    TimeUnit,
)
from pyredisson.java.durations import span
from pyredisson.java.schema import ClassSchema
from pyredisson.java.schemas import collect
from pyredisson.java.times import make_time
from pyredisson.java.types import OBJECT, JavaType, Wildcard, parse_type
from tests.unit.codecs import shapes
from tests.unit.codecs.message_shapes import Shipment

SCHEMAS = {**collect(shapes), **collect([Shipment])}
# Java reads what refers to one of these as an ArrayList, HashSet or HashMap.
UNSHARED = ("java.util.Arrays$", "java.util.ImmutableCollections$")
Bound = Mapping[str, JavaType]
ATOMIC = "java.util.concurrent.atomic.Atomic"


class Maker:
    """One random object, in which a value may stand in several places if it is `shared`.

    With a `serialized` release there are values in it that Java serialization writes there.
    """

    def __init__(
        self, seed: int, *, shared: bool = False, serialized: Release | None = None
    ) -> None:
        self.serialized = serialized
        self.random = Random(seed)
        self.budget = 60
        self.shared = shared
        self.made: dict[JavaType, list[Any]] = {}

    def root(self, cls: type) -> Any:
        schema = next(each for each in SCHEMAS.values() if each.python is cls)
        return self.object(schema, dict.fromkeys(schema.variables, OBJECT), 0)

    def object(self, schema: ClassSchema, bound: Bound, depth: int) -> Any:
        cls: Any = schema.python
        made = cls.__new__(cls)
        current: ClassSchema | None = schema
        while current is not None:
            for field in current.fields:
                value = None if field.transient else self.value(field.type, bound, depth + 1)
                object.__setattr__(made, field.attribute, value)
            parent = current.parent
            if parent is not None and current.extends is not None:
                above = [substitute(each, bound) for each in current.extends.arguments]
                bound = dict(zip(parent.variables, above, strict=False))
            current = parent
        return made

    def size(self, depth: int) -> int:
        return 0 if depth > 5 or self.budget < 0 else self.random.randrange(4)

    def value(self, declared: JavaType, bound: Bound, depth: int) -> Any:
        self.budget -= 1
        wanted = substitute(declared, bound)
        erased = wanted
        if declared.variable and self.random.randrange(2):
            erased = replace(OBJECT, dimensions=declared.dimensions)
        if not wanted.primitive and (self.random.randrange(6) == 0 or depth > 7):
            return None
        if not self.shared or wanted.primitive:
            return self.fresh(wanted, erased, bound, depth)
        earlier = self.made.setdefault(wanted, [])
        if earlier and self.random.randrange(4) == 0:
            return self.random.choice(earlier)
        found = self.fresh(wanted, erased, bound, depth)
        if not getattr(found, "class_name", "").startswith(UNSHARED):
            earlier.append(found)
        return found

    def fresh(self, wanted: JavaType, erased: JavaType, bound: Bound, depth: int) -> Any:
        if wanted.dimensions:
            return self.array(wanted, erased, bound, depth)
        if wanted.name in SCALARS:
            return SCALARS[wanted.name](self)
        return self.open(wanted, bound, depth)

    def array(self, wanted: JavaType, erased: JavaType, bound: Bound, depth: int) -> Any:
        component = wanted.component
        items = [self.value(component, bound, depth + 1) for _ in range(self.size(depth))]
        name = f"{erased.name}{'[]' * (erased.dimensions - 1)}"
        return bytes(each & 0xFF for each in items) if name == "byte" else JArray(name, items)

    def open(self, wanted: JavaType, bound: Bound, depth: int) -> Any:
        name = wanted.name
        if name in COLLECTIONS:
            return self.wrapped(name, self.collection(name, (*wanted.arguments, OBJECT)[0], depth))
        if name in MAPS:
            arguments = wanted.arguments or (parse_type("String"), OBJECT)
            return self.wrapped(name, self.map(name, arguments[0], arguments[1], depth))
        if name == "java.util.Optional":
            inside = self.value(wanted.arguments[0], bound, depth + 1)
            return JValue(name) if inside is None else JValue(name, inside)
        schema = SCHEMAS.get(name)
        if schema is None or schema.abstract:
            return self.any(name, depth)
        if schema.kind == "enum":
            return self.random.choice(list(schema.python))  # type: ignore[call-overload] # an Enum
        if depth > 5 or self.budget < 0:
            return None
        arguments = wanted.arguments or tuple(schema.variables.values())
        return self.object(schema, dict(zip(schema.variables, arguments, strict=True)), depth)

    def wrapped(self, name: str, value: Any) -> Any:
        return wrapped(self.random, name, value) if self.serialized else value

    def any(self, declared: str, depth: int) -> Any:
        if self.serialized and declared == "java.lang.Object" and self.random.randrange(8) == 0:
            return anything(self.random, self.text, self.serialized)
        choices = OPEN.get(declared, ())
        if not choices:
            return None
        wanted = parse_type(self.random.choice(choices))
        found = self.value(wanted, {}, depth + 1)
        wrap = None if wanted.dimensions else WRAP.get(wanted.name)
        return found if found is None or wrap is None else wrap(found)

    def collection(self, name: str, element: JavaType, depth: int) -> Any:
        items = [self.value(element, {}, depth + 1) for _ in range(self.size(depth))]
        if name.endswith(("Set", "SortedSet")):
            return self.set(name, items)
        plain = name != "java.util.LinkedList"
        full = bool(items) and None not in items
        choices: list[Callable[[], Any]] = [lambda: JList("java.util.LinkedList", items)]
        if plain:
            choices += [lambda: items] * 3
        if plain and name != "java.util.ArrayList":
            choices.append(lambda: JList("java.util.Arrays$ArrayList", items))
            kind = "List12" if len(items) < 3 else "ListN"
            if full:
                choices.append(lambda: JList(f"java.util.ImmutableCollections${kind}", items))
            if len(items) == 1:
                choices.append(lambda: JList("java.util.Collections$SingletonList", items))
            if not items:
                choices.append(lambda: JList("java.util.Collections$EmptyList", items))
        elif plain:
            choices = [lambda: items]
        return self.random.choice(choices)()

    def set(self, name: str, items: list[Any]) -> Any:
        if name == "java.util.TreeSet":
            texts = {each for each in items if isinstance(each, str)}
            return JSet(name, sorted(texts, key=lambda each: each.encode("utf-16-be")))
        unique: list[Any] = []
        for each in items:
            if not any(same(each, other) for other in unique):
                unique.append(each)
        if name == "java.util.LinkedHashSet" or self.random.random() < 0.5:
            return made_set("java.util.LinkedHashSet", unique)
        return made_set("java.util.HashSet", unique[:1])

    def map(self, name: str, key: JavaType, value: JavaType, depth: int) -> Any:
        entries: list[tuple[Any, Any]] = []
        for _ in range(self.size(depth)):
            each = self.value(key, {}, depth + 1)
            if not any(same(each, other) for other, _ in entries):
                entries.append((each, self.value(value, {}, depth + 1)))
        if name == "java.util.TreeMap":
            texts = [each for each in entries if isinstance(each[0], str)]
            texts.sort(key=lambda each: each[0].encode("utf-16-be"))
            return JMap(name, texts)
        if not all(hashable(each) for each, _ in entries):
            return JEntries("java.util.LinkedHashMap", entries)
        if self.random.random() < 0.4:
            if all(type(each) in {str, int, UUID, JLong} for each, _ in entries):
                return JMap("java.util.HashMap", hash_map_order(entries))
            return dict(entries[:1])
        full = len(entries) == 1 and None not in entries[0]
        if full and self.random.random() < 0.3:
            return JMap("java.util.ImmutableCollections$Map1", entries)
        return JMap("java.util.LinkedHashMap", entries)

    def bits(self, size: int) -> int:
        shift = self.random.randrange(size)
        return (self.random.getrandbits(size) - (1 << size - 1)) >> shift

    def text(self) -> str:
        size = self.random.randrange(80 if self.random.randrange(8) == 0 else 6)
        if self.random.randrange(3):
            return "".join(chr(self.random.randrange(32, 127)) for _ in range(size))
        ranges = ((0, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x10FFFF))
        return "".join(chr(self.random.randint(*self.random.choice(ranges))) for _ in range(size))

    def time(self) -> time:
        pick = self.random.randrange
        nano = self.random.choice((0, 0, pick(10**6) * 1000, pick(10**9)))
        plain = time(pick(24), pick(3) * 20, pick(3) * 20, nano // 1000)
        return JTime.of(plain, nano % 1000) if nano % 1000 else plain

    def date(self) -> date:
        return date.fromordinal(self.random.randrange(1, 3652059))

    def offset(self) -> int:
        return self.random.choice(
            (self.random.randrange(-72, 73) * 900, self.random.randrange(999))
        )

    def local(self) -> Any:
        if self.random.randrange(3) == 0:
            return JValue("java.time.LocalDateTime", -5, 2, 28, 1, 2, 3, 4)
        return JLocalDateTime.combine(self.date(), self.time())


def substitute(declared: JavaType, bound: Bound) -> JavaType:
    """Put in what the variables are bound to."""
    if declared.wildcard is not Wildcard.NONE:
        return substitute(replace(declared, wildcard=Wildcard.NONE), bound)
    if declared.variable:
        found = bound.get(declared.name, OBJECT)
        return replace(found, dimensions=found.dimensions + declared.dimensions)
    return replace(declared, arguments=tuple(substitute(e, bound) for e in declared.arguments))


def _decimal(maker: Maker) -> Decimal:
    return Decimal(maker.bits(100)).scaleb(maker.random.randrange(-20, 20)) + 0


def _date(maker: Maker) -> Any:
    millis = maker.bits(64)
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=millis)
    except OverflowError:
        return JDate(millis)


def _instant(maker: Maker) -> Any:
    if maker.random.randrange(3) == 0:
        return make_time("java.time.Instant", maker.bits(54), maker.random.randrange(10**9))
    return JInstant.combine(maker.date(), maker.time(), UTC)


def _offset_time(maker: Maker) -> Any:
    return maker.time().replace(tzinfo=timezone(timedelta(seconds=maker.offset())))


def _offset_date_time(maker: Maker) -> Any:
    zone = timezone(timedelta(seconds=maker.offset()))
    return JOffsetDateTime.combine(maker.date(), maker.time(), zone)


def _values(name: str, *parts: Callable[[Maker], Any]) -> Callable[[Maker], Any]:
    return lambda maker: JValue(name, *(each(maker) for each in parts))


def _optional(name: str, part: Callable[[Maker], Any]) -> Callable[[Maker], Any]:
    return lambda m: JValue(name, part(m)) if m.random.randrange(2) else JValue(name)


def _int(low: int, high: int) -> Callable[[Maker], int]:
    return lambda maker: maker.random.randint(low, high)


def _texts(name: str, *choices: str) -> Callable[[Maker], Any]:
    return lambda maker: JText(name, maker.random.choice(choices))


def _float(maker: Maker) -> float:
    bits = maker.random.getrandbits(31) % 0x7F800000
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def _bit_set(maker: Maker) -> Any:
    words = [maker.bits(64) for _ in range(maker.random.randrange(4))]
    return JValue("java.util.BitSet", *(words if words and words[-1] else ()))


def _enum_set(maker: Maker) -> Any:
    members = [each for each in shapes.Color if maker.random.randrange(2)]
    return JEnumSet("com.example.Color", members)


def _enum(cls: type[Enum]) -> Callable[[Maker], Any]:
    return lambda maker: maker.random.choice(list(cls))


SCALARS: dict[str, Callable[[Maker], Any]] = {
    "boolean": lambda m: m.random.random() < 0.5,
    "byte": lambda m: m.bits(8),
    "short": lambda m: m.bits(16),
    "char": lambda m: chr(m.random.randrange(0x10000)),
    "int": lambda m: m.bits(32),
    "long": lambda m: m.bits(64),
    "float": _float,
    "double": lambda m: m.random.gauss(0, 1) * 10.0 ** m.random.randrange(-20, 20),
    "java.lang.String": Maker.text,
    "java.math.BigInteger": lambda m: JBigInteger(m.bits(200)),
    "java.math.BigDecimal": _decimal,
    "java.util.Date": _date,
    "java.util.UUID": lambda m: UUID(int=m.random.getrandbits(128)),
    "java.time.Instant": _instant,
    "java.time.Duration": lambda m: span(m.bits(60) * m.random.choice((1, 1000))),
    "java.time.LocalDate": Maker.date,
    "java.time.LocalTime": Maker.time,
    "java.time.LocalDateTime": Maker.local,
    "java.time.OffsetTime": _offset_time,
    "java.time.OffsetDateTime": _offset_date_time,
    "java.time.ZonedDateTime": lambda m: JZonedDateTime(m.local(), "Asia/Tokyo"),
    "java.time.ZoneId": _texts("java.time.ZoneRegion", "Europe/Berlin", "UTC"),
    "java.time.ZoneOffset": lambda m: JValue("java.time.ZoneOffset", m.offset()),
    "java.time.Year": _values("java.time.Year", _int(-9999, 99999)),
    "java.time.YearMonth": _values("java.time.YearMonth", _int(-9, 9999), _int(1, 12)),
    "java.time.MonthDay": _values("java.time.MonthDay", _int(1, 12), _int(1, 28)),
    "java.time.Period": _values("java.time.Period", _int(-9, 9), _int(-99, 999), _int(-9, 9)),
    "java.time.DayOfWeek": _enum(DayOfWeek),
    "java.time.Month": _enum(Month),
    "java.util.concurrent.TimeUnit": _enum(TimeUnit),
    **{
        f"java.sql.{n}": _values(f"java.sql.{n}", _int(-(10**14), 10**14))
        for n in ("Date", "Time", "Timestamp")
    },
    "java.util.TimeZone": _texts("sun.util.calendar.ZoneInfo", "Asia/Tokyo", "UTC"),
    "java.util.Locale": _values(
        "java.util.Locale", lambda m: "de", lambda m: m.random.choice(["", "AT"]), lambda m: ""
    ),
    "java.util.Currency": _texts("java.util.Currency", "EUR", "JPY"),
    "java.nio.charset.Charset": _texts("sun.nio.cs.UTF_8", "UTF-8"),
    "java.net.URI": _texts("java.net.URI", "http://a.example/b", "urn:x"),
    "java.net.URL": _texts("java.net.URL", "http://a.example/b"),
    "java.util.regex.Pattern": _values(
        "java.util.regex.Pattern", lambda m: m.random.choice(["a*", "[b]"]), _int(0, 3)
    ),
    "java.lang.StringBuilder": lambda m: JText("java.lang.StringBuilder", m.text()),
    "java.lang.StringBuffer": lambda m: JText("java.lang.StringBuffer", m.text()),
    "java.util.BitSet": _bit_set,
    "java.lang.Class": _values(
        "java.lang.Class",
        lambda m: m.random.choice(["int", "java.lang.Long", "[I", "java.util.Map"]),
    ),
    "java.util.OptionalInt": _optional("java.util.OptionalInt", lambda m: m.bits(32)),
    "java.util.OptionalLong": _optional("java.util.OptionalLong", lambda m: m.bits(64)),
    "java.util.OptionalDouble": _optional("java.util.OptionalDouble", lambda m: m.random.random()),
    f"{ATOMIC}Integer": _values(f"{ATOMIC}Integer", lambda m: m.bits(32)),
    f"{ATOMIC}Long": _values(f"{ATOMIC}Long", lambda m: m.bits(64)),
    f"{ATOMIC}Boolean": _values(f"{ATOMIC}Boolean", lambda m: m.random.random() < 0.5),
    f"{ATOMIC}Reference": _values(f"{ATOMIC}Reference", Maker.text),
    "java.util.EnumSet": _enum_set,
    "java.util.EnumMap": lambda m: enum_map(m.random, m.text) if m.serialized else None,
    "java.util.Calendar": _values(
        "java.util.GregorianCalendar",
        lambda m: "Europe/Paris",
        _int(-(10**12), 10**13),
        lambda m: True,
        _int(1, 7),
        _int(1, 7),
        lambda m: -12219292800000,
    ),
}
SCALARS |= {f"java.lang.{name}": SCALARS[primitive] for name, primitive in BOXES.items()}
