"""New Python values that Kryo5Codec writes as Java serialization streams inside Kryo."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import pytest

from pyredisson.codecs import Kryo5Codec, SerializationCodec
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import (
    JArray,
    JEntries,
    JEnumMap,
    JList,
    JLong,
    JMap,
    JSerialized,
    JSet,
    JText,
    JValue,
    java_class,
)
from pyredisson.java.comparators import REVERSE
from pyredisson.java.objects import JavaObject, JavaValue
from tests.support.rows import each_row
from tests.unit.codecs import shapes
from tests.unit.codecs.shapes import Color, OrderTask, Phase, Point, Wide

CODEC = Kryo5Codec(schemas=shapes, release="4.7.0")
VECTORS = Path(__file__).parents[2] / "vectors"
ROWS: dict[str, str] = {
    row["java"]: row["hex"]
    for row in json.loads((VECTORS / "Kryo5Codec-4.7.0.json").read_text("utf-8"))
    if "aced0005" in row["hex"] and row["codec"] == "Kryo5Codec"
}
PREFIX = "java.util.Collections$"
READ_ONLY = ("checked", "empty", "PaymentException", "java.net.", "loop()")


@java_class(
    "com.example.PaymentException",
    extends="java.lang.RuntimeException",
    serial_version_uid=1,
)
@dataclass
class PaymentException:
    orderId: Annotated[str | None, "String"] = None  # noqa: N815 - the field has Java's name


@java_class("com.example.Quota", extends="java.lang.Error", serial_version_uid=1)
@dataclass(slots=True)
class Quota:
    cause: Annotated[Any, "java.lang.Throwable"] = None


@java_class("com.example.Rejected", extends="java.lang.Error", serial_version_uid=1)
@dataclass(slots=True)
class Rejected:
    code: Annotated[int, "int"] = 3


@java_class("com.example.Colors", extends="java.util.EnumMap<com.example.Color, String>")
class Colors(dict[Any, Any]):
    pass


@java_class("com.example.Mine", extends="java.util.ArrayList<String>", serial_version_uid=1)
class Mine(list[Any]):
    pass


@java_class("com.example.Abstract", interfaces=["java.util.Map"])
class Abstract(dict[Any, Any]):
    pass


@java_class("com.example.Host")
@dataclass
class Host:
    address: Annotated[Any, "java.net.Inet4Address"] = None


@java_class("com.example.Spot", record=True, interfaces=["java.io.Serializable"])
@dataclass(frozen=True)
class Spot:
    x: Annotated[int, "int"] = 0


def renewed(value: Any) -> Any:
    """Return a copy in which new values replace those that Java serialized."""
    if isinstance(value, JSerialized):
        return value.value
    if type(value) is list:
        return list(map(renewed, value))
    if type(value) is dict:
        return {key: renewed(each) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, (type, JavaObject)):
        return replace(value, **{f.name: renewed(getattr(value, f.name)) for f in fields(value)})
    return value


@each_row("java", [each for each in ROWS if not any(n in each for n in READ_ONLY)])
def test_new_value_has_the_bytes_that_java_wrote(java: str) -> None:
    data = bytes.fromhex(ROWS[java])
    try:
        value = CODEC.decode(data)
    except DecodeError:
        value = Kryo5Codec(schemas=shapes, references=True, release="4.7.0").decode(data)
        assert (
            Kryo5Codec(schemas=shapes, references=True, release="4.7.0").encode(renewed(value))
            == data
        )
        return
    assert CODEC.encode(renewed(value)) == data


def recorded(java: str) -> bytes:
    """Return the bytes that Java wrote for an expression of the table."""
    return bytes.fromhex(ROWS[java])


def test_enum_map_field_takes_a_dict() -> None:
    data = recorded('of(new Extras(), "enumMap", new EnumMap<>(Map.of(Color.RED, "r")))')
    made = CODEC.decode(data)
    made.enumMap = {Color.RED: "r"}
    assert CODEC.encode(made) == data
    made.enumMap = {}
    assert CODEC.decode(CODEC.encode(made)).enumMap.value == JEnumMap("com.example.Color")


def test_an_enum_map_is_in_the_order_of_its_enum() -> None:
    entries = {Phase.PAID: 1, Phase.NEW: 2}
    data = CODEC.encode(
        [
            JEnumMap("com.example.Color", {Color.RED: 1}),
            JEnumMap("com.example.Phase", entries),
            Phase.SENT,
        ]
    )
    assert data == recorded(next(each for each in ROWS if each.startswith("list(new EnumMap")))
    empty = JEnumMap[Any, Any]("com.example.Color")
    found = CODEC.decode(CODEC.encode([empty, empty]))
    assert repr(found[1].value) == "JEnumMap('com.example.Color', {})"
    assert deepcopy(empty).enum_name == "com.example.Color"
    assert CODEC.encode(JMap("java.util.EnumMap", {JavaValue("a.B", "C"): 1}))


def test_addresses() -> None:
    one, other = (JValue("java.net.Inet4Address", f"1.2.3.{n}") for n in (4, 5))
    named = JValue("java.net.InetSocketAddress", "a", 1)
    java = next(each for each in ROWS if each.startswith("list(java.net"))
    assert CODEC.encode([one, named, other]) == recorded(java)
    assert CODEC.encode(one) == recorded(
        "java.net.InetAddress.getByAddress(new byte[]{1, 2, 3, 4})"
    )
    found = CODEC.decode(CODEC.encode(JValue("java.net.InetSocketAddress", one, 80))).value
    assert found.fields["addr"].fields["address"] == 0x01020304
    host = CODEC.decode(CODEC.encode(JValue("java.net.Inet4Address", "1.2.3.4", "host"))).value
    assert host.fields["hostName"] == "host"


def test_an_exception_with_a_schema() -> None:
    codec = Kryo5Codec(schemas=[PaymentException, Quota, Rejected], release="4.7.0")
    data = recorded('quiet(new PaymentException("refused", "A1"))')
    found = codec.decode(data).value
    assert found.detailMessage == "refused"
    assert codec.encode(found) == data
    new: Any = PaymentException("A1")
    new.detailMessage = "refused"
    again = codec.decode(codec.encode(new)).value
    assert (again, again.detailMessage, again.cause is again) == (new, "refused", True)
    new.cause = found
    again = codec.decode(codec.encode([new, found]))
    assert again[0].value.cause is again[1].value
    told = codec.decode(codec.encode(Quota(found))).value
    assert told.cause.detailMessage == "refused"
    assert codec.decode(codec.encode(Rejected())).value == Rejected()


def test_exceptions_of_the_jdk() -> None:
    cause = JavaObject("java.io.IOException", {"detailMessage": "disk", "cause": None})
    place = {"declaringClass": "a.B", "methodName": "m", "lineNumber": 7, "format": 1}
    trace = JArray[Any]("java.lang.StackTraceElement")
    trace.append(JavaObject("java.lang.StackTraceElement", place))
    told = {
        "detailMessage": "no",
        "cause": cause,
        "suppressedExceptions": [cause],
        "stackTrace": trace,
    }
    found = CODEC.decode(CODEC.encode(JavaObject("java.lang.IllegalStateException", told))).value
    assert found.fields["cause"] is found.fields["suppressedExceptions"][0]
    assert found.fields["cause"].fields["detailMessage"] == "disk"
    assert found.fields["stackTrace"][0].fields["lineNumber"] == 7
    bare = CODEC.decode(CODEC.encode(JavaObject("java.lang.Error", {}))).value
    assert bare.fields["cause"] is bare
    assert CODEC.decode(CODEC.encode(bare)).value.fields["detailMessage"] is None


WRAPPED = [
    *((f"{what}List", JList, ["b", "a"]) for what in ("", "RandomAccess")),
    *((what, JList, ["b", "a"]) for what in ("Collection", "Set")),
    *((f"{what}Set", JSet, ["a", "b"]) for what in ("", "Sorted", "Navigable")),
    *((f"{what}Map", JMap, {"a": 1, "b": None}) for what in ("", "Sorted", "Navigable")),
    ("Map", JEntries, [([1], 2), ([], [3])]),
]


@each_row("how", ["Unmodifiable", "Synchronized"])
@each_row(("what", "make", "items"), WRAPPED)
def test_wrappers(how: str, what: str, make: Any, items: Any) -> None:
    value = make(f"{PREFIX}{how}{what}", items)
    first, second = CODEC.decode(CODEC.encode([value, value]))
    assert first.class_name == first.value.class_name == value.class_name
    assert list(first.value) == list(items)
    assert first.value is second.value
    assert len(second.data) == 5  # a reference
    assert CODEC.encode([first.value, second.value]) == CODEC.encode([value, value])
    one = SerializationCodec()
    assert one.encode(one.decode(one.encode(value))) == one.encode(value)


def test_wrapper_keeps_its_inner_collection() -> None:
    inside = JSet("java.util.HashSet", ["a"])
    value = JValue(f"{PREFIX}UnmodifiableSet", inside)
    data = recorded('Collections.unmodifiableSet(new HashSet<>(List.of("a")))')
    assert CODEC.encode(value) == data
    found = CODEC.decode(data).value
    assert CODEC.encode(found) == data
    found.append("b")
    assert b"LinkedHashSet" in CODEC.encode(found)
    two = [
        JValue(f"{PREFIX}UnmodifiableCollection", inside),
        JValue(f"{PREFIX}SynchronizedSet", inside),
    ]
    assert CODEC.decode(CODEC.encode(two))[1].value == ["a"]
    ordered = JList(f"{PREFIX}UnmodifiableSortedSet", ["b", "a"], JValue(REVERSE))
    assert CODEC.decode(CODEC.encode(ordered)).value.inside.comparator == JValue(REVERSE)
    one = SerializationCodec()  # names no outer class: the list may be either
    data = one.encode(JList(f"{PREFIX}UnmodifiableRandomAccessList", [1]))
    found = one.decode(data)
    assert (found.class_name, one.encode(found)) == (f"{PREFIX}UnmodifiableList", data)
    assert b"LinkedList" in CODEC.encode(found)


def test_java_serialized_values_in_fields() -> None:
    value = Wide(
        strings=JList(f"{PREFIX}UnmodifiableRandomAccessList", ["a"]),
        labels=JMap(f"{PREFIX}SynchronizedMap", {"k": "v"}),
        any=[JLong(1), JavaObject("java.lang.Error", {})],
    )
    found = CODEC.decode(CODEC.encode(value))
    assert (found.strings.value, found.labels.value) == (["a"], {"k": "v"})
    with pytest.raises(EncodeError, match=r"is not a java\.util\.List"):
        CODEC.encode(Wide(strings=JavaObject("java.lang.Error", {})))


def test_wrapper_with_another_mutex_cannot_be_encoded() -> None:
    one = SerializationCodec()
    for make in (
        JMap[Any, Any](f"{PREFIX}SynchronizedMap"),
        JEntries[Any, Any](f"{PREFIX}SynchronizedMap", [([], 1)]),
    ):
        data = one.encode(make)
        own = data.rindex(b"\x71\x00\x7e\x00")
        found = one.decode(data[:own] + b"\x70" + data[own + 5 :])
        with pytest.raises(EncodeError, match="another object locks"):
            one.encode(found)


def test_new_values_do_not_follow_read_ones() -> None:
    value = JEnumMap("com.example.Color", {Color.RED: 1})
    first = CODEC.decode(CODEC.encode(value))
    with pytest.raises(EncodeError, match="cannot follow a value that Java has serialized"):
        CODEC.encode([first, value])
    first, second = CODEC.decode(CODEC.encode([value, JEnumMap("com.example.Color", {})]))
    assert CODEC.encode([value, second]) == CODEC.encode([first, second])


ERROR = JavaObject("java.lang.Error", {})
REFUSED: list[tuple[Any, str]] = [
    (JEnumMap("com.example.Color", {Phase.NEW: 1}), "enum is not known"),
    (JMap("java.util.EnumMap", {}), "a JEnumMap names it"),
    (JMap("java.util.EnumMap", {1: 2}), "keys that are not its constants"),
    (
        JMap("java.util.EnumMap", {JavaValue("a.B", "C"): 1, JavaValue("a.B", "D"): 2}),
        "whose order is unknown",
    ),
    (JList("java.util.EnumMap", []), "not an EnumMap"),
    (JList(f"{PREFIX}UnmodifiableMap", []), "around an object that fits"),
    (JMap(f"{PREFIX}UnmodifiableList", {}), "around an object that fits"),
    (JMap(f"{PREFIX}CheckedMap", {}), "can only read"),
    (JValue(f"{PREFIX}UnmodifiableList", []), "around an object that fits"),
    (JValue(f"{PREFIX}UnmodifiableSet", None), "around an object that fits"),
    (JValue(f"{PREFIX}UnmodifiableSet"), "around an object that fits"),
    (JList(f"{PREFIX}UnmodifiableRandomAccessList", [OrderTask()]), "lacks the serial_version_uid"),
    (
        JList(f"{PREFIX}UnmodifiableRandomAccessList", [Point()]),
        "does not name java.io.Serializable",
    ),
    (
        JList(f"{PREFIX}UnmodifiableRandomAccessList", [JavaValue("java.lang.Class", "a.B")]),
        "can only read",
    ),
    (JValue("java.net.Inet4Address", 1), "not a java.net.Inet4"),
    (JValue("java.net.Inet4Address", "1.2.3"), "not a java.net.Inet4Address: "),
    (JValue("java.net.Inet4Address", "1.2.3.4", 5), "not a java.lang.String"),
    (JText("java.net.Inet4Address", "1.2.3.4"), "not a java.net.Inet4"),
    (JValue("java.net.InetSocketAddress", "a", 65536), "not a java.net.InetSocket"),
    (JValue("java.net.InetSocketAddress", None, 1), "not a java.net.InetSocket"),
    (JText("java.net.InetSocketAddress", "a"), "not a java.net.InetSocket"),
    (JavaObject("java.lang.VirtualMachineError", {}), "can only read"),
    (JavaObject("java.sql.SQLException", {}), "can only read"),
    (JavaObject("com.example.OddException", {}), "can only read"),
    (JavaObject("java.lang.Error", {"code": 1}), "whose members are"),
    (JavaObject("java.lang.Error", {"cause": "a"}), "not a java.lang.Throwable"),
    (JavaObject("com.example.OrderTask", {}), "use its Python class"),
    (JavaObject("java.util.ArrayList", {}), "use its Python class"),
]


def test_an_inet_address_field_takes_no_text() -> None:
    codec = Kryo5Codec(schemas=[Host], release="4.7.0")
    address = JValue("java.net.Inet4Address", "1.2.3.4")
    assert codec.decode(codec.encode(Host(address))).address.value
    with pytest.raises(EncodeError, match=r"not a java\.net\.Inet4Address"):
        codec.encode(Host("1.2.3.4"))


@each_row(("value", "reason"), REFUSED, ids=repr)
def test_rejected(value: Any, reason: str) -> None:
    with pytest.raises(EncodeError, match=reason):
        CODEC.encode(value)


def test_serializable_record_round_trips() -> None:
    codec = Kryo5Codec(schemas=[Spot], release="4.7.0")
    value = JList(f"{PREFIX}UnmodifiableRandomAccessList", [Spot(5)])
    assert codec.decode(codec.encode(value)).value == [Spot(5)]


def test_subclasses_of_classes_with_own_java_serialization() -> None:
    own = SerializationCodec([Mine])
    assert own.decode(own.encode(Mine(["a"]))) == Mine(["a"])
    new, old = (Kryo5Codec(schemas=[Colors, Color], release=each) for each in ("3.36.0", "3.35.0"))
    with pytest.raises(EncodeError, match="serial_version_uid"):
        new.encode(Colors())
    with pytest.raises(EncodeError, match="Java could not read it"):
        old.encode(Colors())
    head = "0100" + b"com.example.Color".hex() + "f3" + "01"
    assert old.decode(bytes.fromhex(head)) == Colors()
    with pytest.raises(EncodeError, match="a collection or map"):
        Kryo5Codec(schemas=[Abstract]).encode(Abstract())


def test_undecodable_stream_stays_bytes() -> None:
    """A list in its own wrapper: this value of the stream and the later ones stay bytes."""
    linked: JList[Any] = JList("java.util.LinkedList")
    linked += [JValue(f"{PREFIX}UnmodifiableList", linked), Color.RED]
    name = f"{PREFIX}UnmodifiableRandomAccessList"
    data = CODEC.encode([JValue(name, [linked]), JValue(name, ["a"])])
    found = CODEC.decode(data)
    assert [each.value for each in found] == [None, None]
    assert CODEC.encode(found) == data
