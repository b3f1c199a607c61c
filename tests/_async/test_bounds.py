"""Bounds of what is offered: how long a value may be, and how many may wait."""

from typing import Any

import pytest

from pyredisson import AsyncRedisson, MessageTooLongError, PartialOfferError
from pyredisson.codecs import StringCodec

LONG = 3600


# -------------------------------------------------------------- how long a value may be


async def test_a_client_s_limit_holds_for_all_its_queues(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), max_bytes=3) as redisson:
        deque = redisson.get_blocking_deque("q")
        delayed = redisson.get_delayed_queue(deque, transfer=False)
        for store in (
            deque.add,
            deque.put,
            deque.add_first,
            lambda value: deque.add_all(["a", value]),
            lambda value: delayed.offer(value, LONG),
            lambda value: delayed.offer_many([("a", LONG), (value, LONG)]),
        ):
            with pytest.raises(MessageTooLongError) as caught:
                await store("long")
            assert (caught.value.key, caught.value.length, caught.value.limit) == ("q", 4, 3)
        assert raw.keys() == []
        raw.rpush("q", "written by Java")
        assert await deque.contains("written by Java")
        assert await deque.poll() == "written by Java"
        assert await deque.add("abc")
        await delayed.offer("abc", LONG)
        await redisson.get_bucket("b").set("a bucket is no queue")


async def test_a_delayed_queue_may_have_another_limit(redisson: AsyncRedisson, raw: Any) -> None:
    target = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(target, transfer=False, max_bytes=3)
    with pytest.raises(MessageTooLongError, match="max_bytes=3"):
        await delayed.offer("long", LONG)
    with pytest.raises(MessageTooLongError, match=r"item 1: .* 4 bytes long"):
        await delayed.offer_many([("abc", LONG), ("long", LONG)])
    with pytest.raises(PartialOfferError) as caught:
        await delayed.offer_many(iter([("abc", LONG)] * 300 + [("long", LONG)]))
    assert isinstance(caught.value.cause, MessageTooLongError)
    assert raw.zcard("redisson_delay_queue_timeout:{q}") == caught.value.count == 250
    assert await target.add("long")
    with pytest.raises(ValueError, match="max_bytes must be at least 1"):
        redisson.get_delayed_queue(target, max_bytes=0)
