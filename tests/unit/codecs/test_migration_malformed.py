"""Older codecs: any bytes decode to a value or raise a `DecodeError`, in little memory."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.codecs import Codec, FstCodec, KryoCodec, Limits, MarshallingCodec
from pyredisson.codecs import SerializationCodec as JavaCodec
from pyredisson.errors import DecodeError
from tests.unit.codecs.migration_shapes import SHAPES

VECTORS = Path(__file__).parents[2] / "vectors"
FILES = {
    "SerializationCodec": "4.7.0",
    "MarshallingCodec": "3.18.1",
    "FstCodec": "3.12.5",
    "KryoCodec": "3.10.7",
}
CODECS: dict[str, Codec[Any]] = {
    "SerializationCodec": JavaCodec(SHAPES),
    "MarshallingCodec": MarshallingCodec(SHAPES),
    "FstCodec": FstCodec(SHAPES),
    "KryoCodec": KryoCodec(SHAPES),
}
SEEDS = {
    name: [
        bytes.fromhex(row["hex"])
        for row in json.loads((VECTORS / f"{name}-{release}.json").read_text("utf-8"))
        if len(row["hex"]) < 2000
    ]
    for name, release in FILES.items()
}
ALL = pytest.mark.parametrize("name", FILES)


def check(codec: Codec[Any], data: bytes) -> None:
    error = None
    tracemalloc.start()
    try:
        codec.decode(data)
    except DecodeError as caught:
        error = caught
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert peak < 1_000_000 + 500 * len(data)
    if error is not None:
        assert error.data == data
        assert error.codec == type(codec).__name__


@pytest.mark.no_cover  # the same branches, thousands of times
@ALL
@settings(max_examples=600, deadline=None)
@given(draw=st.data())
def test_mutations(name: str, draw: st.DataObject) -> None:
    data = bytearray(draw.draw(st.sampled_from(SEEDS[name])))
    for _ in range(draw.draw(st.integers(1, 4))):
        place = draw.draw(st.integers(0, len(data) - 1))
        data[place] = draw.draw(st.integers(0, 255))
    check(CODECS[name], bytes(data))


@pytest.mark.no_cover  # the same branches, thousands of times
@ALL
@settings(max_examples=300, deadline=None)
@given(draw=st.data())
def test_splices(name: str, draw: st.DataObject) -> None:
    one, other = (draw.draw(st.sampled_from(SEEDS[name])) for _ in range(2))
    cut = draw.draw(st.integers(0, len(one)))
    check(CODECS[name], one[:cut] + other[draw.draw(st.integers(0, len(other))) :])


@pytest.mark.no_cover  # the same branches, thousands of times
@ALL
@settings(max_examples=200, deadline=None)
@given(data=st.binary(max_size=60))
def test_random_bytes(name: str, data: bytes) -> None:
    check(CODECS[name], data)


@pytest.mark.no_cover  # the same branches, thousands of times
@ALL
def test_every_truncation_is_rejected(name: str) -> None:
    for data in SEEDS[name]:
        for end in range(len(data) - 1, -1, -max(1, len(data) // 40)):
            with pytest.raises(DecodeError):
                CODECS[name].decode(data[:end])


@ALL
def test_trailing_bytes_are_rejected(name: str) -> None:
    for data in SEEDS[name][::10]:
        with pytest.raises(DecodeError, match=r"left over|needs a schema"):
            CODECS[name].decode(data + b"\0")


@ALL
def test_limits(name: str) -> None:
    codec = type(CODECS[name])(limits=Limits(max_bytes=100, max_depth=5))  # type: ignore[call-arg]  # all four take limits
    with pytest.raises(DecodeError, match="longer than 100"):
        codec.decode(bytes(101))


DEEP = {
    "SerializationCodec": b"\xac\xed\0\x05"
    + bytes.fromhex(
        "7572 0013 5b4c6a6176612e6c616e672e4f626a6563743b 90ce589f1073296c 02 0000 7870 00000001"
    )
    + bytes.fromhex("75 71007e0000 00000001") * 5000,
    "MarshallingCodec": b"\x04" + b"\x53\x01\x5a" * 5000,
    "FstCodec": b"\x00\x10\x01" * 5000,
    "KryoCodec": b"\x01\x00java.util.ArrayLis\xf4\x01" + b"\x01\x00\x01" * 5000,
}


@ALL
def test_deep_messages_are_rejected(name: str) -> None:
    with pytest.raises(DecodeError, match="nested deeper than 100"):
        CODECS[name].decode(DEEP[name])


LENGTHS = {
    "SerializationCodec": "aced0005 7572 0002 5b49 4dba602676eab2a5 02 0000 7870 7fffffff 00",
    "MarshallingCodec": "04 44 7fffffff 23 00",
    "FstCodec": "fb 2a 81ffffff7f 00",
    "KryoCodec": "01 00 5bc9 ffffffff07 00",
}


@ALL
def test_lengths_allocate_nothing(name: str) -> None:
    check(CODECS[name], bytes.fromhex(LENGTHS[name]))
    with pytest.raises(DecodeError, match="early"):
        CODECS[name].decode(bytes.fromhex(LENGTHS[name]))


@ALL
def test_class_name_imports_no_python_module(name: str) -> None:
    data = {
        "SerializationCodec": "aced0005 7372 0007 6f732e706f6970 0000000000000001 02 0000 7870",
        "MarshallingCodec": "04 04 09 3e07 6f732e706f6970 0000000000000001 00000000 16",
        "FstCodec": "00 01 07 6f732e706f6970 00",
        "KryoCodec": "01 00 6f732e706f69f0",
    }[name]
    try:
        value = CODECS[name].decode(bytes.fromhex(data))
    except DecodeError as error:
        value = error
    assert type(value).__name__ in {"JavaObject", "DecodeError"}
    assert value.class_name == "os.poip"
