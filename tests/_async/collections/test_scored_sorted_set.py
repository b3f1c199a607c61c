"""RScoredSortedSet on a real server: scores, ranks, ranges, and waits for values."""

from __future__ import annotations

from datetime import timedelta
from math import inf
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, DecodeError, KeyTypeError, ScoredEntry
from pyredisson.codecs import Kryo5Codec, LongCodec, StringCodec
from tests.support.twins import AsyncStarted, interrupt_async, sleep_async


async def test_values_have_scores_and_ranks(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_scored_sorted_set("z", codec=StringCodec())
        assert await values.add(1, "a")
        assert not await values.add(1.5, "a")
        assert await values.add_all({"b": 2, "c": 1e-7}) == 2
        assert await values.add_all([("d", 4.0), ("b", 3)]) == 1
        assert await values.add_all({}) == 0
        assert raw.zrange("z", 0, -1, withscores=True) == [
            (b"c", 1e-7),
            (b"a", 1.5),
            (b"b", 3.0),
            (b"d", 4.0),
        ]
        assert await values.get_scores(["c", "z"]) == [1e-7, None]
        assert await values.get_scores([]) == []
        assert (await values.get_score("a"), await values.get_score("z")) == (1.5, None)
        assert (await values.rank("a"), await values.rev_rank("a")) == (1, 2)
        assert (await values.rank("z"), await values.size()) == (None, 4)
        assert await values.add_score("a", 10) == 11.5
        assert await values.add_score_and_get_rank("a", -10) == 1
        assert await values.add_score_and_get_rev_rank("a", 1) == 2
        assert await values.add_and_get_rank(9, "e") == 4
        assert await values.add_and_get_rev_rank(8, "e") == 0
        assert await values.contains("e")
        assert await values.contains_all(["a", "e"])
        assert not await values.contains_all(["a", "z"])
        for bad in (inf, "1"):
            with pytest.raises((TypeError, ValueError), match="score must be"):
                await values.add(bad, "a")  # type: ignore[arg-type]  # on purpose


async def test_values_are_added_under_a_condition(url: str) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_scored_sorted_set("z", codec=StringCodec())
        assert not await values.add_if_exists(1, "a")
        assert await values.try_add(5, "a")
        assert not await values.add_if_absent(6, "a")
        assert await values.add_if_exists(6, "a")
        assert not await values.add_if_exists(6, "a")
        assert not await values.add_if_less(7, "a")
        assert await values.add_if_less(4, "a")
        assert not await values.add_if_greater(3, "a")
        assert await values.add_if_greater(5, "a")
        assert await values.add_if_greater(1, "b")
        assert await values.replace("b", "c")
        assert await values.replace("c", "c")
        assert not await values.replace("b", "d")
        assert await values.replace("c", "a")
        assert await values.entry_range(0, -1) == [("a", 1.0)]


async def test_ranges_by_rank_and_score(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_scored_sorted_set("z", codec=StringCodec())
        assert (await values.first(), await values.last_entry()) == (None, None)
        assert (await values.first_score(), await values.last_score()) == (None, None)
        await values.add_all({name: score for score, name in enumerate("abcde")})
        assert (await values.first(), await values.last()) == ("a", "e")
        assert (await values.first_score(), await values.last_score()) == (0.0, 4.0)
        assert await values.first_entry() == ScoredEntry("a", 0.0)
        assert await values.read_all() == list("abcde")
        assert await values.value_range(1, -2) == list("bcd")
        assert await values.value_range_reversed(0, 1) == list("ed")
        assert await values.entry_range_reversed(0, 0) == [("e", 4.0)]
        assert await values.value_range_by_score(1, 3) == list("bcd")
        assert await values.value_range_by_score(1, 3, low_inclusive=False) == list("cd")
        assert await values.value_range_by_score(high=3, high_inclusive=False) == list("abc")
        assert await values.value_range_by_score(offset=3) == list("de")
        assert await values.value_range_by_score(1, offset=1, limit=2, reverse=True) == list("dc")
        assert await values.entry_range_by_score(3) == [("d", 3.0), ("e", 4.0)]
        with pytest.raises(ValueError, match="offset must be at least 0"):
            await values.value_range_by_score(offset=-1)
        assert (await values.count(), await values.count(1, 3, low_inclusive=False)) == (5, 2)
        assert await values.remove_range_by_rank(0, 0) == 1
        assert await values.remove_range_by_score(high=2) == 2
        assert await values.remove("d")
        assert raw.zrange("z", 0, -1) == [b"e"]
        assert await values.random() == "e"
        assert await values.random(5) == ["e"]
        await values.expire(60)
        await values.add(1, "f")
        assert await values.retain_all("fz")
        assert not await values.retain_all("f")
        assert 0 < raw.pttl("z") <= 60_000, "Redisson's loses it"
        assert raw.keys() == [b"z"]


async def test_an_iteration_has_all_of_a_large_set(url: str) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_scored_sorted_set("z", codec=LongCodec())
        await values.add_all((number, number / 2) for number in range(2000))
        assert {value async for value in values} == set(range(2000))
        assert {entry async for entry in values.entries("199*")} == {
            (number, number / 2) for number in (199, *range(1990, 2000))
        }


async def test_values_are_taken_at_both_ends(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_scored_sorted_set("z", codec=StringCodec())
        assert (await values.poll_first(), await values.poll_last(2)) == (None, [])
        assert await values.poll_last_entry() is None
        await values.add_all({name: score for score, name in enumerate("abcdefghij")})
        assert (await values.poll_first(), await values.poll_last()) == ("a", "j")
        assert await values.poll_first(2) == ["b", "c"]
        assert await values.poll_last(2) == ["h", "i"]
        assert await values.poll_first(0) == []
        assert await values.poll_first_entry() == ("d", 3.0)
        assert await values.poll_last_entry() == ("g", 6.0)
        assert await values.poll_first_entries(1) == [("e", 4.0)]
        assert await values.poll_last_entries(9) == [("f", 5.0)]
        assert raw.keys() == []
        with pytest.raises(ValueError, match="limit must be at least 0"):
            await values.poll_first(-1)


async def test_poll_from_any_uses_first_nonempty_set(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        first, second = (redisson.get_scored_sorted_set(name) for name in ("z", "y"))
        assert await first.poll_first_from_any(0, "y") == []
        assert await first.poll_last_entries_from_any(0.01, "y", count=2) == {}
        await second.add_all({name: score for score, name in enumerate("abcdefg")})
        assert await first.poll_first_from_any(0, "y") == ["a"]
        assert await first.poll_last_from_any(30, "x", "y", count=2) == ["g", "f"]
        assert await first.poll_first_entries_from_any(30, "y") == {"y": [("b", 1.0)]}
        await first.add(9, "z")
        assert await first.poll_last_entries_from_any(0, "y", count=3) == {"z": [("z", 9.0)]}
        assert await first.poll_first_from_any(0, "y", count=0) == []
        with pytest.raises(ValueError, match="count must be at least 0, not -1"):
            await first.poll_first_from_any(0, "y", count=-1)
        assert await first.poll_first_from_any(0, "y", count=9) == ["c", "d", "e"]
        waiting = AsyncStarted(lambda: first.poll_first_from_any(60, "y"))
        await sleep_async(0.05)
        raw.zadd("y", {"late": 1})
        assert await waiting.result(30) == ["late"]
        assert raw.keys() == []


async def test_a_wait_ends_with_a_value(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_scored_sorted_set("z", codec=StringCodec())
        assert await values.poll_first(timeout=0.01) is None
        assert await values.poll_last_entry(timeout=timedelta(milliseconds=10)) is None
        for call in (
            lambda: values.poll_first(timeout=60),
            lambda: values.poll_last(timeout=60),
            values.take_first,
            values.take_last,
        ):
            waiting = AsyncStarted(call)
            await sleep_async(0.05)
            raw.zadd("z", {"a": 1})
            assert await waiting.result(30) == "a"
        assert raw.keys() == []


async def test_an_interrupted_wait_loses_nothing(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_scored_sorted_set("z", codec=StringCodec())
        taken: list[ScoredEntry[str]] = []

        async def take() -> None:
            found = await values.poll_first_entry(timeout=60)
            taken.extend(filter(None, [found]))

        await values.is_empty()
        for number in range(60):
            raw.zadd("z", {f"{number}": number})
            await interrupt_async(take, number / 60_000)
        left: Any = raw.zrange("z", 0, -1, withscores=True)
        found = [*taken, *((value.decode(), score) for value, score in left)]
        assert sorted(found, key=lambda entry: entry[1]) == [(f"{n}", n) for n in range(60)]


async def test_union_intersection_and_diff_of_sets(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        ours = redisson.get_scored_sorted_set("z")
        await ours.add_all({"a": 1, "b": 2})
        await redisson.get_scored_sorted_set("y").add_all({"b": 10, "c": 20})
        assert await ours.read_union("y") == [("a", 1.0), ("b", 12.0), ("c", 20.0)]
        assert await ours.read_intersection("y", aggregate="MIN") == [("b", 2.0)]
        assert await ours.read_intersection("y", weights=(1, 0.5)) == [("b", 7.0)]
        assert await ours.read_diff("y") == [("a", 1.0)]
        assert await ours.count_intersection("y") == 1
        assert await ours.count_intersection(limit=1) == 1
        assert await ours.union("z", "y", aggregate="MAX") == 3
        assert await ours.get_score("b") == 10.0
        assert await ours.intersection("z", "y") == 2
        assert await ours.diff("y", "z") == 0
        assert raw.keys() == [b"y"]
        with pytest.raises(ValueError, match="at least one other"):
            await ours.diff()


async def test_wrong_key_type_and_undecodable_value_raise(url: str, raw: redis.Redis) -> None:
    raw.rpush("l", "a")
    raw.zadd("z", {"text": 2.5})
    async with AsyncRedisson.from_url(url, codec=LongCodec()) as redisson:
        with pytest.raises(KeyTypeError, match="'l' should hold a zset but holds a list"):
            await redisson.get_scored_sorted_set("l").add(1, 5)
        with pytest.raises(DecodeError) as caught:
            await redisson.get_scored_sorted_set("z").poll_first()
        assert caught.value.raw == b"text"
        assert "its score is 2.5" in caught.value.__notes__


async def test_sorted_set_is_renamed(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=Kryo5Codec()) as redisson:
        values = redisson.get_scored_sorted_set("z")
        await values.add_all([(["a", 1], 1.0)])
        await values.rename("y")
        assert (values.name, await values.read_all()) == ("y", [["a", 1]])
        assert repr(values).startswith(f"<{type(values).__name__} 'y' codec=Kryo5Codec(")
        assert raw.keys() == [b"y"]


async def test_many_values_are_added_under_a_condition(redisson: AsyncRedisson, raw: Any) -> None:
    values = redisson.get_scored_sorted_set("z", StringCodec())
    assert await values.add_all_if_absent({"a": 1, "b": 2}) == 2
    assert await values.add_all_if_absent({}) == 0
    assert await values.add_all_if_exist([("a", 5), ("b", 2), ("c", 3)]) == 1
    assert await values.add_all_if_less({"a": 4, "b": 9, "c": 3}) == 2
    assert await values.add_all_if_greater({"a": 3, "b": 9}) == 1
    assert await values.entry_range(0, -1) == [("c", 3.0), ("a", 4.0), ("b", 9.0)]
    assert await values.range_to("t", 0, 0, reverse=True) == 1
    assert raw.zrange("t", 0, -1) == [b"b"]
    assert await values.range_to_by_score("t", 3, low_inclusive=False) == 2
    assert raw.zrange("t", 0, -1) == [b"a", b"b"]
