"""Redisson's delayed and blocking queues for Python: same keys, same bytes, same Redis.

`Redisson` is the client for synchronous programs, `AsyncRedisson` its twin for
asyncio; both hand out queues that Java services on Redisson share.

Each name is imported when it is first used, so a program that needs one of the two
never loads the other, and `pyredisson.codecs` needs no redis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._support.lazy_names import lazily

if TYPE_CHECKING:
    from pyredisson._async.buckets.bucket import AsyncBucket
    from pyredisson._async.client import AsyncRedisson
    from pyredisson._async.consumers.consumer import AsyncConsumer
    from pyredisson._async.consumers.message import AsyncMessage
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
    from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
    from pyredisson._async.poison.poison_list import AsyncPoisonList
    from pyredisson._async.queues.blocking_deque import AsyncBlockingDeque
    from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue
    from pyredisson._async.queues.deque import AsyncDeque
    from pyredisson._async.queues.queue import AsyncQueue
    from pyredisson._async.schedules.schedule import AsyncSchedule
    from pyredisson._async.sharded.consumer import AsyncShardedConsumer
    from pyredisson._async.sharded.dead_letters import AsyncShardedDeadLetters
    from pyredisson._async.sharded.queue import AsyncShardedQueue
    from pyredisson._async.windows.window import AsyncGroupWindow
    from pyredisson._async.worker.worker import AsyncWorker
    from pyredisson._sync.buckets.bucket import Bucket
    from pyredisson._sync.client import Redisson
    from pyredisson._sync.consumers.consumer import Consumer
    from pyredisson._sync.consumers.message import Message
    from pyredisson._sync.dead_letters.dead_letters import DeadLetters
    from pyredisson._sync.delayed.delayed_queue import DelayedQueue
    from pyredisson._sync.poison.poison_list import PoisonList
    from pyredisson._sync.queues.blocking_deque import BlockingDeque
    from pyredisson._sync.queues.blocking_queue import BlockingQueue
    from pyredisson._sync.queues.deque import Deque
    from pyredisson._sync.queues.queue import Queue
    from pyredisson._sync.schedules.schedule import Schedule
    from pyredisson._sync.sharded.consumer import ShardedConsumer
    from pyredisson._sync.sharded.dead_letters import ShardedDeadLetters
    from pyredisson._sync.sharded.queue import ShardedQueue
    from pyredisson._sync.windows.window import GroupWindow
    from pyredisson._sync.worker.worker import Worker
    from pyredisson.errors import (
        BatchDecodeError,
        ClosedError,
        CodecError,
        DecodeError,
        EmptyQueueError,
        EncodeError,
        InvalidNameError,
        KeyTypeError,
        MessageTooLongError,
        NotNotifiedError,
        NotReleasedError,
        NotReplicatedError,
        OfferError,
        PartialOfferError,
        QueueFullError,
        RedissonError,
        TimeLimitError,
        UncertainOfferError,
        WireFormatError,
    )
    from pyredisson.protocol.checks.finding import Finding, FindingKind
    from pyredisson.protocol.consumers.in_flight import InFlight
    from pyredisson.protocol.dead_letters.dead_letters import DeadLetter
    from pyredisson.protocol.delayed.entry import WireFormat
    from pyredisson.protocol.delayed.pending import PendingItem
    from pyredisson.protocol.delayed.receipt import Receipt
    from pyredisson.protocol.kernel.durable import Durable
    from pyredisson.protocol.kernel.hooks import Hooks
    from pyredisson.protocol.kernel.names import NameMapper
    from pyredisson.protocol.poison.poison_list import PoisonedValue
    from pyredisson.protocol.queues.queue import End
    from pyredisson.protocol.schedules.schedule import ScheduleEntry
    from pyredisson.protocol.windows.window import Group, GroupState
    from pyredisson.protocol.worker.outcome import Backoff, Defer
    from pyredisson.server_errors import (
        ReplyError,
        ServerConnectionError,
        ServerError,
        ServerTimeoutError,
    )
    from pyredisson.stats import TransferStats, WorkerStats

__version__ = "0.1.0"

__all__ = [
    "AsyncBlockingDeque",
    "AsyncBlockingQueue",
    "AsyncBucket",
    "AsyncConsumer",
    "AsyncDeadLetters",
    "AsyncDelayedQueue",
    "AsyncDeque",
    "AsyncGroupWindow",
    "AsyncMessage",
    "AsyncPoisonList",
    "AsyncQueue",
    "AsyncRedisson",
    "AsyncSchedule",
    "AsyncShardedConsumer",
    "AsyncShardedDeadLetters",
    "AsyncShardedQueue",
    "AsyncWorker",
    "Backoff",
    "BatchDecodeError",
    "BlockingDeque",
    "BlockingQueue",
    "Bucket",
    "ClosedError",
    "CodecError",
    "Consumer",
    "DeadLetter",
    "DeadLetters",
    "DecodeError",
    "Defer",
    "DelayedQueue",
    "Deque",
    "Durable",
    "EmptyQueueError",
    "EncodeError",
    "End",
    "Finding",
    "FindingKind",
    "Group",
    "GroupState",
    "GroupWindow",
    "Hooks",
    "InFlight",
    "InvalidNameError",
    "KeyTypeError",
    "Message",
    "MessageTooLongError",
    "NameMapper",
    "NotNotifiedError",
    "NotReleasedError",
    "NotReplicatedError",
    "OfferError",
    "PartialOfferError",
    "PendingItem",
    "PoisonList",
    "PoisonedValue",
    "Queue",
    "QueueFullError",
    "Receipt",
    "Redisson",
    "RedissonError",
    "ReplyError",
    "Schedule",
    "ScheduleEntry",
    "ServerConnectionError",
    "ServerError",
    "ServerTimeoutError",
    "ShardedConsumer",
    "ShardedDeadLetters",
    "ShardedQueue",
    "TimeLimitError",
    "TransferStats",
    "UncertainOfferError",
    "WireFormat",
    "WireFormatError",
    "Worker",
    "WorkerStats",
]

_HOMES = {
    "._async.client": ("AsyncRedisson",),
    "._async.queues.blocking_deque": ("AsyncBlockingDeque",),
    "._async.queues.blocking_queue": ("AsyncBlockingQueue",),
    "._async.buckets.bucket": ("AsyncBucket",),
    "._async.consumers.consumer": ("AsyncConsumer",),
    "._async.consumers.message": ("AsyncMessage",),
    "._async.dead_letters.dead_letters": ("AsyncDeadLetters",),
    "._async.delayed.delayed_queue": ("AsyncDelayedQueue",),
    "._async.queues.deque": ("AsyncDeque",),
    "._async.poison.poison_list": ("AsyncPoisonList",),
    "._async.queues.queue": ("AsyncQueue",),
    "._async.windows.window": ("AsyncGroupWindow",),
    "._async.sharded.consumer": ("AsyncShardedConsumer",),
    "._async.sharded.dead_letters": ("AsyncShardedDeadLetters",),
    "._async.sharded.queue": ("AsyncShardedQueue",),
    "._async.schedules.schedule": ("AsyncSchedule",),
    "._async.worker.worker": ("AsyncWorker",),
    "._sync.client": ("Redisson",),
    "._sync.queues.blocking_deque": ("BlockingDeque",),
    "._sync.queues.blocking_queue": ("BlockingQueue",),
    "._sync.buckets.bucket": ("Bucket",),
    "._sync.consumers.consumer": ("Consumer",),
    "._sync.consumers.message": ("Message",),
    "._sync.dead_letters.dead_letters": ("DeadLetters",),
    "._sync.delayed.delayed_queue": ("DelayedQueue",),
    "._sync.queues.deque": ("Deque",),
    "._sync.poison.poison_list": ("PoisonList",),
    "._sync.queues.queue": ("Queue",),
    "._sync.windows.window": ("GroupWindow",),
    "._sync.sharded.consumer": ("ShardedConsumer",),
    "._sync.sharded.dead_letters": ("ShardedDeadLetters",),
    "._sync.sharded.queue": ("ShardedQueue",),
    "._sync.schedules.schedule": ("Schedule",),
    "._sync.worker.worker": ("Worker",),
    ".errors": (
        "BatchDecodeError",
        "ClosedError",
        "CodecError",
        "DecodeError",
        "EmptyQueueError",
        "EncodeError",
        "InvalidNameError",
        "KeyTypeError",
        "MessageTooLongError",
        "NotNotifiedError",
        "NotReleasedError",
        "NotReplicatedError",
        "OfferError",
        "PartialOfferError",
        "QueueFullError",
        "RedissonError",
        "TimeLimitError",
        "UncertainOfferError",
        "WireFormatError",
    ),
    ".protocol.kernel.durable": ("Durable",),
    ".protocol.kernel.hooks": ("Hooks",),
    ".protocol.kernel.names": ("NameMapper",),
    ".protocol.dead_letters.dead_letters": ("DeadLetter",),
    ".protocol.checks.finding": ("Finding", "FindingKind"),
    ".protocol.delayed.entry": ("WireFormat",),
    ".protocol.consumers.in_flight": ("InFlight",),
    ".protocol.delayed.pending": ("PendingItem",),
    ".protocol.poison.poison_list": ("PoisonedValue",),
    ".protocol.queues.queue": ("End",),
    ".protocol.delayed.receipt": ("Receipt",),
    ".protocol.windows.window": ("Group", "GroupState"),
    ".protocol.schedules.schedule": ("ScheduleEntry",),
    ".protocol.worker.outcome": ("Backoff", "Defer"),
    ".server_errors": (
        "ReplyError",
        "ServerConnectionError",
        "ServerError",
        "ServerTimeoutError",
    ),
    ".stats": ("TransferStats", "WorkerStats"),
}

__getattr__, __dir__ = lazily(globals(), _HOMES)
