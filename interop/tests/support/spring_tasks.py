"""Task number n of the Spring service, made in Python as its `Tasks.java` makes it."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from types import ModuleType
from typing import Any

from pyredisson.java import JLocalDateTime

START = datetime(2026, 2, 28, 23, 59, 58)


def task(tasks: ModuleType, n: int) -> Any:
    """Make the task of the classes that `pyredisson schema` wrote."""
    return tasks.OrderTask(
        id=None if n % 7 == 3 else n * 1_234_567_891,
        title=None if n % 11 == 5 else "größe € " + "x" * (n % 40),
        amount=Decimal(n * 1_000_003 - 50_000_000).scaleb(-(n % 6)),
        createdAt=_after(n * 1_123_456_789),
        state=list(tasks.OrderState)[n % 3],
        items=[_item(tasks, each) for each in range(n % 5)],
        attributes=_attributes(n),
        tags={f"tag-{each}" for each in range(n % 9)},
        gift=_item(tasks, n) if n % 4 == 0 else None,
        urgent=n % 2 == 1,
    )


def _after(nanoseconds: int) -> datetime:
    moment = START + timedelta(microseconds=nanoseconds // 1000)
    rest = moment.microsecond * 1000 + nanoseconds % 1000
    return JLocalDateTime(
        moment.year,
        moment.month,
        moment.day,
        moment.hour,
        moment.minute,
        moment.second,
        nanosecond=rest,
    )


def _item(tasks: ModuleType, n: int) -> Any:
    return tasks.OrderItem(sku=f"sku-{n}", quantity=n + 1, price=Decimal(199 + n).scaleb(-2))


def _attributes(n: int) -> dict[str, Any]:
    coupon = {"coupon": f"C{n}"} if n % 3 else {}
    return {
        "channel": "app" if n % 2 else "web",
        "retry": n,
        **coupon,
        "total": 3_000_000_000 + n,
        "weight": n / 8,
        "vip": n % 5 == 0,
        "price": Decimal(n).scaleb(-2),
        "path": [f"step-{each}" for each in range(n % 4)],
        "nested": {f"key-{each}": len(f"key-{each}") for each in range(n % 30)},
        "seen": JLocalDateTime.fromisoformat((START + timedelta(seconds=n)).isoformat()),
    }
