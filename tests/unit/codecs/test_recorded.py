"""The vectors hold enough values of each object codec, for each release that changed its bytes.

`interop/vectors/check_releases.py` found these releases. Recorded is such a release itself, or
one before the next change; also the newest release with the codec. Whether the values are
decoded and encoded is checked by the tests of the vectors.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from pyredisson import codecs
from tests.support.rows import each_row

VECTORS = Path(__file__).parents[2] / "vectors"
RELEASES = {
    "Kryo5Codec": "3.19.0 3.19.3 3.21.1 3.35.0 3.36.0 3.46.0 4.7.0",
    "JsonJacksonCodec": "3.10.7 3.12.5 3.19.3 3.27.2 4.1.0 4.7.0",
    "TypedJsonJacksonCodec": "3.10.7 3.12.5 3.19.3 3.27.2 4.1.0 4.3.1 4.7.0",
    "JsonJackson3Codec": "4.1.0 4.7.0",
    "TypedJsonJackson3Codec": "4.1.0 4.7.0",
    "MsgPackJacksonCodec": "3.19.3 4.7.0",
    "CborJacksonCodec": "3.19.3 4.7.0",
    "SmileJacksonCodec": "3.19.3 3.27.2 4.1.0 4.7.0",
    "IonJacksonCodec": "3.19.3 4.7.0",
    "CborJackson3Codec": "4.7.0",
    "SmileJackson3Codec": "4.7.0",
    "IonJackson3Codec": "4.7.0",
    "AvroJacksonCodec": "3.19.3 4.7.0",
    "AvroJackson3Codec": "4.2.0 4.7.0",
    "ProtobufCodec": "3.23.4 4.7.0",
    "SerializationCodec": "3.27.2 4.7.0",
    "MarshallingCodec": "3.13.6 3.18.1 4.0.0",
    "FstCodec": "3.10.7 3.12.5 4.0.0",
    "KryoCodec": "3.10.7 3.11.4",
}
COMPRESSED = {"LZ4Codec", "LZ4CodecV2", "SnappyCodec", "SnappyCodecV2", "ZStdCodec"}
NO_OBJECTS = {
    *("ByteArrayCodec", "DoubleCodec", "IntegerCodec", "LongCodec", "StringCodec"),
    *("Codec", "CompositeCodec", "FallbackCodec", "ForyCodec", "FuryCodec", "Limits", "sniff"),
}
COLUMNS = {"release", "codec", "type", "java", "hex", "python"}
# The rows of a codec that takes any value must contain these, in a type or an expression.
KINDS = {
    "null": "null",
    "boundary numbers": "Long.MIN_VALUE",
    "a text from beyond the basic plane": "😀",
    "a zero character": "\\u0000",
    "an empty text": '""',
    "an empty list": "new ArrayList<>()",
    "nulls among elements": "null)",
    "nested lists": "list(list(list(",
    "an array of arrays": "int[][]",
    "a decimal": "BigDecimal",
    "a date": "new Date(",
    "an enum": "Color.RED",
    "an enum with bodies": "Phase.",
}
TYPED_ONLY = {"AvroJacksonCodec", "AvroJackson3Codec", "ProtobufCodec"}


@cache
def rows(codec: str, release: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for path in VECTORS.glob(f"*{codec}-{release}.json"):
        if path.stem.removeprefix("Shapes") == f"{codec}-{release}":
            found += json.loads(path.read_text("utf-8"))
    return found


def test_every_object_codec_is_recorded() -> None:
    assert RELEASES.keys() | COMPRESSED | NO_OBJECTS == set(codecs.__all__)
    names = {path.stem for path in VECTORS.glob("*Codec*-*.json")}
    files = {re.sub("^(Shapes|Mapper|Everything)", "", name).partition("-")[0] for name in names}
    assert files == RELEASES.keys() | COMPRESSED


@each_row("codec", RELEASES)
def test_enough_values_of_each_release(codec: str) -> None:
    for release in RELEASES[codec].split():
        found = rows(codec, release)
        assert all(row.keys() >= COLUMNS and row["type"] and row["java"] for row in found)
        assert {(row["codec"], row["release"]) for row in found} == {(codec, release)}
        assert len({(row["java"], row.get("class")) for row in found}) >= 150


@each_row("codec", sorted(RELEASES.keys() - TYPED_ONLY))
def test_every_kind_of_value_is_recorded(codec: str) -> None:
    newest = rows(codec, RELEASES[codec].split()[-1])
    said = "\n".join(f"{row['type']} {row['java']}" for row in newest)
    assert [kind for kind, text in KINDS.items() if text not in said] == []
