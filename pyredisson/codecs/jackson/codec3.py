"""`JsonJackson3Codec` and `TypedJsonJackson3Codec`: the JSON of Redisson's Jackson 3 codecs.

They exist since Redisson 4.1.0. Differences from Jackson 2: properties are public getters and
fields, records keep their order, enums are their `toString()`, dates are ISO strings, decimals may
have an exponent, a declared Long carries no class. Redisson does not configure a mapper that the
service gives its codec, nor the mapper of the typed codec: these mappers write nulls.
"""

from __future__ import annotations

from typing import TypeVar

from pyredisson.limits import DEFAULT_LIMITS, Limits
from pyredisson.releases import Number

from .bases import NamingCodec, Root, Schemas
from .codec import TypedCodec
from .mapper import Inclusion, JavaTime, Mapper
from .rules import Typing
from .text import JsonText

T = TypeVar("T")

__all__ = ["JsonJackson3Codec", "TypedJsonJackson3Codec"]


def _mapper(java_time: JavaTime, naming: str | None, inclusion: Inclusion) -> Mapper:
    """Return the options of a mapper of Jackson 3, which writes times as ISO strings by default."""
    made = Mapper(java_time, "iso", naming=naming, inclusion=inclusion)
    return made if java_time == "arrays" else Mapper(naming=naming, inclusion=inclusion)


class JsonJackson3Codec(NamingCodec):
    """Redisson's `org.redisson.codec.JsonJackson3Codec`, since 4.1.0.

    The arguments are those of `NamingCodec` and:

    Args:
        typing: "everything" as for `NamingCodec`. False if the service gave its codec a mapper.
            Redisson does not configure that mapper: it writes no class names, so `decode` returns
            objects as `dict`. The following options are those of such a mapper. Default True.
        java_time: "arrays" if WRITE_DATES_AS_TIMESTAMPS is on, else "iso".
        naming: its PropertyNamingStrategies, for example "snake_case".
        inclusion: "non_null" if it omits nulls (in maps, too), else "always" (default).

    Raises:
        TypeError: one of the schemas is not a schema class, or `root` is no class.
        ValueError: the release does not have this codec, an option has an unknown value, or a
            mapper's option is given without `typing=False`.
    """

    name = "JsonJackson3Codec"
    since = (4, 1, 0)
    jackson3 = True
    typings = (True, False, "everything")

    def __init__(
        self,
        *,
        schemas: Schemas = None,
        release: str | None = None,
        strict: bool = True,
        unknown: str = "generic",
        typing: Typing = True,
        java_time: JavaTime = "iso",
        naming: str | None = None,
        inclusion: Inclusion = "always",
        root: Root = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.java_time = java_time
        self.naming, self.inclusion = naming, inclusion
        self.mapper = _mapper(java_time, naming, inclusion)
        if typing and self.mapper != Mapper():
            raise ValueError(
                "java_time, naming and inclusion are options of a mapper that the service gave "
                "its codec, which names no classes: pass typing=False"
            )
        super().__init__(
            schemas=schemas,
            release=release,
            strict=strict,
            unknown=unknown,
            typing=typing,
            root=root,
            limits=limits,
        )

    def _make_format(self, release: Number) -> JsonText:
        return JsonText(self.mapper.of(self.release), jackson3=True)


class TypedJsonJackson3Codec(TypedCodec[T]):
    """Redisson's `org.redisson.codec.TypedJsonJackson3Codec`: no class names, but with nulls.

    Args:
        cls: the Python type of all values, as for `TypedJsonJacksonCodec`.
        schemas: the classes that `cls` refers to.
        release: 4.1.0 or newer.
        java_time, naming, inclusion: the service's mapper, as for `JsonJackson3Codec`.
        limits: bounds of one message.

    Raises:
        TypeError: no Java class corresponds to `cls`.
        ValueError: the release is older than 4.1.0, or an option has an unknown value.
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
        java_time: JavaTime = "iso",
        naming: str | None = None,
        inclusion: Inclusion = "always",
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.java_time, self.naming, self.inclusion = java_time, naming, inclusion
        self.mapper = _mapper(java_time, naming, inclusion)
        super().__init__(cls, schemas, release, limits)

    def _make_format(self, release: Number) -> JsonText:
        return JsonText(self.mapper.of(self.release), jackson3=True)
