"""Converts an object of Java serialization to the single value that it stands for.

Numbers, strings, dates and similar; containers are in `jdk`. A builder rejects data in a form that
the class does not write, and never guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from pyredisson.java.containers import JArray
from pyredisson.java.numbers import date_of, decimal_of
from pyredisson.java.scalars import (
    JBigInteger,
    JByte,
    JChar,
    JDate,
    JFloat,
    JLong,
    JShort,
)
from pyredisson.java.values import JValue
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

from .preserved_metadata import PreservedText
from .sharing import ApartBigInteger, ApartDecimal
from .stream_model import StreamObject
from .times import TimeBlock, read_time

__all__ = ["VALUES", "Builder", "expect"]

Builder = Callable[[StreamObject, Limits], Any]
_MASK = 0xFFFFFFFFFFFFFFFF


def expect(value: Any, kind: type | tuple[type, ...], wanted: str) -> Any:
    """Return a part; reject it if it has another Python type."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise Rejection(f"a value of type {type(value).__qualname__} instead of {wanted}")
    return value


def _boxed(make: Callable[[Any], Any]) -> Builder:
    return lambda raw, _: make(raw.level().field("value"))


def _date(raw: StreamObject, _: Limits) -> Any:
    (millis,) = raw.level().numbers("q")
    return date_of(millis) or JDate(millis)


def _sql_date(raw: StreamObject, _: Limits) -> Any:
    return JValue(raw.class_name, *raw.level("java.util.Date").numbers("q"))


def _timestamp(raw: StreamObject, _: Limits) -> Any:
    (millis,) = raw.level("java.util.Date").numbers("q")
    return JValue(raw.class_name, millis, raw.field("nanos"))


def _big_integer(raw: StreamObject, limits: Limits) -> Any:
    signum, magnitude = raw.field("signum"), expect(raw.field("magnitude"), bytes, "byte[]")
    if len(magnitude) > limits.max_integer_bytes:
        raise Rejection(f"a number of more than {limits.max_integer_bytes} bytes")
    number = int.from_bytes(magnitude, "big")
    if signum not in {-1, 0, 1} or (signum == 0) != (number == 0):
        raise Rejection("a BigInteger whose signum does not fit its magnitude")
    return JBigInteger(signum * number)


def _big_decimal(raw: StreamObject, limits: Limits) -> Any:
    scale = raw.field("scale")
    if abs(scale) > limits.max_scale:
        raise Rejection(f"a BigDecimal of scale {scale}; limit {limits.max_scale}")
    unscaled = expect(raw.field("intVal"), JBigInteger, "a BigInteger")
    value = decimal_of(int(unscaled), scale)
    if not isinstance(unscaled, ApartBigInteger):
        return value
    found = ApartDecimal(value)
    found.unscaled = unscaled
    return found


def _uuid(raw: StreamObject, _: Limits) -> Any:
    high, low = raw.field("mostSigBits") & _MASK, raw.field("leastSigBits") & _MASK
    return UUID(int=high << 64 | low)


def _time(raw: StreamObject, _: Limits) -> Any:
    return read_time(TimeBlock(raw.level().block()))


def _atomic(raw: StreamObject, _: Limits) -> Any:
    return JValue(raw.class_name, raw.field("value"))


def _atomic_boolean(raw: StreamObject, _: Limits) -> Any:
    return JValue(raw.class_name, raw.field("value") != 0)


def _uri(raw: StreamObject, _: Limits) -> Any:
    text = expect(raw.field("string"), str, "a String")
    found = PreservedText(raw.class_name, text)
    found.string = text
    return found


def _builder(raw: StreamObject, _: Limits) -> Any:
    level = raw.level()
    buffered = "value" in level.fields
    count = level.field("count") if buffered else level.numbers("i")[0]
    chars = expect(level.field("value") if buffered else level.object(), JArray, "char[]")
    units = "".join(expect(each, str, "a char") for each in chars[: max(count, 0)])
    text = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    found = PreservedText(raw.class_name, text)
    found.room = len(chars)
    return found


def _bits(raw: StreamObject, _: Limits) -> Any:
    return JValue(raw.class_name, *expect(raw.field("bits"), JArray, "long[]"))


def _locale(raw: StreamObject, _: Limits) -> Any:
    """Return language, country and variant; also script and extensions, if either is set."""
    names = ("language", "country", "variant", "script", "extensions")
    parts = [expect(raw.field(each), str, "a String") for each in names]
    return JValue(raw.class_name, *(parts if parts[3] or parts[4] else parts[:3]))


def _many(builder: Builder, prefix: str, names: str) -> dict[str, Builder]:
    return {prefix + name: builder for name in names.split()}


VALUES: Mapping[str, Builder] = {
    "java.lang.Integer": _boxed(int),
    "java.lang.Long": _boxed(JLong),
    "java.lang.Short": _boxed(JShort),
    "java.lang.Byte": _boxed(JByte),
    "java.lang.Character": _boxed(JChar),
    "java.lang.Boolean": _boxed(bool),
    "java.lang.Float": _boxed(JFloat),
    "java.lang.Double": _boxed(float),
    "java.lang.StringBuilder": _builder,
    "java.lang.StringBuffer": _builder,
    "java.math.BigInteger": _big_integer,
    "java.math.BigDecimal": _big_decimal,
    "java.net.URI": _uri,
    "java.sql.Timestamp": _timestamp,
    "java.sql.Date": _sql_date,
    "java.sql.Time": _sql_date,
    "java.time.Ser": _time,
    "java.util.BitSet": _bits,
    "java.util.Date": _date,
    "java.util.Locale": _locale,
    "java.util.UUID": _uuid,
    "java.util.concurrent.atomic.AtomicBoolean": _atomic_boolean,
    **_many(_atomic, "java.util.concurrent.atomic.", "AtomicInteger AtomicLong AtomicReference"),
}
