"""Due items are delivered whatever happens to notifications, as the transfer does not rely on them.

One client offers and another transfers, so only the server's notification can wake the transfer.
Lateness is the server's time at the reception minus the due time.
"""

from collections.abc import AsyncIterator

import pytest

from pyredisson import AsyncBlockingQueue, AsyncDelayedQueue, AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.faults_tools import (
    Repeatedly,
    SlowRepliesProxy,
    calls,
    clients,
    deaf,
    server_ms,
    settled,
)
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import sleep_async, until_async

CHANNEL = QueueNames.of("q").channel
NEVER = 600.0
"""A safety interval in seconds that is longer than any test."""


@pytest.fixture
async def producer(server: RedisServer) -> AsyncIterator[AsyncDelayedQueue[str]]:
    """The delayed queue ``q`` of a client that only offers, without a proxy."""
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        yield redisson.get_delayed_queue(redisson.get_blocking_queue("q"), transfer=False)


def transferring(url: str, safety_interval: float) -> AsyncRedisson:
    return AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=safety_interval)


async def lateness(
    server: RedisServer, queue: AsyncBlockingQueue[str], due: dict[str, int]
) -> list[float]:
    """Take each due value once; return how late each value was, in seconds."""
    late = []
    left = dict(due)
    while left:
        value = await queue.poll(timeout=30)
        assert value in left, f"{value!r} instead of one of {sorted(left)}"
        late.append((server_ms(server) - left.pop(value)) / 1000)
    return late


async def test_items_are_delivered_if_every_publish_is_lost(
    server: RedisServer, proxy: FaultProxy, producer: AsyncDelayedQueue[str]
) -> None:
    """Every item is delivered at most one safety interval after its due time."""
    safety = 1.0
    proxy.drop_published()
    async with transferring(proxy.url, safety) as redisson:
        queue = redisson.get_blocking_queue("q")
        redisson.get_delayed_queue(queue)
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        due = {}
        for number in range(20):
            due[f"{number}"] = (await producer.offer(f"{number}", delay=number * 0.1)).due_ms
        late = await lateness(server, queue, due)
    assert proxy.dropped > 0
    assert min(late) >= 0
    assert max(late) < 2 * safety


async def test_items_are_delivered_once_if_subscriptions_are_killed(
    server: RedisServer, producer: AsyncDelayedQueue[str]
) -> None:
    """Each item is delivered once, and at the end the subscription works again."""
    with server.client() as admin:
        async with transferring(server.url, NEVER) as redisson:
            queue = redisson.get_blocking_queue("q")
            redisson.get_delayed_queue(queue)
            due = {}
            with Repeatedly(lambda: admin.client_kill_filter(_type="pubsub")) as killing:
                for number in range(100):
                    due[f"{number}"] = (await producer.offer(f"{number}", delay=0.3)).due_ms
                    await sleep_async(0.01)
                late = await lateness(server, queue, due)
            assert killing.times > 20
            assert min(late) >= 0
            await until_async(
                lambda: (
                    bool(admin.pubsub_numsub(CHANNEL) == [(CHANNEL.encode(), 1)])
                    and redisson.transfer_stats()[0].subscribed
                ),
                "the channel is subscribed again",
            )
            again = await producer.offer("again", delay=0.2)
            assert await lateness(server, queue, {"again": again.due_ms})
            assert await queue.size() == 0


async def test_a_deaf_subscription_is_replaced(
    server: RedisServer, proxy: FaultProxy, producer: AsyncDelayedQueue[str]
) -> None:
    """A half-open connection answers no PING; until it is replaced, the safety poll delivers."""
    safety = 0.5
    async with transferring(proxy.url, safety) as redisson:
        queue = redisson.get_blocking_queue("q")
        redisson.get_delayed_queue(queue)
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        (before,) = clients(server, "pubsub")
        proxy.filter_replies(deaf)
        receipt = await producer.offer("deaf", delay=0.1)
        (late,) = await lateness(server, queue, {"deaf": receipt.due_ms})
        assert 0 <= late < 3 * safety
        await until_async(
            lambda: bool(clients(server, "pubsub") - {before}), "another connection subscribes"
        )
        proxy.heal()
        await until_async(
            lambda: (
                len(clients(server, "pubsub")) == 1
                and before not in clients(server, "pubsub")
                and redisson.transfer_stats()[0].subscribed
            ),
            "one is left",
        )


async def test_a_silent_subscription_that_answers_is_kept(server: RedisServer) -> None:
    """A channel without messages does not cause a new connection."""
    async with transferring(server.url, 0.1) as redisson:
        redisson.get_delayed_queue(redisson.get_blocking_queue("q"))
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        before = clients(server, "pubsub")
        await sleep_async(1.0)  # ten PINGs
        assert clients(server, "pubsub") == before


async def test_late_script_reply_does_not_hide_an_earlier_item(
    server: RedisServer, producer: AsyncDelayedQueue[str]
) -> None:
    """The script's reply names a head, but an earlier item was offered meanwhile.

    Redisson then waits for the head of the reply (all releases up to 4.7.0).
    """
    with SlowRepliesProxy(server) as proxy, server.client() as admin:
        async with transferring(proxy.url, NEVER) as redisson:
            queue = redisson.get_blocking_queue("q")
            redisson.get_delayed_queue(queue)
            await until_async(lambda: redisson.transfer_stats()[0].subscribed, "subscribed")
            await until_async(lambda: redisson.transfer_stats()[0].runs > 0, "it has looked")
            await sleep_async(0.2)  # the subscription causes another run
            late_head = await producer.offer("long", delay=NEVER)
            (stats,) = redisson.transfer_stats()
            executed = calls(server, "zrangebyscore")
            proxy.hold_replies()
            admin.publish(CHANNEL, "0")  # wakes the transfer
            await until_async(
                lambda: calls(server, "zrangebyscore") > executed, "the script was executed"
            )
            runs = redisson.transfer_stats()[0].runs
            assert runs <= stats.runs + 1
            receipt = await producer.offer("short", delay=0.5)
            await sleep_async(0.2)  # the notification has arrived, the reply has not
            assert redisson.transfer_stats()[0].runs == runs
            proxy.release()
            assert await queue.poll(timeout=30) == "short"
            assert receipt.due_ms <= server_ms(server) < late_head.due_ms


@pytest.mark.parametrize("delay", [0.01, 1.0])
async def test_no_busy_loop_before_an_item_is_due(server: RedisServer, delay: float) -> None:
    """The script runs after a notification and when an item is due (Java: 20 to 46 times)."""
    async with transferring(server.url, NEVER) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        await delayed.offer("first", delay=0)
        assert await queue.poll(timeout=30) == "first"
        await until_async(settled(lambda: redisson.transfer_stats()[0].runs), "the task waits")
        before = redisson.transfer_stats()[0].runs
        await delayed.offer("x", delay=delay)
        assert await queue.poll(timeout=30) == "x"
        await until_async(settled(lambda: redisson.transfer_stats()[0].runs), "the task waits")
        assert redisson.transfer_stats()[0].runs - before <= 3


async def test_idle_queue_is_polled_once_per_safety_interval(server: RedisServer) -> None:
    """Each poll is one script; between polls the client sends nothing."""
    safety, intervals = 0.25, 8
    async with transferring(server.url, safety) as redisson:
        redisson.get_delayed_queue(redisson.get_blocking_queue("q"))
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        await until_async(lambda: redisson.transfer_stats()[0].runs > 1, "it polls")
        executed, began = calls(server, "evalsha"), server_ms(server)
        await sleep_async(intervals * safety)
        expected = (server_ms(server) - began) / 1000 / safety
        assert 1 <= calls(server, "evalsha") - executed <= expected + 2
