"""Every public method of what a client hands out, as a call that a user with few rights can make.

The methods are those of the public classes and their arguments follow from their names, so that a
new method is a new call. `VARIANTS` has those that send something else with other arguments,
`BESIDE` what a client does by itself. Rule: a call finds what `seed` has left, does its usual work,
and returns what it was refused, empty without a refusal.
"""

import inspect
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Any

import redis
from redis.exceptions import NoPermissionError

from pyredisson import (
    AsyncMessage,
    AsyncRedisson,
    AsyncWorker,
    DecodeError,
    Durable,
    NotNotifiedError,
    NotReleasedError,
    NotReplicatedError,
    PartialOfferError,
    Receipt,
)
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.objects.member import WireFormat
from pyredisson.protocol.objects.queue import End
from pyredisson.protocol.objects.taken import Taken
from tests.support.monitor import HasPort
from tests.support.state import pack
from tests.support.twins import AsyncStarted, interrupt_async, until_async

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
"""What runs nothing, or only what an earlier call has begun."""

LIKE_A_DELAYED_QUEUE = ("bounded queue", "expiring queue", "durable queue")
"""But for their offers."""
_POPS = ({}, {"limit": 2}, {"timeout": 1}, {"limit": 2, "timeout": 1})
VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "poll": _POPS,
    "poll_first": _POPS,
    "poll_last": _POPS,
    "remove": ({}, {"value": "v"}),
    "move": ({}, {"timeout": 1}),
    "poll_last_and_offer_first_to": ({}, {"timeout": 1}),
    "drop": ({}, {"limit": 1}, {"raw": b"w"}, {"id": "first"}),
    "redrive": ({}, {"id": "first"}),
    "put_back": ({}, {"raw": b"w"}),
    "offer": ({}, {"dedup": "new"}, {"dedup": "key", "if_exists": "replace"}),
    "repair": ({}, {"dry_run": False}, {"dry_run": False, "orphans": "drop"}),
    "drain_to": ({}, {"max_elements": 1}),
    "nack": ({"delay": 0}, {"delay": 5}),
    "cancel": ({}, {"receipt": RECEIPT.short()}),
    "reschedule": ({}, {"receipt": RECEIPT.short()}),
    "remaining_delay": ({}, {"receipt": RECEIPT.short()}),
    "expire": ({}, {"condition": "NX"}),
    "copy": ({}, {"database": 1}),
    "set": ({}, {"ttl": 5}),
    "get_and_set": ({}, {"ttl": 5}),
    "set_if_exists": ({}, {"ttl": 5}),
    "set_if_absent": ({}, {"ttl": 5}),
    "try_set": ({}, {"ttl": 5}),
}
"""Of a method's name; those that a class has no argument for are left out."""


@dataclass
class Given:
    """What stands in Redis before each call of a family of objects, and what calls refer to."""

    taken: list[Taken] = field(default_factory=list)
    dumps: dict[str, Any] = field(default_factory=dict)
    letter: str = ""
    receipt: Receipt = RECEIPT
    keys: dict[bytes, bytes] = field(default_factory=dict)

    def store(self, root: Any) -> None:
        """Put all back to how it was, with no script loaded."""
        root.flushall()
        root.script_flush()
        with root.pipeline() as pipeline:
            for key, value in self.keys.items():
                pipeline.restore(key, 0, value)
            pipeline.execute()


def arguments(method: Callable[..., Any]) -> dict[str, Any]:
    """What a method has to be given."""
    given = inspect.signature(method).parameters
    return {
        name: ARGUMENTS[name]
        for name, each in given.items()
        if name in ALWAYS or (each.default is each.empty and each.kind is not each.VAR_POSITIONAL)
    }


def objects(redisson: AsyncRedisson) -> dict[str, Any]:
    """One of each kind of what a client hands out, of a queue ``q``."""
    queue = redisson.get_blocking_deque("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    window = redisson.get_group_window(queue, size=2, after=5, transfer=False)
    consumer = redisson.get_consumer(queue, transfer=False)
    return {
        "queue": queue,
        "delayed queue": delayed,
        "bounded queue": redisson.get_delayed_queue(queue, transfer=False, max_size=50),
        "bucket": redisson.get_bucket("q"),
        "poison": redisson.get_poison(queue),
        "window": window,
        "schedule": redisson.get_schedule(delayed, advance=False),
        "consumer": consumer,
        "group consumer": redisson.get_consumer(window, transfer=False),
        "message": AsyncMessage(consumer, Taken(b"t" * 16, b"i" * 16, 1, 1, 1, 0, b"v"), 0.0),
        "letters": redisson.get_dead_letters(queue),
        "group letters": redisson.get_dead_letters(window),
    }


def more_objects(redisson: AsyncRedisson) -> dict[str, Any]:
    """What is made of the same methods."""
    queue = redisson.get_blocking_queue("q")
    sharded = redisson.get_sharded_queue("q", 2, transfer=False)
    durable = Durable(replicas=1, timeout=0.01)
    return {
        "expiring queue": redisson.get_delayed_queue(queue, transfer=False, expires=3600),
        "durable queue": redisson.get_delayed_queue(queue, transfer=False, durable=durable),
        "sharded queue": sharded,
        "sharded consumer": redisson.get_consumer(sharded, transfer=False),
        "sharded letters": redisson.get_dead_letters(sharded),
    }


def methods(one: Any) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, method in inspect.getmembers(one, inspect.ismethod):
        if (not name.startswith("_") or name == "__aiter__") and name not in NOTHING_SENT:
            yield name, method


# --- what is there -----------------------------------------------------------------------------


def family(kind: str) -> str:
    """Which `seed` the kind of object needs."""
    return next((each for each in ("group", "window", "bucket", "shard") if each in kind), "")


async def seed(owner: AsyncRedisson, root: Any, kind: str) -> Given:
    """Store what the calls of a kind of object work on."""
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
    given.keys = {key: root.dump(key) for key in root.keys()}
    return given


async def _seed_queue(owner: AsyncRedisson, root: Any, given: Given) -> None:
    queue = owner.get_blocking_deque("q")
    delayed = owner.get_delayed_queue(queue, transfer=False)
    consumer = owner.get_consumer(queue, transfer=False, lease=3600)
    root.rpush("q", "dead", "dead too", "a", "b")
    for message in await consumer.take_many(2):
        await message.reject("why")
    given.taken = [each._taken for each in await consumer.take_many(2)]
    letters = owner.get_dead_letters(queue)
    given.letter = [letter.id async for letter in letters][0]
    root.rpush("q", "v", "w", "v")
    root.rpush("other", "o")
    root.rpush("pyredisson_poison:{q}", "v", "w")
    given.receipt = await delayed.offer("v", delay=3600)
    await delayed.offer("keyed", delay=3600, dedup="key")
    await owner.get_schedule(delayed, advance=False).add("entry", "w", every=3600)
    for kind in ("queue", "delayed queue", "poison"):
        given.dumps[kind] = await objects(owner)[kind].dump()


async def _seed_groups(owner: AsyncRedisson, given: Given) -> None:
    queue = owner.get_queue("q")
    window = owner.get_group_window(queue, size=2, after=3600, transfer=False)
    consumer = owner.get_consumer(window, transfer=False, lease=3600)
    for key in ("dead", "taken", "full"):
        for value in "ab":
            await window.offer(key, value)
        if key == "dead":
            await (await consumer.take()).reject("why")
        elif key == "taken":
            given.taken = [(await consumer.take())._taken]
    await window.offer("key", "v")
    given.letter = [letter.id async for letter in owner.get_dead_letters(window)][0]


async def _seed_shards(owner: AsyncRedisson, given: Given) -> None:
    queue = owner.get_sharded_queue("q", 2, transfer=False)
    consumer = owner.get_consumer(queue, transfer=False, lease=3600)
    for value in ("dead", "taken", "v", "w"):
        for key in "abcd":  # some for each shard
            await queue.add(value, key=key)
    for message in await consumer.take_many(2):
        await message.reject("why")
    given.taken = [each._taken for each in await consumer.take_many(1)]
    given.receipt = await queue.offer("v", delay=3600)
    given.letter = [letter.id async for letter in owner.get_dead_letters(queue)][0]


# --- the calls ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Call:
    """A call of a kind of object; `label` is how the page calls it."""

    kind: str
    label: str
    run: Callable[[AsyncRedisson, Given, Any], Any]

    def __str__(self) -> str:
        return f"{self.kind}: {self.label}"


def calls() -> list[Call]:
    """All of them."""
    nowhere = AsyncRedisson.from_url("redis://nowhere", codec=StringCodec())
    found = list(BESIDE)
    for kind, one in {**objects(nowhere), **more_objects(nowhere)}.items():
        if isinstance(one, AsyncMessage):
            found += _of(kind, one, "message")
            found += _of("group message", one, "message")
        else:
            found += _of(kind, one, kind)
    return found


def _of(kind: str, one: Any, made: str) -> Iterator[Call]:
    for name, method in methods(one):
        if kind in LIKE_A_DELAYED_QUEUE and not name.startswith("offer"):
            continue  # they do what a delayed queue does
        known = inspect.signature(method).parameters
        for number, more in enumerate(VARIANTS.get(name, ({},))):
            if more.keys() <= known.keys() and not (kind == "expiring queue" and more):
                words = ", ".join(_word(each, value) for each, value in more.items())
                label = "for" if name == "__aiter__" else f"{name}({words})"
                yield Call(kind, label, partial(_call, kind, name, number))


def _word(name: str, value: Any) -> str:
    if name in ("dry_run", "delay", "if_exists", "orphans"):
        return f"{name}={value!r}"
    if name == "receipt":
        return "short receipt"
    return name if name in ("limit", "value", "max_elements") else f"{name}=…"


def _made(redisson: AsyncRedisson, kind: str, given: Given) -> Any:
    if "message" in kind:
        known = objects(redisson)
        consumer = known["group consumer" if "group" in kind else "consumer"]
        return AsyncMessage(consumer, given.taken[0], 0.0)
    return {**objects(redisson), **more_objects(redisson)}[kind]


def _diverge(root: Any) -> None:
    """Leave something to find and to repair."""
    alone = [pack(b"list alone", b"list____"), pack(b"set alone", b"set_____"), b"poison"]
    root.rpush("redisson_delay_queue:{q}", alone[0], alone[2])
    root.zadd("redisson_delay_queue_timeout:{q}", {alone[1]: 2**52, alone[2]: 2**52})


async def _call(
    kind: str, name: str, number: int, redisson: AsyncRedisson, given: Given, root: Any
) -> str:
    one = _made(redisson, kind, given)
    method = getattr(one, name)
    words = {**arguments(method), **VARIANTS.get(name, ({},))[number]}
    if "receipt" in words:
        short = words["receipt"] is not RECEIPT
        words["receipt"] = given.receipt.short() if short else given.receipt
    if "id" in words:
        words["id"] = given.letter
    if name in ("check", "repair"):
        _diverge(root)
    if name == "drain_to":
        words["target"] = []
    if name == "restore":
        words |= {"data": given.dumps[kind], "replace": True}
    if "messages" in words:
        makers = getattr(one, "consumers", (one,))
        words["messages"] = [AsyncMessage(makers[0], each, 0.0) for each in given.taken]
    if "from_any" in name:
        return await refusal(partial(method, words["timeout"], "other"))
    if name in ("add_first", "add_last", "add_first_if_exists", "add_last_if_exists"):
        return await refusal(partial(method, "v"))
    return await refusal(partial(method, **words), first="consumer" in kind)


async def made(server: HasPort, call: Call, given: Given, root: Any) -> str:
    """Let the user `few` make a call, and close his client; what was refused, if anything."""
    url = f"redis://few:any@127.0.0.1:{server.port}"
    redisson = AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=0.05)
    try:
        said: str = await call.run(redisson, given, root)
    finally:
        try:
            await redisson.aclose()
        except NotReleasedError as error:
            said = str(error)
    return said


async def refusal(call: Callable[[], Any], *, first: bool = False) -> str:
    """Make a call; the text of its refusal, empty without one."""
    try:
        result = call()
        if isinstance(result, AsyncIterator):
            async for _ in result:
                if first:
                    break
        else:
            await result
    except PartialOfferError as error:
        return str(error.cause)
    except (NoPermissionError, NotNotifiedError) as error:
        return str(error)
    except (NotReplicatedError, DecodeError):
        pass
    except redis.ResponseError as error:  # of a script, before Redis 7
        return str(error) if "permission" in str(error) or "can't run" in str(error) else ""
    return ""


# --- what a client does by itself --------------------------------------------------------------


async def _transfers(redisson: AsyncRedisson, given: Given, root: Any) -> str:
    root.delete("q")
    root.rpush("redisson_delay_queue:{q}", pack(b"due"))
    root.zadd("redisson_delay_queue_timeout:{q}", {pack(b"due"): 1})
    redisson.get_delayed_queue(redisson.get_queue("q"))

    def done() -> bool:
        (stats,) = redisson.transfer_stats()
        return stats.refused is not None or bool(root.llen("q") and stats.runs > 1)

    await until_async(done, "it was moved or refused")
    return redisson.transfer_stats()[0].refused or ""


async def _advances(redisson: AsyncRedisson, given: Given, root: Any) -> str:
    times, entries = "pyredisson_schedule_times:{q}", "pyredisson_schedule:{q}"
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    before = root.hget(entries, "entry")
    root.zadd(times, {"entry": 1})
    said: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    log = logging.getLogger("pyredisson")
    log.addHandler(handler)
    try:
        redisson.get_schedule(delayed)
        await until_async(
            lambda: bool(said) or root.hget(entries, "entry") != before, "it went on, or is refused"
        )
    finally:
        log.removeHandler(handler)
    return "".join(said)


async def _works(fails: bool, redisson: AsyncRedisson, given: Given, root: Any) -> str:
    seen: list[str] = []

    def handle(value: str) -> None:
        seen.append(value)
        worker.stop()
        if fails:
            raise ValueError(value)

    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
    return await refusal(AsyncStarted(worker.run).result)


async def _interrupted(redisson: AsyncRedisson, given: Given, root: Any) -> str:
    root.delete("q")
    queue = redisson.get_blocking_queue("q")
    waits: Any = root.info
    if said := await refusal(partial(queue.poll, timeout=0.2)):
        return said
    await interrupt_async(queue.take, lambda: bool(waits("clients")["blocked_clients"]))
    return ""


async def _waits(kind: str, redisson: AsyncRedisson, given: Given, root: Any) -> str:
    root.delete("q")
    consumer = objects(redisson)[kind]
    return await refusal(partial(consumer.poll, 0.3))


async def _opens(redisson: AsyncRedisson, given: Given, root: Any) -> str:
    return await refusal(partial(objects(redisson)["window"].offer, "new", "v"))


async def _undecodable(redisson: AsyncRedisson, given: Given, root: Any) -> str:
    return await refusal(redisson.get_blocking_queue("q", codec=LongCodec()).take)


BESIDE = [
    Call("background", "transfers", _transfers),
    Call("background", "advances a schedule", _advances),
    Call("background", "Worker.run()", partial(_works, False)),
    Call("background", "Worker.run(), and a handler that fails", partial(_works, True)),
    Call("background", "take() that is interrupted", _interrupted),
    Call("background", "take() of what cannot be decoded", _undecodable),
    Call("consumer", "take() that waits", partial(_waits, "consumer")),
    Call("group consumer", "take() that waits", partial(_waits, "group consumer")),
    Call("window", "offer() of a new key", _opens),
]
