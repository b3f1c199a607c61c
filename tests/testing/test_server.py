"""The server of `pyredisson.testing`, and its method `wait_handled`."""

import pytest

from pyredisson import Redisson
from pyredisson._sync.background.subscriptions import Subscriptions
from pyredisson.codecs import StringCodec
from pyredisson.testing import Clock, RedissonServer


def test_server_that_does_not_run_raises() -> None:
    with pytest.raises(RuntimeError, match="not running"):
        RedissonServer().clock  # noqa: B018 - reading is the test
    with pytest.raises(RuntimeError, match="did not start"), RedissonServer("/bin/false"):
        pass


def test_wait_handled_names_items_without_a_worker(
    redisson: Redisson, clocked: RedissonServer
) -> None:
    redisson.get_queue("orders", StringCodec()).offer("order-1")
    with pytest.raises(TimeoutError, match="'orders': 1"):
        clocked.wait_handled("orders", timeout=0)


def test_wait_handled_counts_an_item_that_no_worker_has_seen(
    clocked: RedissonServer, redisson: Redisson, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its queue has no key except the list, and the transfer task may not be subscribed yet."""
    monkeypatch.setattr(Subscriptions, "add", lambda *_: None)
    orders = redisson.get_queue("orders")
    redisson.get_delayed_queue(orders).offer("order-1", 60)
    clock.advance(minutes=1)
    with pytest.raises(TimeoutError, match=r"\{'orders': 1\}"):
        clocked.wait_handled(timeout=0)
