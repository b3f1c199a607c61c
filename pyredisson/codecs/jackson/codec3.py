"""`JsonJackson3Codec` and `TypedJsonJackson3Codec`: the JSON of Redisson's Jackson 3 codecs.

They exist since Redisson 4.1.0. Other than Jackson 2's: properties are public getters and
fields, records keep their order, enums are their `toString()`, dates ISO texts, decimals
may have an exponent, a declared Long carries no class. The typed one applies none of
Redisson's settings, so it writes nulls.
"""

from __future__ import annotations

from typing import TypeVar

from pyredisson.limits import DEFAULT_LIMITS, Limits
from pyredisson.releases import Number

from .bases import NamingCodec, Schemas
from .codec import TypedCodec
from .text import JsonText

T = TypeVar("T")

__all__ = ["JsonJackson3Codec", "TypedJsonJackson3Codec"]


class JsonJackson3Codec(NamingCodec):
    """Redisson's `org.redisson.codec.JsonJackson3Codec`, since 4.1.0.

    The arguments are those of `NamingCodec`.
    """

    name = "JsonJackson3Codec"
    since = (4, 1, 0)
    jackson3 = True

    def _spell(self, release: Number) -> JsonText:
        return JsonText(jackson3=True)


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
    since = (4, 1, 0)
    jackson3 = True

    def __init__(
        self,
        cls: type[T],
        *,
        schemas: Schemas = None,
        release: str | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        super().__init__(cls, schemas, release, limits)

    def _spell(self, release: Number) -> JsonText:
        return JsonText(jackson3=True)
