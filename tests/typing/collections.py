"""Sets and lists, as a user's type checker sees them."""

from datetime import timedelta
from typing import Any, assert_type

from pyredisson import (
    AsyncList,
    AsyncRedisson,
    AsyncScoredSortedSet,
    AsyncSet,
    AsyncSetCache,
    List,
    Redisson,
    ScoredEntry,
    ScoredSortedSet,
    Set,
    SetCache,
)
from pyredisson.codecs import StringCodec


def sets(client: Redisson) -> None:
    """RSet."""
    tags = client.get_set("tags", StringCodec())
    assert_type(tags, Set[str])
    assert_type(client.get_set("tags"), Set[Any])
    assert_type(tags.add("red"), bool)
    assert_type(tags.add_all_counted({"red"}), int)
    assert_type(tags.random(), str | None)
    assert_type(tags.remove_random(2), list[str])
    assert_type(tags.read_union("other"), list[str])
    for tag in tags:
        assert_type(tag, str)
    assert_type("red" in tags, bool)
    tags.add(5)  # type: ignore[arg-type]  # not a str
    client.get_set(b"tags")  # type: ignore[call-overload]  # names are text


def lists(client: Redisson) -> None:
    """RList."""
    steps = client.get_list("steps", StringCodec())
    assert_type(steps, List[str])
    assert_type(steps.get(0), str | None)
    assert_type(steps.get(0, 1), list[str | None])
    assert_type(steps[0], str)
    assert_type(steps[1:], list[str])
    assert_type(steps.add("a", index=1), bool)
    assert_type(steps.remove_at(1), str)
    steps[0] = "b"
    steps[0] = 5  # type: ignore[assignment]  # not a str
    steps.get("0")  # type: ignore[call-overload]  # not an index


def sorted_sets(client: Redisson) -> None:
    """RScoredSortedSet."""
    players = client.get_scored_sorted_set("players", StringCodec())
    assert_type(players, ScoredSortedSet[str])
    assert_type(players.add(1, "ann"), bool)
    assert_type(players.add_all({"ann": 1.5}), int)
    assert_type(players.poll_first(), str | None)
    assert_type(players.poll_first(2), list[str])
    assert_type(players.poll_first(timeout=5), str | None)
    assert_type(players.take_last(), str)
    assert_type(players.poll_last_entry(), ScoredEntry[str] | None)
    assert_type(players.entry_range(0, -1), list[ScoredEntry[str]])
    assert_type(players.value_range_by_score(1, high_inclusive=False), list[str])
    for entry in players.entries("a*"):
        assert_type(entry.score, float)
    players.add("ann", 1)  # type: ignore[arg-type]  # the score is first


def set_caches(client: Redisson) -> None:
    """RSetCache."""
    seen = client.get_set_cache("seen", StringCodec())
    assert_type(seen, SetCache[str])
    assert_type(seen.add("a", ttl=timedelta(minutes=1)), bool)
    assert_type(seen.add_if_less("a", 1.5), bool)
    assert_type(seen.read_all(), list[str])
    seen.add("a", ttl="5s")  # type: ignore[arg-type]  # seconds or timedelta


async def async_sets(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    tags = client.get_set("tags", StringCodec())
    assert_type(tags, AsyncSet[str])
    assert_type(await tags.random(), str | None)
    assert_type([tag async for tag in tags], list[str])
    assert_type(await tags.count_intersection("other", limit=5), int)
    steps = client.get_list("steps", StringCodec())
    assert_type(steps, AsyncList[str])
    assert_type(await steps.get(0, 1), list[str | None])
    players = client.get_scored_sorted_set("players", StringCodec())
    assert_type(players, AsyncScoredSortedSet[str])
    assert_type(await players.rank("ann"), int | None)
    seen = client.get_set_cache("seen", StringCodec())
    assert_type(seen, AsyncSetCache[str])
    assert_type(await seen.contains("a"), bool)
