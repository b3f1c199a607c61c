"""`decode`: recognizes entries of both formats, and values of every codec, by their bytes."""

import json
import re
from pathlib import Path

import pytest

from pyredisson.admin.codecs import NAMES, codec_named
from pyredisson.admin.decode import decode
from pyredisson.codecs import Kryo5Codec, LZ4Codec, SnappyCodecV2, ZStdCodec
from pyredisson.protocol.delayed.entry import WireFormat, pack
from tests.support.shell import shell

VECTORS = Path(__file__).parents[1] / "vectors"
RECORDED = {
    "FstCodec-3.12.5": "fst",
    "FstCodec-4.0.0": "fst",
    "JsonJacksonCodec-4.7.0": "json",
    "KryoCodec-3.11.4": "kryo",
    "Kryo5Codec-3.19.3": "kryo5",
    "Kryo5Codec-4.7.0": "kryo5",
    "MarshallingCodec-3.18.1": "marshalling",
    "SerializationCodec-4.7.0": "serialization",
    "ShapesCborJacksonCodec-4.7.0": "cbor",
    "ShapesIonJacksonCodec-4.7.0": "ion",
    "ShapesMsgPackJacksonCodec-4.7.0": "msgpack",
    "ShapesSmileJacksonCodec-4.7.0": "smile",
    "LZ4Codec-4.7.0": "lz4:string",
    "LZ4CodecV2-3.24.3": "lz4v2:string",
    "SnappyCodec-3.27.2": "snappy:string",
    "ZStdCodec-4.7.0": "zstd:string",
}


def recorded(file: str) -> list[tuple[bytes, str]]:
    """Return bytes that Java wrote, with their values; of compressing codecs, texts only."""
    opening = ("'",) if ":" in RECORDED[file] else ("{", "[")
    return [
        (bytes.fromhex(row["hex"]), row["python"])
        for row in json.loads((VECTORS / f"{file}.json").read_text("utf-8"))
        if row.get("python", "").startswith(opening)
        and row["python"] not in {"[]", "{}"}
        and "com.example" not in row["java"]
        and not re.search(r"[A-Z]\w+\(", row["python"])
        and 12 < len(row["hex"]) < 2000
    ][:15]


@pytest.mark.parametrize("file", RECORDED)
def test_the_codec_of_recorded_bytes_is_found(file: str) -> None:
    rows = recorded(file)
    assert len(rows) > 1
    for data, value in rows:
        found = decode(data)
        assert (found.codec, found.error) == (RECORDED[file], None), (data.hex(), value)
        if "*" in value:
            assert found.value == eval(value, {})


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"typed-json", "kryo"}))
def test_a_given_codec_is_used(name: str) -> None:
    codec = codec_named(name)
    plain = {"long": 7, "integer": 7, "double": 0.5, "bytes": b"\x01", "string": "a"}
    value = plain.get(name, ["a"])
    found = decode(codec.encode(value), name)
    assert (found.codec, found.value, found.error) == (name, value, None)


@pytest.mark.parametrize("outer", [LZ4Codec, SnappyCodecV2, ZStdCodec])
def test_compressed_values_of_other_codecs(outer: type[LZ4Codec]) -> None:
    found = decode(outer(Kryo5Codec()).encode({"a": ["text"] * 50}))
    assert found.codec is not None
    assert found.codec.endswith(":kryo5")
    assert found.value == {"a": ["text"] * 50}


@pytest.mark.parametrize("wire_format", WireFormat)
@pytest.mark.parametrize("value", ["hello", ""])
def test_an_entry_of_each_format_is_recognized(wire_format: WireFormat, value: str) -> None:
    entry = pack(b"\0\0\0\0\0\0\0\x40", value.encode(), wire_format)
    done = shell("decode", entry.hex(), "--json")
    assert done.json() == {
        "kind": "entry",
        "format": {"3.21.1": "Bc0Lc0", "3.21.0": "dLc0"}[wire_format.value],
        "id": "0000000000000040",
        "codec": "string",
        "value": value,
        "text": value,
        "candidates": done.json()["candidates"],
    }
    assert done.json()["candidates"][0] == {"codec": "string", "text": value}


def test_bytes_that_are_almost_an_entry_are_a_value() -> None:
    entry = pack(b"12345678", b"hello")
    for data in (entry[:-1], entry + b"x", entry[1:]):
        assert decode(data).kind == "value"
    text = shell("decode", b"8 characters and more".hex(), "--json").json()
    assert (text["kind"], text["format"], text["id"]) == ("value", None, None)


def test_no_bytes_are_an_empty_text() -> None:
    done = shell("decode", "", "--json")
    assert done.code == 0
    assert (done.json()["kind"], done.json()["codec"], done.json()["value"]) == (
        "value",
        "string",
        "",
    )
    assert "empty" in shell("decode", "").out


@pytest.mark.parametrize(
    "text", ["0368656c6cef", "0x0368656C6CEF", "03:68 65 6c\n6cef", r'"\x03hell\xef"']
)
def test_decode_accepts_several_forms_of_hex(text: str) -> None:
    assert shell("decode", text, "--json").json()["value"] == "hello"


@pytest.mark.parametrize("stdin", [b"0368656c6cef\n", b"\x03hell\xef"])
def test_stdin_is_hex_or_bytes(stdin: bytes) -> None:
    assert shell("decode", "-", "--json", stdin=stdin).json()["value"] == "hello"


def test_an_undecodable_value_is_shown_with_the_reason() -> None:
    unknown = b"\x01\x00com.example.Orde\xf2\x01\x02\x03"
    done = shell("decode", unknown.hex(), "--json")
    assert done.code == 1
    assert (done.json()["codec"], done.json()["text"]) == ("kryo5", unknown.hex())
    assert "com.example.Order" in done.json()["error"]
    given = shell("decode", b"abc".hex(), "--codec", "long", "--json")
    assert (given.code, given.json()["codec"]) == (1, "long")
    assert {"codec": "string", "text": "abc"} in given.json()["candidates"]


@pytest.mark.parametrize("words", [("zz",), ("123",), ('"\\x0"',), ("00", "--codec", "no")])
def test_wrong_hex_and_codecs_print_one_line(words: tuple[str, ...]) -> None:
    done = shell("decode", *words)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_control_characters_are_escaped() -> None:
    out = shell("decode", b"\x1b[31mred".hex()).out
    assert "\x1b" not in out
    assert r"\x1b[31mred" in out
