"""`offer_many` with faults in the middle: the error accounts for each item."""

from collections.abc import Iterator
from typing import Any

import pytest
import redis

from pyredisson import AsyncDelayedQueue, AsyncRedisson, NotNotifiedError, PartialOfferError
from pyredisson.codecs import StringCodec
from tests.support.many import Item, numbers, parts, pending, texts
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import interrupt_async, until_async

pytestmark = pytest.mark.usefixtures("full_batches")

Delayed = AsyncDelayedQueue[str]


@pytest.fixture
async def delayed(redisson: AsyncRedisson) -> Delayed:
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)


async def repaired(delayed: Delayed, error: PartialOfferError) -> None:
    """Offer all unknown and unstored items of the error again, as a program does."""
    for receipt in [*error.unknown.values(), *error.unstored.values()]:
        await delayed.offer_again(receipt)


async def test_memory_is_full_during_offer_many(own_server: RedisServer) -> None:
    with own_server.client() as raw:
        async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
            delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)

            def filling() -> Iterator[Item]:
                for number, item in enumerate(numbers(5000)):
                    if number == 1000:
                        raw.config_set("maxmemory", 1)
                    yield item

            with pytest.raises(PartialOfferError, match=r"OutOfMemoryError: .*maxmemory") as caught:
                await delayed.offer_many(filling())
            raw.config_set("maxmemory", 0)
            error = caught.value
            drawn = len(error.stored) + len(error.unstored)
            found = parts(error, drawn)
            assert found["stored"] == list(range(len(found["stored"])))
            assert len(found["stored"]) in (500, 750, 1000)
            assert found["unknown"] == []
            assert pending(raw) == texts(len(found["stored"]))
            await repaired(delayed, error)
            assert pending(raw) == texts(drawn)


async def test_scripts_are_flushed_during_offer_many(delayed: Delayed, raw: redis.Redis) -> None:
    def forgetting() -> Iterator[Item]:
        for number, item in enumerate(numbers(2000)):
            if number % 300 == 0:
                raw.script_flush()
            yield item

    assert len(await delayed.offer_many(forgetting())) == 2000
    assert sorted(pending(raw), key=int) == texts(2000)


async def test_lost_replies(proxy: FaultProxy, raw: redis.Redis) -> None:
    """The chunks in flight may be stored (here they are). Later chunks are not stored."""
    async with AsyncRedisson.from_url(
        proxy.url, codec=StringCodec(), response_timeout=1
    ) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        await delayed.offer_many(numbers(1))
        await delayed.delete()
        left = 1

        def some(reply: bytes) -> bytes | None:
            """Pass all replies until that of the second chunk."""
            nonlocal left
            left -= reply.startswith(b"$-1")
            return reply if left >= 0 else None

        proxy.filter_replies(some)
        with pytest.raises(PartialOfferError) as caught:
            await delayed.offer_many(numbers(2000))
        proxy.heal()
        error = caught.value
        found = parts(error, 2000)
        done = len(found["stored"])
        assert done >= 250
        assert found["stored"] == list(range(done))
        assert found["unknown"] == list(range(done, done + 500))
        assert found["unstored"] == list(range(done + 500, 2000))
        assert isinstance(error.cause, redis.ConnectionError | redis.TimeoutError)
        assert pending(raw)[:done] == texts(done)
        await repaired(delayed, error)
        assert sorted(pending(raw), key=int) == texts(2000)


async def test_lost_reply_to_a_script_that_is_sent_with_its_text(
    proxy: FaultProxy, raw: redis.Redis
) -> None:
    """The server does not know the script. The chunk that is sent with its text may be stored."""
    async with AsyncRedisson.from_url(
        proxy.url, codec=StringCodec(), response_timeout=1
    ) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        proxy.filter_replies(lambda reply: None if reply == b"$-1\r\n" else reply)
        with pytest.raises(PartialOfferError) as caught:
            await delayed.offer_many(numbers(1000))
        proxy.heal()
        assert parts(caught.value, 1000) == {
            "stored": [],
            "unknown": list(range(250)),
            "unstored": list(range(250, 1000)),
        }
        assert isinstance(caught.value.cause, redis.TimeoutError)
        await repaired(delayed, caught.value)
        assert pending(raw) == texts(1000)


async def test_server_is_killed_and_restarted_during_offer_many(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)

        def killing() -> Iterator[Item]:
            for number, item in enumerate(numbers(2000)):
                if number == 1100:
                    own_server.kill()
                yield item

        with pytest.raises(PartialOfferError) as caught:
            await delayed.offer_many(killing())
        error = caught.value
        drawn = sum(map(len, (error.stored, error.unstored, error.unknown)))
        found = parts(error, drawn)
        assert 1100 <= drawn < 2000
        assert found["stored"] == list(range(len(found["stored"])))
        own_server.start()
        with own_server.client() as raw:
            assert set(texts(len(error.stored))) <= set(pending(raw))
            await repaired(delayed, error)
            assert sorted(pending(raw), key=int) == texts(drawn)
            receipts = await delayed.offer_many(numbers(2000)[drawn:])
            assert len(receipts) == 2000 - drawn


async def test_offer_many_to_a_killed_server_stores_nothing(own_server: RedisServer) -> None:
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        for _ in range(2):  # opens the connection, then gets the server's time
            await delayed.offer_many(numbers(1))
        own_server.kill()
        with pytest.raises(PartialOfferError) as caught:
            await delayed.offer_many(numbers(600))
        assert caught.value.count == 0
        assert not caught.value.stored
        assert len(caught.value.unstored) == 600
        assert isinstance(caught.value.cause, redis.ConnectionError)


# An interrupted call may drop a socket that it has just opened.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_interrupted_at_any_moment(delayed: Delayed, raw: redis.Redis) -> None:
    """Each chunk is whole in both structures. The next call receives its own replies."""
    for number in range(30):
        receipts = await interrupt_async(
            lambda: delayed.offer_many(numbers(1000)), 0.001 * (number % 10)
        )
        found = pending(raw)
        assert len(found) % 250 == 0
        if receipts:
            assert found[-1000:] == texts(1000)
    await delayed.delete()
    assert len(await delayed.offer_many(numbers(600))) == 600
    assert pending(raw) == texts(600)
    clients: Any = raw.client_list
    await until_async(lambda: len(clients(_type="normal")) < 6, "no connection is left behind")


async def test_transfer_task_of_the_producer_needs_no_notification(own_server: RedisServer) -> None:
    """Redis rejects this client's subscription and notifications. Its transfer is on time."""
    with own_server.client() as admin:
        admin.execute_command(
            "ACL", "SETUSER", "mute", "on", "nopass", "~*", "+@all", "resetchannels"
        )
        url = f"redis://mute:x@127.0.0.1:{own_server.port}/0"
        async with AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=3600) as client:
            queue = client.get_blocking_queue("q")
            delayed = client.get_delayed_queue(queue)
            await until_async(lambda: client.transfer_stats()[0].runs > 0, "the task runs")
            with pytest.raises(NotNotifiedError):
                await delayed.offer_many((str(n), 4 - n * 0.0035) for n in range(999))
            assert await queue.poll(timeout=60) == "998"
