"""Hooks: the client calls each for its event; a hook that raises breaks nothing."""

import logging
from collections.abc import AsyncIterator
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, Backoff, DecodeError, Defer, Hooks, Receipt
from pyredisson.codecs import StringCodec
from tests.support.twins import AsyncStarted, until_async

ON_ERROR: Any = {KeyError: "dead", IndexError: "drop"}


class Heard(Hooks):
    """Records the events that it receives."""

    def __init__(self) -> None:
        self.offers: list[tuple[str, bytes]] = []
        self.transferred = 0
        self.messages: list[tuple[Any, ...]] = []

    def on_offer(self, queue: str, receipt: Receipt) -> None:
        self.offers.append((queue, receipt.value))

    def on_transfer(self, queue: str, count: int) -> None:
        assert queue == "q"
        self.transferred += count

    def on_deliver(self, queue: str, message: Any) -> None:
        self.messages.append(("deliver", queue, message.value, message.attempt))

    def on_ack(self, queue: str, message: Any) -> None:
        self.messages.append(("ack", queue, message.value))

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        self.messages.append(("retry", queue, message.value, type(error), delay))

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        self.messages.append(("dead", queue, message.value, reason, type(error)))

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        self.messages.append(("drop", queue, message.value, type(error)))

    def on_lease_end(self, queue: str, message: Any) -> None:
        self.messages.append(("lease end", queue, message.value))

    def on_cancel(self, queue: str, receipt: Receipt) -> None:
        self.offers.append(("cancelled", receipt.value))

    def on_reschedule(self, queue: str, receipt: Receipt) -> None:
        self.offers.append((f"due at {receipt.due_ms}", receipt.value))

    def on_undecodable(self, queue: str, error: DecodeError) -> None:
        self.messages.append(("undecodable", queue, error.raw))

    def on_expire(self, queue: str, message: Any) -> None:
        self.messages.append(("expired", queue, message.raw))


class Raising(Hooks):
    """Raises in each hook."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("on_"):
            return self._raise
        return super().__getattribute__(name)

    def _raise(self, *_facts: Any) -> None:
        raise RuntimeError("of a hook")


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def redisson(url: str, heard: Heard) -> AsyncIterator[AsyncRedisson]:
    """A client with hooks."""
    async with AsyncRedisson.from_url(url, codec=StringCodec(), hooks=heard) as redisson:
        yield redisson


async def test_hooks_receive_offers_and_transfers(
    redisson: AsyncRedisson, heard: Heard, raw: Any
) -> None:
    queue = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await delayed.offer("a", 0.01)
    await delayed.offer("b", 0.01)
    await delayed.offer_many([("c", 0.01), ("d", 0.01)])
    assert await delayed.offer_many([("e", 0.01)], receipts=False) == 1
    await delayed.offer("f", 60, dedup="key")
    await delayed.offer("not stored", 60, dedup="key")
    await redisson.get_delayed_queue(queue, max_size=100).offer("g", 0.01)
    assert heard.offers == [("q", value.encode()) for value in "abcdefg"]
    await until_async(lambda: heard.transferred == 6, "it hears of all that is moved")
    assert raw.llen("q") == 6


async def test_hooks_receive_transfers_of_the_transfer_process(url: str, heard: Heard) -> None:
    async with AsyncRedisson.from_url(
        url, codec=StringCodec(), hooks=heard, transfer_process=True
    ) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
        await delayed.offer_many([("a", 0.01), ("b", 0.01)])
        await until_async(lambda: heard.transferred == 2, "the process says so")


async def test_hooks_receive_cancel_and_reschedule(redisson: AsyncRedisson, heard: Heard) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    receipt = await delayed.offer("a", 60)
    moved = await delayed.reschedule(receipt, 120)
    assert moved is not None
    assert await delayed.cancel(moved)
    assert not await delayed.cancel(moved)
    assert await delayed.reschedule(moved, 60) is None
    assert heard.offers == [("q", b"a"), (f"due at {moved.due_ms}", b"a"), ("cancelled", b"a")]


async def test_hooks_receive_offers_to_shards(redisson: AsyncRedisson, heard: Heard) -> None:
    orders = redisson.get_sharded_queue("orders", 2, transfer=False)
    receipts = await orders.offer_many([("a", 60), ("b", 60), ("c", 60)])
    assert sorted(heard.offers) == sorted((each.queue, each.value) for each in receipts)


async def handled(redisson: AsyncRedisson, *values: str, **options: Any) -> None:
    """Let a worker handle values until each is done, dead-lettered or dropped."""

    def handle(value: str) -> None:
        times[value] = times.get(value, 0) + 1
        if value == "defer" and times[value] == 1:
            raise Defer(0.01)
        if value == "retry" and times[value] == 1:
            raise ValueError("once")
        if value == "dead":
            raise KeyError("never")
        if value == "drop":
            raise IndexError("never")

    times: dict[str, int] = {}
    queue = redisson.get_queue("q")
    for value in values:
        await queue.add(value)
    backoff = Backoff(first=0.01, jitter=0)
    worker = AsyncWorker(redisson, queue, handle, backoff=backoff, on_error=ON_ERROR, **options)
    running = AsyncStarted(worker.run)

    def settled() -> int:
        stats = worker.stats()
        return stats.done + stats.dead + stats.dropped

    await until_async(lambda: settled() == len(values), "all are settled")
    worker.stop()
    assert await running.result() == 0


async def test_hooks_receive_each_step_of_a_message(redisson: AsyncRedisson, heard: Heard) -> None:
    await handled(redisson, "good", "defer", "retry", "dead", "drop")
    by_value = {
        value: [facts for facts in heard.messages if facts[2] == value]
        for value in ("good", "defer", "retry", "dead", "drop")
    }
    assert by_value == {
        "good": [("deliver", "q", "good", 1), ("ack", "q", "good")],
        "defer": [
            ("deliver", "q", "defer", 1),
            ("retry", "q", "defer", Defer, 0.01),
            ("deliver", "q", "defer", 1),
            ("ack", "q", "defer"),
        ],
        "retry": [
            ("deliver", "q", "retry", 1),
            ("retry", "q", "retry", ValueError, 0.01),
            ("deliver", "q", "retry", 2),
            ("ack", "q", "retry"),
        ],
        "dead": [
            ("deliver", "q", "dead", 1),
            ("dead", "q", "dead", "KeyError: 'never'", KeyError),
        ],
        "drop": [("deliver", "q", "drop", 1), ("drop", "q", "drop", IndexError)],
    }


async def test_a_hook_that_raises_breaks_nothing(
    url: str, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), hooks=Raising()) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("other"))
        await delayed.offer("a", 0.01)
        await delayed.offer("b", 0.01)
        await delayed.offer_many([("c", 0.01), ("d", 0.01)])
        with caplog.at_level(logging.WARNING, "pyredisson"):
            await handled(redisson, "good", "retry", "dead")
        await until_async(lambda: raw.llen("other") == 4, "all are moved")
    said = [record.args for record in caplog.records if "the hook" in record.msg]
    assert len(said) == len(set(said))
    assert {("on_deliver",), ("on_ack",), ("on_retry",), ("on_dead_letter",)} <= set(said)


async def test_hooks_argument_of_a_wrong_type_is_rejected(url: str) -> None:
    wrong: Any = print
    with pytest.raises(TypeError, match="subclass of Hooks"):
        AsyncRedisson.from_url(url, hooks=wrong)
