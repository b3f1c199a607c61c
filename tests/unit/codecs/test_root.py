"""`root=`: the codec writes values of the class that Java's consumer takes, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from enum import Enum, StrEnum
from typing import Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import Codec, FallbackCodec, Kryo5Codec, LZ4Codec
from pyredisson.errors import EncodeError
from pyredisson.java import (
    JArray,
    JChar,
    JDate,
    JDuration,
    JEntries,
    JFloat,
    JInstant,
    JInt,
    JList,
    JLong,
    JMap,
    JSet,
    JShort,
    JText,
    Month,
    java_enum,
)
from tests.support.rows import each_row
from tests.unit.codecs.shapes import Base, Color, Leaf, Middle, OrderTask

NAMING = [
    *("JsonJacksonCodec", "JsonJackson3Codec", "MsgPackJacksonCodec"),
    *("CborJacksonCodec", "SmileJacksonCodec", "IonJacksonCodec"),
]
STREAMS = ["SerializationCodec", "MarshallingCodec", "FstCodec"]
ORDER = OrderTask("A1", "pay", 1700000000000)
NOW = datetime(2024, 1, 2, tzinfo=UTC)


@java_enum("com.example.Size")
class Size(StrEnum):
    SMALL = "small"


class Refund(OrderTask):
    """A Python subclass, an OrderTask for Java."""


def made(name: str, **options: Any) -> Codec[Any]:
    codec: Codec[Any] = getattr(codecs, name)(**options)
    return codec


# --- encoding -----------------------------------------------------------------------------------


@each_row("name", ["Kryo5Codec", *NAMING])
@each_row("root", [OrderTask, [OrderTask], (str, OrderTask), {OrderTask}])
def test_root_class_needs_no_schemas(name: str, root: Any) -> None:
    codec, plain = made(name, root=root), made(name, schemas=[OrderTask])
    for _ in range(3):
        assert codec.encode(ORDER) == plain.encode(ORDER)
        assert codec.decode(plain.encode(ORDER)) == ORDER


@each_row("name", ["Kryo5Codec", *NAMING])
def test_subclasses_are_instances(name: str) -> None:
    codec = made(name, schemas=[Leaf], root=Base)
    for value in (Middle(1, "a"), Leaf(1, "a")):
        assert codec.encode(value) == made(name, schemas=[Leaf]).encode(value)
    assert made(name, root=Refund).encode(Refund("A1")) == made(name, root=OrderTask).encode(
        Refund("A1")
    )
    with pytest.raises(EncodeError, match=r"a value of type OrderTask is not an instance of Base"):
        made(name, schemas=[Leaf, OrderTask], root=Base).encode(ORDER)


@each_row(
    ("root", "values", "wrong"),
    [
        (str, ["a"], [JChar("a"), JText("java.net.URI", "a"), Size.SMALL, b"a"]),
        (bytes, [b"a"], ["a", bytearray(b"a")]),
        (int, [5, 1 << 40, JInt(5), JLong(5)], [True, JShort(5), JDate(5), 5.0, "5"]),
        (JLong, [JLong(5)], [5, JInt(5)]),
        (bool, [True], [1, 0]),
        ((int, bool), [True, 1], ["a"]),
        (float, [1.5], [JFloat(1.5), 1]),
        (date, [date(2024, 1, 2)], [NOW]),
        (datetime, [NOW], [JInstant.of(NOW), date(2024, 1, 2)]),
        (JInstant, [JInstant.of(NOW)], [NOW]),
        (timedelta, [timedelta(1), JDuration(1)], [1]),
        (
            list,
            [[1], JList("java.util.LinkedList", [1])],
            [JArray("int", [1]), JEntries("java.util.HashMap", [(1, 2)]), {1}],
        ),
        (set, [{1}, JSet("java.util.TreeSet", [1])], [[1]]),
        (dict, [{"a": 1}, JMap("java.util.TreeMap", {"a": 1})], [[1]]),
        (Color, [Color.RED], ["RED", Size.SMALL]),
        (Size, [Size.SMALL], ["small"]),
        (Enum, [Color.RED, Size.SMALL], [5]),
        (Month, [Month.MAY], [5, Color.RED]),
        ((Color, object), ["a", True, ORDER, NOW, Size.SMALL], []),
    ],
)
def test_instances_are_those_of_java(root: Any, values: list[Any], wrong: list[Any]) -> None:
    """In Python a bool is an int, and a Java Character (JChar) is a str. In Java they are not."""
    schemas = [Color, Size, OrderTask]
    codec, plain = Kryo5Codec(schemas=schemas, root=root), Kryo5Codec(schemas=schemas)
    for _ in range(2):
        for value in values:
            assert codec.encode(value) == plain.encode(value)
        for value in (*wrong, *([] if root == (Color, object) else [None])):
            with pytest.raises(EncodeError, match=r"is not an instance of .* in Java, as root="):
                codec.encode(value)


@each_row("name", ["Kryo5Codec", *NAMING, *STREAMS])
def test_other_values_are_rejected(name: str) -> None:
    codec = made(name, schemas=[OrderTask], root=str)
    assert codec.decode(codec.encode("a")) == "a"
    for wrong in ({"orderId": "A1"}, ["a"], 5, None, ORDER):
        with pytest.raises(EncodeError, match=f"^{name}: .* is not an instance of str in Java"):
            codec.encode(wrong)
    assert made(name).encode(["a"])  # without a root


def test_the_error_names_value_root_and_remedy() -> None:
    with pytest.raises(EncodeError) as caught:
        Kryo5Codec(root=[OrderTask, Color]).encode({"orderId": "A1"})
    assert str(caught.value) == (
        "Kryo5Codec: a value of type dict is not an instance of OrderTask or Color in Java, as "
        "root= requires; Java's consumer would fail with a ClassCastException: pass such an "
        "instance, or name the class of this value in root=, too"
    )
    assert caught.value.codec == "Kryo5Codec"
    with pytest.raises(EncodeError, match=r"True of type bool is not an instance of int in Java"):
        Kryo5Codec(root=int).encode(True)


# --- decoding -----------------------------------------------------------------------------------


@each_row("name", ["Kryo5Codec", *NAMING, *STREAMS])
def test_decoding_is_unchanged(name: str) -> None:
    """A codec caches classes of decoded values too, but their encoding is still checked."""
    codec, plain = made(name, root=int), made(name)
    for _ in range(3):
        for value in ("a", ["a"], {"a": 1}, 5):
            assert codec.decode(plain.encode(value)) == value
        with pytest.raises(EncodeError, match="as root= requires"):
            codec.encode("a")
        assert codec.encode(5) == plain.encode(5)


@each_row("name", ["Kryo5Codec", *NAMING])
def test_decoding_objects_is_unchanged(name: str) -> None:
    codec, plain = made(name, schemas=[OrderTask], root=Leaf), made(name, schemas=[OrderTask])
    leaf = Leaf(middle=5, active=True)
    for _ in range(3):
        assert codec.decode(plain.encode(ORDER)) == ORDER
        with pytest.raises(EncodeError, match="OrderTask is not an instance of Leaf"):
            codec.encode(ORDER)
        assert codec.decode(codec.encode(leaf)) == leaf


# --- as an option -------------------------------------------------------------------------------


@each_row("name", ["Kryo5Codec", *NAMING, *STREAMS])
@each_row("wrong", [5, "com.example.OrderTask", ORDER, [OrderTask, "a"], (), ["a"]])
def test_a_root_is_a_class_or_several(name: str, wrong: Any) -> None:
    with pytest.raises(TypeError, match="root takes a class, or a tuple or list of classes, not"):
        made(name, root=wrong)


@each_row(
    ("codec", "bound"),
    [
        (lambda: Kryo5Codec(root=OrderTask), "Kryo5Codec(schemas=[OrderTask], root=[OrderTask])"),
        (
            lambda: Kryo5Codec(root=(OrderTask, str)).for_release("4.7.0"),
            "Kryo5Codec(schemas=[OrderTask], release='4.7.0', root=[OrderTask, str])",
        ),
        (
            lambda: codecs.JsonJacksonCodec(root=OrderTask).for_release("4.7.0"),
            "JsonJacksonCodec(schemas=[OrderTask], release='4.7.0', root=[OrderTask])",
        ),
        (
            lambda: codecs.JsonJackson3Codec(root=OrderTask),
            "JsonJackson3Codec(schemas=[OrderTask], root=[OrderTask])",
        ),
        (
            lambda: codecs.MarshallingCodec(root=OrderTask),
            "MarshallingCodec(schemas=[OrderTask], root=[OrderTask])",
        ),
        (
            lambda: LZ4Codec(Kryo5Codec(root=Color)).for_release("4.7.0"),
            "LZ4Codec(Kryo5Codec(schemas=[Color], release='4.7.0', root=[Color]))",
        ),
        (
            lambda: FallbackCodec([Kryo5Codec(root=Color)]),
            "FallbackCodec([Kryo5Codec(schemas=[Color], root=[Color])])",
        ),
    ],
)
def test_a_root_stays_with_the_codec(codec: Callable[[], Codec[Any]], bound: str) -> None:
    found = codec()
    assert repr(found) == bound
    for _ in range(2):
        with pytest.raises(EncodeError, match="as root= requires"):
            found.encode(["a"])
