"""The work of transfer tasks and schedules in a time that passes at once.

The rule: this does only what a client would do. If no client has subscribed to a queue's channel,
and this process has no transfer task of the queue, its items stay pending. A schedule advances only
if a client of this process has its job.
"""

from __future__ import annotations

import math
import sys
from typing import TYPE_CHECKING, Any

from pyredisson import Redisson
from pyredisson._runtime.concurrency import monotonic, sleep
from pyredisson._sync.background.schedule_job import ScheduleJob
from pyredisson._sync.background.transfer_task import TransferTask
from pyredisson._sync.link.link import Link
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import QueueNames, ScheduleNames

if TYPE_CHECKING:
    from pyredisson._async.background.kernel import AsyncBackground
    from pyredisson._sync.background.kernel import Background

__all__ = [
    "advance_schedule",
    "deliver",
    "doubt_ms",
    "kernels",
    "renewed_deliveries",
    "renewed_keys",
    "transferred_queues",
]

_SAFETY = 5.0


def kernels() -> list[AsyncBackground | Background]:
    """Return the background kernels of all open clients of this process."""
    return [each for each in _all("background.kernel", "KERNELS") if not each.life.ended]


def transferred_queues() -> set[str]:
    """Return the names in Redis of the queues that this process transfers.

    If the only item of a queue was just transferred, no key shows that it is a delayed queue.
    """
    works = [work for each in kernels() for work in list(each.work.values())]
    names = [getattr(work, "names", None) for work in works]
    return {each.name for each in names if isinstance(each, QueueNames)}


def renewed_keys() -> list[str]:
    """Return the keys whose times to live this process renews."""
    works: list[Any] = [work for each in kernels() for work in list(each.work.values())]
    return [key for work in works for key in work.renewed_keys()]


def renewed_deliveries() -> list[bytes]:
    """Return the first four bytes of the tokens whose leases the workers of this process renew."""
    consumers = [each for worker in _all("worker.worker", "RUNNING") for each in worker._consumers]
    return [
        each._naming.number for some in consumers for each in getattr(some, "consumers", (some,))
    ]


def _all(home: str, name: str) -> list[Any]:
    """Return the objects in a registry of the asyncio and the synchronous module, if loaded."""
    homes = [f"pyredisson.{half}.{home}" for half in ("_async", "_sync")]
    registries: list[Any] = [
        getattr(sys.modules[each], name) for each in homes if each in sys.modules
    ]
    weak = [each for registry in registries for each in list(registry.data)]  # beside other threads
    return [each for reference in weak if (each := reference()) is not None]


def advance_schedule(redisson: Redisson, name: str, passed_ms: int) -> None:
    """Offer the occurrences of a queue's schedule that the move of the clock makes due.

    They are offered as if the schedule's job had run all the time: no occurrence counts as missed.
    Call this function before the clock moves, while the job itself has nothing to do. If no client
    of this process has the job, the function does nothing.

    Args:
        redisson: a client of the server.
        name: the name of the queue in Redis.
        passed_ms: the milliseconds by which the clock will move.
    """
    link, names = redisson._context.link, ScheduleNames.of(name)
    if _work(names.times) is None:
        return
    job = ScheduleJob(names, _SAFETY, lambda due: None)
    now: float = math.floor(link.clock(job.key).earliest_ms(monotonic()))
    end = now + passed_ms
    while now <= end:
        job._next = math.inf
        job._check(link, math.ceil(now))
        now = max(now, job._next)


def doubt_ms() -> float:
    """Return by how many ms the clients of this process may make items due too late, at most."""
    servers = [each for kernel in kernels() for each in kernel._link.topology.servers()]
    return max((each.clock.doubt_ms for each in servers), default=0.0)


def deliver(redisson: Redisson, name: str, doubt: float) -> None:
    """Transfer due items of a queue, requeue messages after their leases, remove expired items.

    It waits for items that become due within `doubt` milliseconds, because clients may have made
    them due too late by this time. If the queue has no transfer task, it does nothing.
    """
    link, names = redisson._context.link, QueueNames.of(name)
    like = _work(names.timeout_set)
    if like is None and not _has_subscribers(link, names.channel):
        return
    emit, due_times = getattr(like, "_emit", None), getattr(like, "_due_times", False)
    task = TransferTask(names, _SAFETY, emit, due_times=due_times)
    end = link.clock(task.key).latest_ms(monotonic()) + doubt
    while True:
        wait = task.wait_seconds()
        if wait > 0 and task.clock.earliest_ms(monotonic()) + wait * 1000 > end:
            return
        sleep(wait)
        task.run(link)


def _work(key: str) -> Any:
    """Return the job with this key of a client of this process, or None."""
    return next((found for each in kernels() if (found := each.work.get(key))), None)


def _has_subscribers(link: Link, channel: str) -> bool:
    command = Command(
        ("PUBSUB", "NUMSUB", channel), lambda reply: int(reply[1]), channel, safe=True
    )
    return link.request(command) > 0
