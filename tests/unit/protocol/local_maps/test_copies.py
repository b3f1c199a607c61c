"""Copies are bounded, and a copy that may be out of date is not kept."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from math import inf
from typing import Any

from pyredisson.protocol.kernel.highway_hash import hash_bytes
from pyredisson.protocol.local_maps.copies import MISSING, Copies, Limits

H = {field: hash_bytes(field) for field in (b"a", b"b", b"c")}


def read(copies: Copies[str, str], text: str | None, *fields: bytes, now: float = 0) -> None:
    reading = copies.begin(fields)
    copies.end(reading, {field: (field.decode(), text) for field in fields}, now)


def test_read_value_is_copied() -> None:
    copies: Copies[str, str] = Copies(Limits())
    assert copies.get(b"a", 0) is MISSING
    read(copies, "v", b"a")
    assert copies.get(b"a", 10**9) == "v"
    assert (copies.has(b"a"), len(copies), copies.items(0)) == (True, 1, {"a": "v"})
    copies.drop([H[b"b"], H[b"a"]])
    assert copies.get(b"a", 0) is MISSING
    assert copies.items(0) == {}


def test_value_dropped_during_its_read_is_not_kept() -> None:
    copies: Copies[str, str] = Copies(Limits())
    first, second = copies.begin([b"a", b"b"]), copies.begin([b"a"])
    copies.drop([H[b"a"]])
    third = copies.begin([b"a"])
    found: dict[bytes, tuple[str, str | None]] = {b"a": ("a", "old"), b"b": ("b", "w")}
    copies.end(first, found, 0)
    copies.end(second, found, 0)
    assert copies.get(b"a", 0) is MISSING
    assert copies.get(b"b", 0) == "w"
    copies.end(third, {}, 0)
    assert copies.get(b"a", 0) is MISSING
    fourth = copies.begin([b"a"])
    copies.clear()
    copies.end(fourth, found, 0)
    fifth = copies.begin([b"a"])
    copies.interrupt()
    copies.end(fifth, found, 0)
    assert len(copies) == 0


def test_the_version_changes_with_each_drop() -> None:
    copies: Copies[str, str] = Copies(Limits())
    versions = [copies.version]
    for drop in (partial(copies.drop, []), copies.clear, copies.interrupt):
        drop()
        versions.append(copies.version)
    assert len(set(versions)) == 4


def test_the_key_that_was_used_longest_ago_leaves() -> None:
    copies: Copies[str, str] = Copies(Limits(size=2))
    read(copies, "v", b"a", b"b")
    assert copies.get(b"a", 0) == "v"
    read(copies, "w", b"c")
    assert sorted(copies.items(0)) == ["a", "c"]
    read(copies, "x", b"a")
    assert copies.items(0) == {"a": "x", "c": "w"}
    copies.drop([H[b"b"]])
    assert len(copies) == 2


def test_full_cache_without_eviction_adds_no_key() -> None:
    copies: Copies[str, str] = Copies(Limits(size=1, eviction_policy="none"))
    read(copies, "v", b"a")
    read(copies, "v", b"b")
    read(copies, "w", b"a")
    assert copies.items(0) == {"a": "w"}


def test_how_long_a_copy_stays() -> None:
    copies: Copies[str, str] = Copies(Limits(time_to_live=10, max_idle=4))
    read(copies, "v", b"a", b"b")
    assert copies.get(b"a", 3.9) == "v"
    assert copies.items(5) == {"a": "v"}
    assert copies.get(b"b", 4) is MISSING
    assert [copies.get(b"a", now) for now in (7, 9.9)] == ["v", "v"]
    assert copies.get(b"a", 10) is MISSING
    assert len(copies) == 0
    assert Limits(max_idle=5).timed
    assert not Limits(time_to_live=inf).timed


def test_copies_that_grow_older_at_once() -> None:
    copies: Copies[str, str] = Copies(Limits(time_to_live=60))
    read(copies, "v", b"a")
    copies.age(50)
    read(copies, "w", b"b")
    assert copies.items(5) == {"a": "v", "b": "w"}
    assert copies.items(15) == {"b": "w"}
    copies.age(inf)
    assert len(copies) == 0


def test_missing_keys_are_remembered_if_configured() -> None:
    copies: Copies[str, str] = Copies(Limits())
    read(copies, None, b"a")
    assert copies.get(b"a", 0) is MISSING
    copies = Copies(Limits(misses=True))
    read(copies, None, b"a")
    assert copies.get(b"a", 0) is None
    assert copies.items(0) == {}


def test_keys_that_a_transaction_writes() -> None:
    copies: Copies[str, str] = Copies(Limits())
    read(copies, "v", b"a", b"b")
    copies.disable([H[b"a"]], 0, 10)
    read(copies, "v", b"a", now=9)
    assert copies.items(9) == {"b": "v"}
    read(copies, "v", b"a", now=10)
    assert copies.items(10) == {"a": "v", "b": "v"}
    copies.disable([H[b"b"]], 10, 10)
    copies.enable([H[b"b"]])
    read(copies, "w", b"b", now=11)
    assert copies.items(11) == {"a": "v", "b": "w"}
    copies.disable(None, 11, 10)
    read(copies, "v", b"a", now=12)
    assert copies.items(12) == {}
    copies.enable(None)
    read(copies, "v", b"a", now=12)
    assert copies.items(12) == {"a": "v"}


class Dropping(OrderedDict[bytes, Any]):
    """A dict whose `get` is followed by a drop in another thread."""

    def get(self, key: bytes, default: Any = None) -> Any:
        return self.pop(key, default)


def test_a_copy_that_is_dropped_during_a_get() -> None:
    copies: Copies[str, str] = Copies(Limits(size=2))
    read(copies, "a", b"a")
    copies._entries = Dropping(copies._entries)
    assert copies.get(b"a", 0.0) == "a"
    assert copies.get(b"a", 0.0) is MISSING


def test_reads_that_never_end() -> None:
    """They are forgotten. If one ends later, its values are not kept."""
    copies: Copies[str, str] = Copies(Limits())
    reads = [copies.begin([b"a"]) for _ in range(1001)]
    assert [bool(each) for each in reads] == [False, *[True] * 1000]
    copies.end(reads[0], {b"a": ("a", "v")}, 0)
    assert copies.get(b"a", 0) is MISSING
