"""The permissions on the pages of other objects suffice for these objects."""

import contextlib
import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pyredisson import AsyncRedisson, RateType
from pyredisson.codecs import StringCodec
from tests._async.conftest import Login
from tests.support.access import RECORDED
from tests.support.twins import start_async, until_async

DOCS = Path(__file__).parents[3] / "docs"
EVERY = ("+ping", "+client|setname", "+client|id", "+client|unblock", "+info", "+type", "+time")
UNDONE = {"+hdel", "+lpush", "+rpop"}
"""Rights that only the undo steps of scripts need."""
LONG_ENOUGH = 2.0
"""Seconds within which a wait subscribes, even on a busy machine."""
Use = Callable[[AsyncRedisson], Any]


def lines(page: str) -> list[list[str]]:
    """Return the lines of permissions of a page."""
    text = (DOCS / f"{page}.md").read_text("utf-8").partition("\n## Permissions\n")[2]
    return [line.split() for line in re.findall(r"^~.*$", text.partition("\n## ")[0], re.MULTILINE)]


def scripted(page: str) -> set[str]:
    """Return the commands of the scripts of a page's objects."""
    scripts = json.loads(RECORDED.read_text("utf-8"))["scripts"].items()
    return {word for name, words in scripts if name.startswith(f"{page}/") for word in words}


async def use_set(client: AsyncRedisson) -> None:
    tags = client.get_set("tags")
    await tags.add_all("abc")
    await tags.try_add("d")
    await tags.remove("a")
    await tags.remove_all("d")
    await tags.retain_all("bc")
    await tags.contains_all("bc")
    await tags.contains_each("bx")
    await tags.read_all()
    assert {value async for value in tags} == {"b", "c"}
    await tags.random()
    await tags.remove_random()
    await tags.move("tags", "b")
    for method in (tags.union, tags.diff, tags.intersection, tags.read_union, tags.read_diff):
        await method("tags")
    await tags.read_intersection("tags")
    await tags.count_intersection("tags")
    await tags.delete()


async def use_list(client: AsyncRedisson) -> None:
    steps = client.get_list("steps")
    await steps.add_all("abc")
    await steps.add("x", index=1)
    await steps.add_before("a", "y")
    await steps.get(0, 1)
    await steps.range(0, 1)
    await steps.index_of("a")
    await steps.last_index_of("a")
    await steps.set(0, "z")
    await steps.fast_set(0, "w")
    await steps.remove("w")
    await steps.remove_at(0)
    await steps.fast_remove(0)
    await steps.trim(0, 1)
    assert [value async for value in steps] == await steps.read_all()
    await steps.size()
    await steps.remove_all("a")
    await steps.retain_all("c")
    await steps.delete()


async def use_scored(client: AsyncRedisson) -> None:
    players = client.get_scored_sorted_set("players")
    await players.add_all({"a": 1, "b": 2, "c": 3, "d": 4})
    await players.add(5, "e")
    await players.try_add(6, "f")
    await players.add_if_less(1, "f")
    await players.add_score("f", 1)
    await players.add_and_get_rank(1, "a")
    await players.add_score_and_get_rev_rank("a", 1)
    await players.replace("f", "g")
    await players.get_score("a")
    await players.get_scores("ab")
    await players.rank("a")
    await players.rev_rank("a")
    await players.count(1, 2)
    await players.poll_first_from_any(0, "players")
    await players.poll_last_from_any(1, "players")
    await players.first_entry()
    await players.last()
    await players.value_range(0, 1)
    await players.value_range_reversed(0, 1)
    await players.value_range_by_score(0, 1)
    await players.entry_range_by_score(0, 1)
    await players.value_range_by_score(reverse=True)
    await players.range_to("players", 0, -1)
    await players.random()
    assert [value async for value in players]
    await players.poll_first()
    await players.poll_last(timeout=0.1)
    await players.poll_first(timeout=0.1)
    for method in (players.union, players.intersection, players.read_union, players.read_diff):
        await method("players")
    await players.read_intersection("players")
    await players.count_intersection("players")
    await players.diff("players")
    await players.add(5, "e")
    await players.remove("a")
    await players.remove_range_by_rank(5, 6)
    await players.remove_range_by_score(9, 9)
    await players.contains("e")
    await players.remove_all("x")
    await players.retain_all("e")
    await players.delete()


async def use_set_cache(client: AsyncRedisson) -> None:
    seen = client.get_set_cache("seen")
    await seen.add("a", ttl=60)
    await seen.add_all("bc", ttl=60)
    await seen.try_add("d", ttl=60)
    await seen.add_if_absent("e")
    await seen.add_if_exists("e")
    await seen.add_if_greater("a", 70)
    await seen.contains("a")
    await seen.size()
    await seen.remove("a")
    await seen.read_all()
    assert [value async for value in seen]
    await seen.remove_all("b")
    await seen.retain_all("c")
    await seen.delete()


async def use_long(client: AsyncRedisson) -> None:
    await use_number(client.get_atomic_long("visits"))


async def use_double(client: AsyncRedisson) -> None:
    await use_number(client.get_atomic_double("price"))


async def use_number(number: Any) -> None:
    await number.set(1)
    await number.increment_and_get()
    await number.get_and_decrement()
    await number.decrement_and_get()
    await number.add_and_get(2)
    await number.get_and_add(2)
    await number.get_and_set(2)
    await number.compare_and_set(2, 3)
    await number.set_if_less(9, 3)
    await number.set_if_greater(9, 3)
    await number.get()
    await number.get_and_delete()


async def use_ids(client: AsyncRedisson) -> None:
    await client.get_id_generator("ids").next_id()
    await client.get_id_generator("ids").try_init(1, 5)
    await client.get_id_generator("ids").delete()


async def use_bits(client: AsyncRedisson) -> None:
    online = client.get_bit_set("online")
    await online.set(1)
    await online.set([2, 3])
    await online.set_range(1, 20)
    await online.clear_range(1, 2)
    await online.get(1)
    await online.get([1, 2])
    await online.cardinality()
    await online.length()
    await online.size()
    await online.as_bit_set()
    await online.not_()
    await online.or_("online")
    await online.set_signed(8, 0, 5)
    await online.increment_and_get_unsigned(8, 0, 5)
    await online.set_bit_set([1])
    await online.clear()


async def use_log(client: AsyncRedisson) -> None:
    visitors = client.get_hyper_log_log("visitors:a")
    await visitors.add("a")
    await visitors.add_all("bc")
    await visitors.count()
    await visitors.count_with("visitors:b")
    await visitors.merge_with("visitors:b")
    await visitors.delete()


async def use_buckets(client: AsyncRedisson) -> None:
    buckets = client.get_buckets()
    await buckets.set({"user:1": "a"})
    await buckets.try_set({"user:2": "a"})
    await buckets.get("user:1", "user:2")


async def use_keys(client: AsyncRedisson) -> None:
    keys = client.get_keys()
    await keys.count()
    await keys.random_key()
    await keys.touch("user:1")
    await keys.count_exists("user:1")
    await keys.get_type("user:1")
    await keys.expire("user:1", 60)
    await keys.expire_at("user:1", datetime(2100, 1, 1, tzinfo=UTC))
    await keys.remain_time_to_live("user:1")
    await keys.clear_expire("user:1")
    await keys.rename("user:1", "user:3")
    await keys.renamenx("user:3", "user:4")
    await keys.move("user:4", 1)
    await keys.delete("user:4")
    await keys.unlink("user:2")
    await keys.delete_by_pattern("user:*")


async def use_limiter(client: AsyncRedisson) -> None:
    limiter = client.get_rate_limiter("api")
    await limiter.try_set_rate(RateType.OVERALL, 5, 1)
    await limiter.set_rate(RateType.PER_CLIENT, 1, 0.1, keep_alive=5)
    await limiter.acquire()
    await limiter.try_acquire(timeout=0.2)
    await limiter.update_rate(RateType.PER_CLIENT, 2, 0.1, keep_state=True)
    await limiter.available_permits()
    await limiter.get_config()
    await limiter.delete()


async def use_semaphore(client: AsyncRedisson) -> None:
    pool = client.get_semaphore("pool")
    await pool.try_set_permits(2)
    await pool.add_permits(1)
    await pool.acquire()
    await pool.try_acquire(3, timeout=LONG_ENOUGH)
    await pool.release()
    await pool.drain_permits()
    await pool.available_permits()


async def use_latch(client: AsyncRedisson) -> None:
    latch = client.get_count_down_latch("loaded")
    await latch.try_set_count(1)
    await latch.wait(LONG_ENOUGH)
    await latch.count_down()
    assert await latch.wait(0.1)
    await latch.get_count()
    await latch.delete()


async def use_permits(client: AsyncRedisson) -> None:
    leases = client.get_permit_expirable_semaphore("leases")
    await leases.try_set_permits(1)
    await leases.set_permits(2)
    await leases.add_permits(-1)
    permit = await leases.acquire(60)
    await leases.try_acquire(LONG_ENOUGH)
    await leases.get_lease_time(permit)
    await leases.update_lease_time(permit, 5)
    await leases.release(permit)
    await leases.available_permits()
    await leases.acquired_permits()


async def use_lock(client: AsyncRedisson) -> None:
    lock = client.get_lock("job")
    async with lock:
        await lock.is_locked()
        await lock.is_held()
        await lock.get_hold_count()
        await lock.remain_time_to_live()
        waiting = start_async(lambda: client.get_lock("job").try_lock(LONG_ENOUGH))
        assert not await waiting.result()
    await lock.force_unlock()


async def use_filter(client: AsyncRedisson) -> None:
    bloom = client.get_bloom_filter("seen")
    await bloom.try_init(100, 0.01)
    await bloom.add("a")
    await bloom.contains("a")
    await bloom.count()


USES: list[tuple[str, int, Use]] = [
    ("collections", 0, use_set),
    ("collections", 1, use_list),
    ("collections", 2, use_scored),
    ("collections", 3, use_set_cache),
    ("counters", 0, use_long),
    ("counters", 1, use_double),
    ("counters", 2, use_ids),
    ("bits", 0, use_bits),
    ("bits", 1, use_log),
    ("keys", 0, use_buckets),
    ("keys", 1, use_keys),
    ("synchronizers", 0, use_limiter),
    ("synchronizers", 1, use_semaphore),
    ("synchronizers", 2, use_latch),
    ("synchronizers", 3, use_permits),
    ("locks", 0, use_lock),
    ("bloom", 0, use_filter),
]


@pytest.mark.parametrize(("page", "number", "use"), USES)
async def test_permissions_of_a_page_suffice_and_are_used(
    login: Login, root: Any, page: str, number: int, use: Use
) -> None:
    """Each right of a line is used by a command that is sent, or by a rare branch of a script."""
    root.set("user:1", "renamed and moved")
    root.config_resetstat()
    line = lines(page)[number]
    await use(login(*EVERY, *line, codec=StringCodec()))
    known = scripted(page) | UNDONE

    def unused() -> set[str]:
        used = {each.replace("cmdstat_", "+") for each in root.info("commandstats")}
        return {each for each in line if each[0] == "+"} - used - known

    with contextlib.suppress(TimeoutError):  # UNSUBSCRIBE is sent in the background
        await until_async(lambda: not unused(), "all is used", 10)
    assert unused() == set()


def test_each_line_of_permissions_is_tested() -> None:
    for page in {page for page, _, _ in USES}:
        assert len(lines(page)) == sum(each == page for each, _, _ in USES), page
