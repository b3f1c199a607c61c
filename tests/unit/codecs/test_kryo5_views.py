"""Views of lists and maps, entries and queues: whether Java can read the bytes that it writes."""

from __future__ import annotations

from typing import Any

import pytest

from pyredisson.codecs import Kryo5Codec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JList, JMap, JValue
from pyredisson.java.views import ENTRIES, SUB_LIST, VIEWS
from pyredisson.limits import Limits
from tests.support.rows import each_row
from tests.unit.codecs.shapes import Entries, Wide

CODEC = Kryo5Codec(schemas=[Entries, Wide], release="4.7.0")
NODE = "java.util.HashMap$Node"
HOLDER = "java.util.KeyValueHolder"


def message(class_name: str, body: bytes) -> bytes:
    return b"\x01\x00" + class_name[:-1].encode() + bytes([ord(class_name[-1]) | 0x80]) + body


@each_row("class_name", VIEWS)
def test_view_that_java_cannot_read_is_only_decoded(class_name: str) -> None:
    value = CODEC.decode(message(class_name, b"\x01"))
    assert isinstance(value, (JList, JMap))
    assert value.class_name == class_name
    assert not value
    with pytest.raises(EncodeError, match="Java could not read it"):
        CODEC.encode(value)
    with pytest.raises(EncodeError, match="Java could not read it"):
        CODEC.encode([value])


def test_view_is_rejected_if_java_cannot_hold_it() -> None:
    assert CODEC.decode(CODEC.encode(Wide(any=JList(SUB_LIST, [1])))) == Wide(any=[1])
    with pytest.raises(EncodeError, match=r"is not a java.util.Set"):
        CODEC.encode(Wide(names=JList(SUB_LIST, ["a"])))
    with pytest.raises(EncodeError, match="takes no null"):
        CODEC.encode(JList(SUB_LIST, [None]))


def test_queue_elements_must_be_comparable_in_java() -> None:
    name = "java.util.concurrent.PriorityBlockingQueue"
    assert CODEC.decode(CODEC.encode(JList(name, ["a", "b"]))) == ["a", "b"]
    for wrong in ([[1]], [1, "a"]):
        with pytest.raises(EncodeError, match="without a comparator"):
            CODEC.encode(JList(name, wrong))
    old = Kryo5Codec(release="3.19.0")
    assert old.decode(message(name, b"\x83\x03\x00\x82a\x82b")) == ["a", "b"]
    with pytest.raises(EncodeError, match="Java could not read it"):
        old.encode(JList(name, ["a"]))


@pytest.mark.parametrize("class_name", sorted(ENTRIES))
def test_entry_with_wrong_parts_is_rejected(class_name: str) -> None:
    for wrong in (JValue(class_name, 1), JValue(class_name, 1, 2, 3, 4, 5)):
        with pytest.raises(EncodeError, match="parts"):
            CODEC.encode(wrong)
    with pytest.raises(EncodeError, match=r"is not a java.util.Map"):
        CODEC.encode(Entries(open="a"))
    with pytest.raises(EncodeError, match=r"is not a java"):
        CODEC.encode(JList(class_name, [1]))


def test_entries_are_bounded() -> None:
    deep: Any = None
    for _ in range(200):
        deep = JValue(HOLDER, "k", deep)
    with pytest.raises(EncodeError, match="nested deeper"):
        CODEC.encode(deep)
    narrow = Kryo5Codec(limits=Limits(max_depth=1))
    data = CODEC.encode(JValue(HOLDER, "k", JValue(HOLDER, "k", 1)))
    with pytest.raises(DecodeError, match="nested deeper"):
        narrow.decode(data)


def test_the_keys_of_a_map_need_a_value() -> None:
    """`newKeySet()` has a value. Java cannot read the view of `keySet()`."""
    name = "java.util.concurrent.ConcurrentHashMap$KeySetView"
    inside = JMap("java.util.concurrent.ConcurrentHashMap", {"k": True})
    with pytest.raises(EncodeError, match="newKeySet"):
        CODEC.encode(JValue(name, inside, None))
    assert CODEC.decode(CODEC.encode(JValue(name, inside, True))) == JValue(name, inside, True)


def test_arrays_of_atomics_never_changed() -> None:
    value = JValue("java.util.concurrent.atomic.AtomicIntegerArray", JArray("int", [1]))
    for each in (Kryo5Codec(), Kryo5Codec(release="3.19.3"), CODEC):
        assert each.encode(value) == CODEC.encode(value)
        assert each.decode(each.encode(value)) == value


def test_declared_type_arguments_omit_the_headers() -> None:
    value = Entries(shifted=JValue(HOLDER, "k", "v"))
    data = CODEC.encode(value)
    assert data.endswith(b"\x03\x82k\x82v\x00")
    assert CODEC.decode(data) == value
    node = Entries(counts=[JValue(NODE, 1, "a", JValue(NODE, 1, "b", None, 2), 1)])
    assert CODEC.decode(CODEC.encode(node)) == node
