"""take() by a thread that has taken before: the fast path keeps the promises of the slow path."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from pyredisson import BlockingQueue, DecodeError, KeyTypeError, Redisson
from pyredisson._transport.errors import UnsentError
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from tests.support.server import RedisServer
from tests.support.twins import Started, until


@pytest.fixture
def redisson(own_server: RedisServer) -> Iterator[Redisson]:
    with Redisson.from_url(own_server.url, codec=JsonJacksonCodec()) as redisson:
        yield redisson


@pytest.fixture
def queue(redisson: Redisson) -> BlockingQueue[Any]:
    """A queue from which a thread has taken, so that the only connection is open and known."""
    queue = redisson.get_blocking_queue("q")
    assert Started(lambda: queue.add(0) and queue.take()).result() == 0
    return queue


@pytest.fixture
def raw(own_server: RedisServer) -> Iterator[Any]:
    with own_server.client() as client:
        yield client


def waits(raw: redis.Redis) -> Callable[[], bool]:
    clients: Any = raw.client_list
    return lambda: any("b" in client["flags"] for client in clients())


def test_second_take_uses_the_fast_path(
    queue: BlockingQueue[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    queue.add_all([1, None, 2])
    monkeypatch.delattr(type(queue._link), "arrival")
    assert Started(lambda: [queue.take(), queue.take()]).result() == [1, None]
    assert Started(lambda: queue.poll(timeout=60)).result() == 2


def test_redis_py_reads_replies_if_its_internals_are_unknown(
    own_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise UnsentError("unknown internals of redis-py")

    monkeypatch.setattr("pyredisson._transport.direct_io.SocketLine", unknown)
    with Redisson.from_url(own_server.url, codec=JsonJacksonCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        queue.add_all([1, 2])
        assert Started(lambda: [queue.take(), queue.take()]).result() == [1, 2]


def test_a_timeout_is_kept(queue: BlockingQueue[Any]) -> None:
    assert Started(lambda: queue.poll(timeout=0.01)).result() is None
    assert Started(lambda: queue.poll(timeout=2.1)).result() is None  # longer than a slice


def test_element_taken_for_an_interrupted_thread_is_requeued(
    queue: BlockingQueue[Any], raw: redis.Redis
) -> None:
    threads: list[int] = []

    def take() -> Any:
        threads.append(threading.get_ident())
        return queue.take()

    taking = Started(take)
    until(waits(raw), "it waits")
    raised = ctypes.pythonapi.PyThreadState_SetAsyncExc
    assert raised(ctypes.c_ulong(threads[0]), ctypes.py_object(SystemExit)) == 1
    queue.add(1)
    with pytest.raises(SystemExit):
        taking.result()
    assert queue.read_all() == [1]


def test_element_is_requeued_if_its_codec_is_interrupted(
    own_server: RedisServer, raw: redis.Redis
) -> None:
    class Interrupting(StringCodec):
        def decode(self, data: bytes) -> str:
            raise KeyboardInterrupt

    raw.rpush("q", "a", "b")
    with Redisson.from_url(own_server.url) as redisson:
        queue = redisson.get_blocking_queue("q", Interrupting())
        takes: list[Callable[[], Any]] = [queue.poll, queue.take, lambda: queue.poll(2)]
        for take in takes:
            with pytest.raises(KeyboardInterrupt):
                take()
            assert raw.lrange("q", 0, -1) == [b"a", b"b"]


def test_the_next_connection_serves_where_one_breaks(
    queue: BlockingQueue[Any], raw: redis.Redis
) -> None:
    taking = Started(queue.take)
    until(waits(raw), "it waits")
    for client in raw.client_list():
        if "b" in client["flags"]:
            raw.client_kill_filter(_id=client["id"])
    queue.add(1)
    assert taking.result() == 1


def test_undecodable_element_is_kept_as_poison_and_reported(
    queue: BlockingQueue[Any], raw: redis.Redis
) -> None:
    raw.rpush("q", b"{")
    with pytest.raises(DecodeError) as caught:
        Started(queue.take).result()
    assert caught.value.raw == b"{"
    assert any("'q'" in note for note in caught.value.__notes__)
    assert raw.lrange("pyredisson_poison:{q}", 0, -1) == [b"{"]


def test_take_raises_if_the_key_changed_its_type(
    queue: BlockingQueue[Any], raw: redis.Redis
) -> None:
    raw.set("q", "text")
    with pytest.raises(KeyTypeError):
        Started(queue.take).result()
