"""What all handles of one client share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pyredisson._async.background.jobs import AsyncJobs
from pyredisson._async.background.schedules import AsyncSchedules
from pyredisson._async.background.transfers import AsyncTransfers
from pyredisson._async.link.link import AsyncLink
from pyredisson.protocol.names import Claims, NameMapper
from pyredisson.protocol.objects.member import WireFormat
from pyredisson.protocol.objects.poison import OnUndecodable
from pyredisson.protocol.remembered import Remembered

if TYPE_CHECKING:
    from pyredisson._transfer_process import TransferProcess


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
    """How long a value of a queue may be, spelled."""
    tell: Callable[..., None] | None = None
    """Calls a hook by its name, where the client has any."""
    due_times: bool = False
    """Whether transfers note when items were due, and consumers look for it."""
    lacks_blmpop: bool = False
    """Whether a server was older than Redis 7."""
    checked: Remembered = field(default_factory=Remembered)
    """Keys whose type was looked at."""
    names: Claims = field(default_factory=Claims)
    """Names of queues beside which this client keeps something."""
    children: set[Any] = field(default_factory=set)
    """Running consumers, to be closed with the client."""
