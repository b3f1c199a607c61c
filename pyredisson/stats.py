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

    `done` were handled, `retried`, `deferred`, `dead` and `dropped` were not. No handler got some
    of the `dead` and `dropped`: the worker could not decode them, or found them expired. `lost` are
    those whose lease had ended before they were settled, or no reply had come by then, so that they
    come again; `running` are in hand. Each delivery is counted once.
    """

    done: int = 0
    retried: int = 0
    deferred: int = 0
    dead: int = 0
    dropped: int = 0
    lost: int = 0
    running: int = 0
