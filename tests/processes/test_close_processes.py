"""A client is closed in a forked child, or in an event loop that did not use it."""

import asyncio
import json
import threading
from collections.abc import Coroutine
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from tests.support.consuming import held, texts
from tests.support.server import RedisServer
from tests.support.topology import wait_until
from tests.support.twins import PATIENCE, until_async
from tests.variants.test_interrupts import needs_fork, program

STRINGS = StringCodec()

FORK = """
from pyredisson import Worker
delayed = redisson.get_delayed_queue(queue)
delayed.offer("later", delay=3600)
while not redisson.transfer_stats()[0].subscribed:
    time.sleep(0.01)
consumer = redisson.get_consumer(redisson.get_queue("p"), prefetch=5)
redisson.get_queue("p").add_all("abcde")
consumer.take()
taken, handled = [], []
threading.Thread(target=lambda: taken.append(queue.take()), daemon=True).start()
worker = Worker(redisson, redisson.get_queue("w"), handled.append)
working = threading.Thread(target=worker.run)
working.start()
time.sleep(0.5)
child = os.fork()
if child == 0:
    signal.alarm(20)
    {body}
    redisson.close()
    redisson.close()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print("forked", flush=True)
sys.stdin.readline()
while not (taken and handled):
    time.sleep(0.01)
redisson.close()
working.join()
print(json.dumps([taken, handled, [each.name for each in threading.enumerate()]]))
"""


def blocked(raw: redis.Redis) -> int:
    """Return how many connections wait."""
    found: Any = raw.info("clients")
    return int(found["blocked_clients"])


@needs_fork
@pytest.mark.parametrize("body", ["", "consumer.poll()"], ids=["at once", "used"])
def test_child_closes_only_its_own_connections(
    server: RedisServer, raw: redis.Redis, body: str
) -> None:
    """The parent's connections, waits, workers and messages continue."""

    def mine() -> set[str]:
        listed: Any = raw.client_list()
        return {each["id"] for each in listed}

    with program(FORK.format(body=body), server.url) as process:
        wait_until(lambda: raw.llen("p") == 0 and blocked(raw) == 2, "they wait")
        before = mine()
        assert process.stdout is not None
        assert process.stdout.readline() == b"forked\n"
        assert before <= mine()
        raw.rpush("q", "a")
        raw.rpush("w", "b")
        output, errors = process.communicate(timeout=60)
    assert errors.decode() == ""
    assert json.loads(output) == [["a"], ["b"], ["MainThread"]]
    assert texts(raw, "p") == ["b", "c", "d", "e"]


# --- another loop -------------------------------------------------------------------------------


def strangers(raw: redis.Redis) -> int:
    """Return the number of connections, without the one that asks."""
    listed: Any = raw.client_list()
    return len(listed) - 1


class Loop:
    """An event loop in a thread of its own."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def end(self) -> None:
        """End the loop as `asyncio.run` does."""

        async def cancel() -> None:
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        self.loop.run_until_complete(cancel())
        self.loop.close()


@pytest.mark.parametrize("then", ["ended", "stopped", "goes on"])
def test_client_closes_in_a_loop_that_did_not_use_it(own_server: RedisServer, then: str) -> None:
    """Another loop uses everything. It has ended, is stopped, or still runs."""
    raw = own_server.client()
    redisson = AsyncRedisson.from_url(own_server.url, codec=STRINGS)
    raw.rpush("q", *"abcde")
    tasks: list[Any] = []

    async def use() -> None:
        queue = redisson.get_blocking_queue("waited")
        await redisson.get_delayed_queue(queue).offer("x", delay=3600)
        queue.subscribe_on_elements(print)
        await redisson.get_consumer(redisson.get_queue("q"), prefetch=5).take()
        idle = redisson.get_consumer(redisson.get_queue("idle"))
        worker = AsyncWorker(redisson, redisson.get_queue("w"), print)
        calls = (redisson.get_blocking_queue("empty").take, idle.take, worker.run)
        tasks.append(asyncio.gather(*(call() for call in calls), return_exceptions=True))
        await until_async(lambda: blocked(raw) == 4, "they wait")

    other = Loop()
    other.run(use())
    if then != "goes on":
        other.stop()
    if then == "ended":
        other.end()
    asyncio.run(asyncio.wait_for(redisson.aclose(), PATIENCE))
    wait_until(lambda: strangers(raw) == 0, "all connections are closed")
    assert (texts(raw), len(held(raw))) == (["b", "c", "d", "e"], 1)
    if then == "goes on":
        other.stop()
    if then != "ended":
        other.end()
