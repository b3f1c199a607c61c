"""Counters of transfer tasks and workers, for logs, metrics and health checks."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TransferStats", "WorkerStats"]


@dataclass(frozen=True, slots=True)
class TransferStats:
    """One queue's transfer task, counted in this process since it started.

    Attributes:
        queue: the queue's name in Redis.
        handles: how many objects of this client use the task.
        runs, failures: how many scripts ran, and how many failed.
        poisoned: entries that the task moved to the poison list.
        seconds_since_success: None before the first success.
        subscribed: whether notifications arrive.
        refused: the server's error while it rejects the script (a missing permission, for
            example), else None.
        expired: items that the task made dead letters or dropped.
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
        done: messages that were handled.
        retried: those that were not, and are delivered again.
        deferred: those whose handler raised `Defer`.
        dead: new dead letters. No handler got some of them: the worker could not decode them, or
            found them expired.
        dropped: removed messages. No handler got those that had expired.
        lease_expired: those whose lease ended before they were settled, or before the reply came;
            they are delivered again.
        running: messages in flight in this worker.
    """

    done: int = 0
    retried: int = 0
    deferred: int = 0
    dead: int = 0
    dropped: int = 0
    lease_expired: int = 0
    running: int = 0
