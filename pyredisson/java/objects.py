"""Objects of Java classes without a schema, unchanged as they were read.

Codecs whose messages contain class names and member names (all of Jackson's) return an object of an
unknown class as a `JavaObject`, and encode it to the same bytes again. The content stays as in the
message (numbers, strings, lists, `JavaObject`, `JavaValue`). Nothing is guessed, and no class is
ever imported by its name.
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
