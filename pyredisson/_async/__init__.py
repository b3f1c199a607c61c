"""The shell that speaks to Redis, written by hand for asyncio; `_sync` is generated from it."""
