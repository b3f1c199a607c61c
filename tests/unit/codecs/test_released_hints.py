"""Bytes of another release than the codec's: the error names the release that fits."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from pyredisson.codecs import (
    Codec,
    FallbackCodec,
    LZ4CodecV2,
    MarshallingCodec,
    SerializationCodec,
    StringCodec,
)
from pyredisson.errors import DecodeError
from pyredisson.releases import NEWEST
from tests.unit.codecs.shapes import Color
from tests.unit.codecs.test_released import FIXED, NEW, kryo

ID = UUID("01234567-89ab-cdef-0123-456789abcdef")


def told_by(codec: Codec[Any], data: bytes) -> str:
    with pytest.raises(DecodeError) as caught:
        codec.decode(data)
    return str(caught.value)


def old_wrapper(name: str) -> bytes:
    """Return the bytes that Java wrote before 3.35.0: the plain body of a list."""
    return (
        kryo("3.27.2")
        .encode(["a"])
        .replace(b"ArrayLis\xf4", b"%b%b" % (name[:-1].encode(), bytes([ord(name[-1]) | 0x80])))
    )


def test_error_names_the_release_that_fits() -> None:
    data = old_wrapper("Collections$UnmodifiableRandomAccessList")
    told = told_by(kryo(), data)
    assert 'bytes fit Kryo5Codec of Redisson 3.34.1 and older: pass release="3.34.1"; ' in told
    assert kryo("3.34.1").decode(data) == FIXED
    assert "3.34.1 and older" in told_by(kryo("4.7.0"), data)


def test_newer_bytes_in_an_older_codec() -> None:
    for name, (value, since) in NEW.items():
        if name.startswith(("un", "syn", "EnumMap")):
            told = told_by(kryo("3.27.2"), kryo(NEWEST).encode(value))
            assert f"the bytes fit Kryo5Codec of Redisson {since} and newer" in told


def test_error_names_a_single_release() -> None:
    data = kryo("3.19.0").encode([ID])
    assert 'Redisson 3.19.0: pass release="3.19.0"' in told_by(kryo(), data)


def test_error_names_a_release_between_two_changes() -> None:
    """Unmodifiable lists are serialized since 3.35.0, EnumMaps since 3.36.0."""
    both = kryo("3.35.0").encode([FIXED, {Color.RED: 1}])
    data = both.replace(b"HashMa\xf0", b"EnumMa\xf0")
    assert "of Redisson 3.35.0: pass" in told_by(kryo(), data)


def test_error_names_a_range_of_releases() -> None:
    data = kryo("3.38.0").encode([NEW["address"][0], NEW["AtomicLong"][0]])
    assert 'Redisson 3.38.0 to 3.45.1: pass release="3.45.1"' in told_by(kryo(), data)


def test_error_names_no_release_if_none_fits() -> None:
    whole = old_wrapper("Collections$UnmodifiableRandomAccessList")
    for data in (whole[:-1], whole + b"\0", b"", b"\x7f", MarshallingCodec().encode("hello")):
        assert "the bytes fit" not in told_by(kryo(), data)


def test_releases_without_the_options_are_not_tried() -> None:
    plain = kryo("3.36.0", references=True).encode(NEW["AtomicLong"][0])
    told = told_by(kryo(references=True), plain)
    assert "of Redisson 3.45.1 and older" in told or "3.36.0 to 3.45.1" in told


def test_frames_and_blocks_of_lz4() -> None:
    block = LZ4CodecV2(StringCodec(), release="4.7.0").encode("hello")
    frame = LZ4CodecV2(StringCodec(), release="3.24.3").encode("hello")
    for codec in (LZ4CodecV2(StringCodec()), LZ4CodecV2(StringCodec(), release="4.7.0")):
        assert codec.decode(block) == "hello"
        assert 'fit LZ4CodecV2 of Redisson 3.24.0 to 3.24.3: pass release="3.24.3"' in told_by(
            codec, frame
        )
        assert "the bytes fit" not in told_by(codec, frame[:-3])
    told = told_by(LZ4CodecV2(StringCodec(), release="3.24.3"), block)
    assert 'fit LZ4CodecV2 of Redisson 3.25.0 and newer: pass release="4.7.0"' in told


def test_fallback_tries_the_next_codec_before_other_releases() -> None:
    """Other releases are tried only if no codec of the fallback reads the message."""
    first = kryo()
    codec = FallbackCodec([first, StringCodec()])
    assert codec.decode(b"hello") == "hello"
    assert not first._by_release
    data = kryo("3.19.0").encode([ID])
    both = FallbackCodec([kryo(), SerializationCodec()])
    assert "Redisson 3.19.0" in told_by(both, data)
