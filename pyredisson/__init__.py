"""Redisson's delayed and blocking queues for Python: same keys, same bytes, same Redis.

`Redisson` is the client for synchronous programs, `AsyncRedisson` its twin for
asyncio; both hand out queues that Java services on Redisson share.
"""

from pyredisson._async.blocking_deque import AsyncBlockingDeque
from pyredisson._async.blocking_queue import AsyncBlockingQueue
from pyredisson._async.client import AsyncRedisson
from pyredisson._async.delayed_queue import AsyncDelayedQueue
from pyredisson._async.deque import AsyncDeque
from pyredisson._async.queue import AsyncQueue
from pyredisson._sync.blocking_deque import BlockingDeque
from pyredisson._sync.blocking_queue import BlockingQueue
from pyredisson._sync.client import Redisson
from pyredisson._sync.delayed_queue import DelayedQueue
from pyredisson._sync.deque import Deque
from pyredisson._sync.queue import Queue
from pyredisson.errors import (
    BatchDecodeError,
    ClosedError,
    CodecError,
    DecodeError,
    EmptyQueueError,
    EncodeError,
    InvalidNameError,
    KeyTypeError,
    NotNotifiedError,
    OfferError,
    RedissonError,
    UncertainOfferError,
    WireFormatError,
)
from pyredisson.protocol.delayed_queue import Receipt
from pyredisson.protocol.member import WireFormat
from pyredisson.protocol.names import NameMapper
from pyredisson.protocol.queue import End
from pyredisson.stats import TransferStats

__version__ = "0.1.0"

__all__ = [
    "AsyncBlockingDeque",
    "AsyncBlockingQueue",
    "AsyncDelayedQueue",
    "AsyncDeque",
    "AsyncQueue",
    "AsyncRedisson",
    "BatchDecodeError",
    "BlockingDeque",
    "BlockingQueue",
    "ClosedError",
    "CodecError",
    "DecodeError",
    "DelayedQueue",
    "Deque",
    "EmptyQueueError",
    "EncodeError",
    "End",
    "InvalidNameError",
    "KeyTypeError",
    "NameMapper",
    "NotNotifiedError",
    "OfferError",
    "Queue",
    "Receipt",
    "Redisson",
    "RedissonError",
    "TransferStats",
    "UncertainOfferError",
    "WireFormat",
    "WireFormatError",
]
