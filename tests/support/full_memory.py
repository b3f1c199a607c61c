"""The scripts that a server without free memory (`noeviction`) rejects."""

NEEDS_MEMORY = {
    *("bloom/add", "bloom/try_init", "buckets/compare_and_set", "buckets/get_and_set"),
    *(f"collections/{name}" for name in ("list_insert", "list_set", "set_cache_add", "try_add")),
    *("collections/zset_rank", "collections/zset_replace"),
    *(f"counters/{name}" for name in ("allocate_ids", "compare_and_set", "init_ids")),
    *(f"counters/{name}" for name in ("compare_double_and_set", "set_if_greater", "set_if_less")),
    *("delayed/bounded_offer", "delayed/carry", "delayed/keyed_offer", "delayed/offer"),
    *("delayed/offer_many", "delayed/reschedule", "schedules/exchange", "windows/offer"),
    *("local_maps/add_and_get", "local_maps/answer", "local_maps/change"),
    *(f"locks/acquire{kind}" for kind in ("", "_fair", "_read", "_write")),
    *(f"maps/cache_{name}" for name in ("add", "expire", "get", "put", "scan", "track")),
    *("maps/cache_try_set_max_size", "maps/fast_put_if_exists", "maps/put", "maps/put_if_absent"),
    *("maps/put_if_exists", "maps/replace", "objects/copy", "topics/publish", "topics/subscribe"),
    *(f"migration/{name}" for name in ("add", "advance", "fence", "finish", "stage")),
    *(f"synchronizers/limiter_{name}" for name in ("acquire", "available", "set_rate")),
    *("synchronizers/limiter_try_set_rate", "synchronizers/latch_try_set"),
    *("synchronizers/permits_acquire", "synchronizers/permits_count"),
    *(f"synchronizers/semaphore_{name}" for name in ("acquire", "drain", "try_set")),
}
"""Scripts that store new data. All others free memory, or end a state that uses it: they run
without free memory."""
