"""Servers without some commands: renamed commands, and proxies with their own error texts."""

import logging
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, AsyncWorker, End
from pyredisson.codecs import StringCodec
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer, ServerError
from tests.support.twins import (
    aside_async,
    run_together_async,
    sleep_async,
    start_async,
    until_async,
)

Words = Callable[[bytes], bytes]


def as_it_is(frame: bytes) -> bytes:
    return frame


def in_other_words(frame: bytes) -> bytes:
    return b"-FORBIDDEN by the gateway\r\n" if frame.startswith(b"-ERR unknown comm") else frame


def as_tair(frame: bytes) -> bytes:
    text = b"-ERR bad lua script for redis cluster, all the keys that the script uses should be\r\n"
    return text if frame.startswith(b"-ERR unknown comm") else frame


def as_redis_60(frame: bytes) -> bytes:
    """Replace the reply to INFO by that of an old server."""
    start = frame.find(b"redis_version:")
    if start < 0:
        return frame
    body = b"redis_version:6.0.16\r\n"
    return b"$%d\r\n%b\r\n" % (len(body), body)


def renamed(commands: Iterable[str]) -> list[str]:
    return [word for command in commands for word in ("--rename-command", command, "")]


@contextmanager
def without(*commands: str, words: Words = as_it_is) -> Iterator[tuple[RedisServer, FaultProxy]]:
    """A server without these commands, and a proxy that words its errors."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(RedisServer(*renamed(commands)))
        except ServerError:  # Redis 6.2 has no BLMPOP to rename
            server = stack.enter_context(RedisServer(*renamed(set(commands) - {"BLMPOP"})))
        proxy = stack.enter_context(FaultProxy(server))
        proxy.filter_replies(words)
        yield server, proxy


Make = Callable[..., tuple[AsyncRedisson, Any]]


@pytest.fixture
async def client_without() -> AsyncIterator[Make]:
    """A factory of a client of such a server, and a plain redis-py client."""
    clients: list[AsyncRedisson] = []
    with ExitStack() as stack:

        def make(
            *commands: str, words: Words = as_it_is, **options: Any
        ) -> tuple[AsyncRedisson, Any]:
            server, proxy = stack.enter_context(without(*commands, words=words))
            clients.append(AsyncRedisson.from_url(proxy.url, codec=StringCodec(), **options))
            return clients[-1], server.client()

        yield make
        for client in clients:
            await client.aclose()


def said(caplog: pytest.LogCaptureFixture, words: str) -> list[str]:
    return [text for one in caplog.records if words in (text := one.getMessage())]


EACH = pytest.mark.parametrize("words", [as_it_is, in_other_words])


@EACH
@pytest.mark.parametrize("missing", ["BLPOP", "BLMPOP", "BRPOPLPUSH", "EVALSHA", "all"])
async def test_client_works_without_a_missing_command(
    client_without: Make, missing: str, words: Words, caplog: pytest.LogCaptureFixture
) -> None:
    """Waits poll instead of blocking, and the client sends the text of scripts."""
    caplog.set_level(logging.INFO, "pyredisson")
    several = ("BLPOP", "BRPOP", "BLMOVE", "BLMPOP", "BRPOPLPUSH", "EVALSHA")
    commands = several if missing == "all" else (missing,)
    redisson, raw = client_without(*commands, words=words)
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    for number in range(3):
        await delayed.offer(f"{number}", delay=0.05)
    assert [await queue.take() for _ in range(3)] == ["0", "1", "2"]
    later = redisson.get_delayed_queue(redisson.get_queue("later"))
    await run_together_async(*[partial(later.offer, f"{n}", delay=60) for n in range(20)])
    assert await later.size() == 20
    await delayed.offer_many([("a", 0.05), ("b", 0.05)])
    assert (await queue.poll(timeout=5), await queue.take()) == ("a", "b")
    waiting = start_async(lambda: queue.poll(5, timeout=10))
    await sleep_async(0.3)
    raw.rpush("q", "c", "d")
    assert await waiting.result() == ["c", "d"]
    assert await queue.poll(timeout=0.01) is None
    raw.rpush("r", "e", "f")
    assert await queue.poll_from_any(1, "r") == "e"
    assert await queue.poll_first_from_any(1, "r", count=2) == {"r": ["f"]}
    assert await queue.poll_first_from_any(0.01, "r", count=2) == {}
    waiting_to_move = start_async(lambda: queue.take_last_and_offer_first_to("r"))
    await sleep_async(0.2)
    raw.rpush("q", "g")
    assert await waiting_to_move.result() == "g"
    assert await redisson.get_queue("r").read_all() == ["g"]
    deque = redisson.get_blocking_deque("q")
    moving = start_async(lambda: deque.move("r", End.FIRST, End.LAST, timeout=10))
    await sleep_async(0.2)
    raw.rpush("q", "h")
    assert await moving.result() == "h"
    heard: list[str] = []
    subscription = queue.subscribe_on_elements(heard.append)
    raw.rpush("q", "i")
    await until_async(lambda: heard == ["i"], "it is heard")
    await subscription.close()
    if missing in ("EVALSHA", "all"):
        assert len(said(caplog, "EVALSHA is rejected")) == 1
        assert "cmdstat_evalsha" not in raw.info("commandstats")
    assert said(caplog, " is rejected")
    assert len(said(caplog, " is rejected")) == len(set(said(caplog, " is rejected")))


@EACH
@pytest.mark.parametrize("missing", ["BLMOVE", "EVALSHA", "BLMOVE EVALSHA"])
async def test_consumers_and_workers_poll_without_blocking_commands(
    client_without: Make, missing: str, words: Words
) -> None:
    redisson, raw = client_without(*missing.split(), words=words)
    queue = redisson.get_blocking_queue("q")
    consumer = redisson.get_consumer(queue)
    assert await consumer.poll(timeout=0.2) is None
    taking = start_async(consumer.take)
    await sleep_async(0.2)
    raw.rpush("q", "a")
    assert await (await taking.result()).ack()
    await queue.pause()
    raw.rpush("q", "b")
    assert await consumer.poll(timeout=0.3) is None
    await queue.resume()
    message = await consumer.take()
    assert message.value == "b"
    await message.nack()
    await consumer.close()
    seen: list[str] = []
    worker = AsyncWorker(redisson, [queue, redisson.get_queue("r")], seen.append)
    running = start_async(worker.run)
    raw.rpush("r", "c")
    await until_async(lambda: sorted(seen) == ["b", "c"], "all is handled")
    worker.stop()
    assert await running.result() == 0
    assert raw.llen("q") == raw.llen("r") == 0


@EACH
async def test_close_ends_a_polling_consumer(client_without: Make, words: Words) -> None:
    redisson, _ = client_without("BLMOVE", words=words)
    consumer = redisson.get_consumer(redisson.get_queue("q"))
    assert await consumer.poll(timeout=0.2) is None
    taking = start_async(consumer.take)
    await sleep_async(0.2)
    await consumer.close()
    with pytest.raises(Exception, match="closed"):
        await taking.result()


@EACH
async def test_offers_without_time_use_this_machines_clock(
    client_without: Make, words: Words, caplog: pytest.LogCaptureFixture
) -> None:
    """Offers and transfers use this machine's clock; objects with leases raise an error."""
    redisson, raw = client_without("TIME", words=words)
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    for number in range(3):
        await delayed.offer(f"{number}", delay=0.05)
    assert [await queue.take() for _ in range(3)] == ["0", "1", "2"]
    (warning,) = said(caplog, "TIME is rejected")
    assert warning.endswith("due times follow this machine's clock")
    raw.rpush("q", "a")
    clear = r"TIME for consumers and workers of 'q' is not available .*whose clock they use"
    with pytest.raises(redis.ResponseError, match=clear):
        await redisson.get_consumer(queue).take()
    window = redisson.get_group_window(redisson.get_queue("w"), size=2, max_wait=9)
    with pytest.raises(redis.ResponseError, match="TIME for group windows of 'w'"):
        await window.offer("k", "v")
    assert raw.keys() == [b"q"]
    assert raw.lrange("q", 0, -1) == [b"a"]


@EACH
async def test_transfer_tasks_poll_without_subscribe(
    words: Words, caplog: pytest.LogCaptureFixture
) -> None:
    """One warning is logged, and tasks poll at the safety interval. No new connection is opened."""
    with without("SUBSCRIBE", words=words) as (server, proxy):
        url = proxy.url
        async with (
            AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=0.1) as redisson,
            AsyncRedisson.from_url(server.url, codec=StringCodec()) as producer,
        ):
            queue = redisson.get_blocking_queue("q")
            redisson.get_delayed_queue(queue)
            await until_async(lambda: bool(said(caplog, "SUBSCRIBE is rejected")), "it is said")
            elsewhere = producer.get_delayed_queue(producer.get_queue("q"), transfer=False)
            await elsewhere.offer("a", delay=0.05)
            assert await queue.take() == "a"
            before, (stats,) = proxy.accepted, redisson.transfer_stats()
            await until_async(
                lambda: redisson.transfer_stats()[0].runs > stats.runs + 5, "it looks again"
            )
            assert (proxy.accepted, stats.failures, stats.subscribed) == (before, 0, False)
    (warning,) = said(caplog, "SUBSCRIBE is rejected")
    assert warning.endswith("transfer tasks poll every 0.1 s (safety_interval)")


async def test_connection_that_ends_at_subscribe_counts_as_rejection(
    server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """A connection that ends at SUBSCRIBE counts as a rejection if other calls get replies."""
    with FaultProxy(server) as proxy:

        def cut(frame: bytes) -> bytes:
            if b"subscribe" in frame:
                threading.Thread(target=proxy.reset_all).start()
                return b""
            return frame

        proxy.filter_replies(cut)
        async with AsyncRedisson.from_url(proxy.url, safety_interval=0.2) as redisson:
            redisson.get_delayed_queue(redisson.get_queue("q", codec=StringCodec()))
            await until_async(lambda: bool(said(caplog, "SUBSCRIBE is rejected")), "it is said")
            proxy.heal()
    (warning,) = said(caplog, "SUBSCRIBE is rejected")
    assert "the server ends the connection" in warning


async def test_offers_return_without_publish(
    client_without: Make, caplog: pytest.LogCaptureFixture
) -> None:
    """Offers return; one warning says that they are not notified."""
    redisson, raw = client_without("PUBLISH", safety_interval=0.1)
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    receipt = await delayed.offer("a", delay=60)
    assert await delayed.reschedule(receipt, 50) is not None
    assert (await delayed.offer("b", delay=40, dedup="key")).stored
    await delayed.offer_many([("c", 30), ("d", 35)])
    await redisson.get_delayed_queue(queue, max_size=9, transfer=False).offer("e", delay=20)
    schedule = redisson.get_schedule(delayed)
    await schedule.add("entry", "f", every=10)
    assert sorted(await delayed.read_all()) == ["a", "b", "c", "d", "e", "f"]
    await delayed.offer("g", delay=0.05)
    redisson.get_delayed_queue(queue)
    assert await queue.take() == "g"
    assert raw.llen("q") == 0
    (warning,) = said(caplog, "PUBLISH is rejected")
    assert "without a notification" in warning


async def test_plain_client_polls_queues_one_by_one_at_a_cluster_node(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A plain client uses a node that has all slots; no transfer counts as failed."""
    caplog.set_level(logging.INFO, "pyredisson")
    with RedisServer("--cluster-enabled", "yes") as server:
        server.run("CLUSTER", "ADDSLOTS", *range(16384))
        await until_async(lambda: b"state:ok" in server.run("CLUSTER", "INFO"), "it serves")
        url = server.url
        async with AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=0.1) as r:
            queues = [r.get_blocking_queue(f"q{number}") for number in range(40)]
            for queue in queues:
                await r.get_delayed_queue(queue).offer("a", delay=0.3)
            assert [await queue.poll(timeout=5) for queue in queues] == ["a"] * 40
            refused = "a call for several queues is rejected"
            server.run("CLIENT", "PAUSE", 500)  # one queue waits; meanwhile all others are due
            await until_async(lambda: bool(said(caplog, refused)), "they are looked at together")
            runs = [one.runs for one in r.transfer_stats()]
            await until_async(
                lambda: all(one.runs > max(runs) for one in r.transfer_stats()), "it goes on"
            )
            assert [one.failures for one in r.transfer_stats()] == [0] * 40
            with pytest.raises(redis.ResponseError, match=r"one queue at a time, or .*Clus"):
                await queues[0].poll_from_any(0.1, "q1")
    assert len(said(caplog, refused)) == 1
    assert [one for one in caplog.records if one.levelno > logging.INFO] == []


async def test_error_of_a_script_check_names_the_proxys_setting(client_without: Make) -> None:
    redisson, _ = client_without("EVALSHA", "EVAL", words=as_tair)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    for _ in range(2):
        with pytest.raises(redis.ResponseError, match=r"bad lua.*script_check_enable to 0"):
            await delayed.offer("a", delay=1)


async def test_error_of_an_old_server_names_the_needed_version(client_without: Make) -> None:
    redisson, _ = client_without("COPY", words=as_redis_60)
    old = r"COPY .*of 'q' needs Redis 6\.2 or newer; this is 6\.0\.16: "
    with pytest.raises(redis.ResponseError, match=old):
        await redisson.get_queue("q").copy("r")


async def test_error_in_a_script_is_no_missing_command(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "pyredisson")
    queue = redisson.get_blocking_queue("q")
    await redisson.get_delayed_queue(queue, transfer=False).size()
    await aside_async(lambda: raw.eval("redis.call('set', KEYS[1], 1)", 1, "q"))
    consumer = redisson.get_consumer(queue, transfer=False)
    for _ in range(2):
        with pytest.raises(Exception, match=r"should hold a list|WRONGTYPE"):
            await consumer.take()
    assert said(caplog, " is rejected") == []
