"""Counters of transfer tasks and workers, and the health of a client: for logs, metrics, probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Health", "TransferHealth", "TransferStats", "WorkerStats"]

MAX_LAG = 20.0
"""Maximum lag in seconds. A transfer task that exceeds it counts as not running, or as late."""


@dataclass(frozen=True, slots=True)
class TransferStats:
    """Counters of one queue's transfer task in this process, from the start of the task.

    Attributes:
        queue: the queue's name in Redis.
        handles: number of this client's objects that use the task.
        runs, failures: number of transfer scripts that ran, and of scripts that failed.
        poisoned: number of entries that the task moved to the poison list.
        seconds_since_success: seconds since the last successful run; None before the first one.
        subscribed: whether the task is subscribed to notifications.
        refused: the server's error text if it rejects the script now, for example because of a
            missing permission; otherwise None.
        expired: number of expired items that the task made dead letters or dropped.
    """

    queue: str
    handles: int
    runs: int
    failures: int
    poisoned: int
    seconds_since_success: float | None
    subscribed: bool
    refused: str | None = None
    expired: int = 0


@dataclass(frozen=True, slots=True)
class WorkerStats:
    """A worker's counts of messages since it started.

    Each delivery is counted once, by its end.

    Attributes:
        done: messages that a handler has processed.
        retried: messages whose handler failed, and that are requeued.
        deferred: messages whose handler raised `Defer`.
        dead: messages that became dead letters. They include messages that no handler received,
            because the worker could not decode them or because they had expired.
        dropped: messages that were removed, including expired messages that no handler received.
        lease_expired: messages whose lease ended before they were settled, or before the reply to
            the settlement came. They are redelivered.
        running: messages in flight in this worker.
    """

    done: int = 0
    retried: int = 0
    deferred: int = 0
    dead: int = 0
    dropped: int = 0
    lease_expired: int = 0
    running: int = 0


@dataclass(frozen=True, slots=True)
class TransferHealth:
    """One queue's transfer task.

    Attributes:
        running: whether the task made progress within the last 20 s. With
            `transfer_process=True`, the process must also run and have reported within 20 s. An
            outage of Redis does not change `running`.
        lag: seconds by which the next successful run of the task is late. It is 0 while the task
            runs on time, even if no item is due. It grows while Redis is down or rejects the
            transfer.
    """

    running: bool
    lag: float


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a client, as `Redisson.health` found it.

    Attributes:
        connected: whether Redis answers; in a cluster, whether at least one node answers.
        age: seconds since the last reply on any connection of the client; None before the first
            reply.
        transfers: the names of queues in Redis, each with the state of this client's transfer
            task.
    """

    connected: bool
    age: float | None
    transfers: Mapping[str, TransferHealth]

    @property
    def live(self) -> bool:
        """Whether all transfer tasks run. If False, restart the process."""
        return all(each.running for each in self.transfers.values())

    @property
    def late(self) -> Sequence[str]:
        """The names of the queues whose transfer tasks are late by more than 20 s."""
        return [name for name, each in self.transfers.items() if each.lag > MAX_LAG]

    @property
    def ok(self) -> bool:
        """Whether Redis answers, all transfer tasks run, and no transfer task is late."""
        return self.connected and self.live and not self.late
