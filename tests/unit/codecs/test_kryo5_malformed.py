"""Objects with schemas: any bytes decode to a value or raise `DecodeError`, in little memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import Kryo5Codec
from pyredisson.errors import DecodeError, EncodeError
from tests.support.rows import each_row
from tests.unit.codecs import shapes

pytestmark = pytest.mark.no_cover  # the same branches, thousands of times

VECTORS = Path(__file__).parents[2] / "vectors" / "Kryo5Codec-4.7.0.json"
ROWS = [row for row in json.loads(VECTORS.read_text("utf-8")) if len(row["hex"]) < 4000]
PLAIN = [bytes.fromhex(row["hex"]) for row in ROWS if "options" not in row]
REFERRING = [
    bytes.fromhex(row["hex"]) for row in ROWS if row.get("options") == {"references": True}
]
CODEC = Kryo5Codec(schemas=shapes)
REFERENCES = Kryo5Codec(schemas=shapes, references=True)


def check(codec: Kryo5Codec, data: bytes) -> None:
    """Decode and encode again; fail on any exception but `DecodeError` and `EncodeError`."""
    failed: DecodeError | EncodeError | None = None
    try:
        codec.encode(codec.decode(data))
    except (DecodeError, EncodeError) as error:
        failed = error
    assert failed is None or failed.codec == "Kryo5Codec"
    assert not isinstance(failed, DecodeError) or failed.data == data


@pytest.mark.parametrize(("codec", "samples"), [(CODEC, PLAIN), (REFERENCES, REFERRING)])
@settings(max_examples=400, deadline=None)
@given(draw=st.data())
def test_mutations(codec: Kryo5Codec, samples: list[bytes], draw: st.DataObject) -> None:
    data = bytearray(draw.draw(st.sampled_from(samples)))
    for _ in range(draw.draw(st.integers(1, 3))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    check(codec, bytes(data))


@settings(max_examples=200, deadline=None)
@given(draw=st.data())
def test_splices(draw: st.DataObject) -> None:
    first, second = draw.draw(st.sampled_from(PLAIN)), draw.draw(st.sampled_from(PLAIN))
    start = first[: draw.draw(st.integers(0, len(first)))]
    check(CODEC, start + second[draw.draw(st.integers(0, len(second))) :])
    check(REFERENCES, start + second)


@each_row("data", PLAIN[::3], ids=len)
def test_every_truncation_is_rejected(data: bytes) -> None:
    # Java serialization has no length prefix, so a truncated stream can look complete.
    if b"\xac\xed\x00\x05" in data:
        data = data[: data.index(b"\xac\xed\x00\x05") + 3]
    for end in range(0, len(data), max(len(data) // 60, 1)):
        with pytest.raises(DecodeError):
            CODEC.decode(data[:end])


LIST = b"\x01\x00java.util.ArrayLis\xf4"
BIG = b"\xff\xff\xff\xff\x07"


@each_row(
    "data",
    [
        LIST + b"\xff\xff\xff\xff\x0f\x01\x01com.example.Empt\xf9\x00",
        LIST + b"\xff\xff\xff\xff\x0f\x01\x01com.example.OrderTas\xeb\x00" + b"\x80" * 90,
        b"\x01\x00[Lcom.example.Stamp\xbb" + BIG + b"\x00" * 50,
        b"\x01\x00java.util.BitSe\xf4" + BIG + b"\x00" * 50,
        b"\x01\x00java.util.RegularEnumSe\xf4\x01\x01com.example.Colo\xf2" + BIG,
        b"\x01\x00com.example.Name\xf3" + BIG + b"\x00" * 50,
    ],
)
def test_lengths_allocate_nothing(data: bytes) -> None:
    with pytest.raises(DecodeError):
        CODEC.decode(data)
    tracemalloc.start()
    try:
        with pytest.raises(DecodeError):
            CODEC.decode(data)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", [b"[[Ljava.;", b"[L.a;", b"java.", b"[L5;"])
def test_invalid_class_name_is_rejected(name: bytes) -> None:
    """This includes names that only JArray would reject."""
    data = b"\x01\x00" + name[:-1] + bytes([name[-1] | 0x80]) + b"\x03\x02\x82a\x03\x82b\x80"
    with pytest.raises(DecodeError):
        CODEC.decode(data)


def test_deep_objects_are_rejected() -> None:
    for deep in (
        b"\x01\x00com.example.Crat\xe5" + b"\x01\x00" * 5_000,
        b"\x01\x00java.util.Optiona\xec" + b"\x01\x00" * 5_000,
    ):
        with pytest.raises(DecodeError, match="deeper"):
            CODEC.decode(deep)
