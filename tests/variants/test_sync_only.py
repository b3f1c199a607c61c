"""Tests for the synchronous client only: len(), in, threads, forks, a process without a close."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
import redis
from redis._parsers import _RESP2Parser

from pyredisson import AsyncRedisson, Queue, Redisson, Worker
from pyredisson._sync.waits.probes import rests
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.server import RedisServer
from tests.support.state import shape
from tests.support.topology import SentinelGroup
from tests.support.twins import PATIENCE, start, until

STRINGS = StringCodec()


@pytest.mark.parametrize(
    "kind", ["get_queue", "get_deque", "get_blocking_queue", "get_blocking_deque"]
)
def test_a_queue_is_a_collection(url: str, kind: str) -> None:
    with Redisson.from_url(url, codec=STRINGS) as redisson:
        queue: Queue[str] = getattr(redisson, kind)("q")
        assert len(queue) == 0
        assert not queue
        assert list(queue) == []
        queue.add_all(["a", "b", "a"])
        assert len(queue) == 3
        assert queue
        assert "b" in queue
        assert "c" not in queue
        assert list(queue) == ["a", "b", "a"]
        assert sorted(set(queue)) == ["a", "b"]


def test_a_delayed_queue_is_a_collection_of_pending_items(url: str) -> None:
    with Redisson.from_url(url) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
        assert len(delayed) == 0
        for value in ("b", "a"):
            delayed.offer(value, delay=3600)
        assert len(delayed) == 2
        assert "a" in delayed
        assert "c" not in delayed
        assert list(delayed) == ["b", "a"]


def test_waits_end_where_the_time_is_frozen(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As freezegun does, replace the clock in each module that has it."""
    real = {id(getattr(time, name)): name for name in ("monotonic", "time", "perf_counter")}
    for module in [time, *(each for name, each in sys.modules.items() if "pyredisson" in name)]:
        for name, value in [*vars(module).items()]:
            if id(value) in real:
                monkeypatch.setattr(module, name, lambda: 1_000.0)
    with Redisson.from_url(url, codec=STRINGS) as redisson:
        queue = redisson.get_blocking_queue("q")
        waiting = start(lambda: queue.poll(timeout=0.2))
        waiting._thread.join(PATIENCE)
        assert not waiting._thread.is_alive()
        redisson.get_delayed_queue(queue).offer("a", 0.2)
        assert queue.take() == "a"


def test_threads_share_a_client(url: str, raw: redis.Redis) -> None:
    with (
        Redisson.from_url(url) as redisson,
        ThreadPoolExecutor(8) as takers,
        ThreadPoolExecutor(8) as offerers,
    ):
        queue = redisson.get_blocking_queue("q", codec=LongCodec())
        delayed = redisson.get_delayed_queue(queue)

        def offer(number: int) -> None:
            delayed.offer(number, delay=0.001 * (number % 20))

        def take(_: int) -> int:
            return queue.take()

        taken = takers.map(take, range(400))
        list(offerers.map(offer, range(400)))
        assert sorted(taken) == list(range(400))
        assert shape(raw) == {}
        assert len(raw.client_list(_type="pubsub")) == 1


def run(program: str, server: RedisServer) -> str:
    """Run a program in a process of its own; it finds the server's address in ``url``."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"url = {server.url!r}\n{program}"],
        check=False,
        timeout=PATIENCE,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_import_and_constructors_connect_to_nothing(server: RedisServer) -> None:
    run(
        "import socket, threading\n"
        "def refuse(*_): raise SystemExit('a connection')\n"
        "socket.socket.connect = socket.socket.connect_ex = refuse\n"
        "import pyredisson\n"
        "from pyredisson.codecs import StringCodec\n"
        "client = pyredisson.Redisson.from_url(url)\n"
        "client.get_queue('q', codec=StringCodec())\n"
        "client = pyredisson.AsyncRedisson.from_url(url)\n"
        "client.get_delayed_queue(client.get_queue('q', codec=StringCodec()))\n"
        "assert threading.active_count() == 1, threading.enumerate()\n",
        server,
    )


def test_a_process_that_does_not_close_ends_all_the_same(server: RedisServer) -> None:
    program = (
        "from pyredisson import Redisson\n"
        "from pyredisson.codecs import StringCodec\n"
        "redisson = Redisson.from_url(url)\n"
        "queue = redisson.get_blocking_queue('q', codec=StringCodec())\n"
        "delayed = redisson.get_delayed_queue(queue)\n"
        "queue.subscribe_on_elements(lambda value: None)\n"
        "delayed.offer('x', delay=3600)\n"
        "print('done')\n"
    )
    assert run(program, server) == "done\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_child_has_connections_and_tasks_of_its_own(server: RedisServer) -> None:
    """A web server may load the application before it forks its workers."""
    program = (
        "import os, warnings\n"
        "warnings.simplefilter('ignore', DeprecationWarning)\n"  # threads and fork, since 3.12
        "from pyredisson import Redisson\n"
        "from pyredisson.codecs import StringCodec\n"
        "redisson = Redisson.from_url(url)\n"
        "queue = redisson.get_blocking_queue('q', codec=StringCodec())\n"
        "delayed = redisson.get_delayed_queue(queue)\n"
        "delayed.offer('parent 1', delay=0)\n"
        "assert queue.take() == 'parent 1'\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    warnings.simplefilter('ignore')\n"
        "    other = redisson.get_blocking_queue('other', codec=StringCodec())\n"
        "    redisson.get_delayed_queue(other).offer('child', delay=0.1)\n"
        "    found = other.poll(timeout=20)\n"
        "    os._exit(0 if found == 'child' else 1)\n"
        "for number in range(100):\n"
        "    delayed.offer(f'parent {number}', delay=0)\n"
        "    assert queue.take() == f'parent {number}'\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "redisson.close()\n"
        "print('done')\n"
    )
    assert run(program, server) == "done\n"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_child_offers_on_a_connection_of_its_own(server: RedisServer) -> None:
    """Parent and child offer at the same time, by the same handle."""
    program = (
        "import os, warnings\n"
        "warnings.simplefilter('ignore', DeprecationWarning)\n"  # threads and fork, since 3.12
        "from pyredisson import Redisson\n"
        "from pyredisson.codecs import StringCodec\n"
        "redisson = Redisson.from_url(url, codec=StringCodec())\n"
        "delayed = redisson.get_delayed_queue(redisson.get_queue('q'), transfer=False)\n"
        "delayed.offer('before', delay=3600)\n"
        "child = os.fork()\n"
        "for number in range(300):\n"
        "    receipt = delayed.offer(f'{child == 0} {number}', delay=3600)\n"
        "    assert receipt.value.decode() == f'{child == 0} {number}'\n"
        "if child == 0:\n"
        "    warnings.simplefilter('ignore')\n"
        "    os._exit(0)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "print(len(set(delayed.read_all())))\n"
        "redisson.close()\n"
    )
    assert run(program, server) == "601\n"


def test_a_parser_that_is_not_hiredis_reads_the_replies(url: str, raw: redis.Redis) -> None:
    parser: Any = _RESP2Parser
    pool = redis.ConnectionPool.from_url(url, parser_class=parser)
    with redis.Redis(connection_pool=pool) as client, Redisson(client, codec=STRINGS) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        for number in range(5):
            delayed.offer(str(number), delay=3600)
        assert shape(raw)["redisson_delay_queue:{q}"] == list("01234")


def test_a_connection_that_was_just_closed_is_replaced(url: str, raw: redis.Redis) -> None:
    """Nothing was sent on the closed connection, so no offer is uncertain."""
    with Redisson.from_url(url, codec=STRINGS) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        delayed.offer("before", delay=3600)
        for number in range(50):
            raw.client_kill_filter(_type="normal", skipme=True)
            delayed.offer(str(number), delay=3600)
        assert delayed.read_all() == ["before", *map(str, range(50))]
        assert raw.zcard("redisson_delay_queue_timeout:{q}") == 51


SELDOM = {
    *("ctypes", "decimal", "inspect", "json", "zoneinfo"),
    *(
        "pyredisson._async",
        "pyredisson._runtime.user_code",
        "pyredisson._support.time_zones",
        "pyredisson.java",
    ),
    *("pyredisson.codecs.double", "pyredisson.codecs.kryo5", "pyredisson.stats"),
    "pyredisson._sync.background.schedule_job",
    *(
        f"pyredisson._sync.{name}"
        for name in (
            *("checks.check", "consumers.consumer", "dead_letters.dead_letters"),
            *("delayed.bounded", "queues.subscription", "schedules.schedule", "windows.window"),
        )
    ),
    *(
        f"pyredisson.protocol.{name}"
        for name in (
            *("checks.finding", "consumers.consumer", "consumers.delivery"),
            *("dead_letters.dead_letters", "delayed.bounded", "schedules.schedule"),
            "windows.window",
        )
    ),
}
"""Modules that many programs never need; redis-py may load some of them itself."""


def test_a_first_delivery_loads_nothing_that_it_does_not_need(server: RedisServer) -> None:
    loaded = run(
        "import hiredis, redis, sys\n"
        "before = set(sys.modules)\n"
        "from pyredisson import Redisson\n"
        "from pyredisson.codecs import StringCodec\n"
        "with Redisson.from_url(url, codec=StringCodec()) as redisson:\n"
        "    queue = redisson.get_blocking_queue('q')\n"
        "    redisson.get_delayed_queue(queue).offer('item', 0)\n"
        "    assert queue.take() == 'item'\n"
        "print(*set(sys.modules) - before)",
        server,
    )
    assert "pyredisson._sync.background.transfer_task" in loaded.split()
    assert SELDOM.intersection(loaded.split()) == set()


CANCEL = """
import sys
from pyredisson import Receipt, Redisson
from pyredisson.codecs import StringCodec

receipt = Receipt.parse(sys.argv[2])
with Redisson.from_url(sys.argv[1], codec=StringCodec()) as redisson:
    delayed = redisson.get_delayed_queue(redisson.get_queue(receipt.queue), transfer=False)
    print(delayed.cancel(receipt), delayed.cancel(receipt))
"""


@pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])
def test_another_process_cancels_what_was_offered_here(
    url: str, raw: redis.Redis, release: str
) -> None:
    with Redisson.from_url(url, codec=STRINGS, wire_format=release) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
        receipts = [delayed.offer("same", delay=3600) for _ in range(3)]
        done = subprocess.run(
            [sys.executable, "-c", CANCEL, url, str(receipts[1])],
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        assert done.stdout.split() == ["True", "False"]
        entries = raw.lrange("redisson_delay_queue:{q}", 0, -1)
        assert entries == [receipts[0].entry, receipts[2].entry]


PUT_BACK = """
import sys
from pyredisson import Redisson
from pyredisson.codecs import StringCodec

with Redisson.from_url(sys.argv[1], codec=StringCodec()) as redisson:
    redisson.get_poison_list(redisson.get_queue("q")).requeue()
"""


def test_killed_requeue_loses_no_poison_value(url: str, raw: redis.Redis) -> None:
    """Each value is in one of the two lists, and the next process continues the requeue."""
    values = [f"{number}".encode() for number in range(20_000)]
    raw.rpush("pyredisson_poison:{q}", *values)
    process = subprocess.Popen([sys.executable, "-c", PUT_BACK, url])
    try:
        until(lambda: raw.llen("q") > 0, "it has begun")
    finally:
        process.kill()
        process.wait()
    kept, back = raw.lrange("pyredisson_poison:{q}", 0, -1), raw.lrange("q", 0, -1)
    assert kept
    assert kept + back == values
    with Redisson.from_url(url, codec=STRINGS) as redisson:
        assert redisson.get_poison_list(redisson.get_queue("q")).requeue(10) == 10
    assert raw.lrange("q", 0, 9) == values[:10]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_forked_child_follows_a_failover(sentinels: SentinelGroup) -> None:
    """The child only offers. Neither the child nor its parent closes the client."""
    program = (
        "import logging, os, sys, time, warnings\n"
        "warnings.simplefilter('ignore', DeprecationWarning)\n"
        "from redis.sentinel import Sentinel\n"
        "from pyredisson import Redisson\n"
        "from pyredisson.codecs import StringCodec\n"
        f"client = Sentinel({sentinels.addresses!r}).master_for({sentinels.service_name!r})\n"
        "queue = Redisson(client).get_queue('q', codec=StringCodec())\n"
        "queue.offer('parent')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    warnings.simplefilter('ignore')\n"
        "    news = []\n"
        "    logging.getLogger('pyredisson').addFilter(lambda each: news.append(each) or False)\n"
        "    queue.offer('child')\n"
        "    print('ready', flush=True)\n"
        "    while not news: time.sleep(0.01)\n"
        "    queue.offer('after')\n"
        "    os._exit(0)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "print('done')\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        new = sentinels.failover()
        assert process.wait(PATIENCE) == 0
        assert process.stdout.read() == "done\n"
    assert new.client().lrange("q", 0, -1)[-1] == b"after"


def test_coroutine_functions_are_for_asyncio(url: str, raw: redis.Redis) -> None:
    """A thread does not await, so it would call a coroutine function without effect."""

    async def handler(_: str) -> None: ...

    class Handler:
        async def __call__(self, _: str) -> None: ...

    with Redisson.from_url(url, codec=STRINGS) as redisson:
        queue = redisson.get_blocking_queue("q")
        for each in (handler, partial(handler), Handler()):
            with pytest.raises(TypeError, match="or use AsyncRedisson and AsyncWorker"):
                Worker(redisson, queue, each)
            with pytest.raises(TypeError, match="or use AsyncRedisson and AsyncWorker"):
                queue.subscribe_on_elements(each)
        with pytest.raises(TypeError, match="Worker works with Redisson, not with <AsyncRedisson"):
            Worker(AsyncRedisson.from_url(url), queue, print)  # type: ignore[arg-type]  # a twin
        with pytest.raises(TypeError, match="threads=2 is for AsyncWorker only"):
            Worker(redisson, queue, print, threads=2)
        raw.rpush("q", "a")

        def returns(value: str) -> object:
            worker.stop()
            return handler(value)

        worker = Worker(redisson, queue, returns, max_deliveries=1)
        assert worker.run() == 0
        (letter,) = redisson.get_dead_letters(queue).read_all()
        assert letter.reason.startswith("TypeError: the handler returned <coroutine object")


def test_a_probe_may_end_before_it_is_noted(url: str) -> None:
    """Its thread may end before the thread that started it has stored it."""
    with Redisson.from_url(url, codec=STRINGS) as redisson:
        link = redisson._context.link
        link.probes[None] = link.life.begin(lambda: None, "a probe that has ended")
        until(lambda: not link.probes[None].alive, "it has ended")
        assert not rests(link, None)
        assert link.probes == {}
