"""The codec itself: one message, whole, with its limits and its errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any, ClassVar, Literal, NamedTuple

from pyredisson.codecs.base import as_bytes
from pyredisson.codecs.released import ReleasedCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.schema import collect
from pyredisson.limits import DEFAULT_LIMITS, Limits, require_limits
from pyredisson.rejection import Rejection
from pyredisson.releases import NEWEST, Number

from .families.custom import Serializer
from .families.objects.bodies import utf16
from .families.objects.bulk_lists import ListMessage
from .families.objects.field_groups import FieldGroup, TextMessage
from .families.objects.message_codegen import MessageFunctions
from .kernel.reader import Readable, Reader
from .kernel.writer import Writer
from .registry import Registry
from .releases import LAYOUTS, Release

__all__ = ["Kryo5Codec"]

_NAME = "Kryo5Codec"
_DECODE = "Kryo5Codec.decode"


class FastPath(NamedTuple):
    """The short way of a text, a list, or a class whose values are one run or have a shape."""

    head: bytes
    write: Callable[[bytearray, Any], bool]
    match: Callable[[bytes], Any]
    make: Callable[[Any], Any]


class Kryo5Codec(ReleasedCodec[Any]):
    """Redisson's `org.redisson.codec.Kryo5Codec`, its default since 3.19.0.

    Reads and writes the JDK's values and objects of the classes that have schemas,
    byte for byte as Java does. Which Python value stands for which class is told in
    `pyredisson.java`; a schema comes from `pyredisson schema` or is written by
    hand with `java_class`.

    Args:
        schemas: a module of schema classes, or an iterable of them.
        release: the Redisson release of the Java side; it decides where bytes changed.
            Without one (and without the client's) what not all releases from 3.21.1 on
            read alike is rejected.
        allowed_classes: as in Java (3.36.0): only these, and they have ids instead of
            names. Since 4.1.0 Java sorts them; for older releases the order must be
            that of the Java set, so it takes a list or tuple.
        references: as in Java (3.36.0): each object once, then by number. Which objects
            are the same is told by identity.
        unknown: what to do with a class without schema. Kryo cannot skip it, so all
            there is is "error".
        serializers: an application's own serializers by Python class.
        limits: bounds of one message.

    Raises:
        ValueError: no such release, an option that it does not have, or classes
            without an order.
    """

    layouts: ClassVar = LAYOUTS

    def __init__(
        self,
        *,
        schemas: ModuleType | Iterable[type] | None = None,
        release: str | None = None,
        allowed_classes: Iterable[str] = (),
        references: bool = False,
        unknown: Literal["error"] = "error",
        serializers: Mapping[type, Serializer] | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        if unknown != "error":
            raise ValueError("Kryo says no lengths, so an unknown class can only be an error")
        self.schemas = collect(schemas)
        self.allowed_classes = _names(allowed_classes)
        self.references = references
        self.unknown = unknown
        self.serializers = dict(serializers or {})
        self.limits = require_limits(limits)
        self._max_bytes = limits.max_bytes
        super().__init__(release)

    def _settle(self) -> None:
        chosen = Release(self.release or NEWEST)
        if self.references and not chosen.has("3.36.0"):
            raise ValueError(
                f"Kryo5Codec of {self.release} has no references mode; 3.36.0 is the first"
            )
        self._registry = Registry(
            [each.python for each in self.schemas.values()],
            chosen,
            _ordered(self.allowed_classes, chosen),
            references=self.references,
            serializers=self.serializers,
            limits=self.limits,
            floor=None if self.release else self._oldest(),
            same_ids=self.release is not None or _same_ids(self.allowed_classes),
        )
        self._fast_paths: dict[type, FastPath | None] = {}
        self._recent: FastPath | None = None
        self._root: tuple[bytes, str, Readable | None] = b"", "", None

    def _oldest(self) -> Number:
        """Return the oldest release that a codec which was told none writes for."""
        new = self.references or self.allowed_classes
        return max(self._floor, (3, 36, 0)) if new else self._floor

    def encode(self, value: Any) -> bytes:
        """Return the bytes that Java writes for the value.

        Raises:
            EncodeError: a type that no Java class corresponds to, a number out of
                range, a null where Java has none, or nesting beyond the limit.
        """
        fast = self._fast_paths.get(value.__class__)
        if fast is not None:
            out = bytearray(fast.head)
            if fast.write(out, value):
                return bytes(out)
        return self._encode(value)

    def _encode(self, value: Any) -> bytes:
        sink = Writer(self._registry, self.limits)
        try:
            sink.value(value)
        except Rejection as error:
            raise EncodeError(f"{_NAME}: {error.text()}", codec=_NAME) from None
        except RecursionError:
            raise EncodeError(f"{_NAME}: nested too deep for Python", codec=_NAME) from None
        if value.__class__ not in self._fast_paths:
            self._learn(value.__class__)
        return bytes(sink.out)

    def _learn(self, cls: type) -> None:
        """Make the short way for a class when its first object comes, if it may have one."""
        simple = self._registry.simple(cls)
        limits = self.limits
        allowed = (
            simple
            and limits.max_depth >= simple[1].depth
            and limits.max_class_names >= simple[1].names
        )
        self._fast_paths[cls] = self._make_fast_path(*simple) if simple and allowed else None

    def _learn_root(self, serializer: Readable, data: bytes) -> None:
        """Remember how a message began that named its class first."""
        sink = Writer(self._registry, self.limits)
        sink.class_name(serializer.class_name)
        if data.startswith(sink.out):
            self._root = bytes(sink.out), serializer.class_name, serializer

    def _make_fast_path(
        self, name: str, way: FieldGroup | MessageFunctions | TextMessage | ListMessage
    ) -> FastPath:
        sink = Writer(self._registry, self.limits)
        sink.class_name(name)
        head = bytes(sink.out)
        if isinstance(way, (MessageFunctions, ListMessage)):
            return FastPath(head, way.write, way.match, way.make)
        pattern = re.compile(re.escape(head) + way.pattern, re.DOTALL)
        return FastPath(head, way.write, pattern.fullmatch, way.make)

    def decode(self, data: bytes) -> Any:
        """Return the value that Java wrote.

        Raises:
            DecodeError: malformed, beyond the limits, of a class that is not known
                (then with `class_name`), or with bytes left over, which Java ignores.
            TypeError: `data` is not bytes.
        """
        fast = self._recent  # a queue mostly holds objects of one class
        if fast is not None:
            try:
                match = fast.match(data) if len(data) <= self._max_bytes else None
            except TypeError:  # the long way says it better
                match = None
            if match is not None:
                return fast.make(match)
        return self._decode(as_bytes(data, _DECODE))

    def _decode(self, data: bytes) -> Any:
        if len(data) > self._max_bytes:
            raise DecodeError(f"longer than {self._max_bytes} bytes", codec=_NAME, data=data)
        try:
            value = self._read(data)
        except Rejection as error:
            message = f"{error}{self._fitting(data)}"
            raise DecodeError(
                message, codec=_NAME, data=data, class_name=error.class_name
            ) from None
        if value.__class__ not in self._fast_paths:
            self._learn(value.__class__)
        self._recent = self._fast_paths[value.__class__] or self._recent
        return value

    def _read(self, data: bytes) -> Any:
        source = Reader(data, self._registry, self.limits)
        head, name, serializer = self._root
        try:
            if serializer is not None and data.startswith(head):
                source.start(name, serializer, len(head))
                value = serializer.read(source)
            else:
                value = source.value()
        except Rejection as error:
            raise Rejection(f"{error}, at byte {source.pos}", error.class_name) from None
        except IndexError:
            raise Rejection("the message ends early") from None
        except RecursionError:
            raise Rejection("nested too deep for Python") from None
        if source.pos != len(data):
            raise Rejection(f"{len(data) - source.pos} bytes are left over")
        first = source.known[0] if source.known else None
        if first is not None and first is not self._root[2]:
            self._learn_root(first, data)
        return value


def _names(names: Iterable[str]) -> list[str] | frozenset[str]:
    """Return class names, as a list if they have an order."""
    found = None if isinstance(names, str) else list(dict.fromkeys(names))
    if found is None or not all(isinstance(each, str) for each in found):
        raise ValueError("allowed_classes is a list of class names")
    return found if isinstance(names, (list, tuple)) else frozenset(found)


def _same_ids(names: list[str] | frozenset[str]) -> bool:
    """Say whether classes have the same ids in all releases."""
    return len(names) < 2 or names == sorted(names, key=utf16)


def _ordered(names: list[str] | frozenset[str], release: Release) -> list[str]:
    """Return the classes in the order of their ids."""
    if release.sorted_classes:
        return sorted(names, key=utf16)
    if names and not isinstance(names, list):
        raise ValueError(
            f"Redisson {release.text} numbers allowed_classes in the order of the Java set; "
            "give them as a list in that order"
        )
    return list(names)
