"""The comparators that sorted collections and maps store with their elements.

Those of the JDK are represented as follows: `Collections.reverseOrder()` and
`Comparator.reverseOrder()` are ``JValue(REVERSE)``, `Collections.reverseOrder(other)` is
``JValue(REVERSE_OF, other)``, `String.CASE_INSENSITIVE_ORDER` is ``JValue(IGNORING_CASE)`` and
`Comparator.naturalOrder()` is the enum constant ``NaturalOrder.INSTANCE``. An application's
comparator stays the value that the codec decoded. Python never sorts by a comparator. Sources:
`java.util.Collections`, `java.util.Comparators` and `java.lang.String` of OpenJDK 8 to 17.
"""

from __future__ import annotations

from typing import Any

from pyredisson.rejection import Rejection

from .objects import JavaObject, JavaValue
from .schema import schema_of
from .values import JValue

__all__ = [
    "FIELDLESS",
    "IGNORING_CASE",
    "REVERSE",
    "REVERSE_OF",
    "check_comparator",
]

REVERSE = "java.util.Collections$ReverseComparator"
REVERSE_OF = "java.util.Collections$ReverseComparator2"
IGNORING_CASE = "java.lang.String$CaseInsensitiveComparator"
FIELDLESS = {REVERSE, IGNORING_CASE}


def check_comparator(value: Any, class_name: str) -> Any:
    """Check and return the comparator of a container of this class; None is the natural order.

    Raises:
        Rejection: the value is not a comparator.
    """
    if isinstance(value, JValue):
        fits = value.class_name in FIELDLESS or value.class_name == REVERSE_OF
    else:
        own = isinstance(value, (JavaObject, JavaValue)) or schema_of(type(value)) is not None
        fits = value is None or own
    if not fits:
        raise Rejection(f"the comparator of a {class_name} is not a comparator")
    return value
