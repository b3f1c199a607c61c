"""Objects of the JDK of which Kryo knows nothing: their fields, sorted by name.

Entries of maps, arrays of atomics, comparators, statistics: each is a `JValue` of its
fields. Source: Kryo's `FieldSerializer`, as in `objects`; a field of a variable's type
has no class header where the variable is bound to a final class.
"""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.kryo5.kernel.classes import Classes
from pyredisson.codecs.kryo5.kernel.generics import Arguments, Bindings
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.java.values import JValue
from pyredisson.refusal import Refusal, refuse_value

__all__ = ["parts_serializers"]

_ATOMIC = "java.util.concurrent.atomic.Atomic"
# The fields: primitives and arrays of them, K and V for the variables, `any` for all others.
_FIELDS = {
    "java.util.KeyValueHolder": "K V",  # Map.entry
    "java.util.AbstractMap$SimpleEntry": "K V",
    "java.util.AbstractMap$SimpleImmutableEntry": "K V",
    "java.util.HashMap$Node": "int K next V",  # hash, key, the next of its bucket, value
    f"{_ATOMIC}IntegerArray": "[I",
    f"{_ATOMIC}LongArray": "[J",
    f"{_ATOMIC}ReferenceArray": "any",
    "java.util.Collections$ReverseComparator2": "any",
    "java.util.Comparators$NullComparator": "boolean any",  # whether nulls are first, comparator
    "java.util.IntSummaryStatistics": "long int int long",  # count, maximum, minimum, sum
    "java.util.LongSummaryStatistics": "long long long long",
}
_PRIMITIVES = {"int", "long", "boolean"}
_VARIABLES = ("K", "V")


class _Parts(Serializer):
    """An object of the fields of `kinds`."""

    def __init__(self, class_name: str, kinds: list[str], registry: Classes) -> None:
        super().__init__(class_name)
        self._kinds = kinds
        self._generic = "K" in kinds
        self._registry = registry
        self.smallest = len(kinds)

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
            raise refuse_value(value, f"a {self.class_name}")
        if len(value.parts) != len(self._kinds):
            raise Refusal(f"a {self.class_name} has {len(self._kinds)} parts")
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
        """Return what has no header; an unknown argument shifts the rest (`Hierarchy.bind`)."""
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


def parts_serializers(registry: Classes) -> list[Serializer]:
    """Return the serializers of these classes."""
    return [_Parts(name, kinds.split(), registry) for name, kinds in _FIELDS.items()]
