"""Java values in Python: how the line protocol of the peer encodes them, and what they mean.

Rule: a ``Java`` value names its Java type, so Integer and Long, ArrayList and array differ. A plain
Python value in an argument takes the type of the method's parameter (``5`` is a long where a long
is needed, ``"SECONDS"`` a TimeUnit). Where the parameter is an Object, it is a String, Integer or
Long, or Double.
"""

import base64
import math
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

_COLLECTIONS = {"list", "linkedlist", "arraydeque", "set", "linkedset", "treeset", "aslist"}
_SEQUENCES = _COLLECTIONS | {"listof", "collection", "iterator", "stream", "entry"}
_MAPS = {"map", "linkedmap", "treemap"}


@dataclass(frozen=True, slots=True)
class Java:
    """A Java value: its type's short name, its value, its class where no short name says it.

    ``t`` is string, int, long, double, float, short, byte, char, bool, null, bytes, bigint,
    bigdecimal, uuid, date (epoch ms), instant and duration (ISO 8601), parsed (of the class
    ``cls``, by its ``parse``), unit, enum
    ``[class, constant]``, class, pojo (with ``cls``, a dict of fields), array:TYPE (TYPE may be
    p:int, p:long... for primitives, or a class name), list (ArrayList), linkedlist, arraydeque, set
    (HashSet), linkedset, treeset, aslist, listof, collection (any other, with ``cls``), map
    (HashMap; pairs), linkedmap, treemap. In arguments also: build (see ``move``), sink, predicate.
    """

    t: str
    v: Any = None
    cls: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the value as the protocol encodes it."""
        json: dict[str, Any] = {"t": self.t, "v": self._json_value()}
        if self.cls is not None:
            json["class"] = self.cls
        return json

    def _json_value(self) -> Any:
        if self.t == "bytes":
            return base64.b64encode(self.v).decode()
        if self.t in {"double", "float"} and not math.isfinite(self.v):
            return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(self.v, "NaN")
        if self.t in _MAPS:
            return [[to_json(k), to_json(v)] for k, v in _pairs(self.v)]
        if self.t in _SEQUENCES or self.t.startswith("array:"):
            return [to_json(each) for each in self.v]
        if self.t == "pojo":
            return {name: to_json(each) for name, each in self.v.items()}
        if self.t == "predicate":
            return to_json(self.v)
        return self.v

    @classmethod
    def from_json(cls, json: Mapping[str, Any]) -> "Java":
        """Return the value that the peer sent; containers hold ``Java`` values."""
        t, v = json["t"], json["v"]
        if t == "bytes":
            v = base64.b64decode(v)
        elif t in {"double", "float"}:
            v = float(v)
        elif t in _MAPS:
            v = [(cls.from_json(key), cls.from_json(value)) for key, value in v]
        elif t in _SEQUENCES or t.startswith("array:"):
            v = [cls.from_json(each) for each in v]
        elif t == "pojo":
            v = {name: cls.from_json(each) for name, each in v.items()}
        return cls(t, v, json.get("class"))

    def plain(self) -> Any:
        """Return the nearest Python value; types that Python does not distinguish become equal."""
        if self.t in _MAPS:
            return {key.plain(): value.plain() for key, value in self.v}
        if self.t == "entry":
            return tuple(each.plain() for each in self.v)
        if self.t in {"set", "linkedset", "treeset"}:
            return {each.plain() for each in self.v}
        if self.t in _SEQUENCES or self.t.startswith("array:"):
            return [each.plain() for each in self.v]
        if self.t == "pojo":
            return {name: each.plain() for name, each in self.v.items()}
        if self.t == "bigint":
            return int(self.v)
        if self.t == "bigdecimal":
            return Decimal(self.v)
        if self.t == "uuid":
            return uuid.UUID(self.v)
        return self.v


def _pairs(value: Mapping[Any, Any] | Iterable[tuple[Any, Any]]) -> Iterable[tuple[Any, Any]]:
    return value.items() if isinstance(value, Mapping) else value


def to_json(value: Any) -> Any:
    """Encode an argument as JSON: ``Java`` values typed, scalars bare, containers as Java's."""
    if isinstance(value, Java):
        return value.to_json()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return _typed(value).to_json()


def _typed(value: Any) -> Java:
    match value:
        case float():
            return Java("double", value)
        case bytes():
            return Java("bytes", value)
        case list() | tuple():
            return Java("list", value)
        case set() | frozenset():
            return Java("set", value)
        case dict():
            return Java("map", value)
        case timedelta():
            return Java("duration", f"PT{value.total_seconds():f}S")
        case uuid.UUID():
            return Java("uuid", str(value))
        case Decimal():
            return Java("bigdecimal", str(value))
        case _:
            raise TypeError(f"no Java value for {value!r}")


def equal_to(value: Any) -> Java:
    """Return an argument of ``removeIf``: a predicate that is true for what equals ``value``."""
    return Java("predicate", value)


def sink() -> Java:
    """Return an argument of ``drainTo``: an empty ArrayList, which the reply returns filled."""
    return Java("sink")


def built(cls: str, *steps: tuple[Any, ...]) -> Java:
    """A fluent argument object: a static method of ``cls`` and then methods of each result.

    >>> move = built("org.redisson.api.queue.DequeMoveArgs", ("pollFirst",), ("addLastTo", "other"))
    """
    spelled = [[name, *(to_json(each) for each in arguments)] for name, *arguments in steps]
    return Java("build", {"class": cls, "steps": spelled})
