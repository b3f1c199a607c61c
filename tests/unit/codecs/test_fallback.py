"""FallbackCodec: it encodes with its first codec and decodes with the first that succeeds."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import (
    FallbackCodec,
    JsonJacksonCodec,
    Kryo5Codec,
    LongCodec,
    LZ4Codec,
    StringCodec,
)
from pyredisson.errors import DecodeError, EncodeError


def test_fallback_encodes_with_the_first_codec_and_decodes_both() -> None:
    codec = FallbackCodec([Kryo5Codec(), JsonJacksonCodec()])
    assert codec.encode("a").hex() == "038261"
    assert codec.decode(bytes.fromhex("038261")) == "a"
    assert codec.decode(b'"a"') == "a"
    assert repr(codec).startswith("FallbackCodec([Kryo5Codec(")


def test_fallback_tries_its_codecs_in_order() -> None:
    # Both codecs accept "12": the first one decodes it.
    assert FallbackCodec([StringCodec(), LongCodec()]).decode(b"12") == "12"
    assert FallbackCodec([LongCodec(), StringCodec()]).decode(b"12") == 12
    with pytest.raises(EncodeError, match="LongCodec"):
        FallbackCodec([LongCodec(), StringCodec()]).encode("a")  # no other codec encodes it


def test_fallback_error_contains_every_reason() -> None:
    codec = FallbackCodec([LongCodec(), Kryo5Codec()])
    data = b"\x01\x00com.example.\xc1"
    with pytest.raises(DecodeError, match=r"LongCodec: .*whole number; Kryo5Codec: ") as caught:
        codec.decode(data)
    assert caught.value.data == data
    assert caught.value.codec == "FallbackCodec"
    assert caught.value.class_name == "com.example.A"
    assert str(caught.value).count("the bytes:") == 1
    with pytest.raises(DecodeError) as other:
        FallbackCodec([LongCodec()]).decode(b"x")
    assert other.value.class_name is None


def test_fallback_needs_a_codec() -> None:
    with pytest.raises(ValueError, match="at least one"):
        FallbackCodec([])
    one: Any = LongCodec()
    with pytest.raises(TypeError, match="takes a list"):
        FallbackCodec(one)


@pytest.mark.parametrize("wrapper", [LZ4Codec, lambda codec: FallbackCodec([codec])])
def test_a_class_is_no_codec(wrapper: Any) -> None:
    with pytest.raises(TypeError, match="needs a codec, such as StringCodec"):
        wrapper(StringCodec)
