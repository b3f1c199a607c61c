"""CompositeCodec: on a queue it is its third codec."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import CompositeCodec, LongCodec, StringCodec
from pyredisson.errors import DecodeError


def test_composite_is_the_value_codec() -> None:
    codec = CompositeCodec(None, StringCodec(), LongCodec())
    assert codec.encode(5) == b"5"
    assert codec.decode(b"7") == 7
    assert repr(codec) == "CompositeCodec(None, StringCodec('UTF-8'), LongCodec())"
    with pytest.raises(DecodeError, match="LongCodec"):
        codec.decode(b"x")


@pytest.mark.parametrize("third", [(), (None,), ("LongCodec",)])
def test_composite_needs_the_third(third: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="NullPointerException"):
        CompositeCodec(StringCodec(), StringCodec(), *third)
