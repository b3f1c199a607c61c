"""CompositeCodec: on a queue, it encodes and decodes with its third codec."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import CompositeCodec, IntegerCodec, LongCodec, StringCodec
from pyredisson.errors import DecodeError


def test_composite_is_the_value_codec() -> None:
    codec = CompositeCodec(None, StringCodec(), LongCodec())
    assert codec.encode(5) == b"5"
    assert codec.decode(b"7") == 7
    assert repr(codec) == "CompositeCodec(None, StringCodec('UTF-8'), LongCodec())"
    with pytest.raises(DecodeError, match="LongCodec"):
        codec.decode(b"x")


def test_each_half_of_a_map_has_its_codec() -> None:
    """Redisson's `CompositeCodec(mapKeyCodec, mapValueCodec, valueCodec)`."""
    key, content, value = StringCodec(), LongCodec(), IntegerCodec()
    both = CompositeCodec(key, content, value)
    assert (both.map_key, both.map_value) == (key, content)
    neither = CompositeCodec(None, None, value)
    assert (neither.map_key, neither.map_value) == (value, value)
    assert (key.map_key, key.map_value) == (key, key)


@pytest.mark.parametrize("third", [(), (None,), ("LongCodec",)])
def test_composite_requires_a_value_codec(third: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="NullPointerException"):
        CompositeCodec(StringCodec(), StringCodec(), *third)
