"""The permissions in docs/maps.md suffice, and each of them is necessary."""

import re
from pathlib import Path
from typing import Any

import pytest

from pyredisson import AsyncMap, AsyncMapCache
from pyredisson.codecs import StringCodec
from pyredisson.server_errors import NoPermissionError
from tests._async.conftest import Login
from tests.support.twins import sleep_async, until_async

PAGE = Path(__file__).parents[3] / "docs" / "maps.md"
MAP, CACHE = re.findall(r"^~m .*$", PAGE.read_text("utf-8"), re.MULTILINE)
Cache = AsyncMapCache[str, str]
EVERY = ("+ping", "+client|setname", "+info", "+type", "+hello")


async def use(found: AsyncMap[str, str]) -> None:
    """Call each method that sends its own command or script."""
    await found.put("a", "1")
    await found.fast_put("a", "1")
    await found.put_if_absent("a", "2")
    await found.fast_put_if_absent("b", "2")
    await found.put_if_exists("a", "2")
    await found.fast_put_if_exists("a", "2")
    await found.replace("a", "2", "3")
    await found.put_all({"c": "1"})
    await found.add_and_get("n", 5)
    await found.get("a")
    await found.contains_key("a")
    await found.value_size("a")
    await found.size()
    await found.get_all("ab")
    await found.contains_value("9")
    await found.read_all_map()
    await found.read_all_key_set()
    await found.read_all_values()
    await found.random_keys(1)
    await found.random_entries(1)
    assert {key async for key in found} == {"a", "b", "c", "n"}
    await found.remove("a")
    await found.remove("b", "2")
    await found.fast_remove("c")
    await found.clear()
    await found.delete()


async def use_cache(cache: Cache) -> None:
    """Call each method of a map cache that sends its own command or script."""
    events: list[Any] = []
    await cache.add_listener(events.append)
    await use(cache)
    await cache.put("a", "1", ttl=60, max_idle=60)
    await cache.expire_entry("a", ttl=60)
    await cache.remain_time_to_live("a")
    await cache.try_set_max_size(1)
    await cache.set_max_size(1, "LFU")
    await cache.fast_put("b", "1", ttl=60)
    await until_async(lambda: len(events) > 5, "they came")


async def test_permissions_of_maps(login: Login) -> None:
    """Without any one of the commands, the map fails."""
    words = MAP.split()
    await use(login(*EVERY, *words, codec=StringCodec()).get_map("m"))
    for word in words:
        if word[0] == "+" and word not in ("+evalsha", "+eval"):  # either of them suffices
            rest = [each for each in words if each != word]
            with pytest.raises(NoPermissionError):
                await use(login(*EVERY, *rest, codec=StringCodec()).get_map("m"))


async def test_permissions_of_map_caches(login: Login) -> None:
    cache: Cache = login(*EVERY, *CACHE.split(), codec=StringCodec()).get_map_cache("m")
    await use_cache(cache)
    await cache.put("a", "1", ttl=0.001)
    await sleep_async(0.01)
    assert await cache._run(cache._protocol.evict(5, 100)) == 1
