"""Writes Java exceptions: a `JavaObject` of a JDK class, or an object of a schema class.

Both have the fields of `Throwable` under its names `detailMessage`, `cause`, `stackTrace` and
`suppressedExceptions`: a `JavaObject` as members, an object of a schema class as attributes. A
missing field is written as `new X(message)` has it, but without a stack trace. A missing cause is
the exception itself, which in Java means "not yet known". Source: `java.lang.Throwable` of OpenJDK
17.
"""

from __future__ import annotations

from typing import Any

from pyredisson.java.containers import JArray, JList
from pyredisson.java.objects import JavaObject
from pyredisson.java.schema import schema_of
from pyredisson.rejection import Rejection, reject_value

from .descriptions import Description
from .schemas import fits
from .stream_model import ClassData
from .throwables import ABSTRACT, STACK_ELEMENT, THROWABLE, THROWN

__all__ = ["fill_thrown", "thrown_description"]

_NAMES = [name for _, name, _ in THROWABLE.fields]
_NONE_SUPPRESSED: JList[Any] = JList("java.util.Collections$EmptyList")


def thrown_description(value: JavaObject) -> Description:
    """Return the description of an exception's class, or of a stack trace element's.

    Raises:
        Rejection: the value is of another class, or has members that the class does not have.
    """
    name = value.class_name
    found = STACK_ELEMENT if name == STACK_ELEMENT.name else THROWN.get(name)
    if found is None or name in ABSTRACT:
        raise Rejection(f"a {name}, which this codec can only read", name)
    known = {each for level in found.line() for _, each, _ in level.fields}
    if not known >= value.fields.keys():
        raise reject_value(value, f"a {name}, whose members are {sorted(known)}")
    return found


def fill_thrown(value: Any, level: ClassData) -> None:
    """Fill the data of `Throwable` or of a `StackTraceElement`; other classes have none."""
    members = value.fields if isinstance(value, JavaObject) else _vars_of(value)
    if level.class_name == STACK_ELEMENT.name:
        for _, name, signature in STACK_ELEMENT.fields:
            level.fields[name] = members.get(name, None if signature else 0)
    elif level.class_name == THROWABLE.name:
        suppressed = members.get("suppressedExceptions", [])  # None if suppression is disabled
        trace = members.get("stackTrace", JArray(STACK_ELEMENT.name))
        if trace is not None and not fits(trace, f"{STACK_ELEMENT.name}[]"):
            raise reject_value(trace, f"a {STACK_ELEMENT.name}[]")
        level.fields = {
            "cause": members.get("cause", value),
            "detailMessage": members.get("detailMessage"),
            "stackTrace": trace,
            "suppressedExceptions": _NONE_SUPPRESSED if suppressed == [] else suppressed,
        }


def _vars_of(value: Any) -> dict[str, Any]:
    """Return an object's attributes that are fields of `Throwable`, not of its own class."""
    schema = schema_of(type(value))
    own = {each.attribute for _, each in schema.all_fields()} if schema else set()
    return {
        name: getattr(value, name) for name in _NAMES if name not in own and hasattr(value, name)
    }
