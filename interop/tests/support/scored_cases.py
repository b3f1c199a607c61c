"""The operations of RScoredSortedSet, each in both languages.

Rule: ``why`` gives the reason where Python differs; a case without it must not differ.
"""

from collections.abc import Callable
from math import inf
from operator import methodcaller
from typing import Any

from interop.peer.values import Java
from interop.tests.support.collection_cases import KEEPS_TTL, NEW, RELEASES, CollectionCase

UNDONE = "ours also reads the scores, so that an interrupted call can add the values again"
SCORES = "ours returns scores, too"
SECOND = Java("duration", "PT1S")
BLOCKS: dict[str, Any] = {
    "why": "a timeout has milliseconds",
    "java_commands": ("bzmpop 1 2 q y MAX COUNT 2",),
    "python_commands": ("bzmpop <seconds> 2 q y MAX COUNT 2",),
}
LOWEST: dict[str, Any] = {
    "why": "Java's takes the lowest score",
    "java_commands": ("zmpop 2 q y MIN COUNT 1",),
    "python_commands": ("zmpop 2 q y MAX COUNT 1",),
    "keys_differ": True,
    "results_differ": (["a"], ["b"]),
}
ASKED = "Java asks for each value in a script"


def _zset(
    name: str, members: str, java: tuple[Any, ...], python: Callable[[Any], Any], **more: Any
) -> CollectionCase:
    stored = {member: float(score) for score, member in enumerate(members, 1)}
    return CollectionCase(name, stored, java, python, **more)


def _values_of(method: str, other: str) -> Callable[[Any], Any]:
    return lambda found: [each.value for each in getattr(found, method)(other)]


def _double(value: float) -> Java:
    return Java("double", value)


def _low_to_high(low: float, low_in: bool, high: float, high_in: bool) -> tuple[Any, ...]:
    return (_double(low), low_in, _double(high), high_in)


def _by_score(
    bounds: tuple[Any, ...], part: tuple[int, ...], *, reverse: bool
) -> Callable[[Any], Any]:
    low, low_in, high, high_in = bounds
    words = {"low_inclusive": low_in, "high_inclusive": high_in, "reverse": reverse}
    words |= dict(zip(("offset", "limit"), part, strict=False))

    def call(values: Any) -> Any:
        found = values.value_range_by_score(low.v, high.v, **words)
        return set(found) if reverse else found  # Java's is a set

    return call


def _range_to(words: tuple[Any, ...], *, reverse: bool) -> Callable[[Any], Any]:
    if len(words) == 2:
        return methodcaller("range_to", "t", *words, reverse=reverse)
    low, low_in, high, high_in, *part = words
    named = dict(zip(("offset", "limit"), part, strict=False))
    named |= {"low_inclusive": low_in, "high_inclusive": high_in, "reverse": reverse}
    return methodcaller("range_to_by_score", "t", low.v, high.v, **named)


HALF = _low_to_high(1.5, True, 4.0, False)
Y = {"y": {"b": 10.0, "x": 0.5}}
SCORED = [
    *(
        _zset(f"add {score!r}", "a", ("add", _double(score), "b"), methodcaller("add", score, "b"))
        for score in (1.0, -0.0, 1e-07, 1.5e-05, 1e20, 12345678.5, 1.7976931348623157e308)
    ),
    _zset("add again", "ab", ("add", _double(5), "a"), lambda z: z.add(5, "a")),
    _zset("add null", "a", ("add", _double(5), None), lambda z: z.add(5, None)),
    _zset("addAll", "a", ("addAll", {"b": 2.5}), lambda z: z.add_all({"b": 2.5})),
    *(
        _zset(
            f"{method} {score}",
            "ab",
            (method, _double(score), value),
            methodcaller(python, score, value),
            releases=releases,
        )
        for method, python, releases in (
            ("tryAdd", "try_add", RELEASES),
            ("addIfAbsent", "add_if_absent", RELEASES),
            ("addIfExists", "add_if_exists", RELEASES),
            ("addIfLess", "add_if_less", RELEASES),
            ("addIfGreater", "add_if_greater", RELEASES),
        )
        for value, score in (("b", 1.5), ("b", 9.5), ("z", 3.5))
    ),
    *(
        _zset(
            method,
            "ab",
            (method, {"a": 0.5, "b": 9.5, "z": 3.5}),
            methodcaller(python, {"a": 0.5, "b": 9.5, "z": 3.5}),
        )
        for method, python in (
            ("addAllIfAbsent", "add_all_if_absent"),
            ("addAllIfExist", "add_all_if_exist"),
            ("addAllIfLess", "add_all_if_less"),
            ("addAllIfGreater", "add_all_if_greater"),
        )
    ),
    *(
        _zset(
            f"{method} {len(words)}",
            "abcdef",
            (method, "t", *words),
            _range_to(words, reverse=method == "revRangeTo"),
        )
        for method, words in (
            *(("rangeTo", words) for words in ((1, 3), HALF, (*HALF, 1, 1))),
            ("revRangeTo", (1, 3)),
        )
    ),
    *(
        _zset(
            f"revRangeTo {len(words)}",
            "abcdef",
            ("revRangeTo", "t", *words),
            _range_to(words, reverse=True),
            why="Java's sends the lower score first, so it stores nothing",
            java_commands=(f"zrangestore t q 1.5 (4.0 BYSCORE REV{limit}",),
            python_commands=(f"zrangestore t q (4.0 1.5 BYSCORE REV{limit}",),
            keys_differ=True,
            results_differ=(0, stored),
        )
        for words, limit, stored in ((HALF, "", 2), ((*HALF, 1, 1), " LIMIT 1 1", 1))
    ),
    _zset("addScore", "ab", ("addScore", "a", 5), lambda z: z.add_score("a", 5)),
    _zset("addScore half", "ab", ("addScore", "a", _double(0.5)), lambda z: z.add_score("a", 0.5)),
    *(
        _zset(method, "abc", (method, *words), methodcaller(python, *words))
        for method, python, words in (
            ("addAndGetRank", "add_and_get_rank", (2.5, "a")),
            ("addAndGetRevRank", "add_and_get_rev_rank", (2.5, "a")),
            ("addScoreAndGetRank", "add_score_and_get_rank", ("a", 5)),
            ("addScoreAndGetRevRank", "add_score_and_get_rev_rank", ("a", 5)),
        )
    ),
    _zset(
        "replace",
        "abc",
        ("replace", "a", "z"),
        lambda z: z.replace("a", "z"),
        why="ours adds before it removes, because a key in a moving slot must not get empty",
        java_commands=("zscore q a", "zrem q a", "zadd q 1 z"),
        python_commands=("zscore q a", "zadd q 1 z", "zrem q a"),
    ),
    _zset("replace none", "abc", ("replace", "x", "z"), lambda z: z.replace("x", "z")),
    _zset("getScore", "ab", ("getScore", "b"), lambda z: z.get_score("b")),
    _zset("getScore none", "ab", ("getScore", "z"), lambda z: z.get_score("z")),
    _zset(
        "getScore several",
        "ab",
        ("getScore", ["b", "z"]),
        lambda z: z.get_scores("bz"),
        why=ASKED,
        java_commands=("zscore q b", "zscore q z"),
        python_commands=("zmscore q b z",),
    ),
    _zset("rank", "abc", ("rank", "b"), lambda z: z.rank("b")),
    _zset("revRank", "abcd", ("revRank", "b"), lambda z: z.rev_rank("b")),
    _zset("rank none", "abc", ("rank", "z"), lambda z: z.rank("z")),
    _zset("size", "abc", ("size",), len),
    _zset("contains", "abc", ("contains", "b"), lambda z: "b" in z),
    _zset(
        "containsAll",
        "abc",
        ("containsAll", ["a", "z"]),
        lambda z: z.contains_all("az"),
        why=ASKED,
        java_commands=("zscore q a", "zscore q z"),
        python_commands=("zmscore q a z",),
    ),
    _zset("first", "abc", ("first",), lambda z: z.first()),
    _zset("last", "abc", ("last",), lambda z: z.last()),
    _zset("first none", "", ("first",), lambda z: z.first()),
    _zset("firstScore", "abc", ("firstScore",), lambda z: z.first_score()),
    _zset("lastScore", "abc", ("lastScore",), lambda z: z.last_score()),
    _zset("readAll", "abc", ("readAll",), lambda z: z.read_all()),
    _zset("valueRange", "abc", ("valueRange", 0, -2), lambda z: z.value_range(0, -2)),
    _zset(
        "valueRangeReversed",
        "abc",
        ("valueRangeReversed", 0, 1),
        lambda z: z.value_range_reversed(0, 1),
    ),
    *(
        _zset(
            f"{method} by score {at}",
            "abcdef",
            (method, *bounds, *part),
            _by_score(bounds, part, reverse=reverse),
        )
        for method, reverse in (("valueRange", False), ("valueRangeReversed", True))
        for at, (bounds, part) in enumerate(
            (
                (HALF, ()),
                (HALF, (1, 1)),
                (_low_to_high(-inf, True, 3.0, True), ()),
                (_low_to_high(2.0, False, inf, False), ()),
            )
        )
    ),
    _zset(
        "count",
        "abcdef",
        ("count", *HALF),
        lambda z: z.count(1.5, 4.0, high_inclusive=False),
    ),
    _zset("random", "a", ("random",), lambda z: z.random()),
    _zset("random 2", "a", ("random", 2), lambda z: set(z.random(2))),
    _zset("iterator", "ab", ("iterator", 500), lambda z: list(iter(z))),
    _zset("remove", "ab", ("remove", "a"), lambda z: z.remove("a")),
    _zset("removeAll", "ab", ("removeAll", ["a", "z"]), lambda z: z.remove_all("az")),
    *(
        _zset(
            name,
            "abc",
            ("retainAll", list(kept)),
            methodcaller("retain_all", kept),
            why=KEEPS_TTL,
            java_commands=(
                f"zadd redisson_temp__{{q}} {' '.join(f'0 {value}' for value in kept)}",
                "zcard q",
                "zinterstore q 2 q redisson_temp__{q} aggregate sum",
                "del redisson_temp__{q}",
            ),
            python_commands=(
                "zcard q",
                "pttl q",
                f"zadd pyredisson_temporary:{{q}} {' '.join(f'0 {value}' for value in kept)}",
                "zinterstore q 2 q pyredisson_temporary:{q} aggregate sum",
                *(("pexpire q 60000",) if ttl else ()),
                "del pyredisson_temporary:{q}",
            ),
            ttl_ms=ttl,
            keys_differ=ttl is not None,
        )
        for name, kept, ttl in (
            ("retainAll", "az", None),
            ("retainAll none", "xz", None),
            ("retainAll that expires", "a", 60_000),
        )
    ),
    _zset(
        "removeRangeByRank",
        "abc",
        ("removeRangeByRank", 0, 1),
        lambda z: z.remove_range_by_rank(0, 1),
    ),
    _zset(
        "removeRangeByScore",
        "abcdef",
        ("removeRangeByScore", *HALF),
        lambda z: z.remove_range_by_score(1.5, 4.0, high_inclusive=False),
    ),
    *(
        _zset(
            f"{method} {ranks} of {len(before)}",
            before,
            (method, *limit),
            methodcaller(python, *limit),
            why=UNDONE,
            java_commands=(f"zrange q {ranks}", *removed),
            python_commands=(f"zrange q {ranks} withscores", *removed),
        )
        for method, python, limit, before, ranks, removed in (
            ("pollFirst", "poll_first", (), "abc", "0 0", ("zremrangebyrank q 0 0",)),
            ("pollFirst", "poll_first", (2,), "abc", "0 1", ("zremrangebyrank q 0 1",)),
            ("pollLast", "poll_last", (), "abc", "-1 -1", ("zremrangebyrank q -1 -1",)),
            ("pollLast", "poll_last", (2,), "abc", "-2 -1", ("zremrangebyrank q -2 -1",)),
            ("pollFirst", "poll_first", (), "", "0 0", ()),
        )
    ),
    *(
        _zset(
            f"{method} {count} of {before!r}",
            before,
            (method, *words),
            methodcaller(python, wait, "y", count=count),
            others=Y,
            **more,
        )
        for method, python, count, before, words, wait, more in (
            ("pollFirstFromAny", "poll_first_from_any", 2, "abc", (2, "y"), 0, {}),
            ("pollFirstFromAny", "poll_first_from_any", 9, "", (9, "y"), 0, {}),
            ("pollLastFromAny", "poll_last_from_any", 2, "", (SECOND, 2, "y"), 1, BLOCKS),
            ("pollLastFromAny", "poll_last_from_any", 1, "ab", (1, "y"), 0, LOWEST),
        )
    ),
    _zset("union", "ab", ("union", "y", "q"), lambda z: z.union("y", "q"), others=Y),
    _zset(
        "intersection",
        "ab",
        ("intersection", "y", "q"),
        lambda z: z.intersection("y", "q"),
        others=Y,
    ),
    _zset("diff", "ab", ("diff", "q", "y"), lambda z: z.diff("q", "y"), others=Y, releases=NEW),
    *(
        _zset(
            method,
            "ab",
            (method, "y"),
            _values_of(python, "y"),
            why=SCORES,
            java_commands=(command,),
            python_commands=(f"{command} WITHSCORES",),
            others=Y,
            releases=releases,
        )
        for method, python, command, releases in (
            ("readUnion", "read_union", "zunion 2 q y AGGREGATE SUM", RELEASES),
            ("readIntersection", "read_intersection", "zinter 2 q y AGGREGATE SUM", RELEASES),
            ("readDiff", "read_diff", "zdiff 2 q y", NEW),
        )
    ),
    _zset(
        "countIntersection",
        "ab",
        ("countIntersection", "y"),
        lambda z: z.count_intersection("y"),
        others=Y,
        releases=NEW,
    ),
]
"""For sorted sets."""
