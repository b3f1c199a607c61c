"""The default codec of each Redisson release.

Sources: `Config` at the release tags, and the constructors without arguments of the compressing
codecs. From 3.12.3 to 3.12.5 these already used Kryo 5, in a version whose bytes pyredisson does
not know.
"""

from __future__ import annotations

from typing import Any

from pyredisson.releases import NEWEST, parse_release

from .base import Codec

__all__ = ["default_codec", "default_inner_codec"]


def default_codec(release: str | None) -> Codec[Any]:
    """Return the default codec of a release; None stands for the newest."""
    number = parse_release(release or NEWEST)
    if number >= (3, 19, 0):
        from .kryo5 import Kryo5Codec  # noqa: PLC0415 - each is loaded where it is needed

        return Kryo5Codec(release=release)
    if number >= (3, 13, 0):
        from .marshalling import MarshallingCodec  # noqa: PLC0415 - as above

        return MarshallingCodec()
    if number >= (3, 10, 0):
        from .fst import FstCodec  # noqa: PLC0415 - as above

        return FstCodec()
    from .jackson import JsonJacksonCodec  # noqa: PLC0415 - as above

    return JsonJacksonCodec(release=release)


def default_inner_codec(release: str | None) -> Codec[Any]:
    """Return the inner codec that `LZ4Codec()` and the other compressing codecs have by default.

    Raises:
        ValueError: pyredisson does not know that release's inner codec.
    """
    number = parse_release(release or NEWEST)
    if (3, 12, 3) <= number < (3, 13, 0):
        raise ValueError(
            f"the default inner codec of Redisson {release} is not known; pass an inner codec"
        )
    return default_codec("3.12.2" if number < (3, 12, 3) else release)
