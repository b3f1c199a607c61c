"""ProtobufCodec with message classes as protoc generates them."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from google.protobuf import descriptor_pb2, struct_pb2, wrappers_pb2
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import Limits, ProtobufCodec
from pyredisson.errors import DecodeError, EncodeError

CODEC: ProtobufCodec[Any] = ProtobufCodec(wrappers_pb2.StringValue)
NAMED: ProtobufCodec[Any] = ProtobufCodec(descriptor_pb2.UninterpretedOption.NamePart)


def test_the_bare_message() -> None:
    message = wrappers_pb2.StringValue(value="hello")
    assert CODEC.encode(message) == b"\x0a\x05hello"
    assert CODEC.decode(b"\x0a\x05hello") == message
    assert CODEC.decode(b"") == wrappers_pb2.StringValue()
    assert repr(CODEC) == "ProtobufCodec(StringValue)"


def test_unknown_fields_are_kept() -> None:
    data = b"\x0a\x01a\x10\x05"
    assert CODEC.encode(CODEC.decode(data)) == data


@pytest.mark.parametrize("data", [b"\x0a\x05hell", b"\x0b", b"\x0a\x01\xff", b"\xff" * 12])
def test_malformed(data: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        CODEC.decode(data)
    assert caught.value.data == data
    assert caught.value.codec == "ProtobufCodec"


def test_limits() -> None:
    codec: ProtobufCodec[Any] = ProtobufCodec(wrappers_pb2.StringValue, limits=Limits(max_bytes=3))
    assert codec.decode(b"\x0a\x01a").value == "a"
    with pytest.raises(DecodeError, match="longer than 3"):
        codec.decode(b"\x0a\x02ab")


def test_other_values_are_refused() -> None:
    with pytest.raises(EncodeError, match="StringValue, not str"):
        CODEC.encode("hello")
    with pytest.raises(EncodeError, match="StringValue, not BytesValue"):
        CODEC.encode(wrappers_pb2.BytesValue())


def test_required_fields() -> None:
    with pytest.raises(EncodeError, match="required"):
        NAMED.encode(descriptor_pb2.UninterpretedOption.NamePart())
    whole = descriptor_pb2.UninterpretedOption.NamePart(name_part="a", is_extension=False)
    assert NAMED.decode(NAMED.encode(whole)) == whole


@pytest.mark.parametrize("other", [str, "StringValue", wrappers_pb2.StringValue()])
def test_no_message_class(other: Any) -> None:
    with pytest.raises(TypeError, match="no class that protoc generated"):
        ProtobufCodec(other)


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.protobuf.message", None)
    with pytest.raises(ImportError, match=r"pip install 'pyredisson\[protobuf\]'"):
        ProtobufCodec(wrappers_pb2.StringValue)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_random_bytes(data: bytes) -> None:
    for codec in (CODEC, NAMED, ProtobufCodec(struct_pb2.Struct)):
        try:
            codec.decode(data)
        except DecodeError as error:
            assert error.data == data  # noqa: PT017 - any other exception is what this looks for
