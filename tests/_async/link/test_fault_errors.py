"""Temporary error replies of a server: waits and transfers continue afterwards.

The faults are real: an endless script (BUSY), a slow load (LOADING), a demoted master (READONLY),
an emptied script cache (NOSCRIPT), a restart.
"""

import logging
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import redis

from pyredisson import AsyncRedisson, KeyTypeError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.faults_tools import Repeatedly, calls, server_ms
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.state import pack
from tests.support.twins import aside_async, sleep_async, start_async, until_async

NAMES = QueueNames.of("q")
NEVER = 600.0
"""A safety interval in seconds that is longer than any test."""
SLOW_LOADING = (
    "--key-load-delay",
    "300",
)  # microseconds; the server replies -LOADING every 1,024 commands


@pytest.fixture
async def redisson(own_server: RedisServer) -> AsyncIterator[AsyncRedisson]:
    """A client of ``own_server`` that makes no safety poll during a test."""
    async with AsyncRedisson.from_url(
        own_server.url, codec=StringCodec(), safety_interval=NEVER
    ) as redisson:
        yield redisson


async def subscribed(redisson: AsyncRedisson) -> None:
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")


async def test_take_and_transfer_continue_after_busy(
    own_server: RedisServer, redisson: AsyncRedisson, caplog: pytest.LogCaptureFixture
) -> None:
    """While a script runs too long, the server rejects everything, even a new subscription."""
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await subscribed(redisson)
    with own_server.client() as admin:
        admin.config_set("busy-reply-threshold", 10)
        assert await queue.poll() is None
        await delayed.offer("x", delay=0.8)
        endless = start_async(lambda: aside_async(lambda: hang_up_and_hang(own_server)))
        await until_async(lambda: is_busy(own_server), "the server is busy")
        taking = start_async(queue.take)
        await until_async(lambda: redisson.transfer_stats()[0].failures > 0, "a transfer fails")
        await sleep_async(0.5)
        assert not taking.done
        own_server.run("SCRIPT", "KILL")
        await endless.result()
        assert await taking.result() == "x"
        assert "BUSY" in caplog.text
        assert "this machine's clock" not in caplog.text
        await until_async(  # after a missing right, the next attempt would be in 30 s
            lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed", 10
        )
        again = await delayed.offer("again", delay=0.1)
        assert await queue.take() == "again"
        assert again.due_ms <= server_ms(own_server)


def hang_up_and_hang(server: RedisServer) -> None:
    """Kill the subscriptions, and start an endless script before the client subscribes again."""
    with server.client(socket_timeout=30) as client, suppress(redis.ResponseError):
        batch = client.pipeline(transaction=False)
        batch.client_kill_filter(_type="pubsub")
        batch.eval("while true do end", 0)
        batch.execute()


def is_busy(server: RedisServer) -> bool:
    try:
        server.run("PING")
    except redis.ResponseError as error:
        return "BUSY" in str(error)
    return False


async def test_take_and_transfer_continue_after_readonly(
    own_server: RedisServer, redisson: AsyncRedisson, caplog: pytest.LogCaptureFixture
) -> None:
    """A master that is a replica for a while rejects takes and transfers."""
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await subscribed(redisson)
    taking = start_async(queue.take)
    with own_server.client() as admin:
        await until_async(lambda: bool(admin.info("clients")["blocked_clients"] == 1), "it waits")
        await delayed.offer("x", delay=0.6)
        admin.replicaof("127.0.0.1", 1)  # no server listens there
        await until_async(lambda: redisson.transfer_stats()[0].failures > 0, "a transfer fails")
        await sleep_async(0.5)
        assert not taking.done
        with pytest.raises(redis.RedisError, match="replica"):
            await delayed.offer("refused", delay=0)
        admin.replicaof("NO", "ONE")
        assert await taking.result() == "x"
        assert await delayed.size() == await queue.size() == 0
        assert "replica" in caplog.text


@pytest.mark.parametrize("crash", [False, True], ids=["stop", "kill"])
async def test_take_and_transfer_continue_after_restart_and_loading(
    own_server: RedisServer, redisson: AsyncRedisson, caplog: pytest.LogCaptureFixture, crash: bool
) -> None:
    """Pending items are delivered, the client subscribes again, and a blocked take continues."""
    caplog.set_level(logging.DEBUG, "pyredisson")  # later log lines of an outage
    with own_server.client() as admin:
        ballast = admin.pipeline(transaction=False)
        for number in range(15_000):
            ballast.set(f"ballast{number}", "")
        ballast.execute()
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await subscribed(redisson)
    for number in range(50):
        await delayed.offer(f"{number}", delay=0.2 + number / 100)
    taking = start_async(queue.take)
    (own_server.kill if crash else own_server.stop)()
    own_server.arguments = SLOW_LOADING

    async def hurry() -> None:
        await until_async(lambda: "loading" in caplog.text, "somebody is told that it loads")
        own_server.run("CONFIG", "SET", "key-load-delay", 0)

    hurrying = start_async(hurry)
    await aside_async(own_server.start)
    await hurrying.result()
    found = [await taking.result()]
    while len(found) < 50:
        value = await queue.poll(timeout=30)
        assert value is not None
        found.append(value)
    assert sorted(found, key=int) == [f"{number}" for number in range(50)]
    assert await queue.size() == await delayed.size() == 0
    await subscribed(redisson)
    await delayed.offer("again", delay=0.1)
    assert await queue.poll(timeout=30) == "again"


async def test_operations_work_while_the_script_cache_is_emptied(
    own_server: RedisServer, redisson: AsyncRedisson
) -> None:
    """Each operation sends the text of its script if the server no longer has it."""
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    with own_server.client() as admin:
        flushed = calls(own_server, "eval")
        with Repeatedly(admin.script_flush, pause=0.001):
            for number in range(200):
                await delayed.offer(f"{number}", delay=number / 50)
            found = [await queue.poll(timeout=30) for _ in range(200)]
        assert found == [f"{number}" for number in range(200)]
        assert calls(own_server, "eval") - flushed > 20
    assert await queue.size() == await delayed.size() == 0


@pytest.mark.parametrize("legacy", [False, True])
async def test_poison_entries_do_not_stop_other_items(
    own_server: RedisServer,
    redisson: AsyncRedisson,
    caplog: pytest.LogCaptureFixture,
    legacy: bool,
) -> None:
    """Items before the poison are delivered once (Java: every 5 s); items behind it, too."""
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue, wire_format="3.21.0" if legacy else None)
    poison = [b"\x02?", b"", pack(b"cut off")[:-1]]
    with own_server.client() as admin:
        for number in range(5):
            await delayed.offer(f"{number}", delay=0.5)
        with (
            admin.pipeline() as pipeline
        ):  # a transfer between the two would not remove the list's entry
            for entry in poison:
                pipeline.zadd(NAMES.timeout_set, {entry: server_ms(own_server)})
                pipeline.rpush(NAMES.delay_list, entry)
            pipeline.execute()
        await delayed.offer("early", delay=0.1)
        for number in range(5, 10):
            await delayed.offer(f"{number}", delay=0.5)
        found = [f"{await queue.poll(timeout=30)}" for _ in range(11)]
        assert sorted(found) == [*"0123456789", "early"]
        for _ in range(5):
            admin.publish(NAMES.channel, 0)
            await sleep_async(0.02)
        assert await queue.size() == await delayed.size() == 0
        assert sorted(admin.lrange(NAMES.poison, 0, -1)) == sorted(poison)
        assert admin.exists(NAMES.timeout_set, NAMES.delay_list) == 0
    assert redisson.transfer_stats()[0].poisoned == len(poison)
    assert NAMES.poison in caplog.text


async def test_failing_transfer_is_counted_and_logged_once(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The target has another type: the failure is counted and logged once, and retried rarely."""
    interval = 0.2
    async with AsyncRedisson.from_url(
        own_server.url, codec=StringCodec(), safety_interval=interval
    ) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        await subscribed(redisson)
        receipt = await delayed.offer("x", delay=NEVER)
        await until_async(lambda: redisson.transfer_stats()[0].runs > 0, "it runs")
        with own_server.client() as admin:
            admin.set("q", "a string")
            with Monitor(own_server) as monitor:
                await delayed.reschedule(receipt, delay=0.1)
                await until_async(lambda: redisson.transfer_stats()[0].failures > 3, "it fails")
            (stats,) = redisson.transfer_stats()
            assert stats.seconds_since_success is not None
            assert stats.seconds_since_success > interval
            assert "WRONGTYPE" in (stats.refused or "")
            assert caplog.text.count("(RPUSH q)") == 1
            moments = [c.seconds for c in monitor.commands if c.name == "ZRANGEBYSCORE"]
            assert moments[-1] - moments[-4] > interval * 2.5
            assert admin.zcard(NAMES.timeout_set) == admin.llen(NAMES.delay_list) == 1
            with pytest.raises(KeyTypeError, match="string"):
                await queue.poll()
            admin.delete("q")
            assert await queue.poll(timeout=30) == "x"
            await until_async(
                lambda: redisson.transfer_stats()[0].refused is None, "it is repaired"
            )
            assert caplog.text.count("no longer rejected") == 1
