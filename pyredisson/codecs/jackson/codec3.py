"""`JsonJackson3Codec` and `TypedJsonJackson3Codec`: the JSON of Redisson's Jackson 3 codecs.

They exist since Redisson 4.1.0. Other than Jackson 2's: properties are public getters and
fields, records keep their order, enums are their `toString()`, dates ISO texts, decimals
may have an exponent, a declared Long carries no class. The typed one applies none of
Redisson's settings, so it writes nulls.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pyredisson.codecs.limits import DEFAULT_LIMITS, Limits

from .codec import JacksonCodec, Schemas, TypedCodec
from .rules import NEWEST, Rules, parse_release
from .text import JsonText

T = TypeVar("T")

__all__ = ["JsonJackson3Codec", "TypedJsonJackson3Codec"]


def check_release(release: str, since: tuple[int, int, int] = (4, 1, 0)) -> None:
    """Refuse releases that have no such codec yet."""
    if parse_release(release) < since:
        shown = ".".join(map(str, since))
        raise ValueError(f"Redisson {release} has no such codec; it came with {shown}")


class JsonJackson3Codec(JacksonCodec[Any]):
    """Redisson's `org.redisson.codec.JsonJackson3Codec`.

    Args:
        schemas: the module or the classes that `pyredisson schema` wrote.
        release: 4.1.0 or newer.
        strict: refuse what Java writes but cannot read back (final classes at the root).
        unknown: "generic" or "error": what becomes of classes without a schema.
        limits: bounds of one message.

    Raises:
        TypeError: one of the schemas is none.
        ValueError: an older release, or another `unknown`.
    """

    name = "JsonJackson3Codec"

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str = NEWEST,
        strict: bool = True,
        unknown: str = "generic",
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        check_release(release)
        rules = Rules.jackson3(release, typing=True, strict=strict)
        super().__init__(rules, JsonText(jackson3=True), schemas, limits, unknown)


class TypedJsonJackson3Codec(TypedCodec[T]):
    """Redisson's `org.redisson.codec.TypedJsonJackson3Codec`: no class names, but nulls.

    Args:
        cls: the Python type of all values, as for `TypedJsonJacksonCodec`.
        schemas: the classes that `cls` refers to.
        release: 4.1.0 or newer.
        limits: bounds of one message.

    Raises:
        TypeError: no Java class corresponds to `cls`.
        ValueError: an older release.
    """

    name = "TypedJsonJackson3Codec"

    def __init__(
        self,
        cls: type[T],
        *,
        schemas: Schemas = None,
        release: str = NEWEST,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        check_release(release)
        rules = Rules.jackson3(release, typing=False)
        super().__init__(cls, rules, JsonText(jackson3=True), schemas, limits)
