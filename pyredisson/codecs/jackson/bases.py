"""The base classes of the Jackson codecs: one whole message, its limits and its errors.

`NamingCodec` is the base of those whose messages name classes, `NamelessCodec` of the Jackson 3
codecs of binary formats, whose messages name none. The arguments are declared and described here;
each codec adds its format and its first release.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from pyredisson.codecs.base import as_bytes
from pyredisson.codecs.released import ReleasedCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.schemas import Root, Schemas, collect, roots_of
from pyredisson.limits import DEFAULT_LIMITS, Limits, require_limits
from pyredisson.rejection import Rejection
from pyredisson.releases import NEWEST, Number, parse_release

from .format import Format
from .mapper import Mapper
from .model import Model
from .parser import parse
from .reader import TreeReader
from .rules import Rules, Typing, require_typing
from .writer import TreeWriter

T = TypeVar("T")
__all__ = ["JacksonCodec", "NamelessCodec", "NamingCodec", "Root", "Schemas"]


class JacksonCodec(ReleasedCodec[T]):
    """The base of all Jackson codecs: a writer and a reader over one model of the schemas.

    Readers accept the bytes of all releases, so there are no `layouts` to try.
    """

    name: ClassVar[str]
    since: ClassVar[Number] = (0, 0, 0)
    jackson3: ClassVar[bool] = False
    typing: Typing = False
    layouts = ()
    strict: bool = True
    root: tuple[type, ...] = ()
    mapper = Mapper()

    def __init__(
        self, schemas: Schemas, release: str | None, limits: Limits, unknown: str = "error"
    ) -> None:
        if unknown not in {"generic", "error"}:
            raise ValueError(f"unknown={unknown!r} is neither 'generic' nor 'error'")
        self.schemas = collect(schemas, self.root)
        self.limits = require_limits(limits)
        self.unknown = unknown
        super().__init__(release)

    def _settle(self) -> None:
        release = parse_release(self.release or NEWEST)
        if release < self.since:
            shown = ".".join(map(str, self.since))
            raise ValueError(f"Redisson {self.release} has no {self.name}; it came with {shown}")
        self._model = Model(self.schemas, self._rules())
        self._format = self._make_format(release)
        self._writer: TreeWriter[Any] = TreeWriter(
            self._format, self._model, self.limits, self.root
        )
        generic = self.unknown == "generic"
        self._reader = TreeReader(self._model, self.limits, generic, self._format.natural)

    def _rules(self) -> Rules:
        make = Rules.jackson3 if self.jackson3 else Rules.jackson2
        made = make(self.release, typing=self.typing, strict=self.strict)
        nulls = made.nulls and self.mapper.inclusion == "always"
        return replace(made, nulls=nulls, mapper=self.mapper.of(self.release))

    @abstractmethod
    def _make_format(self, release: Number) -> Format[Any]:
        """Return the format of a release."""

    def encode(self, value: T) -> bytes:
        """Return the bytes that Java writes for the value.

        Raises:
            EncodeError: no Java class corresponds to a type, a value does not fit its declared
                type, a number is out of range, the value is nested too deep, or it is no instance
                of `root`.
        """
        try:
            return self._format.message(self._write(value))
        except Rejection as error:
            raise EncodeError(f"{self.name}: {error.text()}", codec=self.name) from None
        except RecursionError:
            raise EncodeError(f"{self.name}: nested too deep for Python", codec=self.name) from None

    def decode(self, data: bytes) -> T:
        """Return the value that Java wrote.

        Raises:
            DecodeError: the bytes are not in this format, lack a class name, hold a value that its
                class cannot have, exceed the limits, or continue after the value.
            TypeError: `data` is not bytes.
        """
        if type(data) is not bytes:
            data = as_bytes(data, f"{self.name}.decode")
        if len(data) > self.limits.max_bytes:
            reason = f"longer than {self.limits.max_bytes} bytes"
            raise DecodeError(reason, codec=self.name, data=data)
        try:
            return self._read(data)
        except Rejection as error:
            raise DecodeError(
                error.text(), codec=self.name, data=data, class_name=error.class_name
            ) from None
        except RecursionError:
            raise DecodeError("nested too deep for Python", codec=self.name, data=data) from None

    def _write(self, value: T) -> Any:
        return self._writer.root(value)

    def _read(self, data: bytes) -> T:
        found: T = self._reader.root(self._parse(data))
        return found

    def _parse(self, data: bytes) -> Any:
        return parse(data)


class NamingCodec(JacksonCodec[Any]):
    """A codec whose messages name the classes of their values.

    Args:
        schemas: the module or the classes that `pyredisson schema` wrote.
        release: the Redisson release whose bytes the codec writes; it must have the codec. Without
            one (here and in the client) the codec rejects a UUID that is not an element of a
            container.
        strict: reject values that Java writes, but cannot read at the root, or reads as another
            class: records, final classes, arrays of them, `List.of(...)`, enums and so on
            (docs/codecs.md lists them). Default True.
        unknown: "generic" (default): classes without a schema become `JavaObject`; "error": they
            raise a `DecodeError`.
        typing: "everything" if the service overrides `initTypeInclusion` with Jackson's
            `DefaultTyping.EVERYTHING`, or so that `useForType` returns true: final classes, enums,
            records and arrays carry their class, too. Default True: Redisson's own rule.
        root: the class of the values that Java's consumer takes, or several classes, as for
            `Kryo5Codec`. `encode` rejects all other values; `decode` reads them as before.
        limits: bounds of one message.

    Raises:
        TypeError: one of the schemas is not a schema class, or `root` is no class.
        ValueError: the release does not have this codec, or `unknown` or `typing` is another value.
    """

    typings: ClassVar[tuple[Typing, ...]] = (True, "everything")

    def _binary_uuid(self, release: Number) -> bool:
        """Return whether a UUID is 16 bytes; Redisson's `initTypeInclusion` makes it a text."""
        return release < (4, 2, 0) or self.typing == "everything"

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str | None = None,
        strict: bool = True,
        unknown: str = "generic",
        typing: Typing = True,
        root: Root = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.strict = strict
        self.typing = require_typing(typing, self.name, self.typings)
        self.root = roots_of(root)
        super().__init__(schemas, release, limits, unknown)


class NamelessCodec(JacksonCodec[Any]):
    """A Jackson 3 codec whose messages name no classes (an oversight of Redisson).

    `decode` returns objects as `dict`, as Java's own reader returns them as maps.

    Args:
        schemas: the classes of objects to be written.
        release: 4.2.0 or newer.
        limits: bounds of one message.

    Raises:
        TypeError: one of the schemas is not a schema class.
        ValueError: the release is older than 4.2.0.
    """

    since = (4, 2, 0)
    jackson3 = True

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        super().__init__(schemas, release, limits)
