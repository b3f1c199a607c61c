"""Equal strings and numbers in Java's streams: several objects, or one."""

from __future__ import annotations

import pickle
from decimal import Decimal
from typing import Any

import pytest

from pyredisson import codecs
from pyredisson.codecs import FstCodec, Kryo5Codec, MarshallingCodec, SerializationCodec
from pyredisson.codecs.java_serialization import sharing
from pyredisson.java import JBigInteger, JByte, JChar, JFloat, JList, JLong, JShort
from pyredisson.java.objects import JavaObject
from tests.support.rows import each_row

DECIMAL = sharing.ApartDecimal("1.5")
DECIMAL.unscaled = sharing.ApartBigInteger(15)
APART: list[tuple[Any, Any]] = [
    (sharing.ApartString("a"), "a"),
    (sharing.ApartInteger(1), 1),
    (sharing.ApartLong(1), JLong(1)),
    (sharing.ApartShort(1), JShort(1)),
    (sharing.ApartByte(1), JByte(1)),
    (sharing.ApartDouble(1.5), 1.5),
    (sharing.ApartFloat(1.5), JFloat(1.5)),
    (sharing.ApartCharacter("a"), JChar("a")),
    (sharing.ApartBigInteger(1), JBigInteger(1)),
    (DECIMAL, Decimal("1.5")),
]
OTHER_CODECS = [
    *("Kryo5Codec", "JsonJacksonCodec", "JsonJackson3Codec", "SerializationCodec", "FstCodec"),
    *("MarshallingCodec", "MsgPackJacksonCodec", "CborJacksonCodec", "SmileJacksonCodec"),
    "IonJacksonCodec",
]


@each_row(("apart", "plain"), APART, ids=repr)
def test_apart_values_are_like_plain_values(apart: Any, plain: Any) -> None:
    assert apart == plain
    assert hash(apart) == hash(plain)
    assert (repr(apart), str(apart)) == (repr(plain), str(plain))
    assert pickle.loads(pickle.dumps(apart)) == plain


@each_row("name", OTHER_CODECS)
@each_row(("apart", "plain"), APART, ids=repr)
def test_every_codec_writes_apart_values_as_plain_values(name: str, apart: Any, plain: Any) -> None:
    options = {"strict": False} if "Jackson" in name else {}  # Java cannot read some at the root
    codec = getattr(codecs, name)(**options)
    assert codec.encode(apart) == codec.encode(plain)
    assert codec.encode([apart]) == codec.encode([plain])
    assert codec.encode({"k": apart}) == codec.encode({"k": plain})


def test_a_subclass_of_a_number_has_its_class() -> None:
    class Id(JLong):
        pass

    assert Kryo5Codec().encode(Id(5)) == Kryo5Codec().encode(JLong(5))


def test_value_that_java_caches_is_one_object() -> None:
    """`new Integer(1), new Integer(1), 1, 1` of SerializationCodec 4.7.0 are three objects."""
    codec = SerializationCodec()
    three = codec.decode(codec.encode([1, sharing.ApartInteger(1), sharing.ApartInteger(1)]))
    assert [isinstance(each, sharing.Apart) for each in three] == [False, True, True]
    assert codec.decode(codec.encode([1, 1, 1000, 1000])) == [1, 1, 1000, 1000]
    assert len(codec.encode([1, 1])) < len(codec.encode(three[:2]))


def test_two_booleans_are_written_as_one() -> None:
    """`list(new Boolean(true), true)` of SerializationCodec 4.7.0; docs/codecs.md documents it."""
    data = bytes.fromhex(
        "aced0005737200136a6176612e7574696c2e41727261794c6973747881d21d99c7619d03000149000473697a65"
        "787000000002770400000002737200116a6176612e6c616e672e426f6f6c65616ecd207280d59cfaee0200015a"
        "000576616c75657870017371007e00020178"
    )
    assert SerializationCodec().decode(data) == [True, True]
    assert SerializationCodec().encode([True, True]) == data[:-8] + bytes.fromhex("71007e000378")


@pytest.mark.parametrize("codec", [SerializationCodec(), MarshallingCodec(), FstCodec()])
def test_a_view_of_another_array(codec: Any) -> None:
    """`Arrays.asList(array)` beside its array. After a change of the list, the array differs."""
    view = JList("java.util.Arrays$ArrayList", ["ab"])
    array = codec.decode(codec.encode(view))
    both = codec.decode(codec.encode([array, array.array]))
    assert both[0].array is both[1]
    both[0][0] = "cd"
    changed = codec.decode(codec.encode(both))
    assert (list(changed[0]), list(changed[1])) == (["cd"], ["ab"])
    assert changed[0].array is not changed[1]


def test_placeholder_of_a_number_is_kept() -> None:
    """Unreadable data is skipped with placeholders for all objects."""
    placeholder = JavaObject("java.lang.Integer", {})
    assert sharing.Sharing().number("java.lang.Integer", 0, placeholder) is placeholder
