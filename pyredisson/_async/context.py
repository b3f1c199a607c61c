"""What all handles of one client share."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pyredisson._async.background.jobs import AsyncJobs
from pyredisson._async.background.schedules import AsyncSchedules
from pyredisson._async.background.transfers import AsyncTransfers
from pyredisson._async.link.link import AsyncLink
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.names import Claims, NameMapper
from pyredisson.protocol.kernel.remembered import Remembered
from pyredisson.protocol.poison.poison_list import OnUndecodable

if TYPE_CHECKING:
    from pyredisson._transfer_process.parent import TransferProcess


class AsyncChild(Protocol):
    """What is closed with its client."""

    @property
    def name(self) -> str:
        """The name of its queue."""

    def _shut(self) -> None:
        """Take nothing more, from now on."""

    def _lane(self) -> Hashable:
        """Return what its `close` waits for: those of one are closed in turn. None: nothing."""

    def _holds(self) -> int:
        """Return how many messages it has that are to be given back."""

    async def close(self) -> None:
        """End it, and give back what it has."""


class AsyncStoppable(Protocol):
    """A worker that runs."""

    def stop(self) -> None:
        """Take nothing more."""

    def _patience(self) -> float:
        """Return how many seconds to wait for its end; it may be the caller who is waited for."""


@dataclass(slots=True)
class AsyncContext:
    """The client's connections, transfer tasks, schedules and settings, handed to each handle."""

    link: AsyncLink
    jobs: AsyncJobs
    transfers: AsyncTransfers | TransferProcess
    schedules: AsyncSchedules
    mapper: NameMapper
    wire_format: WireFormat
    on_undecodable: OnUndecodable
    max_bytes: int | None = None
    """How long a value of a queue may be, encoded."""
    tell: Callable[..., None] | None = None
    """Calls a hook by its name, where the client has any."""
    due_times: bool = False
    """Whether transfers note when items were due, and consumers look for it."""
    checked: Remembered = field(default_factory=Remembered)
    """Keys whose type was looked at."""
    names: Claims = field(default_factory=Claims)
    """Names of queues beside which this client keeps something."""
    children: set[AsyncChild] = field(default_factory=set)
    """Running consumers, to be closed with the client."""
    workers: set[AsyncStoppable] = field(default_factory=set)
    """Workers that run, to be stopped before."""
