"""Compressing codecs: they read Java's frames and check every declared length."""

from __future__ import annotations

import struct
import sys
import tracemalloc
from typing import Any

import cramjam
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import (
    Codec,
    Limits,
    LZ4Codec,
    LZ4CodecV2,
    SnappyCodec,
    SnappyCodecV2,
    StringCodec,
    ZStdCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from tests.support.rows import each_row

TEXT = StringCodec()
FRAMES = LZ4CodecV2(TEXT, release="3.24.3")
WIDE = LZ4Codec(TEXT, limits=Limits(max_bytes=1 << 28))
CODECS: list[Codec[Any]] = [
    LZ4Codec(TEXT),
    LZ4CodecV2(TEXT, release="4.7.0"),
    FRAMES,
    SnappyCodec(TEXT),
    SnappyCodecV2(TEXT),
    ZStdCodec(TEXT),
]
IDS = ["LZ4Codec", "LZ4CodecV2", "LZ4CodecV2-3.24", "SnappyCodec", "SnappyCodecV2", "ZStdCodec"]
ALL = pytest.mark.parametrize("codec", CODECS, ids=IDS)


@ALL
@pytest.mark.parametrize("text", ["", "hello", "é😀", "x" * 100_000, "abc" * 30_000])
def test_round_trip(codec: Codec[Any], text: str) -> None:
    data = codec.encode(text)
    assert codec.decode(data) == text
    assert len(text) < 1000 or len(data) < len(text) / 10


@ALL
def test_extra_and_missing_bytes_are_rejected(codec: Codec[Any]) -> None:
    data = codec.encode("hello" * 100)
    least = 2 if type(codec) in {LZ4Codec, SnappyCodec} else 1  # old releases: one zero is ""
    for wrong in (*(data[:end] for end in range(least, len(data))), data + b"\0", data + data[:9]):
        with pytest.raises(DecodeError) as caught:
            codec.decode(wrong)
        assert caught.value.data == wrong
        assert caught.value.codec == type(codec).__name__


@pytest.mark.no_cover  # the same branches, thousands of times
@ALL
@settings(max_examples=200, deadline=None)
@given(draw=st.data())
def test_mutations(codec: Codec[Any], draw: st.DataObject) -> None:
    data = bytearray(codec.encode(draw.draw(st.text(max_size=80)) * 3))
    for _ in range(3):
        if data:
            data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    tracemalloc.start()
    try:
        codec.decode(bytes(data))
    except DecodeError as error:
        assert error.data  # noqa: PT017 - any other exception is what this looks for
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 3_000_000


@ALL
@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=60))
def test_random_bytes(codec: Codec[Any], data: bytes) -> None:
    try:
        codec.decode(data)
    except DecodeError as error:
        assert error.codec in {type(codec).__name__, "StringCodec"}  # noqa: PT017 - as above


@each_row(
    ("codec", "data", "reason"),
    [
        (LZ4Codec(TEXT), "000000", "ends early"),
        (LZ4CodecV2(TEXT), "ffffffff00", "negative"),
        (LZ4CodecV2(TEXT), "7fffffff0000", "limit"),
        (WIDE, "7fffffff0000", "limit"),
        (LZ4Codec(TEXT), "ffffffff00", "ends early"),
        (LZ4Codec(TEXT), "1f", "ends early"),
        (LZ4Codec(TEXT), "1f780100ffffff", "ends early"),
        (LZ4Codec(TEXT), "1f780200ff005078787878", "ends early|invalid|offset"),
        (LZ4Codec(TEXT), "1f780100" + "ff" * 300_000 + "00107a", "limit"),
        (LZ4Codec(TEXT), "03000000" + "00" * 9, "cannot hold"),
        (LZ4Codec(TEXT), "000000065068656c6c6f", "5 bytes of content, not the declared 6"),
        (LZ4Codec(TEXT), "000000045068656c6c6f", "large enough"),
        (FRAMES, "04224d19", "not an LZ4 frame"),
        (FRAMES, "04224d18", "ends early"),
        (FRAMES, "04224d1840", "ends early"),
        (FRAMES, "04224d186040aa", "ends early"),
        (SnappyCodecV2(TEXT), "ffffff7f00", "limit"),
        (SnappyCodecV2(TEXT), "ffff0300", "cannot hold"),
        (SnappyCodec(TEXT), "00000000", "slice that is empty"),
        (SnappyCodec(TEXT), "00000009051068656c6c6f", "ends after"),
        (SnappyCodec(TEXT), "00ffffff051068656c6c6f", "ends after"),
        (SnappyCodec(TEXT), "ffffffff051068656c6c6f", "limit"),
        (ZStdCodec(TEXT), "0000000528b52ffe", "not a Zstandard frame"),
        (ZStdCodec(TEXT), "0000000528b52ffd", "ends early"),
        (ZStdCodec(TEXT), "0000000528b52ffd00f8010000", "window"),
        (ZStdCodec(TEXT), "0000000528b52ffd010058010000", "dictionary"),
        (ZStdCodec(TEXT), "0000000528b52ffd005828000068656c6c6f", "ends early"),
        (ZStdCodec(TEXT), "0000000528b52ffd005829000068656c", "ends early"),
        (ZStdCodec(TEXT), "0000000628b52ffd005829000068656c6c6f", "cannot hold"),
        (ZStdCodec(TEXT), "0000000528b52ffd005829000068656c6c6f00", "1 bytes are left over"),
        (ZStdCodec(TEXT), "0000000528b52ffd00585d000068656c6c6f", "ends early"),
    ],
)
def test_rejected(codec: Codec[Any], data: str, reason: str) -> None:
    with pytest.raises(DecodeError, match=reason):
        codec.decode(bytes.fromhex(data))


@pytest.mark.parametrize(
    "data",
    [
        "0000000528b52ffd005829000068656c6c6f",  # one raw block
        "0000000528b52ffd200529000068656c6c6f",  # with the content's size in one byte
        "0000000528b52ffd60050" + "029000068656c6c6f",  # the size in two bytes, less 256
    ],
)
def test_zstd_headers(data: str) -> None:
    try:
        assert ZStdCodec(TEXT).decode(bytes.fromhex(data)) == "hello"
    except DecodeError:
        assert "fd60" in data


def test_long_zstd_run_block_is_decoded() -> None:
    block = (20_000 << 3 | 1 << 1 | 1).to_bytes(3, "little")
    frame = bytes.fromhex("28b52ffd0058") + block + b"x"
    assert ZStdCodec(TEXT).decode(struct.pack(">i", 20_000) + frame) == "x" * 20_000
    with pytest.raises(DecodeError, match="cannot hold"):
        ZStdCodec(TEXT).decode(struct.pack(">i", 20_001) + frame)
    with pytest.raises(DecodeError, match=r"write whole buffer|not the"):
        ZStdCodec(TEXT).decode(struct.pack(">i", 19_999) + frame)


def test_lz4_frames_with_all_their_options() -> None:
    plain = cramjam.lz4.compress(b"hello" * 10)
    assert FRAMES.decode(bytes(plain)) == "hello" * 10
    # Block checksums, the content's size, a dictionary: the reader must skip these fields.
    for flags in (0x10, 0x08, 0x01):
        data = bytearray(plain)
        data[4] ^= flags
        with pytest.raises(DecodeError):
            FRAMES.decode(bytes(data))
    stored = bytes.fromhex("04224d18604082 05000080 68656c6c6f 00000000")
    assert FRAMES.decode(stored) == "hello"


def test_limits() -> None:
    limits = Limits(max_bytes=50)
    for codec in (
        LZ4Codec(TEXT, limits=limits),
        LZ4CodecV2(TEXT, release="4.7.0", limits=limits),
        LZ4CodecV2(TEXT, release="3.24.0", limits=limits),
        SnappyCodec(TEXT, limits=limits),
        SnappyCodecV2(TEXT, limits=limits),
        ZStdCodec(TEXT, limits=limits),
    ):
        assert codec.decode(codec.encode("x" * 50)) == "x" * 50
        with pytest.raises(EncodeError, match="longer than 50"):
            codec.encode("x" * 51)
        with pytest.raises(DecodeError, match="longer than 50"):
            codec.decode(bytes(51))
        wide = next(each for each in CODECS if type(each) is type(codec))
        if isinstance(codec, LZ4CodecV2):
            wide = LZ4CodecV2(TEXT, release=codec.release)
        with pytest.raises(DecodeError):
            codec.decode(wide.encode("x" * 60))
    slices = SnappyCodec(TEXT).encode("x" * 40) * 2
    with pytest.raises(DecodeError, match="more than 50"):
        SnappyCodec(TEXT, limits=limits).decode(slices)


def test_the_inner_codec() -> None:
    assert LZ4Codec().decode(LZ4Codec().encode(["a", 1])) == ["a", 1]
    assert repr(LZ4Codec()) == "LZ4Codec(Kryo5Codec())"
    with pytest.raises(DecodeError) as caught:
        ZStdCodec().decode(ZStdCodec(TEXT).encode("\x7f"))
    assert caught.value.codec == "Kryo5Codec"
    assert caught.value.data == b"\x7f"


def test_releases() -> None:
    assert FRAMES.encode("hello").startswith(bytes.fromhex("04224d18"))
    assert LZ4CodecV2(TEXT, release="3.25.0").encode("hello").hex() == "000000055068656c6c6f"
    with pytest.raises(ValueError, match=r"3\.24\.0"):
        LZ4CodecV2(TEXT, release="3.23.5")


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)
    with pytest.raises(ImportError, match="ZStdCodec needs cramjam: pip install cramjam"):
        ZStdCodec()
