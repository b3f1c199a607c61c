"""What transfer tasks and workers have done so far, for logs, metrics and health checks."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TransferStats", "WorkerStats"]


@dataclass(frozen=True, slots=True)
class TransferStats:
    """One queue's transfer task, counted in this process since it started.

    `queue` is the mapped name; `handles` how many handles hold the task; `runs`
    and `failures` count scripts; `poisoned` the members that were moved to the
    poison list; `expired` the items that the task made dead letters or dropped;
    `seconds_since_success` is None before the first success;
    `subscribed` tells whether notifications arrive; `refused` is the server's error
    while it refuses the script for want of a right or the like, else None.
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
    """What a worker has done since it started, in messages.

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
