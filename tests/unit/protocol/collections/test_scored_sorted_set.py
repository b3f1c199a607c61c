"""RScoredSortedSet: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

import pytest

from pyredisson import BatchDecodeError, DecodeError, ScoredEntry, UncertainError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.collections.scored import ScoreRange
from pyredisson.protocol.collections.scored_sorted_set import ScoredSortedSetProtocol
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.queues.queue import End
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

Z: ScoredSortedSetProtocol[str] = ScoredSortedSetProtocol("z", StringCodec())
Build = Callable[[], Operation[Any]]
A, B = b"a", b"b"
FIRST, LAST = End.FIRST, End.LAST
HALF = ScoreRange(0, True, 5, False)
ALL = ScoreRange(-inf, True, inf, False)
ENTRIES = [ScoredEntry("a", 1), ScoredEntry("b", 1e-7)]

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "add": (lambda: Z.add(ENTRIES), ("ZADD", "z", "1.0", A, "0.00000010", B)),
    "add if less": (lambda: Z.add(ENTRIES[:1], "LT", "CH"), ("ZADD", "z", "LT", "CH", "1.0", A)),
    "add_score": (lambda: Z.add_score("a", 1), ("ZINCRBY", "z", "1", A)),
    "add_score of a double": (lambda: Z.add_score("a", 0.5), ("ZINCRBY", "z", "0.5", A)),
    "rank of a score": (
        lambda: Z.add_and_rank("a", 1, by=False, end=FIRST),
        ("collections/zset_rank", ("z",), ("set", "1.0", A, "first")),
    ),
    "rank of a sum": (
        lambda: Z.add_and_rank("a", 1, by=True, end=LAST),
        ("collections/zset_rank", ("z",), ("add", "1", A, "last")),
    ),
    "store range": (lambda: Z.store_by_rank("t", 0, 5, FIRST), ("ZRANGESTORE", "t", "z", 0, 5)),
    "store reversed": (
        lambda: Z.store_by_rank("t", 0, 5, LAST),
        ("ZRANGESTORE", "t", "z", 0, 5, "REV"),
    ),
    "store by score": (
        lambda: Z.store_by_score("t", HALF, None, FIRST),
        ("ZRANGESTORE", "t", "z", "0.0", "(5.0", "BYSCORE"),
    ),
    "store by score reversed": (
        lambda: Z.store_by_score("t", HALF, (1, 2), LAST),
        ("ZRANGESTORE", "t", "z", "(5.0", "0.0", "BYSCORE", "REV", "LIMIT", 1, 2),
    ),
    "replace": (lambda: Z.replace("a", "b"), ("collections/zset_replace", ("z",), (A, B))),
    "score": (lambda: Z.score("a"), ("ZSCORE", "z", A)),
    "scores": (lambda: Z.scores("ab"), ("ZMSCORE", "z", A, B)),
    "rank": (lambda: Z.rank("a", FIRST), ("ZRANK", "z", A)),
    "rev_rank": (lambda: Z.rank("a", LAST), ("ZREVRANK", "z", A)),
    "contains": (lambda: Z.contains("a"), ("ZSCORE", "z", A)),
    "contains_all": (lambda: Z.contains_all("ab"), ("ZMSCORE", "z", A, B)),
    "size": (Z.size, ("ZCARD", "z")),
    "count": (lambda: Z.count(HALF), ("ZCOUNT", "z", "0.0", "(5.0")),
    "count all": (lambda: Z.count(ALL), ("ZCOUNT", "z", "-inf", "(+inf")),
    "values": (lambda: Z.values_by_rank(0, -1, FIRST), ("ZRANGE", "z", 0, -1)),
    "values reversed": (lambda: Z.values_by_rank(0, 5, LAST), ("ZREVRANGE", "z", 0, 5)),
    "entries": (lambda: Z.entries_by_rank(0, 5, FIRST), ("ZRANGE", "z", 0, 5, "WITHSCORES")),
    "entries reversed": (
        lambda: Z.entries_by_rank(0, 5, LAST),
        ("ZREVRANGE", "z", 0, 5, "WITHSCORES"),
    ),
    "values by score": (
        lambda: Z.values_by_score(HALF, None, FIRST),
        ("ZRANGEBYSCORE", "z", "0.0", "(5.0"),
    ),
    "some values by score": (
        lambda: Z.values_by_score(HALF, (1, 2), LAST),
        ("ZREVRANGEBYSCORE", "z", "(5.0", "0.0", "LIMIT", 1, 2),
    ),
    "entries by score": (
        lambda: Z.entries_by_score(HALF, (1, 2), FIRST),
        ("ZRANGEBYSCORE", "z", "0.0", "(5.0", "WITHSCORES", "LIMIT", 1, 2),
    ),
    "all entries by score": (
        lambda: Z.entries_by_score(ALL, None, LAST),
        ("ZREVRANGEBYSCORE", "z", "(+inf", "-inf", "WITHSCORES"),
    ),
    "random": (Z.random, ("ZRANDMEMBER", "z")),
    "random_many": (lambda: Z.random_many(2), ("ZRANDMEMBER", "z", 2)),
    "scan": (lambda: Z.scan(None, 7), ("ZSCAN", "z", 7, "COUNT", 500)),
    "scan for": (lambda: Z.scan(b"a*", 0), ("ZSCAN", "z", 0, "MATCH", b"a*", "COUNT", 500)),
    "remove": (lambda: Z.remove("ab"), ("ZREM", "z", A, B)),
    "remove_all": (lambda: Z.remove_all("ab"), ("ZREM", "z", A, B)),
    "retain_all": (
        lambda: Z.retain_all("ab"),
        ("collections/zset_retain_all", ("z", "pyredisson_temporary:{z}"), (A, B)),
    ),
    "remove_by_rank": (lambda: Z.remove_by_rank(0, -2), ("ZREMRANGEBYRANK", "z", 0, -2)),
    "remove_by_score": (
        lambda: Z.remove_by_score(HALF),
        ("ZREMRANGEBYSCORE", "z", "0.0", "(5.0"),
    ),
    "poll": (lambda: Z.poll(FIRST), ("collections/zset_poll", ("z",), (0, 0))),
    "poll last": (lambda: Z.poll(LAST), ("collections/zset_poll", ("z",), (-1, -1))),
    "poll_many": (lambda: Z.poll_many(FIRST, 3), ("collections/zset_poll", ("z",), (0, 2))),
    "poll_many last": (
        lambda: Z.poll_many(LAST, 3),
        ("collections/zset_poll", ("z",), (-3, -1)),
    ),
    "wait": (lambda: Z.wait(FIRST, 1.5), ("BZPOPMIN", "z", "1.500")),
    "wait last": (lambda: Z.wait(LAST, 0), ("BZPOPMAX", "z", "0.002")),
    "poll_any": (
        lambda: Z.poll_any(("z", "y"), FIRST, 3),
        ("ZMPOP", 2, "z", "y", "MIN", "COUNT", 3),
    ),
    "wait_any": (
        lambda: Z.wait_any(("z", "y"), LAST, 1, 1.5),
        ("BZMPOP", "1.500", 2, "z", "y", "MAX", "COUNT", 1),
    ),
    "combined": (
        lambda: Z.combined("ZUNION", ["y"], "MAX", (1, 0.5)),
        ("ZUNION", 2, "z", "y", "WEIGHTS", "1.0", "0.5", "AGGREGATE", "MAX", "WITHSCORES"),
    ),
    "store": (
        lambda: Z.store("ZDIFF", ["x", "y"], None, None),
        ("ZDIFFSTORE", "z", 2, "x", "y"),
    ),
    "store sums": (
        lambda: Z.store("ZINTER", ["x"], "SUM", None),
        ("ZINTERSTORE", "z", 1, "x", "AGGREGATE", "SUM"),
    ),
    "intersection": (lambda: Z.count_intersection(["y"], 0), ("ZINTERCARD", 2, "z", "y")),
    "intersection to": (
        lambda: Z.count_intersection([], 5),
        ("ZINTERCARD", 1, "z", "LIMIT", 5),
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected
    assert build().key == "z"


@each_row("case", CALLS)
def test_calls_that_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)
    if not operation.safe and operation.waits is None:
        assert operation.lost is not None
        assert isinstance(operation.lost(OSError("reset")), UncertainError)


REPLIES: list[tuple[str, Any, Any]] = [
    ("add", 2, 2),
    ("poll_any", None, None),
    ("poll_any", [b"y", [[A, b"1"]]], ("y", [ScoredEntry("a", 1.0)])),
    ("add_score", b"1.5", 1.5),
    ("rank of a score", 3, 3),
    ("replace", 0, False),
    ("score", b"9.9999999999999995e-08", 1e-7),
    ("score", None, None),
    ("scores", [b"inf", None], [inf, None]),
    ("rank", 0, 0),
    ("rank", None, None),
    ("contains", b"1", True),
    ("contains", None, False),
    ("contains_all", [b"1", b"2"], True),
    ("contains_all", [b"1", None], False),
    ("size", 3, 3),
    ("count", 3, 3),
    ("values", [A, B], ["a", "b"]),
    ("entries", [A, b"1", B, b"2.5"], [("a", 1.0), ("b", 2.5)]),
    ("entries by score", [], []),
    ("random", A, "a"),
    ("random", None, None),
    ("scan", [b"7", [A, b"1"]], (7, [("a", 1.0)])),
    ("remove", 2, 2),
    ("remove_all", 2, True),
    ("retain_all", 1, True),
    ("remove_by_rank", 2, 2),
    ("poll", [A, b"1"], ("a", 1.0)),
    ("poll", [], None),
    ("poll_many", [A, b"1"], [("a", 1.0)]),
    ("wait", [b"z", A, b"1"], ("a", 1.0)),
    ("wait", None, None),
    ("combined", [A, b"1"], [("a", 1.0)]),
    ("store", 4, 4),
    ("intersection", 3, 3),
]


@each_row(("case", "reply", "value"), REPLIES)
def test_value_of_each_reply(case: str, reply: Any, value: Any) -> None:
    assert CALLS[case][0]().decode(reply) == value


@each_row(
    ("case", "taken", "undone"),
    [
        ("poll", [], None),
        ("poll", [A, b"1"], ("ZADD", "z", "NX", b"1", A)),
        ("poll_many", [A, b"1", B, b"2"], ("ZADD", "z", "NX", b"1", A, b"2", B)),
        ("wait", None, None),
        ("wait", [b"z", A, b"1"], ("ZADD", "z", "NX", b"1", A)),
        ("poll_any", None, None),
        ("wait_any", [b"y", [[A, b"1"], [B, b"2"]]], ("ZADD", "y", "NX", b"1", A, b"2", B)),
    ],
)
def test_undo_of_an_interrupted_poll_adds_its_values(case: str, taken: Any, undone: Any) -> None:
    undo = CALLS[case][0]().undo
    assert undo is not None
    operation = undo(taken)
    assert (operation and words(operation)) == undone


def test_decode_error_has_the_score_of_the_value() -> None:
    numbers = ScoredSortedSetProtocol("z", LongCodec())
    with pytest.raises(DecodeError) as caught:
        numbers.poll(FIRST).decode([b"text", b"2.5"])
    assert (caught.value.raw, caught.value.__notes__) == (b"text", ["its score is 2.5"])
    with pytest.raises(BatchDecodeError) as several:
        numbers.poll_many(FIRST, 2).decode([b"5", b"1", b"text", b"2"])
    assert several.value.values == [(5, 1.0)]


@each_row("score", [inf, -inf, nan, "1", True])
def test_invalid_scores_are_rejected(score: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="score"):
        Z.add([ScoredEntry("a", score)])
    with pytest.raises((TypeError, ValueError), match="score"):
        Z.add_score("a", score)


def test_invalid_ends_of_a_range_are_rejected() -> None:
    for low in (nan, "1"):
        with pytest.raises((TypeError, ValueError), match="low"):
            Z.count(ScoreRange(low, True, 5, True))  # type: ignore[arg-type]  # on purpose
