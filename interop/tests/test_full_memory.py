"""On a server without memory (``noeviction``) Java can neither transfer nor release; Python can."""

from typing import Any

import pytest

from interop.peer import JavaError
from interop.tests.conftest import Clients
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.twins import PATIENCE, until


def rejected(raw: Any) -> int:
    """Return how often the server had no memory for a command."""
    return int(raw.info("errorstats").get("errorstat_OOM", {"count": 0})["count"])


@pytest.mark.parametrize("release", ["4.7.0", "3.19.3"])
def test_python_transfers_and_releases_where_java_cannot(
    java_client: Clients, url: str, raw: Any, release: str
) -> None:
    java = java_client(release, codec="String")
    lock, pool = java.get("lock", "theirs"), java.get("semaphore", "pool")
    lock.call("lock")
    pool.call("trySetPermits", 1)
    settings: dict[str, Any] = {"wire_format": release, "codec": StringCodec()}
    with Redisson.from_url(url, **settings) as redisson:
        ours, permits = redisson.get_lock("ours"), redisson.get_semaphore("pool")
        ours.lock()
        assert permits.try_acquire()
        theirs = java.delayed_queue("q")
        theirs.call("offer", "a", 500, "MILLISECONDS")
        raw.config_set("maxmemory", 1)
        try:
            before = rejected(raw)
            until(lambda: rejected(raw) > before, "Java's transfer is rejected")
            assert theirs.call("contains", "a") is True
            for held, release_it in ((lock, "unlock"), (pool, "release")):
                before = rejected(raw)
                with pytest.raises(JavaError):
                    held.call(release_it)
                assert rejected(raw) > before
            redisson.get_delayed_queue(redisson.get_queue("q"))
            assert java.blocking_queue("q").call("poll", int(PATIENCE), "SECONDS") == "a"
            ours.unlock()
            permits.release()
            assert java.get("lock", "ours").call("isLocked") is False
            assert pool.call("availablePermits") == 1
        finally:
            raw.config_set("maxmemory", 0)
        lock.call("unlock")
