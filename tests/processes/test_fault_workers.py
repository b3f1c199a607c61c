"""A worker handles each item, and none is stored twice, while its server and the network fail.

The soak does all of this at random, to many processes, with Java beside them (`scripts/soak`).
"""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
import redis

from pyredisson import Backoff, Message, Redisson, Worker
from pyredisson.codecs import StringCodec
from tests.support.clock import SteppedServer
from tests.support.proxy import FaultProxy
from tests.support.state import keys
from tests.support.topology import wait_until

ITEMS = 100
LEASE = 1.5
_NOW = "local n = redis.call('time') n = n[1] + n[2] / 1000000 "
_BUSY = _NOW + "local e = n + 0.4 repeat " + _NOW.removeprefix("local ") + "until n > e"


@pytest.fixture(scope="module")
def stepped() -> Iterator[tuple[SteppedServer, FaultProxy]]:
    """A server that keeps what it acknowledged, and a proxy that can cause network faults."""
    with SteppedServer("--lua-time-limit", "100", aof=True) as server, FaultProxy(server) as proxy:
        yield server, proxy


def storm(server: SteppedServer, _: FaultProxy) -> None:
    for _attempt in range(10):
        for kind in ("normal", "pubsub"):
            server.run("CLIENT", "KILL", "TYPE", kind)
        time.sleep(0.02)


def script_flush(server: SteppedServer, _: FaultProxy) -> None:
    for _attempt in range(50):
        server.run("SCRIPT", "FLUSH")


def busy(server: SteppedServer, _: FaultProxy) -> None:
    with suppress(redis.RedisError):
        server.run("EVAL", _BUSY, 0)


def no_memory(server: SteppedServer, _: FaultProxy) -> None:
    server.run("CONFIG", "SET", "maxmemory", 1)
    time.sleep(0.5)
    server.run("CONFIG", "SET", "maxmemory", 0)


def crash(server: SteppedServer, _: FaultProxy) -> None:
    server.kill()
    server.start()


def frozen(server: SteppedServer, _: FaultProxy) -> None:
    server.pause()
    time.sleep(LEASE + 0.3)
    server.resume()


def black_hole(_: SteppedServer, proxy: FaultProxy) -> None:
    proxy.black_hole()
    time.sleep(LEASE + 0.3)
    proxy.heal(cut=True)


def lost_replies(_: SteppedServer, proxy: FaultProxy) -> None:
    proxy.drop_replies(10)


def clock_forward(server: SteppedServer, _: FaultProxy) -> None:
    """Set the clock forward: all leases end, and those that begin meanwhile last longer."""
    server.step(3)
    time.sleep(0.5)
    server.step(0)


def clock_back(server: SteppedServer, _: FaultProxy) -> None:
    server.step(-3)
    time.sleep(0.5)
    server.step(0)


FAULTS = [storm, script_flush, busy, no_memory, crash, frozen, black_hole, lost_replies]


class Shift:
    """A worker that runs through all faults, and counts of what it did."""

    def __init__(self, redisson: Redisson) -> None:
        self.queue = redisson.get_queue("q")
        self.delayed = redisson.get_delayed_queue(self.queue)
        self.handled, self.delivered, self.new = Counter[str](), Counter[str](), Counter[str]()
        words: Any = {"lease": LEASE, "backoff": Backoff(first=0.1), "pass_message": True}
        self.worker = Worker(redisson, self.queue, self._handle, concurrency=4, **words)

    def _handle(self, message: Message[str]) -> None:
        self.delivered[message.value] += 1
        self.new[message.value] += message.attempt == 1
        time.sleep(0.01)
        if message.value.endswith("7") and self.delivered[message.value] == 1:
            raise ValueError("again")
        self.handled[message.value] += 1


@pytest.fixture(scope="module")
def shift(stepped: tuple[SteppedServer, FaultProxy]) -> Iterator[Shift]:
    settings: Any = {"safety_interval": 0.5, "response_timeout": 0.7, "codec": StringCodec()}
    with Redisson.from_url(stepped[1].url, **settings) as redisson:
        shift = Shift(redisson)
        running = threading.Thread(target=shift.worker.run)
        running.start()
        yield shift
        shift.worker.stop()
        running.join()


@pytest.mark.parametrize("fault", [*FAULTS, clock_forward, clock_back])
def test_worker_handles_each_item_through_each_fault(
    stepped: tuple[SteppedServer, FaultProxy],
    shift: Shift,
    fault: Callable[[SteppedServer, FaultProxy], None],
) -> None:
    server, proxy = stepped
    expected = Counter(f"{fault.__name__}-{number}" for number in range(ITEMS))
    shift.delayed.offer_many((value, index / 250) for index, value in enumerate(expected))
    wait_until(lambda: len(set(shift.handled) & set(expected)) > 10, "it works")
    fault(server, proxy)
    wait_until(lambda: set(shift.handled) >= set(expected), "all is handled", 60)
    raw: Any = server.client()
    wait_until(lambda: not keys(raw), "all is acknowledged", 60)
    mine = {value: count for value, count in shift.new.items() if value in expected}
    assert Counter(mine) <= expected, "what comes again says so: no item was there twice"
    if fault in (storm, script_flush, busy, no_memory):  # these are shorter than a lease
        assert {shift.handled[value] for value in expected} == {1}
