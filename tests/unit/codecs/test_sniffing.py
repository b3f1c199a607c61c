"""`sniff`: the codec that a message looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pyredisson.codecs import sniff
from tests.support.rows import each_row

VECTORS = Path(__file__).parents[2] / "vectors"
# The share of recorded values that must be named rightly; the rest look like something else
# (a Kryo5 message of three bytes, a number in JSON) or like nothing.
SHARES = {
    "Kryo5Codec": 0.95,
    "JsonJacksonCodec": 0.5,
    "SerializationCodec": 1.0,
    "MarshallingCodec": 0.99,
    "FstCodec": 0.9,
    "ZStdCodec": 1.0,
    "LZ4CodecV2": 0.8,
}


@each_row(
    ("data", "wanted"),
    [
        ("aced00057400026869", "SerializationCodec"),
        ("3a290a01f8", "SmileJacksonCodec"),
        ("e00100ea", "IonJacksonCodec"),
        ("043e0568656c6c6f", "MarshallingCodec"),
        ("0450", "MarshallingCodec"),
        ("0100636f6d2e6578616d706c652ec1", "Kryo5Codec"),
        ("0368656c6cef", "Kryo5Codec"),
        ("fc0568656c6c6f", "FstCodec"),
        ("f0", "FstCodec"),
        (b'{"@class":"a.B"}'.hex(), "JsonJacksonCodec"),
        (b'["java.lang.Long",1]'.hex(), "JsonJacksonCodec"),
        (b'["[[I",[[1]]]'.hex(), "JsonJacksonCodec"),
        (b'{"orderId":"A1"}'.hex(), "TypedJsonJacksonCodec or JSON in a StringCodec"),
        (b'["a","b"]'.hex(), "TypedJsonJacksonCodec or JSON in a StringCodec"),
        (b"[1]".hex(), "TypedJsonJacksonCodec or JSON in a StringCodec"),
        ("00000005 28b52ffd", "ZStdCodec"),
        ("00000005 50 68656c6c6f", "LZ4Codec or LZ4CodecV2"),
        ("000003e8 1f7801000000", "LZ4Codec or LZ4CodecV2"),
        ("04224d18", "LZ4CodecV2"),
        (b"hello".hex(), "StringCodec"),
        (b"'java.util.HashMap'::{a:1}".hex(), "IonJacksonCodec"),
        (b"\xbff@classjcom.Foo".hex(), "CborJacksonCodec"),
        (b"\x9fnjava.lang.Long\x01\xff".hex(), "CborJacksonCodec"),
        (b"\x82\xa6@class\xa5a.Foo".hex(), "MsgPackJacksonCodec"),
        (b"\x92\xaejava.lang.Long\x01".hex(), "MsgPackJacksonCodec"),
    ],
)
def test_first_bytes_identify_the_codec(data: str, wanted: str) -> None:
    found = sniff(bytes.fromhex(data))
    assert found is not None
    assert found.codec == wanted
    assert str(found) == f"{found.codec} ({found.releases})"


@pytest.mark.parametrize("data", ["", "80", "fefe", "0c0c"])
def test_unknown_bytes_have_no_codec(data: str) -> None:
    assert sniff(bytes.fromhex(data)) is None


@each_row(("codec", "share"), SHARES.items())
def test_recorded_values(codec: str, share: float) -> None:
    rows = [
        row
        for path in VECTORS.glob(f"{codec}-*.json")
        for row in json.loads(path.read_text("utf-8"))
    ]
    assert rows
    right = 0
    for row in rows:
        guess = sniff(bytes.fromhex(row["hex"]))
        right += guess is not None and codec in guess.codec
    assert right / len(rows) >= share
