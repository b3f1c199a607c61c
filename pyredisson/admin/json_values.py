"""Values as JSON and as text, for people and programs that read them in a shell or on a page.

The rule: callers pass text through `printable` before a terminal shows it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

from pyredisson.java.objects import JavaObject

__all__ = ["iso", "jsonable", "jsonable_or_none", "printable", "text_of"]

_DEEPEST = 50


def iso(at: datetime | None) -> str | None:
    """Return a time as ISO 8601 in UTC, with milliseconds; None for None."""
    if at is None:
        return None
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def jsonable(value: Any) -> Any:
    """Convert a value to types of JSON: times to ISO 8601, durations to seconds, bytes to hex.

    A Java object without a Python class becomes an object with the key `@class`, as in Jackson.

    Raises:
        ValueError: JSON has no such value, or the value is nested too deeply.
    """
    return _jsonable(value, 0)


def jsonable_or_none(value: Any) -> Any:
    """Return what `jsonable` returns; None if it raises an error."""
    try:
        return jsonable(value)
    except (ValueError, RecursionError):
        return None


def _jsonable(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        raise ValueError("too deep")
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value
    if (found := _scalar(value)) is not None:
        return found
    if isinstance(value, Mapping):
        return {_key(name): _jsonable(each, depth + 1) for name, each in value.items()}
    if isinstance(value, list | tuple | Set):
        return [_jsonable(each, depth + 1) for each in value]
    if isinstance(value, JavaObject):
        named = {"@class": value.class_name, **value.fields}
        return {name: _jsonable(each, depth + 1) for name, each in named.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {
            each.name: _jsonable(getattr(value, each.name), depth + 1) for each in fields(value)
        }
    raise ValueError(f"JSON has no {type(value).__name__}")


def _scalar(value: Any) -> Any:
    found: Any = None
    if isinstance(value, float) and math.isfinite(value):
        found = value
    elif isinstance(value, datetime):
        found = iso(value) if value.tzinfo else value.isoformat()
    elif isinstance(value, timedelta):
        found = value.total_seconds()
    elif isinstance(value, bytes | bytearray):
        found = value.hex()
    elif isinstance(value, date | time):
        found = value.isoformat()
    elif isinstance(value, Enum):
        found = value.name
    elif isinstance(value, UUID | Decimal):
        found = str(value)
    return found


def _key(name: Any) -> str:
    found = _jsonable(name, 0)
    if isinstance(found, str):
        return found
    if isinstance(found, bool) or found is None or isinstance(found, int | float):
        return json.dumps(found)
    raise ValueError("JSON has no such key")


def text_of(value: Any) -> str:
    """Return text as it is, and another value as JSON, or else as its `repr`."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(jsonable(value), ensure_ascii=False)
    except (ValueError, RecursionError):
        return repr(value)


def printable(text: str) -> str:
    """Replace each character that is not printable by its escape sequence in Python's `repr`."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)
