"""The state that all objects of one client share."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pyredisson._async.background.identity import AsyncIdentity
from pyredisson._async.background.kernel import AsyncBackground
from pyredisson._async.background.schedules import AsyncSchedules
from pyredisson._async.background.transfers import AsyncTransfers
from pyredisson._async.link.link import AsyncLink
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.names import Claims, NameMapper
from pyredisson.protocol.kernel.remembered import Remembered
from pyredisson.protocol.poison.undecodable import OnUndecodable

if TYPE_CHECKING:
    from pyredisson._runtime.user_code import HookDispatcher
    from pyredisson._transfer_process.parent import TransferProcess


class AsyncChild(Protocol):
    """A consumer or a subscription, which its client closes together with itself."""

    @property
    def name(self) -> str:
        """The name of the queue."""

    def _stop_taking(self) -> None:
        """Stop taking messages."""

    def _place(self) -> Hashable:
        """Return a key; the client closes children with equal keys one after the other.

        For a consumer, the key stands for its server. Return None if the client need not close the
        child.
        """

    def _held_count(self) -> int:
        """Return the number of messages that are not released yet."""

    async def close(self) -> None:
        """Close the child and release its messages."""


class AsyncStoppable(Protocol):
    """A running worker."""

    def stop(self) -> None:
        """Stop taking messages."""

    def _max_stop_time(self) -> float:
        """Return how many seconds a closing client waits: 0 if the worker cannot end meanwhile."""


@dataclass(slots=True)
class AsyncContext:
    """The connections, background work and settings of a client, passed to each of its objects."""

    link: AsyncLink
    background: AsyncBackground
    transfers: AsyncTransfers | TransferProcess
    schedules: AsyncSchedules
    mapper: NameMapper
    wire_format: WireFormat
    on_undecodable: OnUndecodable
    ensure_running: Callable[[], None]
    """Starts background work that does not run: at the first use, in a forked child or new loop."""
    max_bytes: int | None = None
    """The longest encoded value that a queue accepts, in bytes; None for no limit."""
    emit: HookDispatcher | None = None
    """Calls a hook by its name; None without hooks."""
    on_queue: Callable[[str], None] | None = None
    """Calls the hook `on_queue` with a queue's name; None without hooks."""
    carrier: HookDispatcher | None = None
    """Calls the hooks if they carry bytes with items (`Hooks.carries`); otherwise None."""
    due_times: bool = False
    """Whether transfers store when items were due, and consumers read these times."""
    lock_watchdog_timeout: float = 30.0
    """The lease of locks that are acquired without a lease, in seconds."""
    identity: AsyncIdentity = field(default_factory=AsyncIdentity)
    """Makes the owners of locks and the like, which this client writes into Redis."""
    checked: Remembered = field(default_factory=Remembered)
    """The keys whose type in Redis this client has checked."""
    names: Claims = field(default_factory=Claims)
    """Names of queues whose companion keys (leases, dead letters and the like) this client uses."""
    children: set[AsyncChild] = field(default_factory=set)
    """Consumers and subscriptions to close with the client."""
    workers: set[AsyncStoppable] = field(default_factory=set)
    """Running workers, which are stopped before the consumers."""

    def mapped(self, name: str) -> str:
        """Return the name in Redis of a name in the program.

        Raises:
            TypeError: `name` is not a str.
        """
        if not isinstance(name, str):
            raise TypeError(f"a name must be str, such as queue.name, not {name!r}")
        return self.mapper.map(name)
