"""Starts the transfer tasks of one client: one for each queue, as long as it has users.

The rule: a client without delayed queues does not import the task.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pyredisson._async.background.kernel import AsyncBackground
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.kernel.names import QueueNames

if TYPE_CHECKING:
    from pyredisson._async.background.transfer_task import AsyncTransferTask
    from pyredisson.stats import TransferHealth, TransferStats


_ON_TIME = 0.1
"""Seconds of lateness that a healthy task may have: a round trip, a busy machine."""


class AsyncTransfers:
    """Starts the transfer tasks of one client, one for each queue."""

    def __init__(
        self,
        background: AsyncBackground,
        safety_interval: float,
        emit: Callable[..., None] | None = None,
        *,
        due_times: bool = False,
    ) -> None:
        self._background = background
        self._work: Mapping[Hashable, Any] = background.work
        self._safety_interval = safety_interval
        self._emit = emit
        self._due_times = due_times

    def acquire(self, names: QueueNames) -> None:
        """Add a user of a queue's task; the first user starts the task."""
        self._background.acquire(names.timeout_set, partial(self._make, names))

    def _make(self, names: QueueNames) -> AsyncTransferTask:
        from pyredisson._async.background.transfer_task import AsyncTransferTask  # noqa: PLC0415 - seldom

        return AsyncTransferTask(
            names, self._safety_interval, self._emit, due_times=self._due_times
        )

    def release(self, names: QueueNames) -> None:
        """Remove a user; the last user ends the task."""
        self._background.release(names.timeout_set)

    def ensure_running(self) -> None:
        """Nothing to do: the kernel restarts all tasks."""

    def _tasks(self) -> list[AsyncTransferTask]:
        from pyredisson._async.background.transfer_task import AsyncTransferTask  # noqa: PLC0415 - seldom

        return [task for task in list(self._work.values()) if isinstance(task, AsyncTransferTask)]

    def close(self) -> None:
        """Nothing to do: the kernel ends the tasks."""

    def kill(self) -> None:
        """Nothing to do: there is no process."""

    def announced(self, names: QueueNames, due_ms: int) -> None:
        """Note that this client has offered an item that is due at `due_ms`.

        The worker is woken only if the item is due before the next run: to wake a worker takes
        longer than the offer.
        """
        task = self._work.get(names.timeout_set)
        if task is None or task.schedule.knows(due_ms):
            return  # without the lock, since every offer calls this
        if task.announced(due_ms):
            self._background.plan(task)

    def watch(self, names: QueueNames, wake: Callable[[], None]) -> None:
        """Call `wake` after each successful run of a queue's present task, if there is a task."""
        task = self._work.get(names.timeout_set)
        if task is not None:
            task.watchers.append(wake)

    def unwatch(self, names: QueueNames, wake: Callable[[], None]) -> None:
        """Call `wake` no longer."""
        task = self._work.get(names.timeout_set)
        if task is not None and wake in task.watchers:
            task.watchers.remove(wake)

    def __len__(self) -> int:
        """Return the number of tasks."""
        return len(self._tasks())

    def stats(self) -> list[TransferStats]:
        """Return the counters of each task."""
        from pyredisson.stats import TransferStats  # noqa: PLC0415 - seldom

        return [
            TransferStats(
                queue=task.names.name,
                handles=self._background.users(task.names.timeout_set),
                runs=task.runs,
                failures=task.failures,
                poisoned=task.poisoned,
                expired=task.cleanup.expired,
                seconds_since_success=(
                    None if task.succeeded is None else monotonic() - task.succeeded
                ),
                subscribed=self._background.is_subscribed(task.names.channel),
                refused=task.refused,
            )
            for task in self._tasks()
        ]

    def reported(self) -> bool:
        """Return True: `health` needs no report of another process."""
        return True

    def health(self) -> dict[str, TransferHealth]:
        """Return whether each task runs, and how late it is."""
        from pyredisson.stats import MAX_LAG, TransferHealth  # noqa: PLC0415 - seldom

        self._background.ensure_entered()
        found = {}
        for task in self._tasks():
            late, stuck = self._background.state(task)
            unserved = monotonic() - (task.succeeded or task.started) - self._safety_interval
            lag = max(unserved, late if late < math.inf else 0.0)
            on_time = lag < _ON_TIME
            found[task.names.name] = TransferHealth(stuck <= MAX_LAG, 0.0 if on_time else lag)
        return found
