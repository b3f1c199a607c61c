"""Orders of Java's maps and hash codes of its values, as `record_orders.py` recorded them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest

from pyredisson.codecs.java import (
    JBigInteger,
    JByte,
    JChar,
    JDate,
    JFloat,
    JInstant,
    JLocalDateTime,
    JLong,
    JOffsetDateTime,
    JShort,
    JText,
    JValue,
    java_class,
)
from pyredisson.codecs.java.hash_codes import java_hash
from pyredisson.codecs.java.hashing import put_order, table_size

RECORDED: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "vectors" / "orders" / "jdk-17.json").read_text("utf-8")
)
KEYS: dict[str, Any] = {
    "str": str,
    "int": int,
    "float": float,
    "JLong": lambda text: JLong(int(text)),
    "Decimal": Decimal,
    "UUID": UUID,
    "JChar": JChar,
}


@java_class("Orders$Point", record=True)
@dataclass(frozen=True)
class Point:
    x: Annotated[int, "int"]
    y: Annotated[int, "long"]
    name: Annotated[str | None, "String"]
    part: Annotated[float, "float"]
    any: Annotated[Any, "Object"]


NAMES = {
    "UTC": UTC,
    "date": date,
    "datetime": datetime,
    "time": time,
    "timedelta": timedelta,
    "timezone": timezone,
    "Decimal": Decimal,
    "UUID": UUID,
    "JBigInteger": JBigInteger,
    "JByte": JByte,
    "JChar": JChar,
    "JDate": JDate,
    "JFloat": JFloat,
    "JInstant": JInstant,
    "JLocalDateTime": JLocalDateTime,
    "JLong": JLong,
    "JOffsetDateTime": JOffsetDateTime,
    "JShort": JShort,
    "JText": JText,
    "JValue": JValue,
    "Point": Point,
}


def _orders() -> Iterator[tuple[dict[str, Any], str, list[int]]]:
    row: dict[str, Any] = {}
    for each in RECORDED:
        if "put" in each:
            row = each
        elif "map" in each:
            yield row, each["map"], each["order"]


@pytest.mark.parametrize(
    "row", [each for each in RECORDED if "hash" in each], ids=lambda row: str(row["python"])
)
def test_hash_codes(row: dict[str, Any]) -> None:
    value = eval(row["python"], dict(NAMES))
    assert java_hash(value) == row["hash"] & 0xFFFFFFFF


def test_hash_maps_are_in_the_recorded_order() -> None:
    seen = 0
    for row, name, wanted in _orders():
        if name != "java.util.HashMap":
            continue
        keys = [KEYS[row["key"]](each) for each in row["put"]]
        order = put_order(keys)
        assert wanted == (list(range(len(keys))) if order is None else order), row["name"]
        assert not keys or table_size(len(keys), keys) == row["table"], row["name"]
        seen += len(keys) > 1
    assert seen > 300
