"""A replica is promoted while items are offered and taken: what is lost, what comes twice.

The old master goes on for seconds as if nothing had been, and what it acknowledges is lost. Each
item is counted: once this client has the news, no loss and no double.
"""

import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from redis.asyncio.sentinel import Sentinel
from redis.exceptions import RedisError

from pyredisson import AsyncRedisson, PartialOfferError, UncertainOfferError
from pyredisson._async.topology import sentinel as watching
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.faults_tools import calls
from tests.support.server import RedisServer
from tests.support.topology import SentinelGroup
from tests.support.twins import aside_async, sleep_async, start_async, until_async

AFTER = 60
"""So many items are offered after the news."""


def promote(sentinels: SentinelGroup) -> None:
    """Ask for a failover."""
    sentinels.sentinels[0].run("SENTINEL", "FAILOVER", sentinels.service_name)


def crash(sentinels: SentinelGroup) -> None:
    """Kill the master."""
    sentinels.master.kill()


def freeze(sentinels: SentinelGroup) -> None:
    """The host of the master stops, and a Sentinel on it; nobody may subscribe at the others."""
    for sentinel in sentinels.sentinels:
        sentinel.run("ACL", "SETUSER", "default", "-subscribe")
        sentinel.run("CLIENT", "KILL", "TYPE", "pubsub")
    sentinels.master.pause()
    sentinels.sentinels[0].pause()


def thaw(sentinels: SentinelGroup, old: RedisServer) -> None:
    """The host goes on: a master and a Sentinel that know nothing of the failover."""
    old.resume()
    sentinels.sentinels[0].resume()
    for _ in range(3):  # by then it has done what was sent to it while it was frozen
        old.run("PING")


def work_of(old: RedisServer) -> tuple[int, int] | None:
    """What a former master has done so far that still takes itself for one; None of a dead one."""
    if not old.is_running:
        return None
    assert b"role:master" in old.run("INFO", "replication")
    return calls(old, "evalsha"), calls(old, "blpop")


def hears(server: RedisServer) -> int:
    """How many listen to the queue's channel there."""
    return int(server.run("PUBSUB", "NUMSUB", QueueNames.of("q").channel)[1])


@pytest.mark.parametrize(
    ("change", "interval"),
    # by what a Sentinel publishes, or by asking alone
    [(promote, 3600.0), (crash, 3600.0), (freeze, 0.2)],
    ids=["planned", "crash", "frozen"],
)
async def test_what_is_acknowledged_after_the_news_arrives_once(
    change: Callable[[SentinelGroup], None],
    interval: float,
    sentinels: SentinelGroup,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What is lost was acknowledged before the news, what comes twice was offered before."""
    monkeypatch.setattr(watching, "INTERVAL", interval)
    caplog.set_level(logging.WARNING, "pyredisson")
    old = sentinels.master
    new = next(server for server in sentinels.servers if server is not old)
    offered: dict[str, float] = {}
    acknowledged: dict[str, float] = {}
    taken: list[str] = []

    def news() -> float | None:
        told = [each.created for each in caplog.records if "is now the master" in each.getMessage()]
        assert len(told) < 2
        return told[0] if told else None

    def offered_since() -> int:
        since = news()
        return 0 if since is None else sum(time > since for time in offered.values())

    kind: Any = Sentinel
    watchers = kind(sentinels.addresses)
    client = watchers.master_for(sentinels.service_name)
    async with AsyncRedisson(client, codec=StringCodec(), response_timeout=1) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)

        async def produce() -> None:
            while offered_since() < AFTER:
                value = f"{len(offered)}"
                offered[value] = time.time()
                with suppress(RedisError, UncertainOfferError, PartialOfferError):
                    if len(offered) % 2:
                        await delayed.offer(value, delay=0.1)
                    else:
                        await delayed.offer_many([(value, 0.1)])
                    acknowledged[value] = time.time()
                await sleep_async(0.01)

        async def consume() -> None:
            while (value := await queue.take()) != "end":
                taken.append(value)

        producing, consuming = start_async(produce), start_async(consume)
        await until_async(lambda: len(taken) > 10, "items arrive")
        await aside_async(lambda: change(sentinels))
        await until_async(lambda: offered_since() > 1, "the client has the news")
        if change is freeze:
            await aside_async(lambda: thaw(sentinels, old))
        before = work_of(old)
        await producing.result()
        assert work_of(old) == before
        since = news()
        assert since is not None
        expected = {value for value, at in offered.items() if at > since}
        await until_async(lambda: expected <= set(taken), "what was offered since is taken")
        assert await delayed.size() == 0
        await until_async(lambda: hears(new) == 1, "the subscription has moved, too")
        await queue.offer("end")
        await consuming.result()
    counts = Counter(taken)
    assert all(counts[value] == 1 for value in expected)
    assert expected <= set(acknowledged)  # and none of them met an error
    assert all(acknowledged[value] <= since for value in set(acknowledged) - set(taken))
    assert all(offered[value] <= since for value, times in counts.items() if times > 1)
    await client.aclose()
    for watcher in watchers.sentinels:
        await watcher.aclose()
