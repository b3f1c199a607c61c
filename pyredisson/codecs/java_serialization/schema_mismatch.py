"""Schema mismatch: compares the class description in a message with the schema.

Java reads fields by name, and rejects a message with another serialVersionUID. pyredisson reads a
message of another version of the class, too. It lists each difference that would change the bytes,
so that the writer can reject the object.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyredisson.java.schema import ClassSchema
from pyredisson.rejection import Rejection

from .descriptions import Description
from .schemas import described
from .stream_model import ClassDescription, StreamObject

__all__ = ["schema_mismatches"]


def schema_mismatches(raw: StreamObject, schema: ClassSchema) -> list[str]:
    """Return the differences between the message's description of the classes and the schema."""
    if not raw.line:
        return []
    try:
        line = {each.name: each for each in described(schema).line()}
    except Rejection:  # such a class is never written
        return []
    actual = {each.name: each for each in raw.line}
    found = [f"it extends {name}" for name in actual if name not in line]
    found += [f"it does not extend {name}" for name in line if name not in actual]
    current: ClassSchema | None = schema
    while current is not None:
        name = current.class_name
        if name in actual:
            found += [f"{name}{each}" for each in _differences(actual[name], line[name])]
        current = current.parent
    return found


def _differences(actual: ClassDescription, known: Description) -> Iterator[str]:
    if actual.uid != known.uid:
        yield f" has the serialVersionUID {actual.uid}"
    if actual.adds:
        yield " has a writeObject of its own"
    fields = {name: (code, kind) for code, name, kind in known.fields}
    names = set()
    for code, name, kind in actual.fields:
        names.add(name)
        if name not in fields:
            yield f".{name} is in the message only"
        elif (code, kind or fields[name][1]) != fields[name] and (kind or code not in "L["):
            yield f".{name} has another type"
    yield from (f".{name} is not in the message" for name in fields if name not in names)
