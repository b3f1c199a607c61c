"""The parts of an offer's and of a delivery's time, for docs/performance.md.

The rule: a part is measured alone, in a loop that does nothing else. So the parts do not add up to
the whole; the rest is the way from one part to the next.
"""

from __future__ import annotations

import os
import queue
import socket
import statistics
import threading
import time
import timeit
from collections.abc import Callable

import redis

from benchmarks.measure import PAYLOAD, Bench
from benchmarks.producers import SCRIPT, evalsha
from pyredisson import Redisson
from pyredisson._runtime.concurrency import random_8
from pyredisson._transport.connections import packed
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.entry import pack
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load

NAME = "anatomy"
NAMES = QueueNames.of("bench-anatomy")
PAUSE = 0.005


def _cpu(call: Callable[[], object]) -> Callable[[], float]:
    """Return a function that measures the processor time of a call, in us."""
    times = 2000
    return lambda: min(timeit.repeat(call, timer=time.process_time, number=times)) / times * 1e6


def _exchange(bench: Bench) -> Callable[[bytes], bytes]:
    """Return a function that sends a request on a bare socket and receives its short reply."""
    raw = bench.stack.enter_context(socket.create_connection(("127.0.0.1", bench.server.port)))
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def exchange(request: bytes) -> bytes:
        raw.send(request)
        reply = raw.recv(1000)
        assert not reply.startswith(b"-"), reply
        return reply

    return exchange


def _offer(bench: Bench, client: redis.Redis, redisson: Redisson) -> None:
    """Time the parts of an offer in a thread, the whole offer, and redis-py's call."""
    client.script_load(SCRIPT.text)
    target = redisson.get_queue(NAMES.name, codec=StringCodec())
    delayed = redisson.get_delayed_queue(target, transfer=False)
    receipt = delayed.offer(PAYLOAD, 3600.5)
    offers, codec, value = OfferPacker(NAMES), StringCodec(), PAYLOAD.encode()
    request = offers.one(receipt)
    clock = ServerClock(taken=1.0)
    exchange = _exchange(bench)
    plain = evalsha(client, NAMES.name)
    parts: dict[str, Callable[[], object]] = {
        "send and receive": lambda: exchange(request),
        "when it is due, its id, its receipt": lambda: offers.receipt(
            value, 3600.5, clock, 1.0, random_8()
        ),
        "its value as bytes": lambda: codec.encode(PAYLOAD),
        "the request": lambda: offers.one(receipt),
        "all of offer()": lambda: delayed.offer(PAYLOAD, 3600.5),
        "redis-py's evalsha": lambda: plain(3600.5),
    }
    found = bench.interleave({name: _cpu(call) for name, call in parts.items()}, what=NAME)
    bench.record(NAME, "an offer in a thread: CPU", found, unit="us")


def _late(call: Callable[[], float]) -> Callable[[], float]:
    """Return a function that measures the median of 100 calls, each after a pause, in ms."""

    def median() -> float:
        found = []
        for _ in range(100):
            time.sleep(PAUSE)
            found.append(call() * 1000)
        return statistics.median(found)

    return median


def _delivery(bench: Bench, client: redis.Redis, redisson: Redisson) -> None:
    """Time the parts of a delivery, each after a pause as between two items."""
    script = load("delayed/transfer")
    client.script_load(script.text)
    keys = NAMES.name, NAMES.timeout_set, NAMES.delay_list, NAMES.poison
    transfer = packed(("EVALSHA", script.sha, 4, *keys, 2, 100))
    exchange = _exchange(bench)
    never, taken = threading.Event(), queue.SimpleQueue[float]()
    push = packed(("RPUSH", "bench-anatomy-taken", PAYLOAD))
    blocking = redisson.get_blocking_queue("bench-anatomy-taken", codec=StringCodec())

    def woken() -> float:
        start = time.perf_counter()
        never.wait(PAUSE)
        return time.perf_counter() - start - PAUSE

    def transferred() -> float:
        entry = pack(os.urandom(16), PAYLOAD.encode())
        client.zadd(NAMES.timeout_set, {entry: 1})
        client.rpush(NAMES.delay_list, entry)
        time.sleep(PAUSE)
        start = time.perf_counter()
        exchange(transfer)
        return time.perf_counter() - start

    def delivered() -> float:
        start = time.perf_counter()
        exchange(push)
        return taken.get() - start

    def consume() -> None:
        while blocking.take() == PAYLOAD:
            taken.put(time.perf_counter())

    consumer = threading.Thread(target=consume)
    consumer.start()
    parts = {
        "a sleeping thread wakes": woken,
        "the script moves an item": transferred,
        "RPUSH until take() returns": delivered,
    }
    found = bench.interleave({name: _late(call) for name, call in parts.items()}, what=NAME)
    client.rpush(blocking.name, "the end")
    consumer.join()
    bench.record(NAME, "a delivery: median", found, unit="ms")


def run(bench: Bench) -> None:
    """Measure the parts of an offer and of a delivery."""
    with redis.Redis(port=bench.server.port) as client, Redisson.from_url(bench.server.url) as ours:
        _offer(bench, client, ours)
        client.flushdb()
        _delivery(bench, client, ours)
