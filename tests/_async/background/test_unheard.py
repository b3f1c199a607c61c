"""SUBSCRIBE is rejected, but items that this process makes pending are delivered on time.

The safety interval is an hour, so a delivery within a test shows that the call woke the task.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from pyredisson import AsyncDelayedQueue, AsyncRedisson, AsyncWorker, Backoff
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import until_async

Login = Callable[..., AsyncRedisson]
HOUR, SOON, PATIENCE = 3600, 0.05, 30


@pytest.fixture
async def deaf(login: Login) -> AsyncRedisson:
    """A client with all rights except SUBSCRIBE; its next safety poll is in an hour."""
    rights = ("~*", "&*", "+@all", "-subscribe")
    return login(*rights, safety_interval=HOUR, codec=StringCodec())


async def rests(redisson: AsyncRedisson) -> None:
    """Wait until every transfer task has polled once, and is idle for an hour."""
    tasks = redisson.transfer_stats
    await until_async(lambda: all(task.runs for task in tasks()), "each has looked")
    assert not any(task.subscribed for task in tasks())


async def test_nack_and_defer_wake_the_transfer_task(deaf: AsyncRedisson, root: Any) -> None:
    consumer = deaf.get_consumer(deaf.get_queue("q"))
    await rests(deaf)
    root.rpush("q", "a")
    for settle in ("nack", "defer", "nack"):
        message = await consumer.take()
        await rests(deaf)
        assert await getattr(message, settle)(SOON)
    again = await consumer.poll(PATIENCE)
    assert again is not None
    assert again.attempt == 3


async def test_nack_to_a_shard_wakes_the_transfer_task(deaf: AsyncRedisson) -> None:
    orders = deaf.get_sharded_queue("orders", 3)
    consumer = deaf.get_consumer(orders)
    await rests(deaf)
    await orders.offer("a", 0)
    message = await consumer.poll(PATIENCE)
    assert message is not None
    assert await message.nack(SOON)
    assert await consumer.poll(PATIENCE) is not None


async def test_retry_of_a_worker_wakes_the_transfer_task(deaf: AsyncRedisson, root: Any) -> None:
    seen: list[int] = []

    def handle(message: Any) -> None:
        seen.append(message.attempt)
        if message.attempt < 3:
            raise ValueError

    backoff = Backoff(first=SOON, limit=SOON)
    queue = deaf.get_queue("q")
    worker = AsyncWorker(deaf, queue, handle, pass_message=True, backoff=backoff)
    async with worker.running():
        await rests(deaf)
        root.rpush("q", "a")
        await until_async(lambda: seen == [1, 2, 3], "it is tried again", PATIENCE)


async def test_occurrences_of_a_schedule_wake_the_transfer_task(deaf: AsyncRedisson) -> None:
    queue = deaf.get_blocking_queue("q")
    recurring = deaf.get_schedule(deaf.get_delayed_queue(queue))
    await rests(deaf)
    await recurring.add("ping", "v", every=0.1)
    for _ in range(3):
        assert await queue.poll(timeout=PATIENCE) == "v"


async def test_groups_of_a_window_wake_the_transfer_task(deaf: AsyncRedisson) -> None:
    window = deaf.get_group_window(deaf.get_blocking_queue("q"), size=3, max_wait=SOON)
    consumer = deaf.get_consumer(window)
    await rests(deaf)
    await window.offer("k", "v")
    message = await consumer.poll(PATIENCE)
    assert message is not None
    assert message.value.values == ["v"]


Stored = Callable[[AsyncRedisson], Any]
Settle = tuple[Callable[[], Any], str]
"""The call that stores, and a text that only its request contains."""


async def nacked(deaf: AsyncRedisson) -> Settle:
    consumer = deaf.get_consumer(deaf.get_queue("q"))
    assert await (await consumer.take()).nack(SOON)
    message = await consumer.take()
    return partial(message.nack, SOON), message._token.decode("latin-1")


async def grouped(deaf: AsyncRedisson) -> Settle:
    other, window = [
        deaf.get_group_window(deaf.get_queue(name), size=3, max_wait=SOON)
        for name in ("other", "q")
    ]
    await other.offer("k", "v")
    await window.pending()
    return partial(window.offer, "marked", "v"), "marked"


@pytest.mark.parametrize("prepare", [nacked, grouped])
async def test_call_without_a_reply_wakes_the_transfer_task(
    acl_server: RedisServer, root: Any, deaf: AsyncRedisson, prepare: Stored
) -> None:
    """The reply is lost, so the due time is unknown; the transfer task polls.

    The server already has the scripts, so the lost reply is that of EVALSHA.
    """
    queue = deaf.get_blocking_queue("q")
    with FaultProxy(acl_server) as proxy:
        login = f"redis://user0:any@127.0.0.1:{proxy.port}"
        options: dict[str, Any] = {"safety_interval": HOUR, "codec": StringCodec()}
        async with AsyncRedisson.from_url(login, **options) as redisson:
            root.rpush("q", "a")
            settle, marker = await prepare(redisson)
            root.delete("q")
            delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
            await delayed.size()
            await rests(redisson)
            proxy.lose_reply_to(marker.encode("latin-1"))
            with pytest.raises(RedisConnectionError):
                await settle()
            assert await queue.poll(timeout=PATIENCE) is not None


async def renamed(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    await other.offer("v", SOON)
    await other.rename("q")


async def renamed_new(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    await other.offer("v", SOON)
    assert await other.renamenx("q")


async def copied(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    await other.offer("v", SOON)
    assert await other.copy("q")


async def replaced(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    await other.offer("v", SOON)
    assert await other.copy_and_replace("q")


async def restored(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    await other.offer("v", SOON)
    await delayed.restore(await other.dump())


async def rescheduled(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    assert await delayed.reschedule(await delayed.offer("v", HOUR), SOON)


async def many(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    await delayed.offer_many([("v", SOON)])


async def keyed(delayed: AsyncDelayedQueue[str], other: AsyncDelayedQueue[str]) -> None:
    await delayed.offer("v", SOON, dedup="k")


WAYS = (renamed, renamed_new, copied, replaced, restored, rescheduled, many, keyed)
Way = Callable[[Any, Any], Awaitable[None]]


@pytest.mark.parametrize("way", WAYS)
async def test_other_calls_that_set_due_times_wake_the_transfer_task(
    deaf: AsyncRedisson, way: Way
) -> None:
    """`other` has no transfer task, so only the call can wake the task of `delayed`."""
    queue = deaf.get_blocking_queue("q")
    delayed = deaf.get_delayed_queue(queue)
    other = deaf.get_delayed_queue(deaf.get_queue("other"), transfer=False)
    await rests(deaf)
    await way(delayed, other)
    assert await queue.poll(timeout=PATIENCE) == "v"


async def test_repair_wakes_the_transfer_task(deaf: AsyncRedisson, root: Any) -> None:
    queue = deaf.get_blocking_queue("q")
    delayed = deaf.get_delayed_queue(queue)
    await delayed.offer("v", HOUR)
    root.delete(QueueNames.of("q").timeout_set)
    await rests(deaf)
    assert await delayed.repair(dry_run=False)
    assert await queue.poll(timeout=PATIENCE) == "v"
