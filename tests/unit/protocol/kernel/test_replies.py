"""Raw replies become values, and one bad value does not lose the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import BatchDecodeError, DecodeError, WireFormatError
from pyredisson.codecs import ByteArrayCodec, Codec, LongCodec, ZStdCodec
from pyredisson.protocol.kernel.replies import each, nothing, number, reading, text, truth
from tests.support.rows import each_row


@each_row(
    ("read", "reply", "expected"),
    [
        (nothing, b"OK", None),
        (number, 7, 7),
        (number, b"7", 7),
        (truth, 0, False),
        (truth, 2, True),
        (text, b"zset", "zset"),
        (text, bytearray(b"list"), "list"),
        (each(bytes.decode), [b"a", b"b"], ["a", "b"]),
        (each(bytes.decode), [], []),
        (each(bytes.decode), None, []),
    ],
)
def test_value_of_each_reply(read: Callable[[Any], Any], reply: Any, expected: Any) -> None:
    value = read(reply)
    assert (value, type(value)) == (expected, type(expected))


def test_the_good_values_of_a_reply_survive_the_bad_ones() -> None:
    with pytest.raises(BatchDecodeError) as caught:
        each(LongCodec().decode)([b"1", b"x", b"2", b"y"])
    assert caught.value.values == [1, 2]
    assert [error.data for error in caught.value.errors] == [b"x", b"y"]
    assert (caught.value.codec, caught.value.data) == ("LongCodec", b"x")


def test_entry_of_no_format_is_a_bad_value_like_any_other() -> None:
    def decode(data: bytes) -> bytes:
        if data == b"poison":
            raise WireFormatError(data)
        return data

    with pytest.raises(BatchDecodeError, match="1 of 3 values") as caught:
        each(decode)([b"a", b"poison", b"b"])
    assert caught.value.values == [b"a", b"b"]
    assert caught.value.data == b"poison"


def test_other_errors_are_not_swallowed() -> None:
    def decode(data: bytes) -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        each(decode)([b"a"])


class Careless(Codec[bytes]):
    """A user's codec that raises another error than DecodeError."""

    def encode(self, value: bytes) -> bytes:
        return value

    def decode(self, data: bytes) -> bytes:
        raise LookupError("no such thing")


def test_every_error_of_a_codec_has_the_bytes() -> None:
    assert reading(LongCodec())(b"5") == 5
    with pytest.raises(
        DecodeError, match=r"Careless: decode\(\) raised LookupError: no su"
    ) as caught:
        reading(Careless())(b"x")
    assert (caught.value.raw, caught.value.data, caught.value.codec) == (b"x", b"x", "Careless")
    assert isinstance(caught.value.__cause__, LookupError)


class RaisingCodec(LongCodec):
    """A codec that raises the given error."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def decode(self, data: bytes) -> int:
        raise self.error


@pytest.mark.parametrize("error", [SystemExit(3), BaseException("b")])
def test_base_exception_of_a_codec_becomes_a_decode_error(error: BaseException) -> None:
    with pytest.raises(DecodeError, match=type(error).__name__) as caught:
        reading(RaisingCodec(error))(b"v")
    assert caught.value.raw == b"v"


def test_ctrl_c_is_not_an_error_of_the_codec() -> None:
    with pytest.raises(KeyboardInterrupt):
        reading(RaisingCodec(KeyboardInterrupt()))(b"v")


def test_the_bytes_as_redis_had_them() -> None:
    packed = ZStdCodec(ByteArrayCodec()).encode(b"x")
    with pytest.raises(DecodeError, match="not a whole number") as caught:
        reading(ZStdCodec(LongCodec()))(packed)
    assert (caught.value.raw, caught.value.data) == (packed, b"x")
