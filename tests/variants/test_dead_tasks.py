"""Threads of a worker that end by what nobody may contain: the worker notices."""

from functools import partial
from typing import Any

import pytest

from pyredisson import Hooks, Redisson, Worker
from pyredisson.codecs import StringCodec
from tests.support.twins import Started, until

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


class Rude(Hooks):
    """One of its hooks interrupts the thread that calls it, once."""

    def __init__(self, name: str) -> None:
        self.left = 1
        setattr(self, name, self._interrupt)

    def _interrupt(self, *_: Any) -> None:
        if self.left:
            self.left -= 1
            raise KeyboardInterrupt


def has_done(worker: Worker, count: int) -> bool:
    """Whether so many messages are acknowledged."""
    return worker.stats().done == count


def test_without_a_handler_it_ends_with_an_error(url: str, raw: Any) -> None:
    raw.rpush("q", "a", "b")
    with Redisson.from_url(url, codec=StringCodec(), hooks=Rude("on_deliver")) as redisson:
        queue = redisson.get_queue("q")
        worker = Worker(redisson, queue, str, concurrency=1, stop_timeout=1, lease=1)
        running = Started(worker.run)
        with pytest.raises(RuntimeError, match="a task of <Worker of 'q'"):
            running.result()
        assert not worker.healthy
        again = Worker(redisson, queue, str, concurrency=1)
        running = Started(again.run)
        until(partial(has_done, again, 2), "another worker gets both")
        again.stop()
        assert running.result() == 0


def test_settling_begins_anew(url: str, raw: Any) -> None:
    with Redisson.from_url(url, codec=StringCodec(), hooks=Rude("on_ack")) as redisson:
        queue = redisson.get_queue("q")
        worker = Worker(redisson, queue, str, concurrency=1)
        running = Started(worker.run)
        for count in (1, 2):
            raw.rpush("q", "a")
            until(partial(has_done, worker, count), "it is acknowledged")
        worker.stop()
        assert running.result() == 0
    assert raw.exists("pyredisson_leases:{q}") == 0
