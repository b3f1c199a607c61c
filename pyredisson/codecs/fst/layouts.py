"""What FST writes for JDK classes that it has no serializer for: no names, only values.

FST imitates Java serialization for a class with a `writeObject`: per class of its line
a mark, the fields (booleans, other primitives, objects; each by type and name), a zero,
then what `writeObject` wrote. Of other classes it writes all fields and a zero. So the
layout must be known beforehand; it is OpenJDK's, 8 to 17. The rule: a class without a
layout, a serializer or a schema is refused by name.

Codes of fields are the JVM's (`L` is an object, `@` a class). Data: `i`, `f` and `q` are
numbers, `o` an object, `*` as many objects as the number before said, `2` twice as many,
`s` as many as the field `size`, `~` objects up to a null in the place of a key or element.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["IDS", "IMITATED", "PLAIN_FIELDS", "LevelLayout"]


@dataclass(frozen=True, slots=True)
class LevelLayout:
    """One class of an object's line: its fields with their codes, and its data."""

    class_name: str
    fields: tuple[tuple[str, str], ...] = ()
    data: str = ""


def _level(class_name: str, fields: str = "", data: str = "") -> LevelLayout:
    pairs = tuple((each[:-2], each[-1]) for each in fields.split())
    return LevelLayout(f"java.{class_name}", pairs, data)


def _line(*levels: LevelLayout) -> dict[str, tuple[LevelLayout, ...]]:
    return {levels[-1].class_name: levels}


_HASH_SET = _level("util.HashSet", data="ifi*")
_UNMODIFIABLE = _level("util.Collections$UnmodifiableCollection", "c:L")
_UNMODIFIABLE_LIST = _level("util.Collections$UnmodifiableList", "list:L")

IMITATED: dict[str, tuple[LevelLayout, ...]] = {
    **_line(_level("lang.String$CaseInsensitiveComparator")),
    **_line(_level("lang.Number"), _level("math.BigDecimal", "scale:I intVal:L")),
    **_line(_level("net.URI", "string:L")),
    **_line(_level("util.ArrayDeque", data="i*")),
    **_line(_level("util.BitSet", "bits:L")),
    **_line(_level("util.CollSer", "tag:I", "i*")),
    **_line(_level("util.Collections$EmptyList")),
    **_line(_level("util.Collections$EmptyMap")),
    **_line(_level("util.Collections$EmptySet")),
    **_line(_level("util.Collections$ReverseComparator")),
    **_line(_UNMODIFIABLE, _UNMODIFIABLE_LIST),
    **_line(
        _UNMODIFIABLE,
        _UNMODIFIABLE_LIST,
        _level("util.Collections$UnmodifiableRandomAccessList"),
    ),
    **_line(_level("util.Date", data="q"), _level("sql.Date")),
    **_line(_level("util.Date", data="q"), _level("sql.Time")),
    **_line(_level("util.Date", data="q"), _level("sql.Timestamp", "nanos:I")),
    **_line(_level("util.EnumMap", "keyType:@", "i2")),
    **_line(_HASH_SET, _level("util.LinkedHashSet")),
    **_line(_level("util.Locale")),
    **_line(_level("util.PriorityQueue", "size:I comparator:L", "is")),
    **_line(_level("util.TreeMap", "comparator:L", "i2")),
    **_line(_level("util.TreeSet", data="oi*")),
    **_line(_level("util.concurrent.ConcurrentLinkedDeque", data="~")),
    **_line(_level("util.concurrent.ConcurrentLinkedQueue", data="~")),
    **_line(_level("util.concurrent.ConcurrentSkipListMap", "comparator:L", "~2")),
    **_line(_level("util.concurrent.CopyOnWriteArrayList", data="i*")),
}

PLAIN_FIELDS: dict[str, LevelLayout] = {
    each.class_name: each
    for each in (
        _level("util.AbstractMap$SimpleEntry", "key:L value:L"),
        _level("util.Arrays$ArrayList", "a:L"),
        _level("util.Collections$ReverseComparator2", "cmp:L"),
        _level("util.Collections$SingletonList", "element:L"),
        _level("util.Collections$SingletonMap", "k:L v:L"),
        _level("util.Collections$SingletonSet", "element:L"),
        _level("util.Collections$UnmodifiableCollection", "c:L"),
        _level("util.Collections$UnmodifiableMap", "m:L"),
        _level("util.Collections$UnmodifiableSet", "c:L"),
        _level("util.UUID", "leastSigBits:J mostSigBits:J"),
        _level("util.concurrent.ConcurrentSkipListSet", "m:L"),
        _level("util.concurrent.CopyOnWriteArraySet", "al:L"),
    )
}

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
"""The classes that FST 2.57 registers by itself, in its order (`addDefaultClazzes`)."""
