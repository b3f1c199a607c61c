"""The client codecs: they write like `toString()` and read like Java's parsers."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import (
    ByteArrayCodec,
    Codec,
    IntegerCodec,
    LongCodec,
    StringCodec,
)
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JLong
from tests.support.rows import each_row

EXACT: list[tuple[Codec[Any], Any, bytes]] = [
    (StringCodec(), "", b""),
    (StringCodec(), "héllo 😀", "héllo 😀".encode()),
    (StringCodec("ISO-8859-1"), "é", b"\xe9"),
    (StringCodec("UTF-16"), "a", b"\xfe\xff\0a"),
    (StringCodec("UTF-16"), "", b""),
    (StringCodec("UTF-16BE"), "a", b"\0a"),
    (StringCodec("UTF-32"), "a", b"\0\0\0a"),
    (LongCodec(), 0, b"0"),
    (LongCodec(), 2**63 - 1, b"9223372036854775807"),
    (LongCodec(), -(2**63), b"-9223372036854775808"),
    (LongCodec(), JLong(5), b"5"),
    (IntegerCodec(), 2**31 - 1, b"2147483647"),
    (IntegerCodec(), -(2**31), b"-2147483648"),
    (ByteArrayCodec(), b"\0\xff", b"\0\xff"),
]


@each_row(("codec", "value", "data"), EXACT)
def test_exact_bytes(codec: Codec[Any], value: Any, data: bytes) -> None:
    assert codec.encode(value) == data
    assert codec.decode(data) == value


@each_row(
    ("codec", "data", "value"),
    [
        (StringCodec("UTF-16"), b"\0a", "a"),
        (StringCodec("UTF-16"), b"\xff\xfea\0", "a"),
        (LongCodec(), b"+5", 5),
        (LongCodec(), b"007", 7),
        (LongCodec(), b"-0", 0),
    ],
)
def test_other_valid_forms_are_decoded(codec: Codec[Any], data: bytes, value: Any) -> None:
    assert codec.decode(data) == value


@each_row(
    ("codec", "data"),
    [
        (StringCodec(), b"\xff"),
        (StringCodec("UTF-16"), b"\0"),
        (StringCodec("US-ASCII"), b"\xe9"),
        (LongCodec(), b""),
        (LongCodec(), b" 1"),
        (LongCodec(), b"1.0"),
        (LongCodec(), b"1_0"),
        (LongCodec(), b"1" * 5000),
        (LongCodec(), b"9223372036854775808"),
        (LongCodec(), "٣".encode()),
        (IntegerCodec(), b"2147483648"),
        (IntegerCodec(), b"-2147483649"),
        (IntegerCodec(), b"a"),
    ],
)
def test_rejected_bytes(codec: Codec[Any], data: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        codec.decode(data)
    assert caught.value.data == data
    assert caught.value.codec == type(codec).__name__


@each_row(
    ("codec", "value"),
    [
        (StringCodec(), None),
        (StringCodec(), b"a"),
        (StringCodec(), "\ud800"),
        (StringCodec("UTF-16"), "\ud800"),
        (StringCodec("ISO-8859-1"), "你"),
        (LongCodec(), True),
        (LongCodec(), 1.0),
        (LongCodec(), 2**63),
        (LongCodec(), "1"),
        (IntegerCodec(), 2**31),
        (IntegerCodec(), -(2**31) - 1),
        (ByteArrayCodec(), "a"),
        (ByteArrayCodec(), None),
    ],
)
def test_rejected_values(codec: Codec[Any], value: Any) -> None:
    with pytest.raises(EncodeError) as caught:
        codec.encode(value)
    assert caught.value.codec == type(codec).__name__


def test_byte_array_codec_encodes_bytes_like_values() -> None:
    codec: Codec[Any] = ByteArrayCodec()
    for value in (bytearray(b"ab"), memoryview(b"ab")):
        assert codec.encode(value) == b"ab"
        assert type(codec.encode(value)) is bytes


@pytest.mark.parametrize("charset", ["no-such", "hex"])
def test_a_charset_must_be_known(charset: str) -> None:
    with pytest.raises(LookupError):
        StringCodec(charset)


def test_repr() -> None:
    assert repr(StringCodec()) == "StringCodec('UTF-8')"
    assert repr(LongCodec()) == "LongCodec()"
