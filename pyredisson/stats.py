"""Counters of transfer tasks and workers, and the health of a client: for logs, metrics, probes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Health", "TransferHealth", "TransferStats", "WorkerStats"]

MAX_LAG = 20.0
"""Seconds after which a transfer task counts as not running, or as too late."""


@dataclass(frozen=True, slots=True)
class TransferStats:
    """One queue's transfer task, counted in this process since it started.

    Attributes:
        queue: the queue's name in Redis.
        handles: number of this client's objects that use the task.
        runs, failures: number of scripts that ran, and of those that failed.
        poisoned: number of entries that the task moved to the poison list.
        seconds_since_success: seconds since the last successful run; None before the first one.
        subscribed: whether the task is subscribed to notifications.
        refused: the server's error while it rejects the script (a missing permission, for
            example), otherwise None.
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

    Each delivery is counted once.

    Attributes:
        done: messages that a handler has processed.
        retried: messages whose handler failed, and which are redelivered.
        deferred: messages whose handler raised `Defer`.
        dead: new dead letters, including messages that no handler received, because the worker
            could not decode them or they had expired.
        dropped: removed messages, including expired ones that no handler received.
        lease_expired: messages whose lease ended before they were settled, or before the reply to
            that came; they are redelivered.
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
        running: whether the task, or its process, lives and has gone on within the last 20 s. An
            outage of Redis does not change it.
        lag: seconds by which its last successful run is late: 0 while it runs on time, even if no
            item is due. It grows while Redis is down or rejects the transfer.
    """

    running: bool
    lag: float


@dataclass(frozen=True, slots=True)
class Health:
    """The state of a client, as `Redisson.health` found it.

    Attributes:
        connected: whether Redis answers. In a cluster, whether any node does.
        age: seconds since the last reply on any connection of the client; None before the first.
        transfers: this client's transfer tasks by the names of their queues in Redis.
    """

    connected: bool
    age: float | None
    transfers: Mapping[str, TransferHealth]

    @property
    def live(self) -> bool:
        """Whether all transfer tasks run: False is a reason to restart the process."""
        return all(each.running for each in self.transfers.values())

    @property
    def late(self) -> Sequence[str]:
        """The queues whose transfer tasks are late by more than 20 s."""
        return [name for name, each in self.transfers.items() if each.lag > MAX_LAG]

    @property
    def ok(self) -> bool:
        """Whether Redis answers, and all transfer tasks run and none is late."""
        return self.connected and self.live and not self.late
