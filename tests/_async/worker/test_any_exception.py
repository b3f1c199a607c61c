"""Handlers, codecs, hooks and listeners that raise any exception of Python.

Rule: it is handled like any other failure. Nothing is lost, and no task of the library ends.
"""

from typing import Any

import pytest

from pyredisson import (
    AsyncRedisson,
    AsyncWorker,
    DecodeError,
    Defer,
    Hooks,
    PartialOfferError,
    WorkerStats,
)
from pyredisson._support.error_text import MAX_REASON, MAX_TEXT
from pyredisson.codecs import StringCodec
from tests.support.twins import AsyncStarted, until_async


class PanicError(BaseException):
    """Like the exception that pyo3 raises after a panic in Rust."""


class MuteError(Exception):
    """Its `__str__` raises."""

    def __str__(self) -> str:
        raise ValueError("no text")


class NoTextError(Exception):
    """Its `__str__` returns None."""

    __str__: Any = lambda _: None


ERRORS = {
    "panic": PanicError("boom"),
    "exit": SystemExit(3),
    "mute": MuteError("m"),
    "no text": NoTextError("n"),
    "with a mute cause": ValueError("v"),
    "a group": ExceptionGroup("g", [MuteError("m"), ValueError("v")]),
}
ERRORS["with a mute cause"].__cause__ = MuteError("m")
ERRORS["with a mute cause"].add_note("a note")
EACH = pytest.mark.parametrize("error", ERRORS.values(), ids=ERRORS)


class PickyCodec(StringCodec):
    """Raises an error for a value that begins with "bad"."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    def decode(self, data: bytes) -> str:
        if data.startswith(b"bad"):
            raise self.error
        return super().decode(data)


class Faulty(Hooks):
    """Each hook raises."""

    def __init__(self, error: BaseException) -> None:
        self.called = set[str]()
        for name in dir(Hooks):
            if name.startswith("on_"):
                setattr(self, name, self._raising(name, error))

    def _raising(self, name: str, error: BaseException) -> Any:
        def hook(*_: Any) -> None:
            self.called.add(name)
            raise error

        return hook


async def handled(worker: AsyncWorker, done: int, dead: int) -> None:
    """Run a worker until it has counted `done` and `dead` messages."""
    running = AsyncStarted(worker.run)
    wanted = WorkerStats(done=done, dead=dead)
    await until_async(lambda: worker.stats() == wanted, "all have an outcome")
    assert worker.healthy
    worker.stop()
    assert await running.result() == 0


@EACH
@pytest.mark.parametrize("batch_size", [1, 2])
async def test_handler_may_raise_any_exception(
    redisson: AsyncRedisson, raw: Any, error: BaseException, batch_size: int
) -> None:
    async def handle(value: Any) -> None:
        if "bad" in value:
            raise error

    queue = redisson.get_queue("q")
    raw.rpush("q", *["bad"] * batch_size, *["good"] * batch_size)
    words: dict[str, Any] = {"concurrency": 1, "batch_size": batch_size, "batch_wait": 1}
    policy: dict[Any, Any] = {Exception: "dead"}
    worker = AsyncWorker(redisson, queue, handle, on_error=policy, **words)
    await handled(worker, batch_size, batch_size)
    assert raw.exists("pyredisson_leases:{q}") == 0
    for letter in await redisson.get_dead_letters(queue).read_all():
        assert type(error).__name__ in letter.reason
        assert letter.traceback
        assert letter.attempts == 1


@EACH
async def test_codec_may_raise_any_exception(
    redisson: AsyncRedisson, raw: Any, error: BaseException
) -> None:
    queue = redisson.get_blocking_queue("q", PickyCodec(error))
    raw.rpush("q", "bad 1", "bad 2", "good", "bad 3")
    for take in (queue.poll, queue.take):
        with pytest.raises(DecodeError, match=type(error).__name__):
            await take()
    assert await queue.poll(2) == ["good"]
    kept = [b"bad 1", b"bad 2", b"bad 3"]
    assert raw.lrange("pyredisson_poison:{q}", 0, -1) == kept
    raw.rpush("q", "bad 4", "good")
    worker = AsyncWorker(redisson, queue, str)
    await handled(worker, 1, 1)
    raw.rpush("q", "bad 5", "good")
    seen: list[str] = []
    subscription = queue.subscribe_on_elements(seen.append)
    await until_async(lambda: seen == ["good"], "the next one is delivered")
    await subscription.close()
    assert raw.lrange("pyredisson_poison:{q}", 0, -1) == [*kept, b"bad 5"]


@pytest.mark.parametrize("name", ["panic", "exit", "mute"])
async def test_hooks_may_raise_any_exception(url: str, raw: Any, name: str) -> None:
    """Each hook is called, and none ends the operation that it observes."""
    hooks = Faulty(ERRORS[name])
    fates: dict[str, Exception] = {"retry": ValueError(), "defer": Defer(0), "dead": KeyError()}

    async def handle(value: str) -> None:
        if error := fates.pop(value, None):
            raise error

    async with AsyncRedisson.from_url(url, codec=StringCodec(), hooks=hooks) as redisson:
        queue = redisson.get_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        for value in [*fates, "done"]:
            await delayed.offer(value, 0.05)
        policy: dict[Any, Any] = {KeyError: "dead"}
        worker = AsyncWorker(redisson, queue, handle, on_error=policy, concurrency=2)
        running = AsyncStarted(worker.run)
        await until_async(lambda: worker.stats().done == 3, "all but the dead one are done")
        await delayed.offer("later", 0.05)
        await until_async(lambda: worker.stats().done == 4, "transfers go on")
        worker.stop()
        assert await running.result() == 0
        assert worker.stats() == WorkerStats(done=4, retried=1, deferred=1, dead=1)
    assert hooks.called >= {"on_offer", "on_transfer", "on_deliver", "on_ack", "on_retry"}
    assert hooks.called >= {"on_handle", "on_handled", "on_dead_letter"}


async def test_offer_many_counts_stored_items_after_any_exception(
    redisson: AsyncRedisson, raw: Any
) -> None:
    """The error's count is the number of stored items, whatever the codec raises."""

    class Picky(StringCodec):
        def encode(self, value: str) -> bytes:
            if value == "bad":
                raise MuteError
            return super().encode(value)

    delayed = redisson.get_delayed_queue(redisson.get_queue("q", Picky()))
    items = [(f"{number}", 60) for number in range(5_000)]
    with pytest.raises(PartialOfferError, match="MuteError") as caught:
        await delayed.offer_many(iter([*items, ("bad", 60)]))
    assert caught.value.count == raw.zcard("redisson_delay_queue_timeout:{q}") > 0


@EACH
async def test_listeners_may_raise_any_exception(
    redisson: AsyncRedisson, raw: Any, error: BaseException
) -> None:
    seen: list[str] = []

    def listen(value: Any) -> None:
        seen.append(value if isinstance(value, str) else value.value)
        raise error

    topic = redisson.get_topic("t", StringCodec())
    await topic.add_listener(listen)
    raw.rpush("q", "a", "b")
    subscription = redisson.get_blocking_queue("q").subscribe_on_elements(listen)
    await topic.publish("c")
    await topic.publish("d")
    await until_async(lambda: sorted(seen) == ["a", "b", "c", "d"], "all are delivered")
    await subscription.close()


async def test_a_long_reason_is_cut(redisson: AsyncRedisson, raw: Any) -> None:
    """Its head and tail are kept, for an error of a handler and for a call of `reject()`."""

    def fail(_: str) -> None:
        raise ValueError("head" + "é" * 1_000_000 + "tail")

    queue = redisson.get_queue("q")
    raw.rpush("q", "a")
    worker = AsyncWorker(redisson, queue, fail, max_deliveries=1)
    await handled(worker, 0, 1)
    raw.rpush("q", "b")
    message = await redisson.get_consumer(queue).take()
    assert await message.reject("head" + "r" * 1_000_000 + "tail", "head" + "t" * 10**6 + "tail")
    first, second = await redisson.get_dead_letters(queue).read_all()
    size = len("ValueError: head") + 2_000_000 + len("tail")
    assert f"... {size - MAX_REASON} bytes are cut here ..." in first.reason
    for text in (first.reason, first.traceback, second.reason, second.traceback):
        assert text is not None
        assert "head" in text
        assert text.rstrip().endswith("tail")
        assert "bytes are cut here" in text
    for letter in raw.hvals("pyredisson_dead_letters:{q}"):
        assert MAX_TEXT / 2 < len(letter) < MAX_TEXT + 1_000
