"""Redisson's delayed and blocking queues for Python, with the same keys and bytes as in Java.

`Redisson` is the client for synchronous programs, `AsyncRedisson` that for asyncio. Both return
queues that Python programs share with Java services that use Redisson.

A name is imported when it is first used. A program that uses one client does not load the other,
and `pyredisson.codecs` does not need redis-py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._support.lazy_names import lazily

if TYPE_CHECKING:
    from pyredisson._async.bits.bit_set import AsyncBitSet
    from pyredisson._async.bits.hyper_log_log import AsyncHyperLogLog
    from pyredisson._async.bloom.bloom_filter import AsyncBloomFilter
    from pyredisson._async.buckets.bucket import AsyncBucket
    from pyredisson._async.buckets.buckets import AsyncBuckets
    from pyredisson._async.client import AsyncRedisson
    from pyredisson._async.collections.list import AsyncList
    from pyredisson._async.collections.scored_sorted_set import AsyncScoredSortedSet
    from pyredisson._async.collections.set import AsyncSet
    from pyredisson._async.collections.set_cache import AsyncSetCache
    from pyredisson._async.consumers.consumer import AsyncConsumer
    from pyredisson._async.consumers.message import AsyncMessage
    from pyredisson._async.counters.atomic_double import AsyncAtomicDouble
    from pyredisson._async.counters.atomic_long import AsyncAtomicLong
    from pyredisson._async.counters.id_generator import AsyncIdGenerator
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters
    from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue
    from pyredisson._async.keys.keys import AsyncKeys
    from pyredisson._async.local_maps.map import AsyncLocalCachedMap
    from pyredisson._async.locks.fair_lock import AsyncFairLock
    from pyredisson._async.locks.fenced_lock import AsyncFencedLock
    from pyredisson._async.locks.lock import AsyncLock
    from pyredisson._async.locks.multi_lock import AsyncMultiLock
    from pyredisson._async.locks.read_write_lock import (
        AsyncReadLock,
        AsyncReadWriteLock,
        AsyncWriteLock,
    )
    from pyredisson._async.locks.spin_lock import AsyncSpinLock
    from pyredisson._async.maps.cache import AsyncMapCache
    from pyredisson._async.maps.map import AsyncMap
    from pyredisson._async.poison.poison_list import AsyncPoisonList
    from pyredisson._async.queues.blocking_deque import AsyncBlockingDeque
    from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue
    from pyredisson._async.queues.deque import AsyncDeque
    from pyredisson._async.queues.queue import AsyncQueue
    from pyredisson._async.schedules.schedule import AsyncSchedule
    from pyredisson._async.sharded.consumer import AsyncShardedConsumer
    from pyredisson._async.sharded.dead_letters import AsyncShardedDeadLetters
    from pyredisson._async.sharded.queue import AsyncShardedQueue
    from pyredisson._async.synchronizers.count_down_latch import AsyncCountDownLatch
    from pyredisson._async.synchronizers.permit_expirable_semaphore import (
        AsyncPermitExpirableSemaphore,
    )
    from pyredisson._async.synchronizers.rate_limiter import AsyncRateLimiter
    from pyredisson._async.synchronizers.semaphore import AsyncSemaphore
    from pyredisson._async.topics.messages import AsyncTopicMessages
    from pyredisson._async.topics.pattern_topic import AsyncPatternTopic
    from pyredisson._async.topics.reliable_messages import AsyncReliableMessages
    from pyredisson._async.topics.reliable_topic import AsyncReliableTopic
    from pyredisson._async.topics.topic import AsyncShardedTopic, AsyncTopic
    from pyredisson._async.windows.window import AsyncGroupWindow
    from pyredisson._async.worker.worker import AsyncWorker
    from pyredisson._sync.bits.bit_set import BitSet
    from pyredisson._sync.bits.hyper_log_log import HyperLogLog
    from pyredisson._sync.bloom.bloom_filter import BloomFilter
    from pyredisson._sync.buckets.bucket import Bucket
    from pyredisson._sync.buckets.buckets import Buckets
    from pyredisson._sync.client import Redisson
    from pyredisson._sync.collections.list import List
    from pyredisson._sync.collections.scored_sorted_set import ScoredSortedSet
    from pyredisson._sync.collections.set import Set
    from pyredisson._sync.collections.set_cache import SetCache
    from pyredisson._sync.consumers.consumer import Consumer
    from pyredisson._sync.consumers.message import Message
    from pyredisson._sync.counters.atomic_double import AtomicDouble
    from pyredisson._sync.counters.atomic_long import AtomicLong
    from pyredisson._sync.counters.id_generator import IdGenerator
    from pyredisson._sync.dead_letters.dead_letters import DeadLetters
    from pyredisson._sync.delayed.delayed_queue import DelayedQueue
    from pyredisson._sync.keys.keys import Keys
    from pyredisson._sync.local_maps.map import LocalCachedMap
    from pyredisson._sync.locks.fair_lock import FairLock
    from pyredisson._sync.locks.fenced_lock import FencedLock
    from pyredisson._sync.locks.lock import Lock
    from pyredisson._sync.locks.multi_lock import MultiLock
    from pyredisson._sync.locks.read_write_lock import ReadLock, ReadWriteLock, WriteLock
    from pyredisson._sync.locks.spin_lock import SpinLock
    from pyredisson._sync.maps.cache import MapCache
    from pyredisson._sync.maps.map import Map
    from pyredisson._sync.poison.poison_list import PoisonList
    from pyredisson._sync.queues.blocking_deque import BlockingDeque
    from pyredisson._sync.queues.blocking_queue import BlockingQueue
    from pyredisson._sync.queues.deque import Deque
    from pyredisson._sync.queues.queue import Queue
    from pyredisson._sync.schedules.schedule import Schedule
    from pyredisson._sync.sharded.consumer import ShardedConsumer
    from pyredisson._sync.sharded.dead_letters import ShardedDeadLetters
    from pyredisson._sync.sharded.queue import ShardedQueue
    from pyredisson._sync.synchronizers.count_down_latch import CountDownLatch
    from pyredisson._sync.synchronizers.permit_expirable_semaphore import PermitExpirableSemaphore
    from pyredisson._sync.synchronizers.rate_limiter import RateLimiter
    from pyredisson._sync.synchronizers.semaphore import Semaphore
    from pyredisson._sync.topics.messages import TopicMessages
    from pyredisson._sync.topics.pattern_topic import PatternTopic
    from pyredisson._sync.topics.reliable_messages import ReliableMessages
    from pyredisson._sync.topics.reliable_topic import ReliableTopic
    from pyredisson._sync.topics.topic import ShardedTopic, Topic
    from pyredisson._sync.windows.window import GroupWindow
    from pyredisson._sync.worker.worker import Worker
    from pyredisson.errors import (
        BatchDecodeError,
        BloomFilterError,
        ClosedError,
        CodecError,
        DecodeError,
        EmptyQueueError,
        EncodeError,
        InvalidNameError,
        KeyTypeError,
        LockError,
        LockLostError,
        MessageTooLongError,
        NotNotifiedError,
        NotReleasedError,
        NotReplicatedError,
        OfferError,
        PartialOfferError,
        PermitLostError,
        QueueFullError,
        RateNotSetError,
        RedissonError,
        TimeLimitError,
        UncertainError,
        UncertainOfferError,
        WireFormatError,
    )
    from pyredisson.protocol.checks.finding import Finding, FindingKind
    from pyredisson.protocol.collections.scored import ScoredEntry
    from pyredisson.protocol.consumers.in_flight import InFlight
    from pyredisson.protocol.dead_letters.dead_letters import DeadLetter
    from pyredisson.protocol.delayed.entry import WireFormat
    from pyredisson.protocol.delayed.pending import PendingItem
    from pyredisson.protocol.delayed.receipt import Receipt
    from pyredisson.protocol.kernel.durable import Durable
    from pyredisson.protocol.kernel.names import NameMapper
    from pyredisson.protocol.maps.events import EntryEvent
    from pyredisson.protocol.poison.poison_list import PoisonedValue
    from pyredisson.protocol.queues.queue import End
    from pyredisson.protocol.schedules.schedule import ScheduleEntry
    from pyredisson.protocol.synchronizers.rate_limiter import RateLimiterConfig, RateType
    from pyredisson.protocol.topics.message import MissedMessages, TopicMessage
    from pyredisson.protocol.windows.window import Group, GroupState
    from pyredisson.protocol.worker.hooks import Hooks
    from pyredisson.protocol.worker.outcome import Backoff, Defer
    from pyredisson.server_errors import (
        ReplyError,
        ServerConnectionError,
        ServerError,
        ServerTimeoutError,
    )
    from pyredisson.stats import Health, TransferHealth, TransferStats, WorkerStats

__version__ = "0.1.0"

__all__ = [
    "AsyncAtomicDouble",
    "AsyncAtomicLong",
    "AsyncBitSet",
    "AsyncBlockingDeque",
    "AsyncBlockingQueue",
    "AsyncBloomFilter",
    "AsyncBucket",
    "AsyncBuckets",
    "AsyncConsumer",
    "AsyncCountDownLatch",
    "AsyncDeadLetters",
    "AsyncDelayedQueue",
    "AsyncDeque",
    "AsyncFairLock",
    "AsyncFencedLock",
    "AsyncGroupWindow",
    "AsyncHyperLogLog",
    "AsyncIdGenerator",
    "AsyncKeys",
    "AsyncList",
    "AsyncLocalCachedMap",
    "AsyncLock",
    "AsyncMap",
    "AsyncMapCache",
    "AsyncMessage",
    "AsyncMultiLock",
    "AsyncPatternTopic",
    "AsyncPermitExpirableSemaphore",
    "AsyncPoisonList",
    "AsyncQueue",
    "AsyncRateLimiter",
    "AsyncReadLock",
    "AsyncReadWriteLock",
    "AsyncRedisson",
    "AsyncReliableMessages",
    "AsyncReliableTopic",
    "AsyncSchedule",
    "AsyncScoredSortedSet",
    "AsyncSemaphore",
    "AsyncSet",
    "AsyncSetCache",
    "AsyncShardedConsumer",
    "AsyncShardedDeadLetters",
    "AsyncShardedQueue",
    "AsyncShardedTopic",
    "AsyncSpinLock",
    "AsyncTopic",
    "AsyncTopicMessages",
    "AsyncWorker",
    "AsyncWriteLock",
    "AtomicDouble",
    "AtomicLong",
    "Backoff",
    "BatchDecodeError",
    "BitSet",
    "BlockingDeque",
    "BlockingQueue",
    "BloomFilter",
    "BloomFilterError",
    "Bucket",
    "Buckets",
    "ClosedError",
    "CodecError",
    "Consumer",
    "CountDownLatch",
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
    "EntryEvent",
    "FairLock",
    "FencedLock",
    "Finding",
    "FindingKind",
    "Group",
    "GroupState",
    "GroupWindow",
    "Health",
    "Hooks",
    "HyperLogLog",
    "IdGenerator",
    "InFlight",
    "InvalidNameError",
    "KeyTypeError",
    "Keys",
    "List",
    "LocalCachedMap",
    "Lock",
    "LockError",
    "LockLostError",
    "Map",
    "MapCache",
    "Message",
    "MessageTooLongError",
    "MissedMessages",
    "MultiLock",
    "NameMapper",
    "NotNotifiedError",
    "NotReleasedError",
    "NotReplicatedError",
    "OfferError",
    "PartialOfferError",
    "PatternTopic",
    "PendingItem",
    "PermitExpirableSemaphore",
    "PermitLostError",
    "PoisonList",
    "PoisonedValue",
    "Queue",
    "QueueFullError",
    "RateLimiter",
    "RateLimiterConfig",
    "RateNotSetError",
    "RateType",
    "ReadLock",
    "ReadWriteLock",
    "Receipt",
    "Redisson",
    "RedissonError",
    "ReliableMessages",
    "ReliableTopic",
    "ReplyError",
    "Schedule",
    "ScheduleEntry",
    "ScoredEntry",
    "ScoredSortedSet",
    "Semaphore",
    "ServerConnectionError",
    "ServerError",
    "ServerTimeoutError",
    "Set",
    "SetCache",
    "ShardedConsumer",
    "ShardedDeadLetters",
    "ShardedQueue",
    "ShardedTopic",
    "SpinLock",
    "TimeLimitError",
    "Topic",
    "TopicMessage",
    "TopicMessages",
    "TransferHealth",
    "TransferStats",
    "UncertainError",
    "UncertainOfferError",
    "WireFormat",
    "WireFormatError",
    "Worker",
    "WorkerStats",
    "WriteLock",
]

_HOMES = {
    "._async.client": ("AsyncRedisson",),
    "._async.queues.blocking_deque": ("AsyncBlockingDeque",),
    "._async.queues.blocking_queue": ("AsyncBlockingQueue",),
    "._async.bloom.bloom_filter": ("AsyncBloomFilter",),
    "._async.bits.bit_set": ("AsyncBitSet",),
    "._async.bits.hyper_log_log": ("AsyncHyperLogLog",),
    "._async.buckets.bucket": ("AsyncBucket",),
    "._async.locks.fair_lock": ("AsyncFairLock",),
    "._async.buckets.buckets": ("AsyncBuckets",),
    "._async.locks.fenced_lock": ("AsyncFencedLock",),
    "._async.collections.list": ("AsyncList",),
    "._async.collections.scored_sorted_set": ("AsyncScoredSortedSet",),
    "._async.collections.set": ("AsyncSet",),
    "._async.collections.set_cache": ("AsyncSetCache",),
    "._async.counters.atomic_double": ("AsyncAtomicDouble",),
    "._async.counters.atomic_long": ("AsyncAtomicLong",),
    "._async.counters.id_generator": ("AsyncIdGenerator",),
    "._async.local_maps.map": ("AsyncLocalCachedMap",),
    "._async.keys.keys": ("AsyncKeys",),
    "._async.locks.lock": ("AsyncLock",),
    "._async.maps.map": ("AsyncMap",),
    "._async.locks.multi_lock": ("AsyncMultiLock",),
    "._async.locks.read_write_lock": ("AsyncReadLock", "AsyncReadWriteLock", "AsyncWriteLock"),
    "._async.locks.spin_lock": ("AsyncSpinLock",),
    "._async.maps.cache": ("AsyncMapCache",),
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
    "._async.synchronizers.permit_expirable_semaphore": ("AsyncPermitExpirableSemaphore",),
    "._async.synchronizers.rate_limiter": ("AsyncRateLimiter",),
    "._async.synchronizers.semaphore": ("AsyncSemaphore",),
    "._async.synchronizers.count_down_latch": ("AsyncCountDownLatch",),
    "._async.worker.worker": ("AsyncWorker",),
    "._sync.client": ("Redisson",),
    "._sync.queues.blocking_deque": ("BlockingDeque",),
    "._sync.queues.blocking_queue": ("BlockingQueue",),
    "._sync.bloom.bloom_filter": ("BloomFilter",),
    "._sync.bits.bit_set": ("BitSet",),
    "._sync.bits.hyper_log_log": ("HyperLogLog",),
    "._sync.buckets.bucket": ("Bucket",),
    "._sync.locks.fair_lock": ("FairLock",),
    "._sync.buckets.buckets": ("Buckets",),
    "._sync.locks.fenced_lock": ("FencedLock",),
    "._sync.collections.list": ("List",),
    "._sync.collections.scored_sorted_set": ("ScoredSortedSet",),
    ".protocol.collections.scored": ("ScoredEntry",),
    "._sync.collections.set": ("Set",),
    "._sync.collections.set_cache": ("SetCache",),
    "._sync.counters.atomic_double": ("AtomicDouble",),
    "._sync.counters.atomic_long": ("AtomicLong",),
    "._sync.counters.id_generator": ("IdGenerator",),
    "._sync.local_maps.map": ("LocalCachedMap",),
    "._sync.keys.keys": ("Keys",),
    "._sync.locks.lock": ("Lock",),
    "._sync.maps.map": ("Map",),
    "._sync.locks.multi_lock": ("MultiLock",),
    "._sync.locks.read_write_lock": ("ReadLock", "ReadWriteLock", "WriteLock"),
    "._sync.locks.spin_lock": ("SpinLock",),
    "._sync.maps.cache": ("MapCache",),
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
    "._sync.synchronizers.permit_expirable_semaphore": ("PermitExpirableSemaphore",),
    "._sync.synchronizers.rate_limiter": ("RateLimiter",),
    "._sync.synchronizers.semaphore": ("Semaphore",),
    "._sync.synchronizers.count_down_latch": ("CountDownLatch",),
    "._sync.worker.worker": ("Worker",),
    ".errors": (
        "BatchDecodeError",
        "BloomFilterError",
        "ClosedError",
        "CodecError",
        "DecodeError",
        "EmptyQueueError",
        "EncodeError",
        "InvalidNameError",
        "KeyTypeError",
        "LockError",
        "LockLostError",
        "MessageTooLongError",
        "NotNotifiedError",
        "NotReleasedError",
        "NotReplicatedError",
        "OfferError",
        "PartialOfferError",
        "PermitLostError",
        "QueueFullError",
        "RateNotSetError",
        "RedissonError",
        "TimeLimitError",
        "UncertainError",
        "UncertainOfferError",
        "WireFormatError",
    ),
    ".protocol.kernel.durable": ("Durable",),
    ".protocol.worker.hooks": ("Hooks",),
    ".protocol.kernel.names": ("NameMapper",),
    ".protocol.dead_letters.dead_letters": ("DeadLetter",),
    ".protocol.checks.finding": ("Finding", "FindingKind"),
    ".protocol.delayed.entry": ("WireFormat",),
    ".protocol.consumers.in_flight": ("InFlight",),
    ".protocol.delayed.pending": ("PendingItem",),
    ".protocol.maps.events": ("EntryEvent",),
    ".protocol.poison.poison_list": ("PoisonedValue",),
    ".protocol.queues.queue": ("End",),
    ".protocol.delayed.receipt": ("Receipt",),
    ".protocol.windows.window": ("Group", "GroupState"),
    ".protocol.schedules.schedule": ("ScheduleEntry",),
    ".protocol.synchronizers.rate_limiter": ("RateLimiterConfig", "RateType"),
    ".protocol.worker.outcome": ("Backoff", "Defer"),
    ".server_errors": (
        "ReplyError",
        "ServerConnectionError",
        "ServerError",
        "ServerTimeoutError",
    ),
    ".stats": ("Health", "TransferHealth", "TransferStats", "WorkerStats"),
    "._async.topics.topic": ("AsyncShardedTopic", "AsyncTopic"),
    "._async.topics.pattern_topic": ("AsyncPatternTopic",),
    "._async.topics.messages": ("AsyncTopicMessages",),
    "._sync.topics.topic": ("ShardedTopic", "Topic"),
    "._sync.topics.pattern_topic": ("PatternTopic",),
    "._sync.topics.messages": ("TopicMessages",),
    ".protocol.topics.message": ("MissedMessages", "TopicMessage"),
    "._async.topics.reliable_topic": ("AsyncReliableTopic",),
    "._async.topics.reliable_messages": ("AsyncReliableMessages",),
    "._sync.topics.reliable_topic": ("ReliableTopic",),
    "._sync.topics.reliable_messages": ("ReliableMessages",),
}

__getattr__, __dir__ = lazily(globals(), _HOMES)
