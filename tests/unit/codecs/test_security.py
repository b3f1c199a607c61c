"""The section "Safety" of docs/codecs.md, checked for every decoder.

The decoders are those of the fuzzer, and a test there compares them with the public names.
The random checks of the fuzzer (memory, errors that carry the bytes) are not repeated here.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import Codec, Limits
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java.schema import java_class
from pyredisson.limits import DEFAULT_LIMITS
from tests.support.fuzz_targets import targets
from tests.support.rows import each_row
from tests.unit.codecs import message_shapes

VECTORS = Path(__file__).parents[2] / "vectors"
TARGETS = targets()
# Texts and bytes have no end mark, and `sniff` only inspects its bytes.
TAKES_ANYTHING = {"StringCodec", "StringCodec UTF-16", "ByteArrayCodec", "sniff"}
STRICT = [name for name in TARGETS if name not in TAKES_ANYTHING]


def read(codec: Codec[Any], data: bytes) -> Any:
    try:
        return codec.decode(data)
    except DecodeError as error:
        return error


def samples(name: str, most: int) -> Iterator[bytes]:
    """Yield recorded messages that the codec reads."""
    seeds = TARGETS[name].seeds
    for data in seeds[:: max(1, len(seeds) // most)]:
        if not isinstance(read(TARGETS[name].codec, data), DecodeError):
            yield data


@pytest.mark.no_cover  # the same branches, thousands of times
@pytest.mark.parametrize("name", TARGETS)
def test_class_name_imports_no_python_module(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of an existing module replaces the recorded package names."""
    (tmp_path / "poison").mkdir()
    (tmp_path / "poison" / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    assert find_spec("poison") is not None
    for data, package in product(TARGETS[name].seeds, (b"com.example", b"java.util")):
        if package in data:
            read(TARGETS[name].codec, data.replace(package, b"poison.more"[: len(package)]))
    assert "poison" not in sys.modules


def test_recorded_messages_contain_package_names() -> None:
    """Otherwise the test above would replace nothing."""
    named = [name for name in TARGETS if any(b"java.util" in data for data in TARGETS[name].seeds)]
    assert len(named) > 30


# Java trims spaces and control characters from the text of a Double.
@pytest.mark.no_cover  # the same branches, thousands of times
@each_row("name", [name for name in STRICT if name != "DoubleCodec"])
def test_trailing_bytes_are_rejected(name: str) -> None:
    found = 0
    for data in filter(None, samples(name, 60)):
        found += 1
        for more in (b"\0", b"\x01\x02"):
            with pytest.raises(DecodeError):
                TARGETS[name].codec.decode(data + more)
    assert found >= 3


@each_row("name", STRICT)
def test_error_names_the_codec_that_the_bytes_look_like(name: str) -> None:
    looks = {
        "SerializationCodec": bytes.fromhex("aced00057400026869"),
        "MarshallingCodec": bytes.fromhex("043e0568656c6c6f"),
    }
    own = type(TARGETS[name].codec).__name__
    for codec, data in looks.items():
        if codec != own and (own, codec) != ("FallbackCodec", "SerializationCodec"):  # reads it
            error = read(TARGETS[name].codec, data)
            assert isinstance(error, DecodeError)
            assert f"they look like {codec}" in str(error)


@pytest.mark.no_cover  # the same branches, thousands of times
@each_row("name", STRICT)
def test_failure_does_not_change_later_decoding(name: str) -> None:
    """In Java, a pooled Kryo decodes valid messages wrongly after a malformed one."""
    codec = TARGETS[name].codec
    good = list(samples(name, 20))
    before = [repr(codec.decode(data)) for data in good]
    for data in good:
        for end in range(0, len(data), max(1, len(data) // 8)):
            read(codec, data[:end])
        with pytest.raises(EncodeError):
            codec.encode([codec.decode(data), object()])
    assert [repr(codec.decode(data)) for data in good] == before


def plain(name: str, limits: Limits) -> Codec[Any]:
    made: Codec[Any] = getattr(codecs, name)(limits=limits)
    return made


@java_class("com.example.NestM")
@dataclass
class Nest:
    """A class like the one in Kryo's issue 1281."""

    lists: Annotated[Any, "Map<String, List<Integer>>"]


POISON = bytes.fromhex(
    "0100636f6d2e6578616d706c652e4e657374cd01016a6176612e7574696c2e486173684d61f0"
    "02826b01026a6176612e7574696c"
)


def test_message_that_poisons_kryo_is_neither_read_nor_written() -> None:
    """After it, Kryo 5.6.2 reads a valid `[["q"],["r"]]` as something else."""
    codec = codecs.Kryo5Codec(schemas=[Nest])
    valid = codec.encode([["q"], ["r"]])
    assert codec.encode(Nest({"k": [1]})).startswith(POISON)
    with pytest.raises(DecodeError):
        codec.decode(POISON)
    for wrong in ({"k": ["1"]}, {"k": [1 << 31]}, {1: [1]}, {"k": [True]}, ["k"]):
        with pytest.raises(EncodeError):
            codec.encode(Nest(wrong))
    assert codec.decode(valid) == [["q"], ["r"]]
    assert codec.encode([["q"], ["r"]]) == valid


OBJECTS = [
    *("Kryo5Codec", "KryoCodec", "SerializationCodec", "MarshallingCodec", "FstCodec"),
    *("JsonJacksonCodec", "JsonJackson3Codec", "CborJacksonCodec", "SmileJacksonCodec"),
    *("IonJacksonCodec", "MsgPackJacksonCodec"),
]
DEEP = 'map("a", map("b", map("c", list(1L))))'
SCALE = 'new BigDecimal("1E-10")'
LARGE = 'new BigInteger("123456789012345678901234567890")'
# Codecs that number or describe class names. In JSON a name costs only its bytes.
NAMED = {
    **dict.fromkeys(("Kryo5Codec", "KryoCodec", "SerializationCodec"), DEEP),
    "MarshallingCodec": LARGE,
    "FstCodec": "new PriorityQueue<>(Collections.reverseOrder())",
}
BOUNDS = [
    *((name, DEEP, {"max_depth": 2}, "nested deeper than 2") for name in OBJECTS),
    *((name, DEEP, {"max_bytes": 20}, "longer than 20 bytes") for name in OBJECTS),
    *(
        (name, SCALE, {"max_scale": 9}, "scale")
        for name in OBJECTS
        if name != "MsgPackJacksonCodec"  # a double
    ),
    *(
        (name, LARGE, {"max_integer_bytes": 12}, "a number of (more than 12|13) bytes")
        for name in OBJECTS
        if name != "MsgPackJacksonCodec"  # none beyond 64 bits
    ),
    *(
        (name, java, {"max_class_names": 1}, "more than 1 class names")
        for name, java in NAMED.items()
    ),
]


def row(codec: str, java: str) -> bytes:
    for path in sorted(VECTORS.glob(f"*{codec}-*.json"), reverse=True):
        for each in json.loads(path.read_text("utf-8")):
            if each["codec"] == codec and each["java"] == java:
                return bytes.fromhex(each["hex"])
    raise AssertionError(f"no {java} of {codec}")


@each_row(("name", "java", "limit", "message"), BOUNDS)
def test_codec_applies_the_callers_limits(
    name: str, java: str, limit: dict[str, int], message: str
) -> None:
    data = row(name, java)
    plain(name, DEFAULT_LIMITS).decode(data)
    with pytest.raises(DecodeError, match=message):
        plain(name, Limits(**limit)).decode(data)


@pytest.mark.parametrize(
    ("java", "limit"),
    [
        ('of(new Shipment(), "integer", new BigInteger("128"))', {"max_integer_bytes": 1}),
        ('of(new Shipment(), "decimal", new BigDecimal("1.50"))', {"max_scale": 1}),
        ('of(new Shipment(), "decimal", new BigDecimal("1.50"))', {"max_bytes": 3}),
    ],
)
def test_limits_of_protostuff(java: str, limit: dict[str, int]) -> None:
    data, shipment = row("ProtobufCodec", java), message_shapes.Shipment
    codecs.ProtobufCodec(shipment, schemas=message_shapes.MORE).decode(data)
    limited = codecs.ProtobufCodec(shipment, schemas=message_shapes.MORE, limits=Limits(**limit))
    with pytest.raises(DecodeError):
        limited.decode(data)


def seconds(codec: Codec[Any], data: bytes) -> float:
    taken = []
    for _ in range(9):
        start = time.process_time()
        read(codec, data)
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize(
    ("codec", "head"),
    [
        (codecs.DoubleCodec(), b""),
        (codecs.JsonJacksonCodec(), b""),
        (codecs.IonJacksonCodec(), b""),
        (codecs.LongCodec(), b""),
    ],
    ids=repr,
)
def test_time_grows_with_the_message(codec: Codec[Any], head: bytes) -> None:
    """Sixteen times the digits must not take 256 times the time."""
    short, long = (seconds(codec, head + b"9" * digits + b"N") for digits in (250, 4000))
    assert long < 80 * short
