"""Local cached maps, as a user's type checker sees them."""

from datetime import timedelta
from typing import Any, assert_type

from pyredisson import AsyncLocalCachedMap, AsyncRedisson, LocalCachedMap, Redisson
from pyredisson.codecs import StringCodec


def local_maps(client: Redisson) -> None:
    """RLocalCachedMap."""
    cached = client.get_local_cached_map(
        "m", StringCodec(), cache_size=5, time_to_live=timedelta(minutes=1), sync_strategy="update"
    )
    assert_type(cached, LocalCachedMap[str, str])
    assert_type(cached.get("k"), str | None)
    assert_type(cached.get_all(["k"]), dict[str, str])
    assert_type(cached.get_cached_map(), dict[str, str])
    cached.preload_cache()
    cached.clear_local_cache()
    cached.destroy()
    assert_type(client.get_local_cached_map("m"), LocalCachedMap[Any, Any])
    client.get_local_cached_map("m", sync_strategy="all")  # type: ignore[call-overload]  # no such word


async def async_local_maps(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    cached = client.get_local_cached_map("m", StringCodec(), reconnection_strategy="load")
    assert_type(cached, AsyncLocalCachedMap[str, str])
    assert_type(await cached.put("k", "v"), str | None)
