"""What a transfer task has done so far, for logs, metrics and health checks."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TransferStats"]


@dataclass(frozen=True, slots=True)
class TransferStats:
    """One queue's transfer task, counted in this process since it started.

    `queue` is the mapped name; `handles` how many handles hold the task; `runs`
    and `failures` count scripts; `poisoned` the members that were moved to the
    poison list; `seconds_since_success` is None before the first success;
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
