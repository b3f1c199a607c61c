"""What the Jackson codecs share: one message, whole, with its limits and its errors.

`NamingCodec` is the base of those whose messages name classes, `NamelessCodec` of the
Jackson 3 codecs of binary formats, whose messages name none. The rule: arguments are
declared and described here; a codec adds its format and the release that brought it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from types import ModuleType
from typing import Any, ClassVar, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.codecs.java.schema import collect
from pyredisson.codecs.limits import DEFAULT_LIMITS, Limits
from pyredisson.codecs.refusal import Refusal
from pyredisson.errors import DecodeError, EncodeError

from .model import Model
from .parser import parse
from .reader import TreeReader
from .rules import NEWEST, Release, Rules, parse_release
from .spelling import Spelling
from .writer import TreeWriter

T = TypeVar("T")
Schemas = ModuleType | Iterable[type] | None

__all__ = ["JacksonCodec", "NamelessCodec", "NamingCodec", "Schemas"]


class JacksonCodec(Codec[T]):
    """What all Jackson codecs share: a writer and a reader over one model of the schemas."""

    name: ClassVar[str]
    since: ClassVar[Release] = (0, 0, 0)
    jackson3: ClassVar[bool] = False

    def __init__(
        self, rules: Rules, spelling: Spelling[Any], schemas: Schemas, limits: Limits, unknown: str
    ) -> None:
        if unknown not in {"generic", "error"}:
            raise ValueError(f"unknown={unknown!r} is neither 'generic' nor 'error'")
        self.limits = limits
        self._model = Model(collect(schemas), rules)
        self._spelling = spelling
        self._writer: TreeWriter[Any] = TreeWriter(spelling, self._model, limits)
        self._reader = TreeReader(self._model, limits, unknown == "generic")

    def encode(self, value: T) -> bytes:
        """Return the bytes that Java writes for the value.

        Raises:
            EncodeError: a type that no Java class corresponds to, a value that the
                declared type does not allow, a number out of range, or too deep nesting.
        """
        try:
            return self._spelling.message(self._write(value))
        except Refusal as error:
            raise EncodeError(f"{self.name}: {error.told()}", codec=self.name) from None
        except RecursionError:
            raise EncodeError(f"{self.name}: nested too deep for Python", codec=self.name) from None

    def decode(self, data: bytes) -> T:
        """Return the value that Java wrote.

        Raises:
            DecodeError: not this format, a missing class name, a value that its class
                cannot hold, beyond the limits, or bytes left over.
        """
        if len(data) > self.limits.max_bytes:
            reason = f"longer than {self.limits.max_bytes} bytes"
            raise DecodeError(reason, codec=self.name, data=data)
        try:
            return self._read(data)
        except Refusal as error:
            raise DecodeError(
                error.told(), codec=self.name, data=data, class_name=error.class_name
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

    @classmethod
    def _rules(cls, release: str, *, typing: bool, strict: bool = True) -> Rules:
        """Return the rules of the codec in a release.

        Raises:
            ValueError: not a release, or one that has no such codec yet.
        """
        if parse_release(release) < cls.since:
            shown = ".".join(map(str, cls.since))
            raise ValueError(f"Redisson {release} has no such codec; it came with {shown}")
        make = Rules.jackson3 if cls.jackson3 else Rules.jackson2
        return make(release, typing=typing, strict=strict)


class NamingCodec(JacksonCodec[Any]):
    """A codec whose messages name the classes of what they hold.

    Args:
        schemas: the module or the classes that `pyredisson schema` wrote.
        release: the Redisson release whose bytes are written; one that has the codec.
        strict: refuse what Java writes but cannot read back (final classes and records
            at the root).
        unknown: "generic" or "error": what becomes of classes without a schema.
        limits: bounds of one message.

    Raises:
        TypeError: one of the schemas is none.
        ValueError: not a release of this codec, or another `unknown`.
    """

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str = NEWEST,
        strict: bool = True,
        unknown: str = "generic",
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        rules = self._rules(release, typing=True, strict=strict)
        super().__init__(rules, self._spell(parse_release(release)), schemas, limits, unknown)

    @staticmethod
    @abstractmethod
    def _spell(release: Release) -> Spelling[Any]:
        """Return the format as a release has it."""


class NamelessCodec(JacksonCodec[Any]):
    """A Jackson 3 codec whose messages name no classes, an oversight of Redisson's.

    Objects come back as `dict`, as Java's own reader has them.

    Args:
        schemas: the classes of objects to be written.
        release: 4.2.0 or newer.
        limits: bounds of one message.

    Raises:
        TypeError: one of the schemas is none.
        ValueError: an older release.
    """

    since = (4, 2, 0)
    jackson3 = True

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str = NEWEST,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        super().__init__(
            self._rules(release, typing=False), self._spell(), schemas, limits, "error"
        )

    @staticmethod
    @abstractmethod
    def _spell() -> Spelling[Any]:
        """Return the format."""
