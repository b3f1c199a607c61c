"""Any bytes decode to a value or raise a `DecodeError` that carries them, in little memory."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pyredisson.codecs import (
    Codec,
    DoubleCodec,
    IntegerCodec,
    JsonJacksonCodec,
    Kryo5Codec,
    LongCodec,
    StringCodec,
    TypedJsonJacksonCodec,
)
from pyredisson.errors import DecodeError
from tests.support.rows import each_row
from tests.unit.codecs.strategies import JSON_GRAPHS, KRYO_GRAPHS

pytestmark = pytest.mark.no_cover  # the same branches, thousands of times

KRYO = Kryo5Codec()
JSON = JsonJacksonCodec()
CODECS: list[Codec[Any]] = [
    KRYO,
    JSON,
    TypedJsonJacksonCodec(),
    TypedJsonJacksonCodec(dict),
    StringCodec(),
    StringCodec("UTF-16"),
    LongCodec(),
    IntegerCodec(),
    DoubleCodec(),
]
CLASSES = [
    bytes([1, 0]) + name[:-1] + bytes([name[-1] | 0x80])
    for name in (
        b"java.util.ArrayList",
        b"java.util.HashMap",
        b"java.util.HashSet",
        b"java.util.TreeMap",
        b"java.util.ImmutableCollections$ListN",
        b"java.util.Collections$EmptyList",
        b"java.math.BigDecimal",
        b"java.util.UUID",
        b"[[I",
        b"[C",
        b"[Ljava.lang.Object;",
        b"[Ljava.lang.Long;",
        b"com.example.OrderTask",
    )
]
KRYO_BYTES = st.lists(
    st.binary(max_size=4) | st.sampled_from([*CLASSES, b"\x83", b"\x03", b"\x02", b"\xff\xff"]),
    max_size=12,
).map(b"".join)
JSON_BYTES = st.lists(
    st.sampled_from(
        [
            "[",
            "]",
            "{",
            "}",
            ",",
            ":",
            '"a"',
            "1",
            "-0.5",
            "1e5",
            "null",
            "true",
            '"@class"',
            '"[I"',
            '"[B"',
            '"[C"',
            '"AQ=="',
            '"NaN"',
            '"java.lang.Long"',
            '"java.lang.Float"',
            '"java.util.ArrayList"',
            '"java.util.HashMap"',
            '"java.math.BigDecimal"',
            '"java.util.Date"',
            '"[Ljava.lang.Number;"',
            '"com.example.A"',
        ]
    ),
    max_size=16,
).map(lambda parts: "".join(parts).encode())


def check(codec: Codec[Any], data: bytes) -> None:
    error = None
    try:
        codec.decode(data)
    except DecodeError as caught:
        error = caught
    if error is not None:
        assert error.data == data
        assert error.codec == type(codec).__name__


@pytest.mark.parametrize("codec", CODECS, ids=repr)
@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=60))
def test_random_bytes(codec: Codec[Any], data: bytes) -> None:
    check(codec, data)


@settings(max_examples=600, deadline=None)
@given(KRYO_BYTES)
@example(b"\x01\x00java.util.ArrayLis\xf4" * 2)
def test_kryo5_pieces(data: bytes) -> None:
    check(KRYO, data)


@settings(max_examples=600, deadline=None)
@given(JSON_BYTES)
def test_json_pieces(data: bytes) -> None:
    check(JSON, data)
    check(TypedJsonJacksonCodec(), data)


@settings(max_examples=300, deadline=None)
@given(KRYO_GRAPHS, st.data())
def test_kryo5_mutations(value: Any, draw: st.DataObject) -> None:
    data = bytearray(KRYO.encode(value))
    check(KRYO, bytes(data[: draw.draw(st.integers(0, len(data) - 1))]))
    for _ in range(3):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    check(KRYO, bytes(data))


@settings(max_examples=300, deadline=None)
@given(JSON_GRAPHS, st.data())
def test_json_mutations(value: Any, draw: st.DataObject) -> None:
    data = bytearray(JSON.encode([value]))
    check(JSON, bytes(data[: draw.draw(st.integers(0, len(data) - 1))]))
    for _ in range(3):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0x20, 0x7E))
    check(JSON, bytes(data))


@settings(max_examples=200, deadline=None)
@given(KRYO_GRAPHS)
def test_kryo5_every_truncation_is_rejected(value: Any) -> None:
    data = KRYO.encode(value)
    for end in range(len(data)):
        with pytest.raises(DecodeError):
            KRYO.decode(data[:end])


LIST = CLASSES[0]
EMPTY = b"java.util.Collections$EmptyLis\xf4"


@each_row(
    "data",
    [
        b"\x01\x00[I\xff\xff\xff\xff\x07" * 1,
        bytes([1, 0, 0x5B, 0xC4]) + b"\xff\xff\xff\xff\x07" + b"\0" * 50,  # [D
        LIST + b"\xff\xff\xff\xff\x07" + b"\0" * 50,  # nulls
        LIST + b"\xff\xff\xff\xff\x0f\x01\x01" + EMPTY + b"\x00",
        CLASSES[1] + b"\xff\xff\xff\xff\x07" + b"\0" * 50,
        b"\x03\xff\xff\xff\xff\x0f" + b"a" * 50,
        LIST + b"\x45" + (b"\x01\x00\xff\xff\x03\x01\x01" + EMPTY + b"\x00") * 20,
    ],
)
def test_kryo5_lengths_allocate_nothing(data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError):
            KRYO.decode(data)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("codec", [KRYO, JSON, TypedJsonJacksonCodec()], ids=repr)
def test_deep_messages_are_rejected(codec: Codec[Any]) -> None:
    json = b'["java.util.ArrayList",[' * 20_000
    plain = b"[" * 100_000
    kryo = LIST + b"\x02" + b"\x01\x00\x02" * 100_000
    for data in (json, plain, kryo):
        with pytest.raises(DecodeError):
            codec.decode(data)
