"""The options of a consumer, as `get_consumer` passes them on."""

from __future__ import annotations

from typing import NamedTuple

from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable

__all__ = ["ConsumerOptions"]


class ConsumerOptions(NamedTuple):
    """The options that `get_consumer` documents; the consumer checks their values."""

    lease: Seconds
    prefetch: int
    wire_format: WireFormat
    transfer: bool
    durable: Durable | None
    consumer_name: str | None
