"""Passthrough: writes objects of unknown classes as they were read.

The content of a `JavaObject` or `JavaValue` is as in the message: a plain number gets no class, and
only `JavaObject` and `JavaValue` carry one.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pyredisson.java.objects import JavaObject, JavaValue
from pyredisson.java.supertypes import jdk_final
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_class, reject_value

from .format import Format, Write, too_deep
from .model import Model

F = TypeVar("F")

__all__ = ["passthrough"]


def passthrough(name: str, fmt: Format[F], model: Model, limits: Limits) -> Write[F]:
    """Return the writer of a class that is neither in a schema nor in the JDK's tables.

    It accepts only objects that were read.
    """
    limit = limits.max_depth

    def raw(value: Any, depth: int) -> F:
        if depth >= limit:
            raise too_deep(limit)
        if isinstance(value, JavaObject):
            members = [(key, raw(each, depth + 1)) for key, each in value.fields.items()]
            return fmt.object(value.class_name, members)
        if isinstance(value, JavaValue):
            if isinstance(value.value, list):
                parts = [raw(each, depth + 1) for each in value.value]
                return fmt.array(value.class_name, parts)
            return fmt.tagged(value.class_name, raw(value.value, depth + 1))
        if type(value) is list:
            return fmt.array(None, [raw(each, depth + 1) for each in value])
        if type(value) is dict:
            members = [(key, raw(each, depth + 1)) for key, each in value.items()]
            return fmt.object(None, members)
        return _plain(value, fmt, model, limits)

    def write(value: Any, depth: int) -> F:
        if not isinstance(value, (JavaObject, JavaValue)):
            if name.startswith("java.time.") and name != "java.time.Month":
                raise Rejection(
                    f"a {name}, which Jackson 2 writes only with JavaTimeModule: if the service's "
                    'ObjectMapper has it, pass java_time="arrays" or "iso" to JsonJacksonCodec',
                    name,
                )
            if jdk_final(name) is not None:
                raise Rejection(f"a {name}, which this codec cannot write without a loss", name)
            raise reject_class(name)
        return raw(value, depth)

    return write


def _plain(value: Any, fmt: Format[F], model: Model, limits: Limits) -> F:
    if value is None:
        return fmt.null
    if isinstance(value, bytes):
        return fmt.binary(value)
    name = _plain_class(value) if type(value) is int else model.class_of(value)
    scalar = fmt.scalar(name)
    if scalar is None:
        raise reject_value(value, "a plain value, as a JavaObject needs")
    return scalar(value, limits)


def _plain_class(value: int) -> str:
    return "java.lang.Long" if -(1 << 63) <= value < 1 << 63 else "java.math.BigInteger"
