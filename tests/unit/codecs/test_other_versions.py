"""Java's streams: classes with their own write methods, and messages of other class versions."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyredisson.codecs import FstCodec, Kryo5Codec, MarshallingCodec, SerializationCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, java_class
from pyredisson.java.objects import JavaObject
from tests.unit.codecs.migration_shapes import SHAPES, ReadBackSub, Written, WrittenSub

VECTORS = Path(__file__).parents[2] / "vectors"
STREAMS: list[Any] = [SerializationCodec, MarshallingCodec]
each_stream = pytest.mark.parametrize("codec", STREAMS)
each_codec = pytest.mark.parametrize("codec", [*STREAMS, FstCodec])


def recorded(codec: str, java: str) -> bytes:
    rows = json.loads((VECTORS / f"{codec}.json").read_text("utf-8"))
    (found,) = (row["hex"] for row in rows if row["java"] == java)
    return bytes.fromhex(found)


def make(method: str, **more: Any) -> Any:
    @java_class("com.example.Own", serial_version_uid=1, own_serialization=[method], **more)
    @dataclass(frozen=True)
    class Own:
        name: Annotated[str | None, "String"] = None

    return Own


@each_codec
@pytest.mark.parametrize("method", ["writeObject", "writeReplace", "writeExternal"])
def test_class_that_writes_itself_is_rejected(codec: Any, method: str) -> None:
    own = make(method)
    with pytest.raises(EncodeError, match=rf"com\.example\.Own, whose own {method}\(\) decides"):
        codec([own]).encode([own("a")])


@each_codec
def test_externalizable_class_is_rejected(codec: Any) -> None:
    own = make("readResolve", interfaces=["java.io.Externalizable"])
    with pytest.raises(EncodeError, match=r"whose own writeExternal\(\) decides"):
        codec([own]).encode(own("a"))


@each_codec
def test_subclass_of_a_class_that_writes_itself_is_rejected(codec: Any) -> None:
    with pytest.raises(EncodeError, match=r"Hooks\$Written, whose own writeObject\(\) decides"):
        codec(SHAPES).encode(WrittenSub("a", 1))


@pytest.mark.parametrize(
    ("method", "writes"), [("writeObject", True), ("writeExternal", True), ("writeReplace", False)]
)
def test_record_runs_only_its_write_replace(method: str, writes: bool) -> None:
    own = make(method, record=True)
    codec = SerializationCodec([own])
    if writes:
        assert codec.decode(codec.encode(own("a"))) == own("a")
    else:
        with pytest.raises(EncodeError, match="writeReplace"):
            codec.encode(own("a"))


def test_kryo_ignores_own_write_methods() -> None:
    codec = Kryo5Codec(schemas=SHAPES)
    assert codec.decode(codec.encode(Written("a"))) == Written("a")


def test_unknown_method_name_is_rejected() -> None:
    with pytest.raises(ValueError, match="own_serialization takes names of"):
        make("writeobject")


@pytest.mark.parametrize("codec", ["SerializationCodec-4.7.0", "MarshallingCodec-3.18.1"])
def test_data_of_a_write_object_is_read_but_not_written(codec: str) -> None:
    reader: Any = (SerializationCodec if codec[0] == "S" else MarshallingCodec)(SHAPES)
    data = recorded(codec, "new com.example.Hooks.WrittenSub()")
    assert reader.decode(data) == WrittenSub("written", 6)
    with pytest.raises(EncodeError, match="writeObject"):
        reader.encode(reader.decode(data))
    unaware: Any = type(reader)([Plain])
    found = unaware.decode(recorded(codec, "new com.example.Hooks.Written()"))
    with pytest.raises(EncodeError, match=r"Hooks\$Written has a writeObject of its own"):
        unaware.encode(found)
    data = recorded(codec, "new com.example.Hooks.ReadBackSub()")
    assert reader.encode(reader.decode(data)) == data
    assert reader.decode(data) == ReadBackSub("read", 3, True, 4, "sub")


@java_class("com.example.Hooks$Written", serial_version_uid=5)
@dataclass
class Plain:
    name: Annotated[str | None, "String"] = None


def versions() -> dict[str, Any]:
    """Return versions of one class, keyed by their difference from the first."""
    name = "com.example.Task"

    @java_class(name, serial_version_uid=1)
    @dataclass
    class First:
        id: Annotated[Any, "Long"] = None
        count: Annotated[int, "int"] = 0

    @java_class(name, serial_version_uid=2)
    @dataclass
    class Uid:
        id: Annotated[Any, "Long"] = None
        count: Annotated[int, "int"] = 0

    @java_class(name, serial_version_uid=1)
    @dataclass
    class Less:
        id: Annotated[Any, "Long"] = None

    @java_class(name, serial_version_uid=1)
    @dataclass
    class Typed:
        id: Annotated[Any, "Long"] = None
        count: Annotated[int, "long"] = 0

    @java_class(name, serial_version_uid=1)
    @dataclass
    class Object:
        id: Annotated[Any, "Object"] = None
        count: Annotated[int, "int"] = 0

    @java_class("com.example.Above", serial_version_uid=1)
    @dataclass
    class Above:
        pass

    @java_class(name, serial_version_uid=1)
    @dataclass
    class Sub(Above):
        id: Annotated[Any, "Long"] = None
        count: Annotated[int, "int"] = 0

    return {each.__name__: each for each in (First, Uid, Less, Typed, Object, Sub)}


@each_stream
@pytest.mark.parametrize(
    ("wrote", "reads", "said"),
    [
        ("First", "Uid", "com.example.Task has the serialVersionUID 1"),
        ("Less", "First", "com.example.Task.count is not in the message"),
        ("First", "Less", "com.example.Task.count is in the message only"),
        ("First", "Typed", "com.example.Task.count has another type"),
        ("First", "Sub", "it does not extend com.example.Above"),
        ("Sub", "First", "it extends com.example.Above"),
    ],
)
def test_message_of_another_version_is_read_but_not_written(
    codec: Any, wrote: str, reads: str, said: str
) -> None:
    classes = versions()
    data = codec([classes[wrote]]).encode(classes[wrote](5))
    other = codec([classes[reads]])
    found = other.decode(data)
    assert found.id == 5
    with pytest.raises(EncodeError) as caught:
        other.encode(found)
    assert f"({said})" in str(caught.value)
    new = replace(found)
    assert other.decode(other.encode(new)) == new


def test_changed_field_signature_is_not_written() -> None:
    classes = versions()
    data = SerializationCodec([classes["First"]]).encode(classes["First"](5))
    other = SerializationCodec([classes["Object"]])
    with pytest.raises(EncodeError, match=r"Task\.id has another type"):
        other.encode(other.decode(data))


@each_stream
def test_class_without_a_uid_is_only_decoded(codec: Any) -> None:
    first = versions()["First"]

    @java_class("com.example.Task")
    @dataclass
    class Unknown:
        id: Annotated[Any, "Long"] = None

    own = codec([Unknown])
    found = own.decode(codec([first]).encode(first(5)))
    assert found == Unknown(5)
    with pytest.raises(EncodeError, match="lacks the serial_version_uid"):
        own.encode(found)


@each_codec
def test_exception_with_null_suppressed_exceptions_round_trips(codec: Any) -> None:
    oops = JavaObject("java.lang.IllegalStateException", {"suppressedExceptions": None})
    data = codec().encode(oops)
    found = codec().decode(data)
    assert found.fields["suppressedExceptions"] is None
    assert codec().encode(found) == data
    usual = codec().decode(codec().encode(JavaObject("java.lang.IllegalStateException", {})))
    assert usual.fields["suppressedExceptions"] == []
    assert usual.fields["stackTrace"] == JArray("java.lang.StackTraceElement")


def test_fst_rejects_data_of_a_write_object() -> None:
    data = recorded("FstCodec-3.12.5", "new com.example.Hooks.Written()")
    with pytest.raises(DecodeError, match=r"whose own writeObject\(\)"):
        FstCodec(SHAPES).decode(data)
