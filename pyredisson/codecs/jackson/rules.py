"""The differences between the Jackson codecs, and between their releases, as flags.

Writers and readers never check a release; they check one of these flags. Each boundary was verified
on both sides (`interop/vectors/check_releases.py`), except 4.5.0: Maven Central has neither 4.5.0
nor 4.4.x. 4.3.1 writes the class of a UUID, 4.6.1 does not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pyredisson.releases import NEWEST, parse_release

from .mapper import Mapper

__all__ = ["Rules", "Typing", "require_typing"]

Typing = bool | Literal["everything"]
# The same in all releases: also a declared Long and a declared UUID are named.
EVERYTHING: dict[str, Any] = {
    "everything": True,
    "typed_long": True,
    "typed_uuid": True,
    "sure": True,
}


def require_typing(typing: Typing, name: str, known: tuple[Typing, ...]) -> Typing:
    """Return the default typing that a codec was given.

    Raises:
        ValueError: the codec does not have it.
    """
    if typing not in known or type(typing) not in {bool, str}:
        allowed = " or ".join(map(repr, known))
        raise ValueError(f"typing={typing!r}: {name} takes {allowed}")
    return typing


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules by which one codec of one release encodes values.

    Attributes:
        typing: class names are written (`JsonJacksonCodec.initTypeInclusion`).
        everything: values of final classes carry their class, too (`DefaultTyping.EVERYTHING`).
        typed_long: a declared or root Long carries its class (not in Jackson 3).
        typed_uuid: a declared or root UUID carries its class: since 4.2.0.
        typed_special: NaN and the infinities carry their class in Object slots: since 3.11.6
            (Jackson 2.10).
        nulls: members that are null are written (plain `ObjectMapper`s of Jackson 3).
        times: java.time, Optional and similar have their own encoding (Jackson 3).
        getters: properties come from public getters, not from fields (Jackson 3).
        transient: a transient field with a getter is written (TypedJsonJackson3Codec).
        sorted: properties are in the order of their names, records' too.
        strict: roots that Java could not read back as the class that they had are rejected.
        sure: a declared or root UUID may be written. Without a release it is rejected, because each
            Java release reads only one of its two forms.
        mapper: the settings of the service's `ObjectMapper`.
    """

    typing: bool = True
    everything: bool = False
    typed_long: bool = True
    typed_uuid: bool = True
    typed_special: bool = True
    nulls: bool = False
    times: bool = False
    getters: bool = False
    transient: bool = False
    sorted: bool = True
    strict: bool = True
    sure: bool = True
    mapper: Mapper = field(default_factory=Mapper)

    @staticmethod
    def jackson2(release: str | None, *, typing: Typing, strict: bool = True) -> Rules:
        """Return the rules of the Jackson 2 codecs; without a release, those of the newest."""
        if typing == "everything":
            return replace(Rules.jackson2(release, typing=True, strict=strict), **EVERYTHING)
        number = parse_release(release or NEWEST)
        leaked = (4, 2, 0) <= number < (4, 5, 0)  # TypedJsonJacksonCodec wrote UUID's class
        return Rules(
            typing=typing,
            typed_long=typing,
            typed_uuid=number >= (4, 2, 0) if typing else leaked,
            typed_special=number >= (3, 11, 6),
            strict=strict,
            sure=release is not None or not typing,
        )

    @staticmethod
    def jackson3(release: str | None, *, typing: Typing, strict: bool = True) -> Rules:
        """Return the rules of the Jackson 3 codecs, which exist since 4.1.0."""
        if typing == "everything":
            return replace(Rules.jackson3(release, typing=True, strict=strict), **EVERYTHING)
        return Rules(
            typing=typing,
            typed_long=False,
            typed_uuid=typing and parse_release(release or NEWEST) >= (4, 2, 0),
            nulls=not typing,
            times=True,
            getters=True,
            transient=not typing,
            sorted=True,
            strict=strict,
            sure=release is not None or not typing,
        )
