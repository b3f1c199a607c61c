"""The options of a delayed queue, as `get_delayed_queue` passes them on."""

from __future__ import annotations

from typing import NamedTuple

from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.durable import Durable

__all__ = ["DelayedQueueOptions"]


class DelayedQueueOptions(NamedTuple):
    """The options that `get_delayed_queue` documents, without the options of `Bound`."""

    transfer: bool
    wire_format: WireFormat
    max_bytes: int | None = None
    durable: Durable | None = None
