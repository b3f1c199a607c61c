"""HighwayHash equals Redisson's for bytes of each length: as words, bytes and names."""

from __future__ import annotations

import json
from pathlib import Path

from pyredisson.protocol.kernel.highway_hash import hash128, hash_bytes, hash_name
from tests.support.rows import each_row

RECORDED = json.loads((Path(__file__).parents[3] / "vectors" / "hashes.json").read_text("utf-8"))
WORDS = {
    b"": (0xB7AAD9C226C6A36B, 0xB2D4E4A63557BCA6),
    b"a": (0xAB0BC04B5DA94740, 0xA0462B5ACA912353),
    b"hello": (0x7FD1D0BCD0C085E1, 0x70F5D2DE26F6A7D9),
    b"x" * 32: (0xA2883D7A7C53F3D9, 0x3B9EC67FB939267F),
    b"x" * 33: (0x709BAECBE778B479, 0x24AEC8DA34093B07),
}


def test_names_of_recorded_bytes() -> None:
    assert len(RECORDED) > 128
    for data, name in RECORDED.items():
        assert hash_name(bytes.fromhex(data)) == name, data


@each_row("data", WORDS)
def test_words(data: bytes) -> None:
    assert hash128(data) == WORDS[data]


def test_as_bytes() -> None:
    assert hash_bytes(b"k").hex() == "cc6a7646751cd9c65c84c1e5cbc8aa50"
    assert hash_name(b"i01") == "lkyVYaKmQwQyuhqHHEsVBw"
