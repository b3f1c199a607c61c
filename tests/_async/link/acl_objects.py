"""A client's objects by kind, the arguments of their methods, and the keys that they find in Redis.

The methods are those of the public classes and their arguments follow from their names, so that a
new method is tried, too.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from pyredisson import AsyncMessage, AsyncRedisson, Durable, Receipt
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.queues.queue import End

RECEIPT = Receipt("q", 5, b"1" * 16, b"v", WireFormat.CURRENT)
AT = datetime(2100, 1, 1, tzinfo=UTC)
ARGUMENTS: dict[str, Any] = {
    "at": AT,
    "data": (b"x",),
    "database": 1,
    "dedup": "key",
    "delay": 5,
    "every": 5,
    "expected": "v",
    "host": "127.0.0.1",
    "items": [("v", 5)],
    "key": "key",
    "lease": 5,
    "limit": 5,
    "messages": [],
    "name": "entry",
    "names": ["other"],
    "new_name": "other",
    "port": 1,
    "predicate": lambda value: True,
    "reason": "why",
    "receipt": RECEIPT,
    "source_end": End.LAST,
    "target": "other",
    "target_end": End.FIRST,
    "timeout": 1,
    "ttl": 5,
    "value": "v",
    "values": ["v"],
}
ALWAYS = ("delay", "every")
NOTHING_SENT = {"remaining_capacity", "subscribe_on_elements", "destroy", "shard_of", "close"}
"""Methods that send nothing, or only end what an earlier call started."""


@dataclass
class Given:
    """The keys in Redis before each call of a family of objects, and values that calls need."""

    taken: list[Delivery] = field(default_factory=list)
    dumps: dict[str, Any] = field(default_factory=dict)
    letter: str = ""
    receipt: Receipt = RECEIPT
    keys: dict[bytes, bytes] = field(default_factory=dict)

    def store(self, root: Any) -> None:
        """Restore the keys of the seed, with no script loaded."""
        root.flushall()
        root.script_flush()
        with root.pipeline() as pipeline:
            for key, value in self.keys.items():
                pipeline.restore(key, 0, value)
            pipeline.execute()


def arguments(method: Callable[..., Any]) -> dict[str, Any]:
    """Return the arguments that a method needs."""
    given = inspect.signature(method).parameters
    return {
        name: ARGUMENTS[name]
        for name, each in given.items()
        if name in ALWAYS or (each.default is each.empty and each.kind is not each.VAR_POSITIONAL)
    }


def objects(redisson: AsyncRedisson) -> dict[str, Any]:
    """Return one object of each kind for a queue ``q``."""
    queue = redisson.get_blocking_deque("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    window = redisson.get_group_window(queue, size=2, max_wait=5, transfer=False)
    consumer = redisson.get_consumer(queue, transfer=False)
    return {
        "queue": queue,
        "delayed queue": delayed,
        "bounded queue": redisson.get_delayed_queue(queue, transfer=False, max_size=50),
        "bucket": redisson.get_bucket("q"),
        "poison": redisson.get_poison_list(queue),
        "window": window,
        "schedule": redisson.get_schedule(delayed, advance=False),
        "consumer": consumer,
        "group consumer": redisson.get_consumer(window, transfer=False),
        "message": AsyncMessage(consumer, Delivery(b"t" * 16, b"i" * 16, 1, 1, 1, 0, b"v"), 0.0),
        "letters": redisson.get_dead_letters(queue),
        "group letters": redisson.get_dead_letters(window),
    }


def more_objects(redisson: AsyncRedisson) -> dict[str, Any]:
    """Return objects whose methods are built from those of `objects`."""
    queue = redisson.get_blocking_queue("q")
    sharded = redisson.get_sharded_queue("q", 2, transfer=False)
    durable = Durable(replicas=1, timeout=0.01)
    return {
        "expiring queue": redisson.get_delayed_queue(queue, transfer=False, expire_after=3600),
        "durable queue": redisson.get_delayed_queue(queue, transfer=False, durable=durable),
        "sharded queue": sharded,
        "sharded consumer": redisson.get_consumer(sharded, transfer=False),
        "sharded letters": redisson.get_dead_letters(sharded),
    }


def methods(one: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, method in inspect.getmembers(one, inspect.ismethod):
        if (not name.startswith("_") or name == "__aiter__") and name not in NOTHING_SENT:
            yield name, method


# --- the stored keys ---------------------------------------------------------------------------


def family(kind: str) -> str:
    """Return which `seed` a kind of object needs."""
    return next((each for each in ("group", "window", "bucket", "shard") if each in kind), "")


async def seed(owner: AsyncRedisson, root: Any, kind: str) -> Given:
    """Store the keys that the calls of a kind of object use."""
    root.flushall()
    given = Given()
    which = family(kind)
    if which == "bucket":
        root.set("q", "v")
        given.dumps["bucket"] = await owner.get_bucket("q").dump()
    elif which == "shard":
        await _seed_shards(owner, given)
    elif which:
        await _seed_groups(owner, given)
    else:
        await _seed_queue(owner, root, given)
    given.keys = {key: root.dump(key) for key in root.scan_iter()}
    return given


async def _seed_queue(owner: AsyncRedisson, root: Any, given: Given) -> None:
    queue = owner.get_blocking_deque("q")
    delayed = owner.get_delayed_queue(queue, transfer=False)
    consumer = owner.get_consumer(queue, transfer=False, lease=3600)
    root.rpush("q", "dead", "dead too", "a", "b")
    for message in await consumer.take_many(2):
        await message.reject("why")
    given.taken = [each._delivery for each in await consumer.take_many(2)]
    letters = owner.get_dead_letters(queue)
    given.letter = (await letters.read_all())[0].id
    root.rpush("q", "v", "w", "v")
    root.rpush("other", "o")
    root.rpush("pyredisson_poison:{q}", "v", "w")
    given.receipt = await delayed.offer("v", delay=3600)
    await delayed.offer("keyed", delay=3601, dedup="key")  # due after the first
    await owner.get_schedule(delayed, advance=False).add("entry", "w", every=3600)
    for kind in ("queue", "delayed queue", "poison"):
        given.dumps[kind] = await objects(owner)[kind].dump()


async def _seed_groups(owner: AsyncRedisson, given: Given) -> None:
    queue = owner.get_queue("q")
    window = owner.get_group_window(queue, size=2, max_wait=3600, transfer=False)
    consumer = owner.get_consumer(window, transfer=False, lease=3600)
    for key in ("dead", "taken", "full"):
        for value in "ab":
            await window.offer(key, value)
        if key == "dead":
            await (await consumer.take()).reject("why")
        elif key == "taken":
            given.taken = [(await consumer.take())._delivery]
    await window.offer("key", "v")
    given.letter = (await owner.get_dead_letters(window).read_all())[0].id


async def _seed_shards(owner: AsyncRedisson, given: Given) -> None:
    queue = owner.get_sharded_queue("q", 2, transfer=False)
    consumer = owner.get_consumer(queue, transfer=False, lease=3600)
    for value in ("dead", "taken", "v", "w"):
        for key in "abcd":  # some for each shard
            await queue.add(value, key=key)
    first = consumer.consumers[0]
    for message in await first.take_many(2):
        await message.reject("why")
    given.taken = [each._delivery for each in await first.take_many(1)]
    given.receipt = await queue.offer("v", delay=3600)
    given.letter = (await owner.get_dead_letters(queue).read_all())[0].id
