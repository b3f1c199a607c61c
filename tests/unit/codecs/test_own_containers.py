"""Classes that extend a set or map: a decoded container is written in the order of its message."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import (
    CborJacksonCodec,
    FstCodec,
    JsonJackson3Codec,
    JsonJacksonCodec,
    Kryo5Codec,
    MarshallingCodec,
    SerializationCodec,
    SmileJacksonCodec,
)
from pyredisson.errors import DecodeError
from pyredisson.java import JMap, JSet, java_class


@java_class("com.example.Words", extends="java.util.HashSet<String>", serial_version_uid=1)
class Words(set[str]):
    pass


@java_class("com.example.Slots", extends="java.util.HashSet<String>", serial_version_uid=1)
class Slots(set[str]):
    __slots__ = ()


@java_class("com.example.Table", extends="java.util.HashMap<String, String>", serial_version_uid=1)
class Table(dict[str, str]):
    pass


@java_class("com.example.Chain", extends="java.util.LinkedHashMap<String, String>")
class Chain(dict[str, str]):
    pass


SCHEMAS: list[type] = [Words, Table]
CODECS: list[Any] = [
    *(SerializationCodec(SCHEMAS), MarshallingCodec(SCHEMAS), FstCodec(SCHEMAS)),
    *(Kryo5Codec(schemas=SCHEMAS), JsonJacksonCodec(schemas=SCHEMAS)),
    *(JsonJackson3Codec(schemas=SCHEMAS), CborJacksonCodec(schemas=SCHEMAS)),
    SmileJacksonCodec(schemas=SCHEMAS),
]
each_codec = pytest.mark.parametrize("codec", CODECS, ids=lambda each: type(each).__name__)


def swapped(codec: Any, value: Any) -> bytes:
    """Return a message in which two elements or entries are swapped."""
    data: bytes = codec.encode(value)
    kryo = isinstance(codec, Kryo5Codec)
    one, other = (b"firs\xf4", b"secn\xe4") if kryo else (b"first", b"secnd")
    return data.replace(one, b"-----").replace(other, one).replace(b"-----", other)


@each_codec
@pytest.mark.parametrize("kind", ["set", "dict"])
def test_decoded_order_is_kept(codec: Any, kind: str) -> None:
    words = ["first", "secnd", "x", "y", "z"]
    value: Any = Words(words) if kind == "set" else Table((each, "same") for each in words)
    data = codec.encode(value)
    other = swapped(codec, value)
    assert other != data
    found = codec.decode(other)
    assert (type(found), found) == (type(value), value)
    assert codec.encode(found) == other
    assert codec.encode(codec.decode(data)) == data
    if kind == "set":
        found.remove("first")
        value.remove("first")
    else:
        del found["first"], value["first"]
    assert len(codec.decode(codec.encode(found))) == 4


@each_codec
def test_new_container_is_in_the_order_of_a_new_hash_map(codec: Any) -> None:
    words = ["channel", "retry", "coupon"]
    plain = list(codec.decode(codec.encode(dict.fromkeys(words, "v"))))
    assert list(codec.decode(codec.encode(Table.fromkeys(words, "v")))) == plain
    assert plain == ["coupon", "channel", "retry"]


def test_reinserted_key_keeps_the_decoded_order() -> None:
    codec = JsonJacksonCodec(schemas=SCHEMAS)
    data = swapped(codec, Table(first="a", secnd="b", x="c"))
    found = codec.decode(data)
    assert "__java_order__" in vars(found)
    found["first"] = found.pop("first")
    assert codec.encode(found) == data


def test_a_linked_map_is_in_its_own_order() -> None:
    codec = JsonJacksonCodec(schemas=[Chain])
    found = codec.decode(codec.encode(Chain(b="1", a="2")))
    assert list(found) == ["b", "a"]
    found["b"] = found.pop("b")
    assert list(codec.decode(codec.encode(found))) == ["a", "b"]


def test_slotted_class_without_java_order_is_rejected() -> None:
    for kind in (JsonJacksonCodec, Kryo5Codec):
        codec: Any = kind(schemas=[Slots])
        with pytest.raises(DecodeError, match="has __slots__ without __java_order__, so the order"):
            codec.decode(codec.encode(Slots(["a", "b"])))


def test_a_hash_map_of_fst_in_another_order() -> None:
    codec = FstCodec()
    data = codec.encode(JMap("java.util.HashMap", {"b": "1", "a": "2"}))
    assert list(codec.decode(data)) == ["b", "a"]
    assert codec.encode(codec.decode(data)) == data
    data = codec.encode([JSet("java.util.HashSet", ["b", "a"])])
    assert codec.encode(codec.decode(data)) == data
