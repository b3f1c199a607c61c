"""JDK classes for which Kryo has no serializer: it writes their fields, sorted by name.

Entries of maps, arrays of atomics, comparators, statistics: each is a `JValue` of its fields. If
the type of a field is a variable that is bound to a final class, the field has no class header.
Source: Kryo's `FieldSerializer`, as in `objects`.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments, Bindings
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.values import JValue
from pyredisson.rejection import Rejection, reject_value

__all__ = ["JdkFields"]

_PRIMITIVES = {"int", "long", "boolean"}
_VARIABLES = ("K", "V")


class JdkFields(Serializer):
    """An object of these fields.

    Args:
        class_name: the Java class.
        registry: the codec's classes.
        kinds: one word per field: a primitive or an array of one, K or V for a variable, `next`
            for an object with the same type arguments, `any` for all others.
    """

    def __init__(self, class_name: str, registry: Classes, kinds: str) -> None:
        super().__init__(class_name)
        self._kinds = kinds.split()
        self._generic = "K" in self._kinds
        self._registry = registry
        self.smallest = len(self._kinds)

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        source.descend()
        known = self._known(arguments, source.bindings)
        parts = []
        for kind in self._kinds:
            serializer = known.get(kind)
            if kind in _PRIMITIVES:
                parts.append(self._registry.primitive(kind).read(source))
            elif serializer is not None:
                parts.append(serializer.read_or_null(source))
            else:
                parts.append(source.value(arguments if kind == "next" else None))
        source.depth -= 1
        return JValue(self.class_name, *parts)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        if not isinstance(value, JValue) or value.class_name != self.class_name:
            raise reject_value(value, f"a {self.class_name}")
        if len(value.parts) != len(self._kinds):
            raise Rejection(f"a {self.class_name} has {len(self._kinds)} parts")
        sink.descend()
        known = self._known(arguments, sink.bindings)
        for kind, part in zip(self._kinds, value.parts, strict=True):
            serializer = known.get(kind)
            if kind in _PRIMITIVES:
                self._registry.primitive(kind).write(sink, part)
            elif serializer is not None:
                serializer.write_or_null(sink, part)
            else:
                sink.value(part, arguments if kind == "next" else None)
        sink.depth -= 1

    def _known(self, arguments: Arguments, bindings: Bindings) -> dict[str, Serializer | None]:
        """Return the serializers of kinds without a header.

        An unknown argument shifts the rest, as in `Hierarchy.bind`.
        """
        registry = self._registry
        found: dict[str, Serializer | None] = {
            kind: registry.known(kind) for kind in self._kinds if kind[0] == "["
        }
        if self._generic and arguments and len(arguments) == len(_VARIABLES):
            raws = [raw for each in arguments if (raw := each.resolve(bindings)) is not None]
            found |= {
                kind: registry.element(raw) for kind, raw in zip(_VARIABLES, raws, strict=False)
            }
        return found
