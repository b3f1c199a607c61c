"""Reads `RuntimeVisibleAnnotations` (JVMS 4.7.16): the annotations available to reflection."""

from __future__ import annotations

from .constants import ConstantPool
from .cursor import Cursor
from .model import Annotation
from .signatures import field_type

__all__ = ["read_annotations"]

_MAX_DEPTH = 32
_NUMBERS = frozenset("BCDFIJS")


def read_annotations(cursor: Cursor, pool: ConstantPool) -> tuple[Annotation, ...]:
    """Return the annotations in an attribute's content."""
    found = tuple(_annotation(cursor, pool, 0) for _ in range(cursor.u2()))
    cursor.end("annotations")
    return found


def _annotation(cursor: Cursor, pool: ConstantPool, depth: int) -> Annotation:
    name = field_type(pool.name(cursor.u2())).name
    values: dict[str, object] = {}
    for _ in range(cursor.u2()):
        key = pool.name(cursor.u2())
        values[key] = _value(cursor, pool, depth + 1)
    return Annotation(name, values)


def _value(cursor: Cursor, pool: ConstantPool, depth: int) -> object:
    if depth > _MAX_DEPTH:
        raise cursor.error("annotations are nested too deeply")
    tag = chr(cursor.u1())
    if tag in _NUMBERS:
        return pool.value(cursor.u2())
    if tag == "Z":
        return bool(pool.value(cursor.u2()))
    if tag in {"s", "c"}:
        return pool.text(cursor.u2())
    if tag == "e":
        cursor.u2()
        return pool.text(cursor.u2())
    if tag == "@":
        return _annotation(cursor, pool, depth)
    if tag == "[":
        return [_value(cursor, pool, depth + 1) for _ in range(cursor.u2())]
    raise cursor.error(f"an annotation's value has the unknown tag {tag!r}")
