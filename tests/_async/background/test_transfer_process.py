"""Transfer tasks in their own process, which ends with its client."""

import logging
import os
import signal
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.processes import has_ended
from tests.support.twins import count_tasks_async, until_async
from tests.support.twins import until as wait_here

STRINGS = StringCodec()


def process(redisson: AsyncRedisson) -> int:
    """The process id of the running transfer process, 0 without one."""
    running: Any = redisson._context.transfers
    return running._process.pid if running._process else 0


async def test_process_transfers_until_the_handle_is_destroyed(url: str, raw: redis.Redis) -> None:
    tasks = count_tasks_async()
    async with AsyncRedisson.from_url(url, codec=STRINGS, transfer_process=True) as redisson:
        queue = redisson.get_blocking_queue("q")
        assert process(redisson) == 0
        delayed = redisson.get_delayed_queue(queue)
        other = redisson.get_delayed_queue(redisson.get_queue("other"))
        again = redisson.get_delayed_queue(queue)
        await delayed.offer("a", delay=0.1)
        assert await queue.poll(timeout=20) == "a"
        assert count_tasks_async() <= tasks + 1  # only the thread that supervises the process
        await until_async(
            lambda: (
                {("q", 2), ("other", 1)}
                == {(each.queue, each.handles) for each in redisson.transfer_stats() if each.runs}
            ),
            "it says what it has done",
        )
        again.destroy()
        other.destroy()
        assert [each.queue for each in redisson.transfer_stats()] == ["q"]
        delayed.destroy()
        assert redisson.transfer_stats() == []
        await until_async(lambda: raw.pubsub_channels() == [], "it listens to none")
        await delayed.offer("b", delay=0)
        assert await queue.poll(timeout=0.2) is None
        pid = process(redisson)
        assert not has_ended(pid)
    await until_async(lambda: has_ended(pid), "the process ends with its client")


async def test_killed_transfer_process_is_started_again(
    url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncRedisson.from_url(url, codec=STRINGS, transfer_process=True) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        await until_async(lambda: bool(redisson.transfer_stats()), "it runs")
        first = process(redisson)
        os.kill(first, signal.SIGKILL)
        await delayed.offer("a", delay=0.1)
        assert await queue.poll(timeout=20) == "a"
        assert process(redisson) not in {0, first}
    assert "exited with code -9; due items wait" in caplog.text


async def test_stats_of_the_process_are_read_without_waiting(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call returns if the process is stopped or not started, and does not start it."""
    async with AsyncRedisson.from_url(url, codec=STRINGS, transfer_process=True) as redisson:
        transfers: Any = redisson._context.transfers
        with monkeypatch.context() as patch:
            patch.setattr(transfers, "ensure_running", lambda: None)
            redisson.get_delayed_queue(redisson.get_queue("q"))
            assert repr(redisson) == f"<{AsyncRedisson.__name__} open, 1 transfer tasks>"
            assert redisson.transfer_stats() == []
            assert transfers._thread is None
        transfers.ensure_running()
        await until_async(lambda: any(each.runs for each in redisson.transfer_stats()), "it runs")
        os.kill(process(redisson), signal.SIGSTOP)
        try:
            first, second, third = [redisson.transfer_stats()[0] for _ in range(3)]
            assert first.runs <= second.runs == third.runs
            assert (third.seconds_since_success or 0) > (second.seconds_since_success or 0)
            assert "open, 1 transfer tasks" in repr(redisson)
        finally:
            os.kill(process(redisson), signal.SIGCONT)


async def test_stats_are_requested_again_after_an_immediate_answer(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer can arrive before the request returns, if the asking thread is interrupted."""
    async with AsyncRedisson.from_url(url, codec=STRINGS, transfer_process=True) as redisson:
        redisson.get_delayed_queue(redisson.get_queue("q"))
        transfers: Any = redisson._context.transfers
        await until_async(lambda: bool(redisson.transfer_stats()), "it runs")
        write = transfers._write

        def answered_at_once(process: Any, words: Any) -> bool:
            said, sent = transfers._stats_at, write(process, words)
            wait_here(lambda: transfers._stats_at != said, "it has answered")
            return bool(sent)

        with monkeypatch.context() as patch:
            patch.setattr(transfers, "_write", answered_at_once)
            await until_async(lambda: not transfers._asked, "no answer is under way")
            redisson.transfer_stats()
        assert not transfers._asked


async def test_log_of_the_process_is_logged_in_the_client(
    url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    raw.set("q", "no list")
    raw.zadd(
        "redisson_delay_queue_timeout:{q}", {b"\x08" + bytes(8) + b"\x01" + bytes(7) + b"x": 1}
    )
    raw.rpush("redisson_delay_queue:{q}", b"\x08" + bytes(8) + b"\x01" + bytes(7) + b"x")
    async with AsyncRedisson.from_url(url, codec=STRINGS, transfer_process=True) as redisson:
        redisson.get_delayed_queue(redisson.get_queue("q"))
        await until_async(lambda: "transfer is rejected" in caplog.text, "it says so")
    (record,) = [each for each in caplog.records if "rejected" in each.getMessage()]
    assert record.levelno == logging.ERROR
    assert record.name == "pyredisson"


async def test_transfer_process_rejects_a_client_that_cannot_be_copied(url: str) -> None:
    class Own(redis.asyncio.Connection):
        pass

    client: Any = redis.asyncio.Redis.from_url(url)
    with pytest.raises(TypeError, match="cannot be copied"):
        AsyncRedisson(
            redis.asyncio.Redis(credential_provider=lambda: None),  # type: ignore[arg-type]  # any
            transfer_process=True,
        )
    client.connection_pool.connection_class = Own
    with pytest.raises(TypeError, match=r"not redis-py.s, .*Own; run `pyredisson transfer`"):
        AsyncRedisson(client, transfer_process=True)
