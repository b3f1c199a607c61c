"""The releases at which bytes change, as `interop/vectors/check_releases.py` found them.

The vectors have Java's bytes on both sides of each boundary, recorded with some release on that
side. Here, the last release before it and the first release at it must write the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import nan
from typing import Any
from uuid import UUID

from pyredisson.codecs import (
    CborJacksonCodec,
    Codec,
    IonJacksonCodec,
    JsonJacksonCodec,
    Kryo5Codec,
    SmileJacksonCodec,
    TypedJsonJacksonCodec,
)
from pyredisson.java import JFloat, JValue
from tests.support.rows import each_row

ATOMIC = JValue("java.util.concurrent.atomic.AtomicInteger", 5)
BITS = UUID(int=5)


def typed(release: str) -> Codec[Any]:
    return TypedJsonJacksonCodec(UUID, release=release)


@each_row(
    ("make", "value", "recorded", "last", "first"),
    [
        (Kryo5Codec, BITS, "3.19.0", "3.19.0", "3.19.1"),
        (Kryo5Codec, ATOMIC, "3.36.0", "3.45.1", "3.46.0"),
        (JsonJacksonCodec, [nan], "3.10.7", "3.11.5", "3.11.6"),
        (partial(JsonJacksonCodec, strict=False), BITS, "4.1.0", "4.1.0", "4.2.0"),
        (partial(CborJacksonCodec, strict=False), BITS, "3.19.3", "4.1.0", "4.2.0"),
        (SmileJacksonCodec, JFloat(-0.5), "3.27.2", "3.50.0", "3.51.0"),
        (IonJacksonCodec, 1e100, "3.19.3", "4.3.0", "4.3.1"),
    ],
)
def test_releases_on_both_sides_of_a_boundary(
    make: Callable[..., Codec[Any]], value: Any, recorded: str, last: str, first: str
) -> None:
    older = make(release=recorded).encode(value)
    newest = make(release="4.7.0").encode(value)
    assert older != newest
    assert make(release=last).encode(value) == older
    assert make(release=first).encode(value) == newest


def test_typed_codec_of_some_releases_names_the_class_of_a_uuid() -> None:
    """Some releases of TypedJsonJacksonCodec named the class of a UUID, such as 4.2.0 and 4.3.1."""
    plain = typed("4.7.0").encode(BITS)
    assert typed("4.1.0").encode(BITS) == typed("4.6.1").encode(BITS) == plain
    assert typed("4.2.0").encode(BITS) == typed("4.3.1").encode(BITS) != plain
