"""Redisson's delayed and blocking queues for Python: same keys, same bytes, same Redis.

`Redisson` is the client for synchronous programs, `AsyncRedisson` its twin for
asyncio; both hand out queues that Java services on Redisson share.

Each name is imported when it is first used, so a program that needs one of the two
never loads the other, and `pyredisson.codecs` needs no redis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._names import lazily

if TYPE_CHECKING:
    from pyredisson._async.client import AsyncRedisson
    from pyredisson._async.objects.blocking_deque import AsyncBlockingDeque
    from pyredisson._async.objects.blocking_queue import AsyncBlockingQueue
    from pyredisson._async.objects.bucket import AsyncBucket
    from pyredisson._async.objects.consumer import AsyncConsumer
    from pyredisson._async.objects.dead_letters import AsyncDeadLetters
    from pyredisson._async.objects.delayed_queue import AsyncDelayedQueue
    from pyredisson._async.objects.deque import AsyncDeque
    from pyredisson._async.objects.message import AsyncMessage
    from pyredisson._async.objects.poison import AsyncPoison
    from pyredisson._async.objects.queue import AsyncQueue
    from pyredisson._async.objects.schedule import AsyncSchedule
    from pyredisson._async.objects.sharded_consumer import AsyncShardedConsumer
    from pyredisson._async.objects.sharded_dead_letters import AsyncShardedDeadLetters
    from pyredisson._async.objects.sharded_queue import AsyncShardedQueue
    from pyredisson._async.objects.window import AsyncGroupWindow
    from pyredisson._async.worker.worker import AsyncWorker
    from pyredisson._sync.client import Redisson
    from pyredisson._sync.objects.blocking_deque import BlockingDeque
    from pyredisson._sync.objects.blocking_queue import BlockingQueue
    from pyredisson._sync.objects.bucket import Bucket
    from pyredisson._sync.objects.consumer import Consumer
    from pyredisson._sync.objects.dead_letters import DeadLetters
    from pyredisson._sync.objects.delayed_queue import DelayedQueue
    from pyredisson._sync.objects.deque import Deque
    from pyredisson._sync.objects.message import Message
    from pyredisson._sync.objects.poison import Poison
    from pyredisson._sync.objects.queue import Queue
    from pyredisson._sync.objects.schedule import Schedule
    from pyredisson._sync.objects.sharded_consumer import ShardedConsumer
    from pyredisson._sync.objects.sharded_dead_letters import ShardedDeadLetters
    from pyredisson._sync.objects.sharded_queue import ShardedQueue
    from pyredisson._sync.objects.window import GroupWindow
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
    from pyredisson.protocol.durable import Durable
    from pyredisson.protocol.hooks import Hooks
    from pyredisson.protocol.names import NameMapper
    from pyredisson.protocol.objects.dead import DeadLetter
    from pyredisson.protocol.objects.finding import Finding, FindingKind
    from pyredisson.protocol.objects.in_flight import InFlight
    from pyredisson.protocol.objects.member import WireFormat
    from pyredisson.protocol.objects.pending import PendingItem
    from pyredisson.protocol.objects.poison import PoisonedValue
    from pyredisson.protocol.objects.queue import End
    from pyredisson.protocol.objects.receipt import Receipt
    from pyredisson.protocol.objects.schedule import ScheduleEntry
    from pyredisson.protocol.objects.window import Group, GroupState
    from pyredisson.protocol.work import Backoff, Defer
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
    "AsyncPoison",
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
    "Poison",
    "PoisonedValue",
    "Queue",
    "QueueFullError",
    "Receipt",
    "Redisson",
    "RedissonError",
    "Schedule",
    "ScheduleEntry",
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
    "._async.objects.blocking_deque": ("AsyncBlockingDeque",),
    "._async.objects.blocking_queue": ("AsyncBlockingQueue",),
    "._async.objects.bucket": ("AsyncBucket",),
    "._async.objects.consumer": ("AsyncConsumer",),
    "._async.objects.message": ("AsyncMessage",),
    "._async.objects.dead_letters": ("AsyncDeadLetters",),
    "._async.objects.delayed_queue": ("AsyncDelayedQueue",),
    "._async.objects.deque": ("AsyncDeque",),
    "._async.objects.poison": ("AsyncPoison",),
    "._async.objects.queue": ("AsyncQueue",),
    "._async.objects.window": ("AsyncGroupWindow",),
    "._async.objects.sharded_consumer": ("AsyncShardedConsumer",),
    "._async.objects.sharded_dead_letters": ("AsyncShardedDeadLetters",),
    "._async.objects.sharded_queue": ("AsyncShardedQueue",),
    "._async.objects.schedule": ("AsyncSchedule",),
    "._async.worker.worker": ("AsyncWorker",),
    "._sync.client": ("Redisson",),
    "._sync.objects.blocking_deque": ("BlockingDeque",),
    "._sync.objects.blocking_queue": ("BlockingQueue",),
    "._sync.objects.bucket": ("Bucket",),
    "._sync.objects.consumer": ("Consumer",),
    "._sync.objects.message": ("Message",),
    "._sync.objects.dead_letters": ("DeadLetters",),
    "._sync.objects.delayed_queue": ("DelayedQueue",),
    "._sync.objects.deque": ("Deque",),
    "._sync.objects.poison": ("Poison",),
    "._sync.objects.queue": ("Queue",),
    "._sync.objects.window": ("GroupWindow",),
    "._sync.objects.sharded_consumer": ("ShardedConsumer",),
    "._sync.objects.sharded_dead_letters": ("ShardedDeadLetters",),
    "._sync.objects.sharded_queue": ("ShardedQueue",),
    "._sync.objects.schedule": ("Schedule",),
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
    ".protocol.durable": ("Durable",),
    ".protocol.hooks": ("Hooks",),
    ".protocol.names": ("NameMapper",),
    ".protocol.objects.dead": ("DeadLetter",),
    ".protocol.objects.finding": ("Finding", "FindingKind"),
    ".protocol.objects.member": ("WireFormat",),
    ".protocol.objects.in_flight": ("InFlight",),
    ".protocol.objects.pending": ("PendingItem",),
    ".protocol.objects.poison": ("PoisonedValue",),
    ".protocol.objects.queue": ("End",),
    ".protocol.objects.receipt": ("Receipt",),
    ".protocol.objects.window": ("Group", "GroupState"),
    ".protocol.objects.schedule": ("ScheduleEntry",),
    ".protocol.work": ("Backoff", "Defer"),
    ".stats": ("TransferStats", "WorkerStats"),
}

__getattr__, __dir__ = lazily(globals(), _HOMES)
