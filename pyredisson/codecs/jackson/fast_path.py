"""The fast path for the common message: an object of a known class with simple fields.

The standard library's parser is fastest when it makes its own dicts, floats and ints. That loses
nothing if a class has no decimals, no maps and no Object fields. The slow path reads all other
messages, and raises the errors.
"""

from __future__ import annotations

from pyredisson.java.arguments import bind
from pyredisson.java.types import OBJECT, JavaType

from .declared import Read
from .model import Model
from .reader import TreeReader
from .typing import BOXES

__all__ = ["FastPath"]

_START = b'{"@class":"'
_SCALARS = {*BOXES.values(), "java.lang.String", "java.util.UUID", "java.util.Date"}
_LISTS = {"java.util.List", "java.util.Collection", "java.util.ArrayList", "java.util.Set"}


class FastPath:
    """Decides from the first bytes of a message whether the fast path can read it.

    Its reader must reject classes without a schema: their floats would lose their exact text.
    """

    def __init__(self, model: Model, reader: TreeReader) -> None:
        self._model = model
        self._reader = reader
        self._readers: dict[bytes, Read | None] = {}
        for name in model.by_name:
            self._readers[name.encode("utf-8", "surrogatepass")] = None
        self._asked: set[bytes] = set()

    def reader(self, data: bytes) -> Read | None:
        """Return the reader of the message's tree; None if the slow path is needed."""
        if not data.startswith(_START):
            return None
        name = data[11 : data.find(b'"', 11)]
        found = self._readers.get(name)
        if found is None and name in self._readers and name not in self._asked:
            self._asked.add(name)
            text = name.decode("utf-8", "surrogatepass")
            schema = self._model.by_name[text]
            if (
                schema.kind != "enum"
                and not schema.abstract
                and self._model.names(text)
                and self._simple(JavaType(text), set())
            ):
                found = self._readers[name] = self._reader.exact(text, OBJECT)
        return found

    def _simple(self, declared: JavaType, seen: set[JavaType]) -> bool:
        if declared in seen or declared.name in _SCALARS or declared.primitive:
            return True
        seen.add(declared)
        if declared.dimensions:
            return self._simple(JavaType(declared.name), seen)
        if declared.name in _LISTS:
            return len(declared.arguments) == 1 and self._simple(declared.arguments[0], seen)
        schema = self._model.by_name.get(declared.name)
        if schema is None or self._model.container_of(schema) is not None:
            return False
        if schema.kind == "enum":
            return True
        known = self._model.by_name.values()
        classes = [each for each in known if issubclass(each.python, schema.python)]
        return all(
            self._simple(member.type, seen)
            for each in classes
            for member in self._model.properties(each, bind(each, declared))
        )
