"""Functions that are given to a map may be coroutine functions."""

import asyncio

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec


async def test_map_awaits_a_coroutine_function(url: str) -> None:
    async def load(key: str) -> str:
        await asyncio.sleep(0)
        return key * 2

    async with AsyncRedisson.from_url(url) as redisson:
        assert await redisson.get_map("m", StringCodec()).compute_if_absent("a", load) == "aa"
