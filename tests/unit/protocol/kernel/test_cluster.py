"""The reply of CLUSTER SLOTS becomes a table that finds the node of a key."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.protocol.kernel.cluster import Address, Redirection, SlotMap, reachable
from pyredisson.protocol.kernel.names import slot
from tests.support.rows import each_row

ASKED = ("asked", 7000)
A, B, C = ("10.0.0.1", 7001), ("10.0.0.2", 7002), ("10.0.0.3", 7003)


def node(address: Address) -> list[Any]:
    return [address[0].encode(), address[1], b"id", []]


def key_in(start: int, stop: int) -> str:
    return next(name for name in map(str, range(10**6)) if start <= slot(name) <= stop)


THREE = [
    [10923, 16383, node(C), node(A)],
    [0, 5460, node(A), node(B), node(C)],
    [5461, 10922, node(B)],
]


@each_row(
    ("key", "expected"),
    [
        (key_in(0, 5460), A),
        (key_in(5461, 10922), B),
        (key_in(10923, 16383), C),
        ("", A),
        ("123456789", C),
    ],
)
def test_the_master_of_a_slot(key: str, expected: Address) -> None:
    assert SlotMap.parse(THREE, ASKED).find(key) == expected


def test_both_ends_of_a_range_belong_to_it() -> None:
    number = slot("q")
    for start, stop in ((number, number), (number, number + 9), (number - 9, number)):
        assert SlotMap.parse([[start, stop, node(A)]], ASKED).find("q") == A


def test_all_masters_once_and_no_replica() -> None:
    split = [[0, 99, node(A), node(C)], [200, 299, node(B)], [100, 199, node(A)]]
    assert SlotMap.parse(split, ASKED).masters() == [A, B]


@pytest.mark.parametrize("host", [None, b""])
def test_a_node_without_a_host_is_the_one_that_was_asked(host: bytes | None) -> None:
    """A server that does not know its own address returns a nil."""
    slots = SlotMap.parse([[0, 16383, [host, 7005, b"id"]]], ASKED)
    assert slots.find("q") == ("asked", 7005)


@pytest.mark.parametrize(
    ("address", "expected"),
    [(("h", 1), ("h", 1)), (("", 1), ("asked", 1)), (("?", 1), ("asked", 1))],
)
def test_the_address_to_connect_to(address: Address, expected: Address) -> None:
    """The client's own mapping receives an address with a host, as in redis-py."""
    assert reachable(address, ASKED, None) == expected
    assert reachable(address, ASKED, lambda each: (f"via {each[0]}", each[1] + 1)) == (
        f"via {expected[0]}",
        2,
    )


def test_an_older_reply_has_no_ids() -> None:
    assert SlotMap.parse([[0, 16383, [b"h", 1]]], ASKED).find("q") == ("h", 1)


@pytest.mark.parametrize(
    "reply", [[], [[slot("q") + 1, 16383, node(A)]], [[0, slot("q") - 1, node(A)]]]
)
def test_slot_that_no_node_serves(reply: list[Any]) -> None:
    assert SlotMap.parse(reply, ASKED).find("q") is None


@each_row(
    ("text", "expected"),
    [
        ("MOVED 3999 127.0.0.1:6381", Redirection(True, 3999, ("127.0.0.1", 6381))),
        ("ASK 0 redis.example:7000", Redirection(False, 0, ("redis.example", 7000))),
        ("MOVED 16383 ::1:6379", Redirection(True, 16383, ("::1", 6379))),
        ("MOVED 5 :6379", Redirection(True, 5, ("", 6379))),
        ("ERR unknown command", None),
        ("MOVED", None),
        ("CLUSTERDOWN The cluster is down", None),
        ("", None),
    ],
)
def test_error_is_parsed_to_a_redirection(text: str, expected: Redirection | None) -> None:
    assert Redirection.parse(text) == expected


def test_last_redirection_takes_precedence() -> None:
    slots = SlotMap.parse(THREE, ASKED)
    slots.moved(slot("q"), ("new", 1))
    assert slots.find("q") == ("new", 1)
    slots.moved(slot("q"), ("newer", 2))
    assert slots.find("{q}:other key of the slot") == ("newer", 2)
    assert slots.find("123456789") == C


def test_an_empty_table_learns_from_redirections() -> None:
    slots = SlotMap()
    assert (slots.find("q"), slots.masters()) == (None, [])
    slots.moved(slot("q"), A)
    assert slots.find("q") == A


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 16383), min_size=2, max_size=12, unique=True),
    st.randoms(use_true_random=False),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), max_size=20),
)
def test_each_slot_is_found_as_by_looking_at_every_range(
    edges: list[int], shuffle: Any, keys: list[str]
) -> None:
    edges.sort()
    rows: list[list[Any]] = [
        [start, stop, node(("h", number))]
        for number, (start, stop) in enumerate(zip(edges[::2], edges[1::2], strict=False))
    ]
    shuffle.shuffle(rows)
    slots = SlotMap.parse(rows, ASKED)
    for key in keys:
        serving = [row[2][1] for row in rows if row[0] <= slot(key) <= row[1]]
        found = slots.find(key)
        assert [found[1]] == serving if found else not serving
