"""A worker that is stopped while it waits for messages."""

from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson._async.consumers import consumer
from pyredisson._async.waits import slices as waiting
from pyredisson._async.worker import worker as worker_module
from tests.support.consuming import traces
from tests.support.twins import AsyncStarted, until_async


@pytest.mark.parametrize("batch_wait", [0, 600])
@pytest.mark.parametrize("kind", ["one", "several", "sharded", "mixed"])
async def test_an_idle_worker_stops_at_once(
    redisson: AsyncRedisson,
    raw: Any,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    batch_wait: int,
) -> None:
    """It does not wait for the end of its time slice, even in the middle of a batch."""
    for module, name in ((worker_module, "_TAKE_SLICE"), (consumer, "SLICE"), (waiting, "SLICE")):
        monkeypatch.setattr(module, name, 600.0)
    one, two = redisson.get_queue("q"), redisson.get_queue("r")
    sharded = redisson.get_sharded_queue("s", shards=2, transfer=False)
    queues: dict[str, Any] = {
        "one": one,
        "several": [one, two],
        "sharded": sharded,
        "mixed": [one, sharded],
    }
    seen: list[Any] = []
    worker = AsyncWorker(redisson, queues[kind], seen.append, batch_size=2, batch_wait=batch_wait)
    running = AsyncStarted(worker.run)
    name = "s:00" if kind == "sharded" else "q"
    raw.rpush(name, "a")
    await until_async(lambda: "taken" in traces(raw) if batch_wait else seen != [], "it is taken")
    if kind in ("one", "several"):
        await until_async(lambda: raw.info("clients")["blocked_clients"] > 0, "it waits")
    worker.stop()
    assert await running.result() == 0
    assert raw.lrange(name, 0, -1) == ([b"a"] if batch_wait else [])
    assert seen == ([] if batch_wait else [["a"]])
