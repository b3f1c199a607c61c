"""A worker that finds a lock held by Java defers its message, and handles it afterwards."""

from typing import Any

from interop.tests.conftest import Peers
from interop.tests.support.fleet import connect
from pyredisson import Defer, Redisson, Worker, WorkerStats
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.twins import Started, until


def test_message_whose_lock_java_holds_is_deferred(
    java: Peers, shared_server: RedisServer, raw: Any
) -> None:
    """No attempt is counted, although only one is allowed."""
    handled: list[tuple[str, int]] = []

    def handle(message: Any) -> None:
        if raw.exists(f"lock:{message.value}"):
            raise Defer(0.05)
        handled.append((message.value, message.attempt))

    with (
        connect(java("4.7.0"), shared_server.url) as client,
        Redisson.from_url(shared_server.url, codec=StringCodec()) as python,
    ):
        lock = client.get("lock", "lock:order-1")
        assert lock.call("tryLock") is True
        orders = python.get_queue("orders")
        orders.add("order-1")
        worker = Worker(python, orders, handle, max_deliveries=1, pass_message=True)
        running = Started(worker.run)
        until(lambda: worker.stats().deferred >= 3, "it is deferred again and again")
        assert handled == []
        assert lock.call("forceUnlock") is True
        until(lambda: worker.stats().done == 1, "it is handled")
        worker.stop()
        assert running.result() == 0
        assert handled == [("order-1", 1)]
        stats = worker.stats()
        assert stats == WorkerStats(done=1, deferred=stats.deferred)
