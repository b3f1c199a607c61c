"""Objects of one process cannot be pickled or copied; the error says what to do instead."""

import copy
import pickle
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, Receipt
from pyredisson.codecs import StringCodec


def of_this_process(redisson: AsyncRedisson) -> dict[str, Any]:
    """A client and one object of each kind that it returns."""
    queue = redisson.get_blocking_deque("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    sharded = redisson.get_sharded_queue("s", shards=2, transfer=False)
    return {
        "Redisson": redisson,
        "Queue": redisson.get_queue("q"),
        "BlockingDeque": queue,
        "DelayedQueue": delayed,
        "Consumer": redisson.get_consumer(queue),
        "DeadLetters": redisson.get_dead_letters(queue),
        "PoisonList": redisson.get_poison_list(queue),
        "Bucket": redisson.get_bucket("b"),
        "GroupWindow": redisson.get_group_window(queue, size=2, max_wait=1),
        "ShardedQueue": sharded,
        "ShardedConsumer": redisson.get_consumer(sharded),
        "ShardedDeadLetters": redisson.get_dead_letters(sharded),
        "Worker": AsyncWorker(redisson, queue, print),
    }


async def test_pickle_error_says_what_to_do_instead(url: str) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        for name, each in of_this_process(redisson).items():
            said = rf"{name} cannot be pickled or copied: .*\.from_url\(\)$"
            for again in (pickle.dumps, copy.copy, copy.deepcopy):
                with pytest.raises(TypeError, match=said):
                    again(each)
                assert type(each).__name__.removeprefix("Async") == name


async def test_receipts_can_be_pickled_and_messages_copied(url: str) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        receipt = await delayed.offer("a", delay=3600)
        again: Receipt = pickle.loads(pickle.dumps(receipt))
        assert again == receipt
        assert await delayed.cancel(again)
        await queue.add("b")
        message = await redisson.get_consumer(queue).poll(timeout=1)
        assert message is not None
        with pytest.raises(TypeError, match="Consumer cannot be pickled"):
            pickle.dumps(message)
        assert copy.copy(message).value == "b"
        assert await message.ack()
