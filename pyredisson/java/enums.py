"""The JDK's enums that values contain: their constants in Java's order."""

from __future__ import annotations

from enum import Enum, auto

from .schema import java_enum

__all__ = ["JDK_ENUMS", "DayOfWeek", "Month", "NaturalOrder", "RoundingMode", "TimeUnit"]


@java_enum("java.time.DayOfWeek")
class DayOfWeek(Enum):
    """`java.time.DayOfWeek`."""

    MONDAY = 1
    TUESDAY = 2
    WEDNESDAY = 3
    THURSDAY = 4
    FRIDAY = 5
    SATURDAY = 6
    SUNDAY = 7


@java_enum("java.time.Month")
class Month(Enum):
    """`java.time.Month`."""

    JANUARY = 1
    FEBRUARY = 2
    MARCH = 3
    APRIL = 4
    MAY = 5
    JUNE = 6
    JULY = 7
    AUGUST = 8
    SEPTEMBER = 9
    OCTOBER = 10
    NOVEMBER = 11
    DECEMBER = 12


@java_enum("java.util.concurrent.TimeUnit")
class TimeUnit(Enum):
    """`java.util.concurrent.TimeUnit`."""

    NANOSECONDS = auto()
    MICROSECONDS = auto()
    MILLISECONDS = auto()
    SECONDS = auto()
    MINUTES = auto()
    HOURS = auto()
    DAYS = auto()


@java_enum("java.math.RoundingMode")
class RoundingMode(Enum):
    """`java.math.RoundingMode`."""

    UP = auto()
    DOWN = auto()
    CEILING = auto()
    FLOOR = auto()
    HALF_UP = auto()
    HALF_DOWN = auto()
    HALF_EVEN = auto()
    UNNECESSARY = auto()


@java_enum("java.util.Comparators$NaturalOrderComparator")
class NaturalOrder(Enum):
    """The class of `Comparator.naturalOrder()`."""

    INSTANCE = 1


JDK_ENUMS: tuple[type[Enum], ...] = (DayOfWeek, Month, TimeUnit, RoundingMode, NaturalOrder)
