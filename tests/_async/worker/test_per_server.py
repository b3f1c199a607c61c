"""The tasks that do a worker's work, one for each server."""

import pytest

from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.worker import per_server
from pyredisson._async.worker.per_server import AsyncPerServer
from pyredisson._runtime.concurrency import AsyncEvent
from tests.support.twins import PATIENCE, sleep_async, until_async


async def test_task_of_a_server_stays_for_later_work_until_it_was_idle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(per_server, "_IDLE", PATIENCE)
    works, tasks = AsyncPerServer(AsyncLifetime(), "work"), []
    for _ in range(3):
        done = AsyncEvent()

        async def work(done: AsyncEvent = done) -> None:
            done.set()

        works.put("server", work)
        await done.wait(PATIENCE)
        await sleep_async(0.05)
        tasks.append(works._queues["server"].task)
    assert len(set(tasks)) == 1
    monkeypatch.setattr(per_server, "_IDLE", 0.05)
    works.put("server", work)
    await until_async(lambda: not works._queues, "the idle task ends")
    await works.stop(PATIENCE)
