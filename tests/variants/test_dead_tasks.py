"""A KeyboardInterrupt ends a thread of a worker: the worker notices it."""

from functools import partial
from typing import Any

import pytest

from pyredisson import Hooks, Redisson, Worker
from pyredisson.codecs import StringCodec
from tests.support.twins import Started, until

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")


class Rude(Hooks):
    """Raises KeyboardInterrupt in the thread that calls the given hook, once."""

    def __init__(self, name: str) -> None:
        self.left = 1
        setattr(self, name, self._interrupt)

    def _interrupt(self, *_: Any) -> None:
        if self.left:
            self.left -= 1
            raise KeyboardInterrupt


def has_done(worker: Worker, count: int) -> bool:
    """Return whether the worker has acknowledged `count` messages."""
    return worker.stats().done == count


def test_run_raises_if_a_handler_thread_ends(url: str, raw: Any) -> None:
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


def test_worker_restarts_a_settling_thread_that_ended(url: str, raw: Any) -> None:
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
