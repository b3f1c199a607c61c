"""Schemas of Java classes with fields of further JDK classes: times, texts, atomics, optionals."""

# ruff: noqa: N815 - fields have Java's names
from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, auto
from typing import Annotated, Any
from uuid import UUID

from pyredisson.java.schema import java_class, java_enum


@java_enum("com.example.Op", bodies=["PLUS", "MINUS"])
class Op(Enum):
    PLUS = auto()
    MINUS = auto()
    LEFT = auto()


@java_class("com.example.Extras")
@dataclass
class Extras:
    instant: Annotated[Any, "Instant"] = None
    duration: Annotated[Any, "Duration"] = None
    localDate: Annotated[Any, "LocalDate"] = None
    localTime: Annotated[Any, "LocalTime"] = None
    localDateTime: Annotated[Any, "LocalDateTime"] = None
    offsetTime: Annotated[Any, "OffsetTime"] = None
    offsetDateTime: Annotated[Any, "OffsetDateTime"] = None
    zonedDateTime: Annotated[Any, "ZonedDateTime"] = None
    zoneId: Annotated[Any, "ZoneId"] = None
    zoneOffset: Annotated[Any, "ZoneOffset"] = None
    year: Annotated[Any, "Year"] = None
    yearMonth: Annotated[Any, "YearMonth"] = None
    monthDay: Annotated[Any, "MonthDay"] = None
    period: Annotated[Any, "Period"] = None
    dayOfWeek: Annotated[Any, "DayOfWeek"] = None
    month: Annotated[Any, "Month"] = None
    unit: Annotated[Any, "java.util.concurrent.TimeUnit"] = None
    sqlDate: Annotated[Any, "java.sql.Date"] = None
    sqlTime: Annotated[Any, "java.sql.Time"] = None
    timestamp: Annotated[Any, "java.sql.Timestamp"] = None
    calendar: Annotated[Any, "java.util.Calendar"] = None
    timeZone: Annotated[Any, "TimeZone"] = None
    locale: Annotated[Any, "Locale"] = None
    currency: Annotated[Any, "Currency"] = None
    charset: Annotated[Any, "java.nio.charset.Charset"] = None
    uri: Annotated[Any, "java.net.URI"] = None
    url: Annotated[Any, "java.net.URL"] = None
    pattern: Annotated[Any, "java.util.regex.Pattern"] = None
    builder: Annotated[Any, "StringBuilder"] = None
    buffer: Annotated[Any, "java.lang.StringBuffer"] = None
    bits: Annotated[Any, "BitSet"] = None
    type: Annotated[Any, "Class<?>"] = None
    optional: Annotated[Any, "Optional<String>"] = None
    optionalInt: Annotated[Any, "java.util.OptionalInt"] = None
    optionalLong: Annotated[Any, "java.util.OptionalLong"] = None
    optionalDouble: Annotated[Any, "java.util.OptionalDouble"] = None
    atomicInteger: Annotated[Any, "java.util.concurrent.atomic.AtomicInteger"] = None
    atomicLong: Annotated[Any, "java.util.concurrent.atomic.AtomicLong"] = None
    atomicBoolean: Annotated[Any, "java.util.concurrent.atomic.AtomicBoolean"] = None
    atomicReference: Annotated[Any, "java.util.concurrent.atomic.AtomicReference<String>"] = None
    enumSet: Annotated[Any, "EnumSet<com.example.Color>"] = None
    enumMap: Annotated[Any, "EnumMap<com.example.Color, String>"] = None


@java_class("com.example.Booking")
@dataclass
class Booking:
    id: Annotated[int | None, "Long"] = None
    customerName: Annotated[str | None, "String"] = None
    totalPrice: Annotated[Decimal | None, "java.math.BigDecimal"] = None
    createdAt: Annotated[datetime | None, "java.time.LocalDateTime"] = None
    paidAt: Annotated[datetime | None, "java.time.Instant"] = None
    dueOn: Annotated[date | None, "java.time.LocalDate"] = None
    opensAt: Annotated[time | None, "java.time.LocalTime"] = None
    sentAt: Annotated[datetime | None, "java.time.OffsetDateTime"] = None
    timeToLive: Annotated[timedelta | None, "java.time.Duration"] = None
    updatedAt: Annotated[datetime | None, "java.util.Date"] = None
    color: Annotated[Any, "com.example.Color"] = None
    requestId: Annotated[UUID | None, "java.util.UUID"] = None
    done: Annotated[bool, "boolean"] = False
    HTTPPath: Annotated[str | None, "String"] = None
    xPos: Annotated[str | None, "String"] = None
    item2Count: Annotated[int, "int"] = 0
    orderTasks: Annotated[list[Any] | None, "java.util.List<com.example.OrderTask>"] = None
    moreAttributes: Annotated[dict[str, Any] | None, "java.util.Map<String, Object>"] = None
