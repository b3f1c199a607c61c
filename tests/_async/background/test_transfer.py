"""The transfer task: which clients run one, for how long, and which items it transfers."""

import logging
import threading
from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import AsyncDelayedQueue, AsyncRedisson, TransferStats
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.faults_tools import settled
from tests.support.state import pack, pack_old, server_ms, shape
from tests.support.twins import count_tasks_async, sleep_async, until_async

STRINGS = StringCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
CHANNEL = "redisson_delay_queue_channel:{q}"
POISON = "pyredisson_poison:{q}"


def delayed_queue(
    redisson: AsyncRedisson, name: str = "q", **options: Any
) -> AsyncDelayedQueue[str]:
    return redisson.get_delayed_queue(redisson.get_queue(name, codec=STRINGS), **options)


def subscribers(raw: redis.Redis, channel: str = CHANNEL) -> int:
    """The number of connections that subscribe to a queue's channel."""
    counts: Any = raw.pubsub_numsub(channel)
    return int(counts[0][1])


def stats(redisson: AsyncRedisson) -> TransferStats:
    (one,) = redisson.transfer_stats()
    return one


# --- clients that transfer ----------------------------------------------------------------------


async def test_a_process_that_only_consumes_delivers(url: str, raw: redis.Redis) -> None:
    """In Redisson, no process would transfer after the producer's exit (R3)."""
    async with AsyncRedisson.from_url(url) as producer:
        delayed = delayed_queue(producer, transfer=False)
        await delayed.offer("a", delay=0.2)
        await delayed.offer("b", delay=0.3)
    assert raw.zcard(SET) == 2
    async with AsyncRedisson.from_url(url) as consumer:
        queue = consumer.get_blocking_queue("q", codec=STRINGS)
        consumer.get_delayed_queue(queue)
        assert [await queue.take(), await queue.take()] == ["a", "b"]


async def test_consumer_that_starts_first_gets_the_item(
    url: str, redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    redisson.get_delayed_queue(queue)
    await until_async(lambda: subscribers(raw) == 1, "it listens")
    async with AsyncRedisson.from_url(url) as producer:
        await delayed_queue(producer, transfer=False).offer("a", delay=0.2)
    assert await queue.take() == "a"


async def test_without_transfer_nothing_moves(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    delayed = delayed_queue(redisson, transfer=False)
    await delayed.offer("a", delay=0)
    await sleep_async(0.2)
    assert shape(raw) == {LIST: ["a"], SET: ["a"]}
    assert redisson.transfer_stats() == []
    assert subscribers(raw) == 0
    delayed.destroy()  # does nothing
    delayed_queue(redisson)
    await until_async(lambda: shape(raw) == {"q": ["a"]}, "somebody else moves it")


async def test_an_overdue_head_needs_no_notification(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    entry = pack(b"a")
    raw.rpush(LIST, entry)
    raw.zadd(SET, {entry: 1})
    delayed_queue(redisson)
    await until_async(lambda: shape(raw) == {"q": ["a"]}, "it is delivered")


async def test_more_due_items_than_a_batch_are_delivered(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    count = 1_234
    with raw.pipeline() as pipe:
        for number in range(count):
            entry = pack(str(number).encode(), number.to_bytes(8, "big"))
            pipe.rpush(LIST, entry)
            pipe.zadd(SET, {entry: number})
        pipe.execute()
    queue = redisson.get_blocking_queue("q", codec=LongCodec())
    redisson.get_delayed_queue(queue)
    assert [await queue.take() for _ in range(count)] == list(range(count))
    assert shape(raw) == {}


async def test_equal_due_times_all_arrive(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    due = server_ms(raw) + 200
    entries = {pack(b"same", bytes([number] * 8)): due for number in range(250)}
    for entry in entries:
        raw.rpush(LIST, entry)
    raw.zadd(SET, entries)
    delayed_queue(redisson)
    await until_async(lambda: shape(raw) == {"q": ["same"] * 250}, "all arrive")


async def test_entry_of_one_structure_is_treated_as_in_redisson(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """As in Redisson, an entry only in the timeout set is delivered; one only in the list stays."""
    raw.zadd(SET, {pack(b"timed"): 1})
    raw.rpush(LIST, pack(b"listed"))
    delayed_queue(redisson)
    await until_async(lambda: raw.llen("q") == 1, "it is delivered")
    assert shape(raw) == {"q": ["timed"], LIST: ["listed"]}


def counted(redisson: AsyncRedisson, before: int) -> bool:
    return stats(redisson).runs > before


async def test_message_on_the_channel_wakes_the_transfer_task(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """It wakes the task for items of other clients, too; any payload makes the task poll."""
    async with AsyncRedisson(
        redis.asyncio.Redis(port=raw.get_connection_kwargs()["port"]), safety_interval=3600
    ) as patient:
        delayed_queue(patient)
        await until_async(lambda: stats(patient).subscribed, "it listens")
        await until_async(settled(lambda: stats(patient).runs), "it has looked")
        for payload in (b"", b"junk", b"1", b"\xff", b"-5", b"1e3"):
            before = stats(patient).runs
            entry = pack(payload)
            raw.rpush(LIST, entry)
            raw.zadd(SET, {entry: 1})
            await sleep_async(0.02)
            assert raw.llen("q") == 0
            raw.publish(CHANNEL, payload)
            await until_async(lambda: raw.llen("q") == 1, "it looked")
            assert raw.lpop("q") == payload
            await until_async(partial(counted, patient, before), "it counted that")
        raw.publish(CHANNEL, b"9" * 400)
        await delayed_queue(patient).offer("after", delay=0)
        await until_async(lambda: raw.lpop("q") == b"after", "it listens on")


# --- handles ------------------------------------------------------------------------------------


async def test_ten_thousand_handles_share_one_task(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    threads, tasks = threading.active_count(), count_tasks_async()
    target = redisson.get_queue("q", codec=STRINGS)
    handles = [redisson.get_delayed_queue(target) for _ in range(10_000)]
    await handles[-1].offer("a", delay=0)
    await until_async(lambda: raw.llen("q") == 1, "it is delivered")
    await until_async(lambda: subscribers(raw) == 1, "it listens")
    assert stats(redisson).handles == 10_000
    assert len(raw.client_list(_type="pubsub")) == 1
    await until_async(
        lambda: threading.active_count() - threads + count_tasks_async() - tasks == 2,
        "there are two of them, the subscription and the transfer, once nothing is under way",
    )
    assert len(raw.client_list()) <= 6
    for handle in handles[1:]:
        handle.destroy()
    assert stats(redisson).handles == 1
    await handles[1].offer("b", delay=0)
    await until_async(lambda: raw.llen("q") == 2, "the last handle is enough")


async def test_three_hundred_queues_share_one_connection(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    count = 300
    handles = [delayed_queue(redisson, f"q{number}") for number in range(count)]
    await until_async(
        lambda: all(one.subscribed for one in redisson.transfer_stats()), "all are subscribed"
    )
    assert len(redisson.transfer_stats()) == count
    assert len(raw.client_list(_type="pubsub")) == 1
    for handle in handles:
        await handle.offer("x", delay=0.1)
    await until_async(
        lambda: all(raw.llen(handle.name) == 1 for handle in handles), "all are delivered"
    )
    assert len(raw.client_list(_type="pubsub")) == 1
    assert len(raw.client_list()) <= 8
    for handle in handles[1:]:
        handle.destroy()
    await until_async(
        lambda: len(raw.pubsub_channels()) == 1, "the others are not listened to any more"
    )
    assert [one.queue for one in redisson.transfer_stats()] == ["q0"]


async def test_destroying_a_handle_twice_counts_once(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """In Redisson, the second call ends the task that the other handle needs (R4)."""
    first, second = delayed_queue(redisson), delayed_queue(redisson)
    first.destroy()
    first.destroy()
    assert stats(redisson).handles == 1
    await second.offer("a", delay=0.05)
    await until_async(lambda: raw.llen("q") == 1, "the other handle transfers")
    await first.offer("b", delay=0.05)  # a destroyed handle still works
    await until_async(lambda: raw.llen("q") == 2, "the other handle transfers")


async def test_the_last_destroy_ends_the_task(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    first, second = delayed_queue(redisson), delayed_queue(redisson)
    await until_async(lambda: subscribers(raw) == 1, "it listens")
    first.destroy()
    second.destroy()
    await until_async(lambda: subscribers(raw) == 0, "it listens no more")
    await second.offer("a", delay=0)
    await sleep_async(0.3)
    assert shape(raw) == {LIST: ["a"], SET: ["a"]}  # the item stays pending
    assert redisson.transfer_stats() == []
    third = delayed_queue(redisson)
    await until_async(lambda: shape(raw) == {"q": ["a"]}, "a new handle starts again")
    assert stats(redisson).handles == 1
    assert await third.is_empty()


async def test_two_clients_deliver_each_item_once(url: str, redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q", codec=LongCodec())
    delayed = redisson.get_delayed_queue(queue)
    async with AsyncRedisson.from_url(url) as other:
        delayed_queue(other)
        for number in range(200):
            await delayed.offer(number, delay=0.001 * (number % 50))
        taken = [await queue.take() for _ in range(200)]
        assert sorted(taken) == list(range(200))
        await sleep_async(0.1)
        assert await queue.is_empty()


# --- poison -------------------------------------------------------------------------------------


async def test_poison_stops_no_other_item(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    """In Redisson, items before the poison repeat every 5 s; those behind it never arrive (R5)."""
    bad = [b"", b"\x08short", b"\x08" + b"i" * 8 + b"\x05" + b"\0" * 7 + b"four", b"p" * 100]
    entries: list[bytes] = []
    for number in range(5):
        entries.append(pack(f"new {number}".encode(), bytes([number] * 8)))
        entries.append(pack_old(f"old {number}".encode(), number + 0.5))
        entries.extend(bad[number : number + 1])
    for score, entry in enumerate(entries):
        raw.rpush(LIST, entry)
        raw.zadd(SET, {entry: score})
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    redisson.get_delayed_queue(queue)
    taken = [await queue.take() for _ in range(10)]
    assert taken == [f"{kind} {number}" for number in range(5) for kind in ("new", "old")]
    await until_async(lambda: stats(redisson).poisoned == len(bad), "all poison is counted")
    assert raw.lrange(POISON, 0, -1) == bad
    assert raw.exists("q", LIST, SET) == 0
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert POISON in record.getMessage()
    assert "4 pending entries" in record.getMessage()


async def test_a_value_of_another_codec_is_no_poison(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """The transfer task moves bytes; only producer and consumer decode them."""
    await delayed_queue(redisson).offer("no number", delay=0)
    await until_async(lambda: shape(raw) == {"q": ["no number"]}, "it is delivered")


# --- statistics ---------------------------------------------------------------------------------


async def test_stats_report_the_work_of_a_task(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    assert redisson.transfer_stats() == []
    delayed = delayed_queue(redisson)
    await until_async(lambda: stats(redisson).subscribed, "it listens")
    await until_async(lambda: stats(redisson).runs > 0, "it has looked")
    one = stats(redisson)
    assert (one.queue, one.handles, one.failures, one.poisoned) == ("q", 1, 0, 0)
    assert one.seconds_since_success is not None
    await delayed.offer("a", delay=0.05)
    await until_async(lambda: raw.llen("q") == 1, "it is delivered")
    await until_async(lambda: stats(redisson).runs > one.runs, "the run is counted")
    assert "1 transfer tasks" in repr(redisson)


async def test_idle_task_does_not_poll_the_server_in_a_loop(redisson: AsyncRedisson) -> None:
    """The task makes no busy loop, neither without a due item nor just before one."""
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue)
    await delayed.offer("far", delay=3600)
    await until_async(lambda: stats(redisson).subscribed, "it listens")
    await sleep_async(0.2)
    runs = stats(redisson).runs
    await sleep_async(0.5)
    assert stats(redisson).runs - runs <= 1
    runs = stats(redisson).runs
    for _ in range(10):
        await delayed.offer("soon", delay=0.012)
        assert await queue.take() == "soon"
    assert stats(redisson).runs - runs <= 60


async def test_offer_behind_the_head_does_not_wake_the_task(
    redisson: AsyncRedisson, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waking the task would take longer than the offer itself."""
    delayed = delayed_queue(redisson)
    await delayed.offer("next", delay=1800)
    await until_async(lambda: stats(redisson).runs > 0, "it has looked")
    background, planned = redisson._context.background, []
    plan = background.plan

    def counted(job: Any, **options: Any) -> None:
        planned.append(job)
        plan(job, **options)

    monkeypatch.setattr(background, "plan", counted)
    for delay in (3600, 1800.5, 7200) * 30:
        await delayed.offer("later", delay=delay)
    assert len(planned) < 10  # the task's own polls
    await delayed.offer("soon", delay=0.05)
    await until_async(lambda: raw.llen("q") == 1, "it is delivered")
