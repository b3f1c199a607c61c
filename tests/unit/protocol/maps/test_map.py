"""RMap: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import BatchDecodeError, DecodeError, EncodeError, UncertainError
from pyredisson.codecs import DoubleCodec, JsonJacksonCodec, Kryo5Codec, LongCodec, StringCodec
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.maps.map import START, MapProtocol
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

M: MapProtocol[str, int] = MapProtocol("m", StringCodec(), LongCodec())
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "get": (lambda: M.get("k"), ("HGET", "m", b"k"), True),
    "contains_key": (lambda: M.contains_key("k"), ("HEXISTS", "m", b"k"), True),
    "value_size": (lambda: M.value_size("k"), ("HSTRLEN", "m", b"k"), True),
    "put": (lambda: M.put("k", 5), ("maps/put", ("m",), (b"k", b"5")), False),
    "fast_put": (lambda: M.fast_put("k", 5), ("HSET", "m", b"k", b"5"), False),
    "put_if_absent": (
        lambda: M.put_if_absent("k", 5),
        ("maps/put_if_absent", ("m",), (b"k", b"5")),
        False,
    ),
    "fast_put_if_absent": (
        lambda: M.fast_put_if_absent("k", 5),
        ("HSETNX", "m", b"k", b"5"),
        False,
    ),
    "put_if_exists": (
        lambda: M.put_if_exists("k", 5),
        ("maps/put_if_exists", ("m",), (b"k", b"5")),
        False,
    ),
    "fast_put_if_exists": (
        lambda: M.fast_put_if_exists("k", 5),
        ("maps/fast_put_if_exists", ("m",), (b"k", b"5")),
        False,
    ),
    "replace": (
        lambda: M.replace("k", 5, 6),
        ("maps/replace", ("m",), (b"k", b"5", b"6")),
        False,
    ),
    "remove": (lambda: M.remove("k"), ("maps/remove", ("m",), (b"k",)), False),
    "remove_value": (
        lambda: M.remove_value("k", 5),
        ("maps/remove_value", ("m",), (b"k", b"5")),
        False,
    ),
    "add_and_get": (lambda: M.add_and_get("k", 5), ("HINCRBYFLOAT", "m", b"k", "5"), False),
    "size": (M.size, ("HLEN", "m"), True),
    "get_all": (lambda: M.get_all(["a", "b"]), ("HMGET", "m", b"a", b"b"), True),
    "put_all": (
        lambda: M.put_all({"a": 1, "b": 2}),
        ("HMSET", "m", b"a", b"1", b"b", b"2"),
        False,
    ),
    "fast_remove": (lambda: M.fast_remove(["a", "b"]), ("HDEL", "m", b"a", b"b"), False),
    "keys": (M.keys, ("HKEYS", "m"), True),
    "values": (M.values, ("HVALS", "m"), True),
    "entries": (M.entries, ("HGETALL", "m"), True),
    "random_keys": (lambda: M.random_keys(2), ("HRANDFIELD", "m", 2), True),
    "random_entries": (lambda: M.random_entries(2), ("HRANDFIELD", "m", 2, "WITHVALUES"), True),
    "scan": (
        lambda: M.scan(START, None, M.read_key),
        ("HSCAN", "m", b"0", "COUNT", 500),
        True,
    ),
    "scan some": (
        lambda: M.scan(b"7", "a*", M.read_entry),
        ("HSCAN", "m", b"7", "MATCH", "a*", "COUNT", 500),
        True,
    ),
    "contains_value": (
        lambda: M.contains_value(5, b"7"),
        ("maps/contains_value", ("m",), (b"5", b"7", 500)),
        True,
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


REPLIES: list[tuple[str, Any, Any]] = [
    ("get", b"5", 5),
    ("get", None, None),
    ("contains_key", 1, True),
    ("value_size", 3, 3),
    ("put", None, None),
    ("put", b"4", 4),
    ("fast_put", 1, True),
    ("put_if_absent", b"4", 4),
    ("fast_put_if_absent", 0, False),
    ("put_if_exists", b"4", 4),
    ("fast_put_if_exists", 1, True),
    ("replace", 0, False),
    ("remove", b"4", 4),
    ("remove_value", 1, True),
    ("add_and_get", b"-6", -6),
    ("add_and_get", b"6.5", 6.5),
    ("size", 7, 7),
    ("get_all", [b"1", None], {"a": 1}),
    ("put_all", b"OK", None),
    ("fast_remove", 1, 1),
    ("keys", [b"a", b"b"], ["a", "b"]),
    ("values", [b"1", b"2"], [1, 2]),
    ("entries", [b"a", b"1", b"b", b"2"], [("a", 1), ("b", 2)]),
    ("random_keys", [b"a"], ["a"]),
    ("random_entries", [b"a", b"1"], [("a", 1)]),
    ("scan", [b"7", [b"a", b"1", b"b", b"2"]], (b"7", ["a", "b"])),
    ("scan some", [b"0", [b"a", b"1"]], (START, [("a", 1)])),
    ("contains_value", [1, b"7"], (True, b"7")),
    ("contains_value", [0, b"0"], (False, START)),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


def test_the_lock_of_a_key() -> None:
    """The name is the one that Redisson 4.7.0 uses."""
    of_map: MapProtocol[str, int] = MapProtocol("mp", StringCodec(), LongCodec())
    assert of_map.lock_name("i01") == "{mp}:lkyVYaKmQwQyuhqHHEsVBw:lock"


def test_a_lost_reply() -> None:
    lost, none = M.put("k", 5).lost, M.get("k").lost
    assert lost is not None
    assert none is None
    error = lost(ConnectionError("closed"))
    assert isinstance(error, UncertainError)
    assert "no reply to put of 'm' (closed)" in str(error)


def test_a_page_of_values() -> None:
    assert M.scan(START, None, M.read_value).decode([b"0", [b"a", b"1"]]) == (START, [1])


def test_none_is_neither_a_key_nor_a_value() -> None:
    none: Any = None
    calls: tuple[Build, ...] = (
        lambda: M.get(none),
        lambda: M.fast_remove([none]),
        lambda: M.put(none, 5),
    )
    for call in calls:
        with pytest.raises(TypeError, match="a key of map 'm' must not be None"):
            call()
    with pytest.raises(TypeError, match="a value of map 'm' must not be None; remove its key"):
        M.put("k", none)
    with pytest.raises(EncodeError):
        M.put_all({"k": "text"})  # type: ignore[dict-item]  # on purpose


def test_undecodable_value_does_not_lose_the_others() -> None:
    with pytest.raises(DecodeError) as one:
        M.get("k").decode(b"text")
    assert one.value.raw == b"text"
    with pytest.raises(BatchDecodeError) as caught:
        M.entries().decode([b"a", b"text", b"b", b"2"])
    assert caught.value.values == [("b", 2)]
    assert [each.raw for each in caught.value.errors] == [b"text"]
    with pytest.raises(BatchDecodeError) as caught:
        M.get_all("ab").decode([b"text", b"2"])
    assert caught.value.values == [("b", 2)]


@each_row(
    ("codec", "delta", "text"),
    [
        (LongCodec(), -5, "-5"),
        (StringCodec(), 1.5, "1.5"),
        (StringCodec(), 1e-7, "0.0000001"),
        (DoubleCodec(), 2, "2"),
        (JsonJacksonCodec(), 1e20, "100000000000000000000"),
    ],
)
def test_a_number_is_added_as_plain_text(codec: Any, delta: float, text: str) -> None:
    assert words(MapProtocol("m", StringCodec(), codec).add_and_get("k", delta))[-1] == text


def test_numbers_that_are_not_added() -> None:
    kryo: MapProtocol[Any, Any] = MapProtocol("m", Kryo5Codec(), Kryo5Codec())
    for values, delta in ((kryo, 5), (M, 0.5)):
        with pytest.raises(TypeError, match="Codec does not read; use StringCodec"):
            values.add_and_get("k", delta)
    for wrong in (True, "5"):
        with pytest.raises(TypeError, match="delta must be an int or a float, not "):
            M.add_and_get("k", wrong)  # type: ignore[arg-type]  # on purpose
    for number in (float("nan"), float("-inf")):
        with pytest.raises(ValueError, match="delta must be finite"):
            M.add_and_get("k", number)
