"""`Kryo5Codec`: encodes and decodes one whole message, with its limits and its errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple

from pyredisson.codecs.base import as_bytes
from pyredisson.codecs.released import ReleasedCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.classes import fits, require_root
from pyredisson.java.schemas import Root, Schemas, collect, roots_of
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
    """The fast path of a text, a list, or a class that is one field group or has a fixed layout.

    Attributes:
        head: the class header of a message.
        write: appends the body of a value; returns False if it cannot.
        match: parses a whole message; returns None if it cannot.
        make: returns the value of what `match` returned.
    """

    head: bytes
    write: Callable[[bytearray, Any], bool]
    match: Callable[[bytes], Any]
    make: Callable[[Any], Any]


class Kryo5Codec(ReleasedCodec[Any]):
    """Redisson's `org.redisson.codec.Kryo5Codec`, its default since 3.19.0.

    Reads and writes the JDK's values and objects of the classes that have schemas, byte for byte as
    Java does. `pyredisson.java` lists which Python value stands for which Java class. `pyredisson
    schema` writes a schema; `java_class` declares one by hand.

    Args:
        schemas: a module of schema classes, or an iterable of them; by default none.
        release: the Redisson release of the Java side, for classes whose bytes changed; by default
            the client's. Without any, the codec rejects values that not all releases from 3.21.1 on
            read alike.
        allowed_classes: Java's allowedClasses (since 3.36.0): the codec reads and writes only these
            classes, with ids instead of names. By default every class is allowed. Since 4.1.0 Java
            sorts them; for older releases pass a list or tuple in the order of the Java set.
        references: Java's references mode (since 3.36.0): the codec writes each object once, then
            its number. It compares objects by identity. Default: False.
        unknown: what to do with a class without a schema. Kryo cannot skip it, so "error" is the
            only value.
        serializers: an application's own serializers by Python class; by default none.
        root: the class that Java's consumer takes (`OrderTask t = queue.take()`), or several.
            `encode` rejects all other values, also None; `decode` reads them as before. Subclasses
            are accepted as in Java, so a bool is no `int`. The schemas of these classes need not be
            in `schemas`. By default every value is accepted.
        limits: the limits of one message. Default: `DEFAULT_LIMITS`.

    Raises:
        TypeError: `root` is no class, or one of the schemas is no schema class.
        ValueError: the release is unknown or lacks an option, or `allowed_classes` has no order.
    """

    layouts: ClassVar = LAYOUTS

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str | None = None,
        allowed_classes: Iterable[str] = (),
        references: bool = False,
        unknown: Literal["error"] = "error",
        serializers: Mapping[type, Serializer] | None = None,
        root: Root = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        if unknown != "error":
            raise ValueError(f'unknown must be "error", got {unknown!r}: Kryo cannot skip a class')
        self.root = roots_of(root)
        self.schemas = collect(schemas, self.root)
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
        """Return the oldest release that must read what a codec without a release writes."""
        new = self.references or self.allowed_classes
        return max(self._floor, (3, 36, 0)) if new else self._floor

    def encode(self, value: Any) -> bytes:
        """Return the bytes that Java writes for the value.

        Raises:
            EncodeError: no Java class corresponds to a type, a number is out of range, None is at a
                position where Java has no null, the value is nested beyond the limit, or it is no
                instance of `root`.
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
            require_root(value, self.root)
            sink.value(value)
        except Rejection as error:
            raise EncodeError(f"{_NAME}: {error.text()}", codec=_NAME) from None
        except RecursionError:
            raise EncodeError(f"{_NAME}: nested too deep for Python", codec=_NAME) from None
        if value.__class__ not in self._fast_paths:
            self._learn(value.__class__)
        return bytes(sink.out)

    def _learn(self, cls: type) -> None:
        """Make the fast path of a class after its first object, if the class can have one.

        Only a class that `root` accepts has one, so the fast path need not check that.
        """
        simple = self._registry.simple(cls) if not self.root or fits(cls, self.root) else None
        limits = self.limits
        allowed = (
            simple
            and limits.max_depth >= simple[1].depth
            and limits.max_class_names >= simple[1].names
        )
        self._fast_paths[cls] = self._make_fast_path(*simple) if simple and allowed else None

    def _learn_root(self, serializer: Readable, data: bytes) -> None:
        """Remember the class header of a message that begins with the name of its class."""
        sink = Writer(self._registry, self.limits)
        sink.class_name(serializer.class_name)
        if data.startswith(sink.out):
            self._root = bytes(sink.out), serializer.class_name, serializer

    def _make_fast_path(
        self, name: str, fast: FieldGroup | MessageFunctions | TextMessage | ListMessage
    ) -> FastPath:
        sink = Writer(self._registry, self.limits)
        sink.class_name(name)
        head = bytes(sink.out)
        if isinstance(fast, (MessageFunctions, ListMessage)):
            return FastPath(head, fast.write, fast.match, fast.make)
        pattern = re.compile(re.escape(head) + fast.pattern, re.DOTALL)
        return FastPath(head, fast.write, pattern.fullmatch, fast.make)

    def decode(self, data: bytes) -> Any:
        """Return the value that Java wrote.

        Raises:
            DecodeError: the bytes are malformed, exceed the limits, name an unknown class (then the
                error has `class_name`), or continue after the value (Java ignores the rest).
            TypeError: `data` is not bytes.
        """
        fast = self._recent  # a queue mostly holds objects of one class
        if fast is not None:
            try:
                match = fast.match(data) if len(data) <= self._max_bytes else None
            except TypeError:  # the slow path raises the better error
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
    """Return class names: a list if they have an order, else a set."""
    found = None if isinstance(names, str) else list(dict.fromkeys(names))
    if found is None or not all(isinstance(each, str) for each in found):
        raise ValueError(f"allowed_classes must be a list of class names, got {names!r:.80}")
    return found if isinstance(names, (list, tuple)) else frozenset(found)


def _same_ids(names: list[str] | frozenset[str]) -> bool:
    """Return whether the classes have the same ids in all releases."""
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
