"""Objects of Java classes without a schema, unchanged as they were read.

Codecs whose messages carry class names and member names (all of Jackson's) return an unknown class
as a `JavaObject`, and write it back to the same bytes. The content stays as in the message
(numbers, texts, lists, `JavaObject`, `JavaValue`); nothing is guessed, and no class is ever
imported by its name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["JavaObject", "JavaValue"]


@dataclass(frozen=True, slots=True)
class JavaObject:
    """An object of an unknown class: its JVM name and its members in their order.

    Members are plain: `int`, `str`, `bool`, `float` or `Decimal`, `list`, `dict` (an
    object without a class), `JavaObject` and `JavaValue`.
    """

    class_name: str
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class JavaValue:
    """A value of a named class that is not a JSON object, as in ``["com.example.Color","RED"]``."""

    class_name: str
    value: Any
