"""Varied tasks of the class `com.example.Job`, as Java builds them and as Python does.

The rule: no text occurs twice in a task. Java's streams write which objects are the same one, and
Java makes an object of its own of each text.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from types import ModuleType
from typing import Any
from uuid import UUID

from interop.peer.values import Java
from pyredisson.java import JArray, JBigInteger, JInstant, JLocalDateTime, JLong

__all__ = ["job"]

Pair = tuple[Any, Any]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class _Maker:
    """Makes one task from a number."""

    def __init__(self, module: ModuleType, seed: int) -> None:
        self._module = module
        self._random = Random(seed)
        self._texts = 0

    def _text(self) -> str:
        self._texts += 1
        letters = self._random.choice(["plain", "größe", "你好", "😀", "a\u0000b", "x" * 200])
        return f"{letters}-{self._texts}"

    def _maybe(self, pair: Pair) -> Pair:
        return pair if self._random.randrange(4) else (None, None)

    def _string(self) -> Pair:
        text = self._text()
        return Java("string", text), text

    def _decimal(self) -> Pair:
        unscaled, scale = self._random.randrange(-(10**30), 10**30), self._random.randrange(9)
        text = str(Decimal(unscaled // 10 ** self._random.randrange(25)).scaleb(-scale))
        return Java("bigdecimal", text), Decimal(text)

    def _big(self) -> Pair:
        number = self._random.randrange(-(1 << 90), 1 << 90)
        return Java("bigint", str(number)), JBigInteger(number)

    def _long(self) -> Pair:
        number = self._random.randrange(-(1 << 63), 1 << 63) >> self._random.randrange(63)
        return Java("long", number), JLong(number)

    def _int(self) -> Pair:
        number = self._random.randrange(-(1 << 31), 1 << 31) >> self._random.randrange(31)
        return Java("int", number), number

    def _moment(self) -> datetime:
        seconds = self._random.randrange(2**31)
        found = _EPOCH + timedelta(seconds=seconds)
        return found.replace(microsecond=self._random.choice([0, 5, 120_000, 999_999]))

    def _local(self) -> Pair:
        when = self._moment().replace(tzinfo=None)
        value = JLocalDateTime.combine(when.date(), when.time())
        return Java("parsed", when.isoformat(), "java.time.LocalDateTime"), value

    def _instant(self) -> Pair:
        when = self._moment()
        value = JInstant.combine(when.date(), when.time(), UTC)
        return Java("instant", when.isoformat().replace("+00:00", "Z")), value

    def _date(self) -> Pair:
        millis = self._random.randrange(-(2**40), 2**41)
        return Java("date", millis), _EPOCH + timedelta(milliseconds=millis)

    def _day(self) -> Pair:
        day = date(self._random.randrange(1, 9999), self._random.randrange(1, 13), 5)
        return Java("parsed", day.isoformat(), "java.time.LocalDate"), day

    def _duration(self) -> Pair:
        millis = self._random.randrange(10**9)
        return Java("duration", f"PT{millis / 1000:.3f}S"), timedelta(milliseconds=millis)

    def _uuid(self) -> Pair:
        made = UUID(int=self._random.getrandbits(128))
        return Java("uuid", str(made)), made

    def _kind(self) -> Pair:
        name = self._random.choice(["EMAIL", "INVOICE", "REPORT"])
        return Java("enum", ["com.example.Job$Kind", name]), getattr(self._module.JobKind, name)

    def _line(self) -> Pair:
        fields = {
            "sku": self._string(),
            "count": self._int(),
            "price": self._maybe(self._decimal()),
        }
        return self._object("com.example.Job$Line", self._module.JobLine, fields)

    def _object(self, name: str, python: Any, fields: dict[str, Pair]) -> Pair:
        java = {field: each[0] for field, each in fields.items()}
        return Java("pojo", java, name), python(
            **{field: each[1] for field, each in fields.items()}
        )

    def _some(self, make: Any) -> list[Pair]:
        return [make() for _ in range(self._random.randrange(4))]

    def _list(self, pairs: list[Pair]) -> Pair:
        return Java("list", [each[0] for each in pairs]), [each[1] for each in pairs]

    def _array(self, component: str, pairs: list[Pair], type_name: str) -> Pair:
        java = Java(f"array:{type_name}", [each[0] for each in pairs])
        return java, JArray(component, [each[1] for each in pairs])

    def _anything(self) -> Pair:
        simple = (self._string, self._int, self._long, self._decimal, self._date, self._local)
        return self._random.choice([*simple, self._kind, self._line, self._lines])()

    def _lines(self) -> Pair:
        return self._list(self._some(self._line))

    def _map(self) -> Pair:
        entries = [(self._text(), self._maybe(self._anything())) for _ in range(3)]
        java = Java("map", [(Java("string", key), each[0]) for key, each in entries])
        return java, {key: each[1] for key, each in entries}

    def _tags(self) -> Pair:
        texts = [f"tag-{each}" for each in range(self._random.randrange(4))]
        return Java("set", [Java("string", each) for each in texts]), set(texts)

    def task(self, depth: int = 0) -> Pair:
        random = self._random
        number = random.randrange(-100, 100)
        mark, data = random.choice("aé你"), random.randbytes(random.randrange(2, 20))
        numbers = [self._int()[1] for _ in range(random.randrange(4))]
        fields: dict[str, Pair] = {
            "id": self._maybe(self._long()),
            "key": self._maybe(self._uuid()),
            "createdAt": self._maybe(self._local()),
            "urgent": (Java("bool", number > 0), number > 0),
            "name": self._maybe(self._string()),
            "total": self._maybe(self._decimal()),
            "number": self._maybe(self._big()),
            "due": self._maybe(self._date()),
            "day": self._maybe(self._day()),
            "seen": self._maybe(self._instant()),
            "limit": self._maybe(self._duration()),
            "kind": self._maybe(self._kind()),
            "attempts": self._maybe(self._int()),
            "weight": (Java("double", number / 8), number / 8),
            "share": (Java("float", number / 4), number / 4),
            "code": (Java("short", number * 300), number * 300),
            "level": self._maybe((Java("byte", number), number)),
            "mark": (Java("char", mark), mark),
            "data": self._maybe((Java("bytes", data), data)),
            "counts": (Java("array:p:int", numbers), JArray("int", numbers)),
            "words": self._array("java.lang.String", self._some(self._string), "string"),
            "firsts": self._array(
                "com.example.Job$Line", self._some(self._line), "com.example.Job$Line"
            ),
            "lines": self._maybe(self._lines()),
            "kinds": self._list(self._some(self._kind)),
            "extra": self._maybe(self._map()),
            "tags": self._maybe(self._tags()),
            "before": self.task(depth + 1) if depth < 2 and number > 50 else (None, None),
            "any": self._anything(),
        }
        return self._object("com.example.Job", self._module.Job, fields)


def job(module: ModuleType, seed: int) -> Pair:
    """Return a task as Java builds it, and as Python does with the classes of a module."""
    return _Maker(module, seed).task()
