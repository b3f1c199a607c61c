"""Exceptions of Java, written: a `JavaObject` of a JDK class, or an object of a schema's.

Both say what `Throwable` keeps under its names `detailMessage`, `cause`, `stackTrace` and
`suppressedExceptions`: a `JavaObject` as members, an object of a schema's class as
attributes. The rule: what is left out is what `new X(message)` has, without a stack trace;
a cause that is left out is the exception itself, which is Java's way to say "not yet known".
Source: `java.lang.Throwable` of OpenJDK 17.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyredisson.codecs.java.containers import JArray, JList
from pyredisson.codecs.java.objects import JavaObject
from pyredisson.codecs.java.schema import ClassSchema
from pyredisson.codecs.refusal import Refusal, refuse_value

from .boxes import pack_primitive
from .descriptions import Description
from .throwables import ABSTRACT, THROWABLE, THROWN

if TYPE_CHECKING:
    from .writer import StreamWriter

__all__ = ["vars_of", "write_object", "write_thrown"]

_NAMES = [name for _, name, _ in THROWABLE.fields]
_TEXTS = ("classLoaderName", "declaringClass", "fileName", "methodName", "moduleName")
_ELEMENT = Description(
    "java.lang.StackTraceElement",
    0x6109C59A2636DD85,
    2,
    (
        ("B", "format", ""),
        ("I", "lineNumber", ""),
        *(("L", name, "Ljava/lang/String;") for name in (*_TEXTS, "moduleVersion")),
    ),
)
_NONE_SUPPRESSED: JList[Any] = JList("java.util.Collections$EmptyList")


def vars_of(value: Any, schema: ClassSchema) -> dict[str, Any]:
    """Return what an object says of `Throwable`, in attributes that are no fields of its own."""
    own = {each.attribute for _, each in schema.all_fields()}
    return {
        name: getattr(value, name) for name in _NAMES if name not in own and hasattr(value, name)
    }


def write_thrown(sink: StreamWriter, handle: int, value: Any, said: Mapping[str, Any]) -> None:
    """Write what `Throwable` writes of an exception with this handle."""
    cause = said.get("cause", value)
    if cause is value:
        sink.reference(handle)
    else:
        sink.checked(cause, "java.lang.Throwable")
    sink.checked(said.get("detailMessage"), "java.lang.String")
    trace = said.get("stackTrace") or sink.keep(JArray("java.lang.StackTraceElement"))
    sink.checked(trace, "java.lang.StackTraceElement[]")
    sink.checked(said.get("suppressedExceptions") or _NONE_SUPPRESSED, "java.util.List")
    sink.out.append(0x78)


def write_object(sink: StreamWriter, value: JavaObject) -> None:
    """Write an exception or an element of its stack trace.

    Raises:
        Refusal: another class, or members that it does not have.
    """
    name, fields = value.class_name, value.fields
    described = _ELEMENT if name == _ELEMENT.name else THROWN.get(name)
    if described is None or name in ABSTRACT:
        raise Refusal(f"a {name}, which this codec reads only", name)
    known = {each for level in described.line() for _, each, _ in level.fields}
    if not known >= fields.keys():
        raise refuse_value(value, f"a {name}: its members are {sorted(known)}")
    handle = sink.begin(id(value), described)
    if described is not _ELEMENT:
        write_thrown(sink, handle, value, fields)
        return
    for code, each, _ in _ELEMENT.fields:
        if code == "L":
            sink.checked(fields.get(each), "java.lang.String")
        else:
            sink.out += pack_primitive(fields.get(each, 0), code)
