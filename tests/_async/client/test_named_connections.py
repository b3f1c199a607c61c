"""The names that connections have on the server."""

import os
import socket
from collections.abc import Callable
from typing import Any

import pytest
import redis
from redis.exceptions import NoPermissionError

from pyredisson import AsyncRedisson
from pyredisson._transport.connections import AsyncRedis
from pyredisson._transport.naming import connection_name
from pyredisson.codecs import StringCodec
from tests.support.monitor import Executed, Monitor
from tests.support.server import RedisServer
from tests.support.twins import aside_async, interrupt_async, start_async, until_async

SAYS = "driver_info" if hasattr(redis, "DriverInfo") else "lib_name"
"""The setting of redis-py that identifies the library to the server."""
OURS = f"pyredisson:{socket.gethostname()}:{os.getpid()}"


def named(raw: Any) -> list[str]:
    """The names of all connections except the one that asks."""
    own = raw.client_id()
    return [each["name"] for each in raw.client_list() if int(each["id"]) != own]


async def use_all(redisson: AsyncRedisson, raw: Any) -> None:
    """Open a connection of each kind: for offers, for waits and for the subscription."""
    queue = redisson.get_blocking_queue("q", codec=StringCodec())
    delayed = redisson.get_delayed_queue(queue)
    await delayed.offer("a", delay=0)
    assert await queue.take() == "a"
    await queue.add("b")
    async with redisson.get_consumer(queue) as consumer:
        assert await (await consumer.take()).ack()
        assert await consumer.poll(0.05) is None
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it listens")


async def test_each_connection_has_the_name_of_its_process(
    redisson: AsyncRedisson, raw: Any
) -> None:
    await use_all(redisson, raw)
    assert connection_name() == OURS
    assert " " not in OURS
    assert len(named(raw)) >= 3
    assert set(named(raw)) == {OURS}


async def test_client_name_of_the_user_is_kept(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, client_name="mine") as redisson:
        await use_all(redisson, raw)
        assert set(named(raw)) == {"mine"}


async def test_connection_without_driver_info_has_no_name(url: str, raw: Any) -> None:
    """Proxies that close a connection after CLIENT need this."""
    client = AsyncRedis.from_url(url)
    client.connection_pool.connection_kwargs[SAYS] = None
    async with AsyncRedisson(client) as redisson:
        await use_all(redisson, raw)
        assert set(named(raw)) == {""}


async def test_server_may_reject_client_setname(
    root: Any, login: Callable[..., AsyncRedisson], caplog: Any
) -> None:
    """All calls work, nothing is logged, and the first reply belongs to the first request."""
    redisson = login("~*", "&*", "+@all", "-client|setname")
    before = set(named(root))
    await use_all(redisson, root)
    assert set(named(root)) - before <= {""}
    assert not [one for one in caplog.records if one.levelname in ("WARNING", "ERROR")]
    fewer = login("~q", "+llen", "+blpop", codec=StringCodec())
    assert await fewer.get_queue("q").size() == 0
    root.rpush("q", "a")
    assert await fewer.get_blocking_queue("q").poll(timeout=5) == "a"
    with pytest.raises(NoPermissionError, match=r"\(LLEN, which needs ~other\)"):
        await fewer.get_queue("other").size()


async def test_no_connection_waits_for_the_reply_to_setname(
    redisson: AsyncRedisson, raw: Any, server: RedisServer
) -> None:
    """The first request is sent before the reply to CLIENT SETNAME arrives."""
    monitor = Monitor(server)
    monitor.start()
    raw.rpush("q", "a")
    assert await redisson.get_blocking_queue("q", codec=StringCodec()).poll(timeout=5) == "a"
    executed = await aside_async(monitor.stop)
    behind = {each.source: following(executed, each) for each in executed if is_name(each)}
    assert behind
    assert {each.name for each in behind.values()} <= {"CLIENT", "TYPE", "TIME", "INFO", "BLPOP"}


def is_name(command: Executed) -> bool:
    return command.arguments[:2] == (b"CLIENT", b"SETNAME")


def following(executed: list[Executed], command: Executed) -> Executed:
    """Return the next command of the same connection."""
    rest = executed[executed.index(command) + 1 :]
    return next(each for each in rest if each.source == command.source)


async def test_an_interrupted_first_wait_loses_nothing(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_blocking_queue("q", codec=StringCodec())
    for value in await interrupt_async(queue.take, 0.1):
        raise AssertionError(f"there was nothing, and {value!r} came")
    raw.rpush("q", "a")
    assert await queue.take() == "a"


async def test_many_first_requests_at_once_get_their_own_replies(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", *range(20))
    queue = redisson.get_blocking_queue("q", codec=StringCodec())
    taken = [start_async(queue.take) for _ in range(20)]
    assert {await each.result() for each in taken} == {str(number) for number in range(20)}


async def test_the_process_that_transfers_has_a_name(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, transfer_process=True) as redisson:
        queue = redisson.get_blocking_queue("q", codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue)
        await delayed.offer("a", delay=0)
        assert await queue.take() == "a"

        def others() -> set[str]:  # a connection that has sent nothing has no name
            return set(named(raw)) - {OURS, ""}

        await until_async(lambda: len(others()) == 1, "it has a name")
        assert others().pop().startswith(f"pyredisson:{socket.gethostname()}:")
