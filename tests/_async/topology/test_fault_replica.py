"""The server at an address becomes a replica: reads and subscriptions move to the new master.

No reply and no broken connection shows the change. The address is a proxy. It connects new
connections to the new master, and leaves open ones at the old one.
"""

import logging
import math
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from pyredisson import AsyncRedisson
from pyredisson._async.topology import single
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.errors import error_reply
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.faults_tools import NoInfoProxy, calls, clients
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import wait_until
from tests.support.twins import sleep_async, until_async

NEVER = 600.0
DEADLINE = 30.0
WARNING = "the server is a replica now"


class Address:
    """An address that leads to a master, and after a change to its replica."""

    def __init__(self, old: RedisServer, new: RedisServer) -> None:
        self.old, self.new = old, new
        self.place = SimpleNamespace(port=old.port)
        new.run("REPLICAOF", "127.0.0.1", old.port)
        wait_until(lambda: b"link_status:up" in new.run("INFO", "replication"), "it replicates")

    def change(self, *, cut_off: bool = False) -> None:
        """Promote the replica; the old master replicates it, or is cut off from it."""
        self.new.run("REPLICAOF", "NO", "ONE")
        self.old.run("REPLICAOF", "127.0.0.1", 1 if cut_off else self.new.port)
        self.place.port = self.new.port

    def listeners(self, server: RedisServer) -> int:
        """Return how many connections of a server subscribe to the queue's channel."""
        return int(server.run("PUBSUB", "NUMSUB", QueueNames.of("q").channel)[1])


@pytest.fixture
def address() -> Iterator[Address]:
    with RedisServer() as old, RedisServer() as new:
        yield Address(old, new)


@pytest.fixture
def url(address: Address, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of the address; clients read its role often."""
    monkeypatch.setattr(single, "INTERVAL", 0.1)
    with FaultProxy(address.place) as proxy:
        yield proxy.url


def warnings(caplog: pytest.LogCaptureFixture) -> int:
    return sum(WARNING in each.getMessage() for each in caplog.records)


async def read_until(condition: Callable[[int], bool], redisson: AsyncRedisson) -> None:
    """Read the size of the queue until the condition holds for it."""
    deadline = time.monotonic() + DEADLINE
    while not condition(await redisson.get_queue("q").size()):
        assert time.monotonic() < deadline
        await sleep_async(0.02)


@pytest.mark.parametrize("cut_off", [False, True], ids=["replicates", "cut off"])
async def test_reads_and_the_subscription_move(
    address: Address, url: str, cut_off: bool, caplog: pytest.LogCaptureFixture
) -> None:
    """The client writes nothing, and the subscription is not silent long enough for a check."""
    async with AsyncRedisson.from_url(url, safety_interval=NEVER) as redisson:
        await redisson.get_topic("t").add_listener(print)
        await until_async(lambda: bool(clients(address.old, "pubsub")), "it listens")
        assert await redisson.get_queue("q").size() == 0
        address.change(cut_off=cut_off)
        address.new.run("RPUSH", "q", "x")
        await read_until(lambda size: size == 1 and bool(clients(address.new, "pubsub")), redisson)
        assert not clients(address.old, "pubsub")
        (before,) = clients(address.new, "pubsub")
        for _ in range(5):
            await sleep_async(0.11)
            assert await redisson.get_queue("q").size() == 1
        assert clients(address.new, "pubsub") == {before}
    assert warnings(caplog) == 1


async def test_silent_subscription_moves_without_a_call(address: Address, url: str) -> None:
    """The client makes no call; a silent subscription checks the role."""
    async with AsyncRedisson.from_url(url, safety_interval=0.2) as redisson:
        topic = redisson.get_topic("t", StringCodec())
        received: list[str] = []
        await topic.add_listener(lambda message: received.append(message.value))
        await until_async(lambda: bool(clients(address.old, "pubsub")), "it listens")
        address.change(cut_off=True)
        await until_async(lambda: bool(clients(address.new, "pubsub")), "it moves", DEADLINE)
        await until_async(lambda: bool(address.new.run("PUBLISH", "t", "x")), "it listens")
        await until_async(lambda: bool(received), "the message arrives")
        assert not clients(address.old, "pubsub")


async def test_subscription_moves_after_a_call_that_moved(address: Address, url: str) -> None:
    """READONLY moves the calls. The new master then has another replication id."""
    async with AsyncRedisson.from_url(url, safety_interval=NEVER) as redisson:
        queue = redisson.get_queue("q")
        redisson.get_delayed_queue(queue)
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        address.change(cut_off=True)
        await queue.remove("nothing")
        await read_until(lambda size: address.listeners(address.new) == 1, redisson)
        assert address.listeners(address.old) == 0


async def test_client_of_a_replica_stays_at_the_replica(
    address: Address, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A client of a replica stays there, and its subscription is not interrupted."""
    monkeypatch.setattr(single, "INTERVAL", 0.05)
    caplog.set_level(logging.INFO, "pyredisson")
    replica = address.new
    async with AsyncRedisson.from_url(replica.url, safety_interval=NEVER) as redisson:
        await redisson.get_topic("t").add_listener(print)
        await until_async(lambda: bool(clients(replica, "pubsub")), "it listens")
        (before,) = clients(replica, "pubsub")
        replica.run("CONFIG", "RESETSTAT")
        for _ in range(20):
            await redisson.get_queue("q").size()
            await sleep_async(0.06)
        assert calls(replica, "info") > 20
        assert clients(replica, "pubsub") == {before}
    assert not caplog.records


async def test_role_is_not_asked_again_without_permission_for_info(
    server: RedisServer, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one rejection, the client does not ask for the role again."""
    monkeypatch.setattr(single, "INTERVAL", 0.0)
    raw.acl_setuser("reader", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-info"])
    raw.config_resetstat()
    url = server.url.replace("redis://", "redis://reader:x@")
    async with AsyncRedisson.from_url(url) as redisson:
        for _ in range(20):
            assert await redisson.get_queue("q").size() == 0
    assert raw.info("commandstats")["cmdstat_info"]["rejected_calls"] == 1
    raw.acl_deluser("reader")


@pytest.mark.parametrize(
    ("reply", "again"),
    [
        ("BUSY Redis is busy running a script", True),
        ("ERR unknown command 'INFO'", False),
        ("NOPERM this user has no permissions to run the 'info' command", False),
    ],
)
async def test_role_is_asked_again_after_an_error_reply_that_is_no_rejection(
    redisson: AsyncRedisson, monkeypatch: pytest.MonkeyPatch, reply: str, *, again: bool
) -> None:
    topology: Any = redisson._context.link.topology

    async def call(*words: object) -> Any:
        raise error_reply(reply)

    monkeypatch.setattr(type(topology._server), "call", call)
    await topology._look()
    assert (topology.look_at < math.inf) is again


async def test_role_is_asked_soon_after_an_outage(redisson: AsyncRedisson) -> None:
    topology: Any = redisson._context.link.topology
    topology._pause = 1000.0  # as after eight attempts that failed
    await topology._look()
    assert topology.look_at <= monotonic() + single.INTERVAL


async def test_role_is_asked_rarely_if_the_connection_ends_at_info(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pauses between questions grow, because other calls lose replies on that connection."""
    monkeypatch.setattr(single, "INTERVAL", 0.1)
    with NoInfoProxy(server) as proxy:
        async with AsyncRedisson.from_url(proxy.url) as redisson:
            for _ in range(30):
                assert await redisson.get_queue("q").size() == 0
                await sleep_async(0.05)
        assert 0 < proxy.ended < 10
