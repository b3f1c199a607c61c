"""JDK values in rare encodings, as the released codecs wrote them."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import MarshallingCodec, SerializationCodec
from pyredisson.java import JMap, JValue

IDENTITY = JMap("java.util.IdentityHashMap", {"a": 1})
LOCALE = JValue("java.util.Locale", "zh", "TW", "", "Hant", "")
STREAM_IDENTITY = """
aced0005737200196a6176612e7574696c2e4964656e74697479486173684d617071a2650133f2e98003000149000473
697a6578700000000177040000000174000161737200116a6176612e6c616e672e496e746567657212e2a0a4f7818738
02000149000576616c7565787200106a6176612e6c616e672e4e756d62657286ac951d0b94e08b020000787000000001
78
"""
STREAM_LOCALE = """
aced0005737200106a6176612e7574696c2e4c6f63616c657ef811609c30f9ec03000649000868617368636f64654c00
07636f756e7472797400124c6a6176612f6c616e672f537472696e673b4c000a657874656e73696f6e7371007e00014c
00086c616e677561676571007e00014c000673637269707471007e00014c000776617269616e7471007e00017870ffff
ffff74000254577400007400027a6874000448616e7471007e000478
"""
RIVER_LOCALE = """
0404383e106a6176612e7574696c2e4c6f63616c657ef811609c30f9ec000000063e07636f756e74727916003e0a6578
74656e73696f6e7316003e0868617368636f646523003e086c616e677561676516003e0673637269707416003e077661
7269616e741600163e0254573dffffffff3e027a683e0448616e743d35
"""


@pytest.mark.parametrize(
    ("codec", "data", "wanted"),
    [
        (SerializationCodec(), STREAM_IDENTITY, IDENTITY),
        (MarshallingCodec(), "045301633e01614b00000001", IDENTITY),
        (SerializationCodec(), STREAM_LOCALE, LOCALE),
        (MarshallingCodec(), RIVER_LOCALE, LOCALE),
    ],
)
def test_read(codec: Any, data: str, wanted: Any) -> None:
    """`new IdentityHashMap<>(map("a", 1))` and `Locale.forLanguageTag("zh-Hant-TW")`."""
    assert repr(codec.decode(bytes.fromhex(data))) == repr(wanted)
