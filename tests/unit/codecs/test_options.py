"""Every codec's repr, and its errors for arguments of a wrong type."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import Codec, Limits
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.avro_schemas import SCHEMAS
from tests.unit.codecs.shapes import Box, Color, Crate, OrderTask, Point, Wide

SPECIAL: dict[str, Any] = {
    "AvroJackson3Codec": lambda: codecs.AvroJackson3Codec(str, '"string"'),
    "AvroJacksonCodec": lambda: codecs.AvroJacksonCodec(str, '"string"'),
    "CompositeCodec": lambda: codecs.CompositeCodec(None, None, codecs.StringCodec()),
    "FallbackCodec": lambda: codecs.FallbackCodec([codecs.Kryo5Codec(), codecs.StringCodec()]),
    "LZ4CodecV2": lambda: codecs.LZ4CodecV2(release="4.7.0"),
    "ProtobufCodec": lambda: codecs.ProtobufCodec(str),
    "TypedJsonJackson3Codec": lambda: codecs.TypedJsonJackson3Codec(str),
}
NUMBERS = {"DoubleCodec": 1.5, "IntegerCodec": 5, "LongCodec": 5, "ByteArrayCodec": b"a"}
OTHER = {"Codec", "ForyCodec", "FuryCodec", "Limits", "sniff"}
ALL = {
    name: SPECIAL.get(name, getattr(codecs, name)) for name in codecs.__all__ if name not in OTHER
}


@pytest.fixture(params=ALL)
def codec(request: pytest.FixtureRequest) -> Codec[Any]:
    made: Codec[Any] = ALL[request.param]()
    return made


# --- wrong messages -----------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["text", None, 5, [b"a"]])
def test_only_bytes_are_decoded(codec: Codec[Any], wrong: Any) -> None:
    told = rf"^\w+\.decode takes bytes.*, not {type(wrong).__name__}$"
    with pytest.raises(TypeError, match=told):
        codec.decode(wrong)


def test_error_for_a_text_names_decode_responses(codec: Codec[Any]) -> None:
    with pytest.raises(TypeError, match="without decode_responses"):
        codec.decode("text")  # type: ignore[arg-type] # that is what it is about


def test_bytes_like_types_are_decoded(codec: Codec[Any]) -> None:
    name = type(codec).__name__
    if name == "KryoCodec":
        data = bytes.fromhex("03 8261")
    else:
        data = codec.encode(NUMBERS.get(name, "a text"))
    found = codec.decode(data)
    assert codec.decode(bytearray(data)) == found  # type: ignore[arg-type] # copied
    assert codec.decode(memoryview(data)) == found  # type: ignore[arg-type] # copied
    assert type(codec.decode(memoryview(data))) is type(found)  # type: ignore[arg-type] # bytes-like


def test_codec_that_knows_a_class_decodes_only_bytes() -> None:
    codec = codecs.Kryo5Codec(schemas=[OrderTask])
    data = codec.encode(OrderTask("1"))
    assert codec.decode(data) == codec.decode(data) == codec.decode(bytearray(data))  # type: ignore[arg-type] # bytes-like
    for wrong in ("text", None, 5):
        with pytest.raises(TypeError, match=r"Kryo5Codec\.decode takes bytes"):
            codec.decode(wrong)  # type: ignore[arg-type] # that is what it is about


@pytest.mark.parametrize("wrong", [5, None, "text", [b"a"]])
def test_sniff_takes_bytes(wrong: Any) -> None:
    with pytest.raises(TypeError, match=f"^sniff takes bytes, not {type(wrong).__name__}$"):
        codecs.sniff(wrong)
    assert codecs.sniff(bytearray.fromhex("aced0005")) is not None  # type: ignore[arg-type] # bytes-like


# --- wrong options ------------------------------------------------------------------------------

WITH_SCHEMAS = [
    *("Kryo5Codec", "KryoCodec", "SerializationCodec", "MarshallingCodec", "FstCodec"),
    *("JsonJacksonCodec", "JsonJackson3Codec", "MsgPackJacksonCodec", "CborJackson3Codec"),
]


@each_row("name", WITH_SCHEMAS)
@each_row("wrong", [5, "tasks", OrderTask, b"tasks"])
def test_schemas_are_a_module_or_classes(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match="schemas takes modules and classes, or one module, not"):
        getattr(codecs, name)(schemas=wrong)


@each_row("name", WITH_SCHEMAS)
def test_schemas_are_modules_and_classes(name: str) -> None:
    """A list may contain both. The error for a module without schema classes names the module."""
    module = ModuleType("tasks")
    with pytest.raises(TypeError, match="the module tasks has no class with a schema"):
        getattr(codecs, name)(schemas=[module])
    vars(module)["OrderTask"] = OrderTask
    alone, both = getattr(codecs, name)(schemas=module), getattr(codecs, name)(schemas=[module])
    assert repr(alone) == repr(both) == repr(getattr(codecs, name)(schemas=[OrderTask]))


@each_row("name", sorted(ALL.keys() - NUMBERS.keys() - {"StringCodec"}))
def test_limits_option_takes_only_limits(name: str) -> None:
    if name in {"CompositeCodec", "FallbackCodec"}:
        return
    first: dict[str, list[Any]] = {"Protobuf": [str], "Typed": [str], "Avro": [str, '"string"']}
    given: list[Any] = next((each for start, each in first.items() if name.startswith(start)), [])
    with pytest.raises(
        TypeError, match=r"limits takes pyredisson\.codecs\.Limits\(\.\.\.\), not 5"
    ):
        getattr(codecs, name)(*given, limits=5)


# --- repr ---------------------------------------------------------------------------------------


@each_row(
    ("codec", "shown"),
    [
        (codecs.Kryo5Codec(), "Kryo5Codec()"),
        (codecs.Kryo5Codec(release="3.27.2"), "Kryo5Codec(release='3.27.2')"),
        (
            codecs.Kryo5Codec(schemas=[OrderTask, Color], references=True),
            "Kryo5Codec(schemas=[OrderTask, Color], references=True)",
        ),
        (
            codecs.Kryo5Codec(allowed_classes=["java.util.Date"], limits=Limits(max_depth=5)),
            f"Kryo5Codec(allowed_classes=['java.util.Date'], limits={Limits(max_depth=5)!r})",
        ),
        (
            codecs.SerializationCodec([OrderTask, Point]),
            "SerializationCodec(schemas=[OrderTask, Point])",
        ),
        (
            codecs.JsonJacksonCodec(schemas=[OrderTask], strict=False, unknown="error"),
            "JsonJacksonCodec(schemas=[OrderTask], strict=False, unknown='error')",
        ),
        (
            codecs.TypedJsonJacksonCodec(Box, schemas=iter([Crate]), release="4.7.0"),
            "TypedJsonJacksonCodec(Box, schemas=[Crate, Box], release='4.7.0')",
        ),
        (codecs.TypedJsonJacksonCodec(Color), "TypedJsonJacksonCodec(Color, schemas=[Color])"),
        (codecs.TypedJsonJacksonCodec(), "TypedJsonJacksonCodec()"),
        (codecs.AvroJacksonCodec(str, '"string"'), """AvroJacksonCodec(str, '"string"')"""),
        (codecs.ProtobufCodec(OrderTask), "ProtobufCodec(OrderTask)"),
        (codecs.LZ4Codec(codecs.StringCodec()), "LZ4Codec(StringCodec('UTF-8'))"),
        (codecs.LongCodec(), "LongCodec()"),
    ],
)
def test_repr(codec: Codec[Any], shown: str) -> None:
    assert repr(codec) == shown


def test_many_schemas_are_shortened() -> None:
    shown = repr(codecs.Kryo5Codec(schemas=shapes))
    assert shown.startswith("Kryo5Codec(schemas=[")
    assert shown.endswith(" more])")
    assert len(shown) < 100
    assert "Wide" not in repr(
        codecs.Kryo5Codec(schemas=[*[Box, Crate, Color, Point, OrderTask], Wide])
    )
    long = repr(codecs.AvroJacksonCodec(str, json.dumps(SCHEMAS["task"])))
    assert long.startswith("AvroJacksonCodec(str, '{")
    assert long.endswith("…')")
    assert "fields=" not in repr(codecs.AvroJacksonCodec(str, SCHEMAS["task"]))


def test_own_codec_class_has_a_repr() -> None:
    class Own(codecs.StringCodec):
        def __init__(self, key: str, *, salt: bytes = b"") -> None:
            super().__init__()
            self.salt = salt

    assert repr(Own("a", salt=b"s")) == "Own(salt=b's')"
