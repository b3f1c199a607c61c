"""Java interfaces: Python base classes, interface-typed fields, and JSON without class names.

`interop/tests/codecs/test_schema_alone.py` compares the same values with Java's bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Annotated, Any

import pytest

from pyredisson import codecs
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import java_class, java_enum
from pyredisson.java.schema import schema_of
from pyredisson.java.schemas import collect
from tests.support.rows import each_row


@java_class("a.Named", interface=True)
class Named:
    pass


@java_class("a.Priced", interface=True, interfaces=["java.io.Serializable"])
class Priced(Named):
    pass


@java_class("a.Base", serial_version_uid=1, interfaces=["java.io.Serializable"])
@dataclass
class Base:
    id: Annotated[int, "int"] = 0


@java_class("a.Item", serial_version_uid=1)
@dataclass
class Item(Base, Priced):
    price: Annotated[int, "int"] = 0


@java_enum("a.Season")
class Season(Named, Enum):
    SUMMER = auto()


@java_class("a.Box", serial_version_uid=1, interfaces=["java.io.Serializable"])
@dataclass
class Box:
    one: Annotated[Named | None, "a.Named"] = None
    many: Annotated[list[Named], "java.util.List<a.Named>"] = field(default_factory=list)


@java_class("a.Failed", extends="java.lang.RuntimeException")
@dataclass
class Failed:
    code: Annotated[int, "int"] = 0


SCHEMAS = [Box, Item, Season]
NAMING = [
    *(codecs.Kryo5Codec, codecs.JsonJacksonCodec, codecs.JsonJackson3Codec),
    *(codecs.MsgPackJacksonCodec, codecs.CborJacksonCodec, codecs.SmileJacksonCodec),
    *(codecs.IonJacksonCodec, codecs.SerializationCodec),
]


def test_interfaces_are_no_superclasses() -> None:
    found = collect([Item])
    assert set(found) == {"a.Item", "a.Base", "a.Priced", "a.Named"}
    assert found["a.Item"].parent is found["a.Base"]
    assert found["a.Item"].interfaces == ("a.Priced", "java.io.Serializable", "a.Named")
    assert found["a.Base"].interfaces == ("java.io.Serializable",)
    assert found["a.Priced"].parent is None
    assert (found["a.Priced"].kind, found["a.Priced"].abstract) == ("interface", True)
    season = schema_of(Season)
    assert season is not None
    assert season.interfaces == ("a.Named",)


@each_row("make", NAMING)
def test_fields_of_an_interface(make: Callable[..., Any]) -> None:
    codec = make(schemas=SCHEMAS)
    box = Box(Item(id=1, price=2), [Item(id=3), Season.SUMMER])
    for value in (Box(), box, Box(Season.SUMMER)):
        assert codec.decode(codec.encode(value)) == value


@pytest.mark.parametrize("make", [codecs.Kryo5Codec, codecs.JsonJacksonCodec])
def test_value_that_does_not_implement_the_interface_is_rejected(make: Callable[..., Any]) -> None:
    codec = make(schemas=SCHEMAS)
    odd: Any = Box(Base(id=1))  # type: ignore[arg-type] # that is the point
    with pytest.raises(EncodeError, match=r"a a\.Base is not a a\.Named"):
        codec.encode(odd)
    with pytest.raises(EncodeError, match=r"a\.Named is abstract"):
        codec.encode([Named()])


@pytest.mark.parametrize("make", [codecs.TypedJsonJacksonCodec, codecs.TypedJsonJackson3Codec])
def test_json_without_class_names(make: Callable[..., Any]) -> None:
    """As in Java, the object is written but cannot be read. The error names the reason."""
    codec = make(Box, schemas=SCHEMAS)
    assert codec.decode(codec.encode(Box())) == Box()
    data = codec.encode(Box(Item(id=1)))
    with pytest.raises(DecodeError, match=r"a\.Named is abstract in Java, and the message"):
        codec.decode(data)


def test_exceptions_in_json() -> None:
    """Jackson writes an exception's message, cause and trace, which no schema declares.

    With a schema the codec rejects the exception. Without one it keeps these members.
    """
    text = b'{"@class":"a.Failed","code":5,"message":"m","stackTrace":[]}'
    codec = codecs.JsonJacksonCodec(schemas=[Failed])
    with pytest.raises(DecodeError, match=r"a\.Failed is an exception: Jackson writes"):
        codec.decode(text)
    with pytest.raises(EncodeError, match="decode it as a JavaObject"):
        codec.encode(Failed())
    plain = codecs.JsonJacksonCodec()
    assert plain.encode(plain.decode(text)) == text
    for make in (codecs.TypedJsonJacksonCodec, codecs.TypedJsonJackson3Codec):
        with pytest.raises(TypeError, match=r"^TypedJson.*a\.Failed is an exception"):
            make(Failed)


def test_error_for_an_unknown_field_type_names_the_remedy() -> None:
    @java_class("a.Open")
    @dataclass
    class Open:
        it: Annotated[Any, "a.Other"] = None

    codec = codecs.Kryo5Codec(schemas=[Open, Item])
    assert codec.decode(codec.encode(Open())) == Open()
    with pytest.raises(EncodeError, match=r"no schema; pyredisson schema writes it"):
        codec.encode(Open(Item()))


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a.Other", r"is not known here.*; pass its schema in schemas= \(pyredisson schema"),
        ("java.lang.ThreadLocal", r"is not known here.*; keep it out of what Java sends"),
        ("a.Main$$Lambda$14/0x0000000800c03000", "is a lambda, which only the JVM"),
        ("a.Ma in", "'a.Ma in' is no class name"),
    ],
)
def test_error_for_an_unknown_class_names_the_remedy(name: str, told: str) -> None:
    data = b"\1\0" + name[:-1].encode() + bytes([ord(name[-1]) | 0x80, 1])
    with pytest.raises(DecodeError, match=told):
        codecs.Kryo5Codec().decode(data)
    text = f'{{"@class":"{name}","x":1}}'.encode()
    with pytest.raises(DecodeError, match=told):
        codecs.JsonJacksonCodec(unknown="error").decode(text)
