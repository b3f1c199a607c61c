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
    from pyredisson._async.bits.bit_set import AsyncBitSet as AsyncBitSet
    from pyredisson._async.bits.hyper_log_log import AsyncHyperLogLog as AsyncHyperLogLog
    from pyredisson._async.bloom.bloom_filter import AsyncBloomFilter as AsyncBloomFilter
    from pyredisson._async.buckets.bucket import AsyncBucket as AsyncBucket
    from pyredisson._async.buckets.buckets import AsyncBuckets as AsyncBuckets
    from pyredisson._async.client import AsyncRedisson as AsyncRedisson
    from pyredisson._async.collections.list import AsyncList as AsyncList
    from pyredisson._async.collections.scored_sorted_set import (
        AsyncScoredSortedSet as AsyncScoredSortedSet,
    )
    from pyredisson._async.collections.set import AsyncSet as AsyncSet
    from pyredisson._async.collections.set_cache import AsyncSetCache as AsyncSetCache
    from pyredisson._async.consumers.consumer import AsyncConsumer as AsyncConsumer
    from pyredisson._async.consumers.message import AsyncMessage as AsyncMessage
    from pyredisson._async.counters.atomic_double import AsyncAtomicDouble as AsyncAtomicDouble
    from pyredisson._async.counters.atomic_long import AsyncAtomicLong as AsyncAtomicLong
    from pyredisson._async.counters.id_generator import AsyncIdGenerator as AsyncIdGenerator
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters as AsyncDeadLetters
    from pyredisson._async.delayed.delayed_queue import AsyncDelayedQueue as AsyncDelayedQueue
    from pyredisson._async.keys.keys import AsyncKeys as AsyncKeys
    from pyredisson._async.local_maps.map import AsyncLocalCachedMap as AsyncLocalCachedMap
    from pyredisson._async.locks.fair_lock import AsyncFairLock as AsyncFairLock
    from pyredisson._async.locks.fenced_lock import AsyncFencedLock as AsyncFencedLock
    from pyredisson._async.locks.lock import AsyncLock as AsyncLock
    from pyredisson._async.locks.multi_lock import AsyncMultiLock as AsyncMultiLock
    from pyredisson._async.locks.read_write_lock import AsyncReadLock as AsyncReadLock
    from pyredisson._async.locks.read_write_lock import AsyncReadWriteLock as AsyncReadWriteLock
    from pyredisson._async.locks.read_write_lock import AsyncWriteLock as AsyncWriteLock
    from pyredisson._async.locks.spin_lock import AsyncSpinLock as AsyncSpinLock
    from pyredisson._async.maps.cache import AsyncMapCache as AsyncMapCache
    from pyredisson._async.maps.map import AsyncMap as AsyncMap
    from pyredisson._async.poison.poison_list import AsyncPoisonList as AsyncPoisonList
    from pyredisson._async.queues.blocking_deque import AsyncBlockingDeque as AsyncBlockingDeque
    from pyredisson._async.queues.blocking_queue import AsyncBlockingQueue as AsyncBlockingQueue
    from pyredisson._async.queues.deque import AsyncDeque as AsyncDeque
    from pyredisson._async.queues.queue import AsyncQueue as AsyncQueue
    from pyredisson._async.schedules.schedule import AsyncSchedule as AsyncSchedule
    from pyredisson._async.sharded.consumer import AsyncShardedConsumer as AsyncShardedConsumer
    from pyredisson._async.sharded.dead_letters import (
        AsyncShardedDeadLetters as AsyncShardedDeadLetters,
    )
    from pyredisson._async.sharded.queue import AsyncShardedQueue as AsyncShardedQueue
    from pyredisson._async.synchronizers.count_down_latch import (
        AsyncCountDownLatch as AsyncCountDownLatch,
    )
    from pyredisson._async.synchronizers.permit_expirable_semaphore import (
        AsyncPermitExpirableSemaphore as AsyncPermitExpirableSemaphore,
    )
    from pyredisson._async.synchronizers.rate_limiter import AsyncRateLimiter as AsyncRateLimiter
    from pyredisson._async.synchronizers.semaphore import AsyncSemaphore as AsyncSemaphore
    from pyredisson._async.topics.messages import AsyncTopicMessages as AsyncTopicMessages
    from pyredisson._async.topics.pattern_topic import AsyncPatternTopic as AsyncPatternTopic
    from pyredisson._async.topics.reliable_messages import (
        AsyncReliableMessages as AsyncReliableMessages,
    )
    from pyredisson._async.topics.reliable_topic import AsyncReliableTopic as AsyncReliableTopic
    from pyredisson._async.topics.topic import AsyncShardedTopic as AsyncShardedTopic
    from pyredisson._async.topics.topic import AsyncTopic as AsyncTopic
    from pyredisson._async.windows.window import AsyncGroupWindow as AsyncGroupWindow
    from pyredisson._async.worker.worker import AsyncWorker as AsyncWorker
    from pyredisson._sync.bits.bit_set import BitSet as BitSet
    from pyredisson._sync.bits.hyper_log_log import HyperLogLog as HyperLogLog
    from pyredisson._sync.bloom.bloom_filter import BloomFilter as BloomFilter
    from pyredisson._sync.buckets.bucket import Bucket as Bucket
    from pyredisson._sync.buckets.buckets import Buckets as Buckets
    from pyredisson._sync.client import Redisson as Redisson
    from pyredisson._sync.collections.list import List as List
    from pyredisson._sync.collections.scored_sorted_set import ScoredSortedSet as ScoredSortedSet
    from pyredisson._sync.collections.set import Set as Set
    from pyredisson._sync.collections.set_cache import SetCache as SetCache
    from pyredisson._sync.consumers.consumer import Consumer as Consumer
    from pyredisson._sync.consumers.message import Message as Message
    from pyredisson._sync.counters.atomic_double import AtomicDouble as AtomicDouble
    from pyredisson._sync.counters.atomic_long import AtomicLong as AtomicLong
    from pyredisson._sync.counters.id_generator import IdGenerator as IdGenerator
    from pyredisson._sync.dead_letters.dead_letters import DeadLetters as DeadLetters
    from pyredisson._sync.delayed.delayed_queue import DelayedQueue as DelayedQueue
    from pyredisson._sync.keys.keys import Keys as Keys
    from pyredisson._sync.local_maps.map import LocalCachedMap as LocalCachedMap
    from pyredisson._sync.locks.fair_lock import FairLock as FairLock
    from pyredisson._sync.locks.fenced_lock import FencedLock as FencedLock
    from pyredisson._sync.locks.lock import Lock as Lock
    from pyredisson._sync.locks.multi_lock import MultiLock as MultiLock
    from pyredisson._sync.locks.read_write_lock import ReadLock as ReadLock
    from pyredisson._sync.locks.read_write_lock import ReadWriteLock as ReadWriteLock
    from pyredisson._sync.locks.read_write_lock import WriteLock as WriteLock
    from pyredisson._sync.locks.spin_lock import SpinLock as SpinLock
    from pyredisson._sync.maps.cache import MapCache as MapCache
    from pyredisson._sync.maps.map import Map as Map
    from pyredisson._sync.poison.poison_list import PoisonList as PoisonList
    from pyredisson._sync.queues.blocking_deque import BlockingDeque as BlockingDeque
    from pyredisson._sync.queues.blocking_queue import BlockingQueue as BlockingQueue
    from pyredisson._sync.queues.deque import Deque as Deque
    from pyredisson._sync.queues.queue import Queue as Queue
    from pyredisson._sync.schedules.schedule import Schedule as Schedule
    from pyredisson._sync.sharded.consumer import ShardedConsumer as ShardedConsumer
    from pyredisson._sync.sharded.dead_letters import ShardedDeadLetters as ShardedDeadLetters
    from pyredisson._sync.sharded.queue import ShardedQueue as ShardedQueue
    from pyredisson._sync.synchronizers.count_down_latch import CountDownLatch as CountDownLatch
    from pyredisson._sync.synchronizers.permit_expirable_semaphore import (
        PermitExpirableSemaphore as PermitExpirableSemaphore,
    )
    from pyredisson._sync.synchronizers.rate_limiter import RateLimiter as RateLimiter
    from pyredisson._sync.synchronizers.semaphore import Semaphore as Semaphore
    from pyredisson._sync.topics.messages import TopicMessages as TopicMessages
    from pyredisson._sync.topics.pattern_topic import PatternTopic as PatternTopic
    from pyredisson._sync.topics.reliable_messages import ReliableMessages as ReliableMessages
    from pyredisson._sync.topics.reliable_topic import ReliableTopic as ReliableTopic
    from pyredisson._sync.topics.topic import ShardedTopic as ShardedTopic
    from pyredisson._sync.topics.topic import Topic as Topic
    from pyredisson._sync.windows.window import GroupWindow as GroupWindow
    from pyredisson._sync.worker.worker import Worker as Worker
    from pyredisson.errors import BatchDecodeError as BatchDecodeError
    from pyredisson.errors import BloomFilterError as BloomFilterError
    from pyredisson.errors import ClosedError as ClosedError
    from pyredisson.errors import CodecError as CodecError
    from pyredisson.errors import DecodeError as DecodeError
    from pyredisson.errors import EmptyQueueError as EmptyQueueError
    from pyredisson.errors import EncodeError as EncodeError
    from pyredisson.errors import InvalidNameError as InvalidNameError
    from pyredisson.errors import KeyTypeError as KeyTypeError
    from pyredisson.errors import LockError as LockError
    from pyredisson.errors import LockLostError as LockLostError
    from pyredisson.errors import MessageTooLongError as MessageTooLongError
    from pyredisson.errors import NotNotifiedError as NotNotifiedError
    from pyredisson.errors import NotReleasedError as NotReleasedError
    from pyredisson.errors import NotReplicatedError as NotReplicatedError
    from pyredisson.errors import OfferError as OfferError
    from pyredisson.errors import PartialOfferError as PartialOfferError
    from pyredisson.errors import PermitLostError as PermitLostError
    from pyredisson.errors import QueueFullError as QueueFullError
    from pyredisson.errors import RateNotSetError as RateNotSetError
    from pyredisson.errors import RedissonError as RedissonError
    from pyredisson.errors import TimeLimitError as TimeLimitError
    from pyredisson.errors import UncertainError as UncertainError
    from pyredisson.errors import UncertainOfferError as UncertainOfferError
    from pyredisson.errors import WireFormatError as WireFormatError
    from pyredisson.protocol.checks.finding import Finding as Finding
    from pyredisson.protocol.checks.finding import FindingKind as FindingKind
    from pyredisson.protocol.collections.scored import ScoredEntry as ScoredEntry
    from pyredisson.protocol.consumers.in_flight import InFlight as InFlight
    from pyredisson.protocol.dead_letters.dead_letters import DeadLetter as DeadLetter
    from pyredisson.protocol.delayed.entry import WireFormat as WireFormat
    from pyredisson.protocol.delayed.pending import PendingItem as PendingItem
    from pyredisson.protocol.delayed.receipt import Receipt as Receipt
    from pyredisson.protocol.kernel.durable import Durable as Durable
    from pyredisson.protocol.kernel.names import NameMapper as NameMapper
    from pyredisson.protocol.maps.events import EntryEvent as EntryEvent
    from pyredisson.protocol.poison.poison_list import PoisonedValue as PoisonedValue
    from pyredisson.protocol.queues.queue import End as End
    from pyredisson.protocol.schedules.schedule import ScheduleEntry as ScheduleEntry
    from pyredisson.protocol.synchronizers.rate_limiter import (
        RateLimiterConfig as RateLimiterConfig,
    )
    from pyredisson.protocol.synchronizers.rate_limiter import RateType as RateType
    from pyredisson.protocol.topics.message import MissedMessages as MissedMessages
    from pyredisson.protocol.topics.message import TopicMessage as TopicMessage
    from pyredisson.protocol.windows.window import Group as Group
    from pyredisson.protocol.windows.window import GroupState as GroupState
    from pyredisson.protocol.worker.hooks import Hooks as Hooks
    from pyredisson.protocol.worker.outcome import Backoff as Backoff
    from pyredisson.protocol.worker.outcome import Defer as Defer
    from pyredisson.server_errors import ReplyError as ReplyError
    from pyredisson.server_errors import ServerConnectionError as ServerConnectionError
    from pyredisson.server_errors import ServerError as ServerError
    from pyredisson.server_errors import ServerTimeoutError as ServerTimeoutError
    from pyredisson.stats import Health as Health
    from pyredisson.stats import TransferHealth as TransferHealth
    from pyredisson.stats import TransferStats as TransferStats
    from pyredisson.stats import WorkerStats as WorkerStats

__version__ = "0.1.0"

_BOTH = {
    "bits.bit_set": ("BitSet",),
    "bits.hyper_log_log": ("HyperLogLog",),
    "bloom.bloom_filter": ("BloomFilter",),
    "buckets.bucket": ("Bucket",),
    "buckets.buckets": ("Buckets",),
    "client": ("Redisson",),
    "collections.list": ("List",),
    "collections.scored_sorted_set": ("ScoredSortedSet",),
    "collections.set": ("Set",),
    "collections.set_cache": ("SetCache",),
    "consumers.consumer": ("Consumer",),
    "consumers.message": ("Message",),
    "counters.atomic_double": ("AtomicDouble",),
    "counters.atomic_long": ("AtomicLong",),
    "counters.id_generator": ("IdGenerator",),
    "dead_letters.dead_letters": ("DeadLetters",),
    "delayed.delayed_queue": ("DelayedQueue",),
    "keys.keys": ("Keys",),
    "local_maps.map": ("LocalCachedMap",),
    "locks.fair_lock": ("FairLock",),
    "locks.fenced_lock": ("FencedLock",),
    "locks.lock": ("Lock",),
    "locks.multi_lock": ("MultiLock",),
    "locks.read_write_lock": ("ReadLock", "ReadWriteLock", "WriteLock"),
    "locks.spin_lock": ("SpinLock",),
    "maps.cache": ("MapCache",),
    "maps.map": ("Map",),
    "poison.poison_list": ("PoisonList",),
    "queues.blocking_deque": ("BlockingDeque",),
    "queues.blocking_queue": ("BlockingQueue",),
    "queues.deque": ("Deque",),
    "queues.queue": ("Queue",),
    "schedules.schedule": ("Schedule",),
    "sharded.consumer": ("ShardedConsumer",),
    "sharded.dead_letters": ("ShardedDeadLetters",),
    "sharded.queue": ("ShardedQueue",),
    "synchronizers.count_down_latch": ("CountDownLatch",),
    "synchronizers.permit_expirable_semaphore": ("PermitExpirableSemaphore",),
    "synchronizers.rate_limiter": ("RateLimiter",),
    "synchronizers.semaphore": ("Semaphore",),
    "topics.messages": ("TopicMessages",),
    "topics.pattern_topic": ("PatternTopic",),
    "topics.reliable_messages": ("ReliableMessages",),
    "topics.reliable_topic": ("ReliableTopic",),
    "topics.topic": ("ShardedTopic", "Topic"),
    "windows.window": ("GroupWindow",),
    "worker.worker": ("Worker",),
}
"""Modules of `_sync` and their names. `_async` has the same modules, and names with `Async`."""

_HOMES = {
    **{f"._sync.{home}": names for home, names in _BOTH.items()},
    **{f"._async.{home}": tuple(f"Async{name}" for name in names) for home, names in _BOTH.items()},
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
    ".protocol.checks.finding": ("Finding", "FindingKind"),
    ".protocol.collections.scored": ("ScoredEntry",),
    ".protocol.consumers.in_flight": ("InFlight",),
    ".protocol.dead_letters.dead_letters": ("DeadLetter",),
    ".protocol.delayed.entry": ("WireFormat",),
    ".protocol.delayed.pending": ("PendingItem",),
    ".protocol.delayed.receipt": ("Receipt",),
    ".protocol.kernel.durable": ("Durable",),
    ".protocol.kernel.names": ("NameMapper",),
    ".protocol.maps.events": ("EntryEvent",),
    ".protocol.poison.poison_list": ("PoisonedValue",),
    ".protocol.queues.queue": ("End",),
    ".protocol.schedules.schedule": ("ScheduleEntry",),
    ".protocol.synchronizers.rate_limiter": ("RateLimiterConfig", "RateType"),
    ".protocol.topics.message": ("MissedMessages", "TopicMessage"),
    ".protocol.windows.window": ("Group", "GroupState"),
    ".protocol.worker.hooks": ("Hooks",),
    ".protocol.worker.outcome": ("Backoff", "Defer"),
    ".server_errors": ("ReplyError", "ServerConnectionError", "ServerError", "ServerTimeoutError"),
    ".stats": ("Health", "TransferHealth", "TransferStats", "WorkerStats"),
}

__all__ = [name for names in _HOMES.values() for name in names]
__all__.sort()
__getattr__, __dir__ = lazily(globals(), _HOMES)
