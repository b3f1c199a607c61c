"""The operations of RSet and RList, each in both languages.

Rule: ``why`` gives the reason where Python differs; a case without it must not differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import methodcaller
from typing import Any

from interop.peer.values import Java
from interop.tests.support.expected import Expected

RELEASES = ("4.7.0", "3.19.3")
NEW = ("4.7.0",)
Stored = frozenset[str] | dict[str, float] | list[str]


@dataclass(frozen=True)
class CollectionCase(Expected):
    """One call on the key ``q`` that holds ``before``."""

    id: str
    before: Stored
    java: tuple[Any, ...]
    python: Callable[[Any], Any]
    others: dict[str, Stored] = field(default_factory=dict)
    """Other keys of the same type."""
    ttl_ms: int | None = None
    releases: tuple[str, ...] = RELEASES
    """The releases of Redisson that have the method."""

    def __str__(self) -> str:
        return self.id


NO_KEY = "Java writes the values to a temporary key and compares; ours asks for them"
KEEPS_TTL = "Java's loses the time to live of the set; and it has its own temporary key"


def _set(
    name: str, members: str, java: tuple[Any, ...], python: Callable[[Any], Any], **more: Any
) -> CollectionCase:
    return CollectionCase(name, frozenset(members), java, python, **more)


T = {"t": frozenset("cd"), "u": frozenset("ce")}

SET = [
    _set("add", "a", ("add", "b"), lambda s: s.add("b")),
    _set("add again", "a", ("add", "a"), lambda s: s.add("a")),
    _set("add null", "a", ("add", None), lambda s: s.add(None)),
    _set("addAll", "a", ("addAll", ["a", "b"]), lambda s: s.add_all("ab")),
    _set("addAll nothing", "a", ("addAll", []), lambda s: s.add_all([])),
    _set("addAllCounted", "a", ("addAllCounted", ["a", "b"]), lambda s: s.add_all_counted("ab")),
    _set("tryAdd", "a", ("tryAdd", "b", "c"), lambda s: s.try_add("b", "c")),
    _set("tryAdd some", "a", ("tryAdd", "b", "a"), lambda s: s.try_add("b", "a")),
    _set("contains", "ab", ("contains", "a"), lambda s: "a" in s),
    _set("contains not", "ab", ("contains", "c"), lambda s: s.contains("c")),
    _set("size", "ab", ("size",), len),
    _set("isEmpty", "", ("isEmpty",), lambda s: s.is_empty()),
    _set("readAll", "abc", ("readAll",), lambda s: s.read_all()),
    _set(
        "containsAll",
        "abc",
        ("containsAll", ["a", "b"]),
        lambda s: s.contains_all("ab"),
        why=NO_KEY,
        java_commands=(
            "sadd {q}:redisson_temp a b",
            "sdiff {q}:redisson_temp q",
            "del {q}:redisson_temp",
        ),
        python_commands=("smismember q a b",),
    ),
    _set("containsAll nothing", "a", ("containsAll", []), lambda s: s.contains_all([])),
    _set(
        "containsEach",
        "abc",
        ("containsEach", ["a", "z"]),
        lambda s: s.contains_each("az"),
    ),
    _set("iterator", "ab", ("iterator", 500), lambda s: list(iter(s))),
    _set("iterator for", "ab", ("iterator", "a*", 500), lambda s: list(s.iterate("a*"))),
    _set("random", "a", ("random",), lambda s: s.random()),
    _set("random 2", "ab", ("random", 2), lambda s: s.random(2)),
    _set("random none", "", ("random",), lambda s: s.random()),
    _set("removeRandom", "a", ("removeRandom",), lambda s: s.remove_random()),
    _set("removeRandom 5", "ab", ("removeRandom", 5), lambda s: s.remove_random(5)),
    _set("remove", "ab", ("remove", "a"), lambda s: s.remove("a")),
    _set("remove not", "ab", ("remove", "z"), lambda s: s.remove("z")),
    _set("removeAll", "ab", ("removeAll", ["a", "z"]), lambda s: s.remove_all("az")),
    _set(
        "removeAllCounted",
        "abc",
        ("removeAllCounted", ["a", "b", "z"]),
        lambda s: s.remove_all_counted("abz"),
    ),
    *(
        _set(
            name,
            "abc",
            ("retainAll", list(kept)),
            methodcaller("retain_all", kept),
            why=KEEPS_TTL,
            java_commands=(
                f"sadd {{q}}:redisson_temp {' '.join(kept)}",
                "scard q",
                "sinterstore q q {q}:redisson_temp",
                "del {q}:redisson_temp",
            ),
            python_commands=(
                "scard q",
                "pttl q",
                f"sadd pyredisson_temporary:{{q}} {' '.join(kept)}",
                "sinterstore q q pyredisson_temporary:{q}",
                *(("pexpire q 60000",) if ttl else ()),
                "del pyredisson_temporary:{q}",
            ),
            ttl_ms=ttl,
            keys_differ=ttl is not None,
        )
        for name, kept, ttl in (
            ("retainAll", "az", None),
            ("retainAll all", "abc", None),
            ("retainAll none", "xz", None),
            ("retainAll that expires", "a", 60_000),
        )
    ),
    _set("move", "ab", ("move", "t", "a"), lambda s: s.move("t", "a"), others=T),
    _set("union", "ab", ("union", "t", "u"), lambda s: s.union("t", "u"), others=T),
    _set("diff", "ab", ("diff", "t", "u"), lambda s: s.diff("t", "u"), others=T),
    _set(
        "intersection",
        "a",
        ("intersection", "t", "u"),
        lambda s: s.intersection("t", "u"),
        others=T,
    ),
    _set("readUnion", "ab", ("readUnion", "t", "u"), lambda s: s.read_union("t", "u"), others=T),
    _set("readDiff", "abc", ("readDiff", "t", "u"), lambda s: s.read_diff("t", "u"), others=T),
    _set(
        "readIntersection",
        "abc",
        ("readIntersection", "t", "u"),
        lambda s: s.read_intersection("t", "u"),
        others=T,
    ),
    _set(
        "countIntersection",
        "abcd",
        ("countIntersection", "t"),
        lambda s: s.count_intersection("t"),
        others=T,
    ),
    _set(
        "countIntersection to 1",
        "abcd",
        ("countIntersection", 1, "t"),
        lambda s: s.count_intersection("t", limit=1),
        others=T,
    ),
    _set("delete", "a", ("delete",), lambda s: s.delete()),
]
"""For sets."""


SEARCHED = "Java fetches the whole list into its script; ours lets the server search"
STAYS = "Java moves the rest of the list through its script; ours inserts before a mark"


def _list(
    name: str, elements: str, java: tuple[Any, ...], python: Callable[[Any], Any], **more: Any
) -> CollectionCase:
    return CollectionCase(name, list(elements), java, python, **more)


def _searching(name: str, words: str, python: Callable[[Any], Any]) -> CollectionCase:
    return _list(
        name,
        "abcb",
        (name.partition(" ")[0], words[-1]),
        python,
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=(f"lpos q {words}",),
    )


MARK = "DELETED_BY_REDISSON"
LIST = [
    _list("add", "ab", ("add", "c"), lambda x: x.add("c")),
    _list("add null", "a", ("add", None), lambda x: x.add(None)),
    _list("addAll", "a", ("addAll", ["b", "c"]), lambda x: x.add_all("bc")),
    _list("addAll nothing", "a", ("addAll", []), lambda x: x.add_all([])),
    _list(
        "addAll at",
        "abcd",
        ("addAll", 1, ["x", "y"]),
        lambda x: x.add_all("xy", index=1),
        why=STAYS,
        java_commands=(
            *("llen q", "lrange q 1 -1", "ltrim q 0 0"),
            *("rpush q x y", "rpush q b c d"),
        ),
        python_commands=(
            *("llen q", "lindex q 1", f"lpos q {MARK}", f"lset q 1 {MARK}"),
            *(f"linsert q before {MARK} x", f"linsert q before {MARK} y", "lset q 3 b"),
        ),
    ),
    _list("get", "abc", ("get", 1), lambda x: x[1]),
    _list("get none", "abc", ("get", 9), lambda x: x.get(9)),
    _list(
        "get several",
        "abc",
        ("get", 0, 2, 9),
        lambda x: x.get(0, 2, 9),
        releases=NEW,
    ),
    _list("set", "abc", ("set", 1, "x"), lambda x: x.set(1, "x")),
    _list("set none", "abc", ("set", 9, "x"), lambda x: x.set(9, "x")),
    _list("fastSet", "abc", ("fastSet", 1, "x"), lambda x: x.fast_set(1, "x")),
    _searching("contains", "b", lambda x: "b" in x),
    _searching("contains not", "z", lambda x: x.contains("z")),
    _searching("indexOf", "b", lambda x: x.index_of("b")),
    _searching("indexOf not", "z", lambda x: x.index_of("z")),
    _list(
        "lastIndexOf",
        "abcb",
        ("lastIndexOf", "b"),
        lambda x: x.last_index_of("b"),
        why=SEARCHED,
        java_commands=("lrange q 0 -1",),
        python_commands=("lpos q b RANK -1",),
    ),
    _list("size", "ab", ("size",), len),
    _list("isEmpty", "", ("isEmpty",), lambda x: x.is_empty()),
    _list("readAll", "abc", ("readAll",), lambda x: x.read_all()),
    _list("range", "abcd", ("range", 1, 2), lambda x: x.range(1, 2)),
    _list("range to", "abcd", ("range", 2), lambda x: x.range(2)),
    _list("addBefore", "ab", ("addBefore", "b", "x"), lambda x: x.add_before("b", "x")),
    _list("addAfter", "ab", ("addAfter", "b", "x"), lambda x: x.add_after("b", "x")),
    _list("addAfter none", "ab", ("addAfter", "z", "x"), lambda x: x.add_after("z", "x")),
    _list("addAfter nothing", "", ("addAfter", "z", "x"), lambda x: x.add_after("z", "x")),
    _list("remove first", "abc", ("remove", 0), lambda x: x.remove_at(0)),
    *(
        _list(
            name,
            before,
            (name, 1),
            call,
            why="ours looks for an element that is Redisson's mark, and takes another",
            java_commands=(*first, f"lset q 1 {MARK}", f"lrem q 1 {MARK}"),
            python_commands=(
                *("lindex q 1", f"lpos q {MARK}", f"lset q 1 {MARK}", f"lrem q 1 {MARK}"),
            ),
        )
        for name, before, call, first in (
            ("remove", "abc", methodcaller("remove_at", 1), ("lindex q 1",)),
            ("fastRemove", "abc", methodcaller("fast_remove", 1), ()),
        )
    ),
    _list("remove value", "abab", ("remove", Java("string", "b")), lambda x: x.remove("b")),
    _list("remove values", "abab", ("remove", "b", 2), lambda x: x.remove("b", 2)),
    _list("removeAll", "abc", ("removeAll", ["a", "z"]), lambda x: x.remove_all("az")),
    _list(
        "removeAll twice",
        "abac",
        ("removeAll", ["a", "z"]),
        lambda x: x.remove_all("az"),
        why="Java counts only values that were there once",
        results_differ=(False, True),
    ),
    _list("retainAll", "abac", ("retainAll", ["a"]), lambda x: x.retain_all("a")),
    _list("trim", "abcd", ("trim", 1, 2), lambda x: x.trim(1, 2)),
    _list("delete", "ab", ("delete",), lambda x: x.delete()),
]
"""For lists."""
