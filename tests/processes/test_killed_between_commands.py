"""A consumer or worker is killed between any two commands: no item is lost.

A gate passes a number of the process's commands and holds the rest. Then the process is killed.
"""

import asyncio
import logging
import multiprocessing
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import IO, Any

import pytest

from pyredisson import Backoff, Message, Queue, Redisson, Worker
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.delivery import RECORD
from pyredisson.protocol.delayed.entry import unpack
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.proxy import FaultProxy
from tests.support.relay import HasPort
from tests.support.resp import FrameSplitter
from tests.support.server import RedisServer

VALUES = ["acked", "back", "later", "dead", "over"]


def consume(redisson: Redisson, queue: Queue[str], handled: IO[str]) -> None:
    """Take all, and settle each value as its name says."""
    consumer = redisson.get_consumer(queue, lease=30, prefetch=2, transfer=False)
    while message := consumer.poll(0.05):
        if message.attempt > 1:
            message.extend(60)
        if message.value == "back" and message.attempt == 1:
            message.nack()
        elif message.value == "later":
            message.nack(3600)
        elif message.value == "dead":
            message.reject("why")
        else:
            print(message.value, file=handled, flush=True)
            message.ack()
    consumer.close()


def work(redisson: Redisson, queue: Queue[str], handled: IO[str]) -> None:
    """Do the same with a worker."""
    done = set[str]()

    def handle(message: Message[str]) -> None:
        if message.value == "back" and message.attempt == 1:
            raise ValueError("again")
        if message.value == "later":
            message.nack(3600)
        elif message.value == "dead":
            raise LookupError("why")
        else:
            print(message.value, file=handled, flush=True)
            done.add(message.value)
            if len(done) == 3:
                worker.stop()

    worker = Worker(
        redisson,
        queue,
        handle,
        concurrency=2,
        pass_message=True,
        on_error={LookupError: "dead"},
        backoff=Backoff(first=0.01),
    )
    worker.run()


Life = Callable[[Redisson, Queue[str], IO[str]], None]


def live(life: Life, url: str, queue: str, handled: Path) -> None:
    """Run one life in a process, with a client of its own."""
    logging.disable()
    with handled.open("w") as output, Redisson.from_url(url, response_timeout=60) as redisson:
        life(redisson, redisson.get_queue(queue, StringCodec()), output)


PROCESSES = multiprocessing.get_context("forkserver")
"""Each process is a fork of one that has only imported this module."""
PROCESSES.set_forkserver_preload([__name__])

_SETUP = {b"HELLO", b"CLIENT", b"SUBSCRIBE", b"PING", b"INFO", b"TIME"}
"""Commands that are not about any item."""


class Gate(FaultProxy):
    """Passes the first commands, up to a number, and holds all that follow."""

    def __init__(self, server: HasPort, most: float) -> None:
        super().__init__(server)
        self._most = most
        self.passed = 0
        self.closed = threading.Event()

    async def _pump_requests(self, reader: asyncio.StreamReader, connection: Any) -> None:
        splitter = FrameSplitter()
        while chunk := await reader.read(65536):
            for frame in splitter.feed(chunk):
                self.passed += frame.split(b"\r\n", 3)[2].upper() not in _SETUP
                if self.passed > self._most:
                    self.closed.set()
                    await asyncio.Event().wait()
                connection.server.write(frame)
            await connection.server.drain()


def start(life: Life, gate: Gate, queue: str, handled: Path) -> ForkServerProcess:
    process = PROCESSES.Process(target=live, args=(life, gate.url, queue, handled))
    process.start()
    return process


def places(raw: Any, names: ConsumerNames) -> Counter[str]:
    """Return all values in Redis, from every place."""
    found = raw.lrange(names.queue.name, 0, -1) + raw.lrange(names.arriving, 0, -1)
    found += [record[RECORD.size :] for record in raw.hvals(names.taken)]
    found += [unpack(entry).value for entry in raw.zrange(names.queue.timeout_set, 0, -1)]
    for letter in raw.hvals(names.letters):
        found.append(letter[4 + int.from_bytes(letter[:4], "big") + RECORD.size :])
    return Counter(value.decode() for value in found)


@pytest.mark.parametrize("life", [consume, work])
def test_no_item_is_lost_if_killed_between_any_two_commands(
    server: RedisServer, raw: Any, tmp_path: Path, life: Life
) -> None:
    for name in ("loads the scripts", "counts"):
        with Gate(server, float("inf")) as gate:
            raw.rpush(name, *VALUES)
            whole = start(life, gate, name, tmp_path / name)
            whole.join(60)
            total = gate.passed
            whole.kill()
        assert whole.exitcode == 0
        assert places(raw, ConsumerNames.of(name)) == Counter(["later", "dead"])
    assert total > 8
    with ExitStack() as stack:
        gates = [stack.enter_context(Gate(server, most)) for most in range(total)]
        lives = []
        for number, gate in enumerate(gates):
            raw.rpush(f"q{number}", *VALUES)
            lives.append(start(life, gate, f"q{number}", tmp_path / f"q{number}"))
        for process, gate in zip(lives, gates, strict=True):
            while process.is_alive() and not gate.closed.wait(0.05):
                pass  # a worker sometimes needs fewer commands
            process.kill()
            process.join()
    handled = [Counter((tmp_path / f"q{n}").read_text().split()) for n in range(total)]
    left = [places(raw, ConsumerNames.of(f"q{number}")) for number in range(total)]
    for number in range(total):
        gone = Counter(VALUES) - left[number]
        assert left[number] <= Counter(VALUES), "nothing is there twice"
        assert gone <= handled[number], "what is gone was handled"
    assert sum(map(Counter.total, left[total // 2 :])) < len(VALUES) * (total - total // 2)
    with Redisson.from_url(server.url, codec=StringCodec()) as redisson:
        for number in range(total):
            take_the_rest(redisson, raw, f"q{number}", left[number])


def take_the_rest(redisson: Redisson, raw: Any, name: str, left: Counter[str]) -> None:
    """Let another consumer take the remaining items, after the leases have ended."""
    names, queue = ConsumerNames.of(name), redisson.get_queue(name)
    for token in raw.zrange(names.leases, 0, -1):
        raw.zadd(names.leases, {token: 1})
    for entry in raw.zrange(names.queue.timeout_set, 0, -1):
        raw.zadd(names.queue.timeout_set, {entry: 1})
    dead = Counter(letter.value for letter in redisson.get_dead_letters(queue))
    consumer, taken = redisson.get_consumer(queue, prefetch=10), Counter[str]()
    while (taken + dead).total() < left.total() and (message := consumer.poll(5)):
        taken[message.value] += 1
        assert message.ack()
    assert taken + dead == left
    consumer.close()
