"""A close ends in a bounded time if the server is away; an error reports leased messages."""

import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from redis.asyncio import RedisCluster

from pyredisson import AsyncConsumer, AsyncRedisson, AsyncWorker, ClosedError, NotReleasedError
from pyredisson._async.worker import worker as worker_module
from pyredisson.codecs import StringCodec
from tests.support.consuming import held, texts
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.sockets import held_to
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    left_async,
    sleep_async,
    start_async,
    until_async,
)

STRINGS = StringCodec()
BOUND = 40.0
"""Seconds within which a client closes, whatever its server does."""
SOON = 10.0


class Fault:
    """A server that becomes unreachable, and later reachable again."""

    def __init__(self, kind: str, server: RedisServer, proxy: FaultProxy) -> None:
        self.kind, self.server, self.proxy = kind, server, proxy

    @property
    def port(self) -> int:
        return self.proxy.port if self.kind == "black hole" else self.server.port

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def begin(self) -> None:
        {
            "refused": self.server.kill,
            "frozen": self.server.pause,
            "black hole": self.proxy.black_hole,
        }[self.kind]()

    def end(self) -> None:
        {"refused": self.server.start, "frozen": self.server.resume, "black hole": self.proxy.heal}[
            self.kind
        ]()

    def connections(self) -> int:
        """The number of the server's connections, without the one that asks."""
        listed: Any = self.server.run("CLIENT", "LIST")
        return len(listed.splitlines()) - 1


@pytest.fixture(params=["refused", "frozen", "black hole"])
def fault(request: pytest.FixtureRequest, own_server: RedisServer) -> Iterator[Fault]:
    with FaultProxy(own_server) as proxy:
        yield Fault(request.param, own_server, proxy)


@pytest.fixture(autouse=True)
def no_traceback(recwarn: pytest.WarningsRecorder) -> Iterator[None]:
    """Check that no thread ended with an unhandled error."""
    yield
    unhandled = [each for each in recwarn if "PytestUnhandled" in each.category.__name__]
    assert not unhandled, unhandled[0].message


async def all_ends(port: int) -> None:
    """Wait until the client has no task, thread or socket."""
    assert not [name for name in left_async() if name.startswith("pyredisson")]
    await until_async(lambda: left_async() == [], "nothing runs", SOON)
    await until_async(lambda: held_to(port) == set(), "its sockets are closed", SOON)


async def with_some(
    redisson: AsyncRedisson, server: RedisServer, name: str = "q"
) -> AsyncConsumer[str]:
    """Return a consumer with ten leased messages, of which one was taken."""
    server.run("RPUSH", name, *range(10))
    consumer = redisson.get_consumer(redisson.get_queue(name), prefetch=10)
    assert (await consumer.take()).value == "0"
    return consumer


async def ignore(call: Callable[[], Any]) -> None:
    """Await a call, and ignore its ClosedError."""
    with suppress(ClosedError):
        await call()


async def test_close_ends_all_objects_of_the_client(fault: Fault) -> None:
    """Idle and busy objects end, although the response timeout is ten minutes."""
    redisson = AsyncRedisson.from_url(fault.url, codec=STRINGS, response_timeout=600)
    queue = redisson.get_blocking_queue("waited")
    delayed = redisson.get_delayed_queue(queue)
    await delayed.offer("a", delay=3600)
    await redisson.get_schedule(delayed).add("e", "b", every=3600)
    queue.subscribe_on_elements(print)
    waiting = redisson.get_consumer(redisson.get_queue("idle"))
    consumer = await with_some(redisson, fault.server)
    takes = [
        start_async(lambda call=call: ignore(call))  # type: ignore[misc]  # a default
        for call in (redisson.get_blocking_queue("empty").take, waiting.take)
    ]
    for command in (b"cmd=blpop user", b"cmd=blmove user"):
        await until_async(lambda c=command: c in fault.server.run("CLIENT", "LIST"), "it waits")  # type: ignore[misc]  # a default
    fault.begin()
    with pytest.raises(NotReleasedError, match=r"9 of 'q'.*when their leases end") as told:
        await start_async(redisson.aclose).result(BOUND)
    assert told.value.held == {"q": 9}
    for each in takes:
        await each.result(SOON)
    await all_ends(fault.port)
    with pytest.raises(ClosedError):
        await consumer.take()
    fault.end()
    await sleep_async(1.5)
    assert fault.connections() == 0


async def test_second_close_releases_the_leased_messages(fault: Fault) -> None:
    redisson = AsyncRedisson.from_url(fault.url, codec=STRINGS, response_timeout=1)
    await with_some(redisson, fault.server)
    fault.begin()
    for _ in range(2):
        with pytest.raises(NotReleasedError):
            await redisson.aclose()
    fault.end()
    await redisson.aclose()
    with fault.server.client() as raw:
        assert texts(raw) == [f"{number}" for number in range(1, 10)]
        assert len(held(raw)) == 1
    await redisson.aclose()
    await all_ends(fault.port)


async def test_error_in_the_with_block_is_raised_not_the_error_of_close(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    async def work() -> None:
        async with AsyncRedisson.from_url(own_server.url, codec=STRINGS) as redisson:
            await with_some(redisson, own_server)
            own_server.kill()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await work()
    assert "could not be released (9 of 'q')" in caplog.text
    await all_ends(own_server.port)


async def test_interrupted_close_ends_all_tasks_and_sockets(own_server: RedisServer) -> None:
    redisson = AsyncRedisson.from_url(own_server.url, codec=STRINGS)
    queue = redisson.get_blocking_queue("q")
    redisson.get_delayed_queue(queue)
    await with_some(redisson, own_server)
    own_server.pause()
    await interrupt_async(redisson.aclose, 0.5)
    await all_ends(own_server.port)
    own_server.resume()
    await redisson.aclose()
    assert own_server.run("LLEN", "q") == 9


async def test_request_sent_before_close_gets_its_reply(server: RedisServer, proxy: Any) -> None:
    redisson = AsyncRedisson.from_url(proxy.url, codec=STRINGS)
    queue = redisson.get_queue("q")
    await queue.add("a")
    proxy.delay(0.5)
    asking = start_async(queue.read_all)
    await sleep_async(0.1)
    await redisson.aclose()
    assert await asking.result(SOON) == ["a"]


@pytest.mark.parametrize("kind", ["killed", "stopped", "frozen server"])
async def test_close_ends_the_transfer_process(own_server: RedisServer, kind: str) -> None:
    redisson = AsyncRedisson.from_url(own_server.url, codec=STRINGS, transfer_process=True)
    queue = redisson.get_blocking_queue("q")
    await redisson.get_delayed_queue(queue).offer("a", delay=0.1)
    assert await queue.poll(timeout=20) == "a"
    running: Any = redisson._context.transfers
    process = running._process
    if kind == "frozen server":
        own_server.pause()
    else:
        os.kill(process.pid, signal.SIGSTOP if kind == "stopped" else signal.SIGKILL)
    await start_async(redisson.aclose).result(BOUND)
    assert process.poll() is not None
    await all_ends(own_server.port)


# --- workers ------------------------------------------------------------------------------------


class Slow:
    """A handler that runs until `may_end` is set."""

    def __init__(self) -> None:
        self.started = 0
        self.may_end = False

    async def __call__(self, value: str) -> None:
        self.started += 1
        while not self.may_end:
            await sleep_async(0.01)


async def running(
    redisson: AsyncRedisson, server: RedisServer, handler: Slow, **options: Any
) -> AsyncStarted[int]:
    """Start a worker, and wait until it handles the first of three messages."""
    server.run("RPUSH", "q", "a", "b", "c")
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handler, concurrency=1, **options)
    started = AsyncStarted(worker.run)
    await until_async(lambda: handler.started > 0, "it handles one")
    return started


async def test_close_waits_for_the_running_handler(own_server: RedisServer) -> None:
    """The running handler finishes; messages without a handler are released."""
    slow = Slow()
    redisson = AsyncRedisson.from_url(own_server.url, codec=STRINGS)
    started = await running(redisson, own_server, slow)
    closing = start_async(redisson.aclose)
    await sleep_async(0.3)
    assert not closing.done
    slow.may_end = True
    await closing.result(SOON)
    assert await started.result(SOON) == 0
    await all_ends(own_server.port)
    with own_server.client() as raw:
        assert (texts(raw), held(raw)) == (["b", "c"], [])


async def test_close_requeues_message_of_a_handler_that_does_not_end(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    slow = Slow()
    redisson = AsyncRedisson.from_url(own_server.url, codec=STRINGS)
    started = await running(redisson, own_server, slow, stop_timeout=0.2)
    await start_async(redisson.aclose).result(SOON)
    assert await started.result(SOON) == 1
    assert own_server.run("LRANGE", "q", 0, -1) == [b"a", b"b", b"c"]
    assert "its handler did not end within 0.2 s" in caplog.text
    slow.may_end = True
    await until_async(lambda: left_async() == [], "the handler ends", SOON)


async def test_worker_logs_unsettled_messages_if_its_server_is_away(
    fault: Fault, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker logs the messages that it could not settle."""
    monkeypatch.setattr(worker_module, "_LAST", 3.0)
    slow = Slow()
    redisson = AsyncRedisson.from_url(fault.url, codec=STRINGS, response_timeout=1)
    started = await running(redisson, fault.server, slow, stop_timeout=1)
    fault.begin()
    slow.may_end = True
    with suppress(NotReleasedError):
        await start_async(redisson.aclose).result(BOUND)
    assert await started.result(SOON) == 1
    assert "could not be settled and" in caplog.text
    assert "Traceback" not in caplog.text
    await all_ends(fault.port)


async def test_close_called_by_a_handler_does_not_wait_for_it(own_server: RedisServer) -> None:
    """The close does not wait for that handler: it would wait for ever."""
    redisson = AsyncRedisson.from_url(own_server.url, codec=STRINGS)

    async def handle(_value: str) -> None:
        await redisson.aclose()

    own_server.run("RPUSH", "q", "a")
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle, stop_timeout=600)
    assert await AsyncStarted(worker.run).result(BOUND) == 1
    await until_async(lambda: left_async() == [], "it has ended", SOON)
    await all_ends(own_server.port)


# --- clusters -----------------------------------------------------------------------------------


@pytest.fixture
async def client(partial: Servers) -> AsyncIterator[Any]:
    async with RedisCluster.from_url(partial.url) as client:
        yield client


@pytest.mark.parametrize("busy", [False, True])
async def test_close_with_a_frozen_node_releases_messages_of_others(
    partial: Servers, client: Any, busy: bool
) -> None:
    """One node is frozen: the other nodes' messages are released."""
    redisson = AsyncRedisson(client, codec=STRINGS, response_timeout=1)
    orders = redisson.get_sharded_queue(f"orders_async_{busy}", 6)
    homes = {name: partial.master_of(name.encode()) for name in orders.names}
    frozen = homes[orders.names[0]]
    consumer = redisson.get_consumer(orders, prefetch=4, transfer=False)
    for name, one in zip(orders.names, consumer.consumers, strict=True):
        homes[name].run("RPUSH", name, "a", "b", "c", "d")
        await one.take()
    working, waiting = [], []
    if busy:
        worker = AsyncWorker(redisson, orders, print)
        working = [AsyncStarted(worker.run)]
        names = [f"{name}_idle" for name in orders.names]
        queue = redisson.get_blocking_queue(names[0])
        waiting = [start_async(lambda: ignore(lambda: queue.poll_from_any(600, *names)))]
        await sleep_async(0.5)
    frozen.pause()
    try:
        with pytest.raises(NotReleasedError) as told:
            await start_async(redisson.aclose).result(BOUND)
        assert [await each.result(SOON) for each in working] == [0] * len(working)
        for each in waiting:
            await each.result(SOON)
        assert told.value.held == {name: 3 for name in homes if homes[name] is frozen}
        for name, home in homes.items():
            if home is not frozen:
                assert home.run("LRANGE", name, 0, -1) == [b"b", b"c", b"d"]
    finally:
        frozen.resume()
    assert not [name for name in left_async() if name.startswith("pyredisson")]
