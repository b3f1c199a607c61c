"""Every public method of a client's objects, as a call that a user with few rights can make.

The methods are those of the public classes and their arguments follow from their names, so that a
new method is a new call. `VARIANTS` names the arguments with which a method sends other
commands. `BESIDE` has what a client does by itself. Rule: a call finds the keys that `seed` stored,
does its usual work, and returns the text of its rejection, empty without one.
"""

import inspect
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import redis
from redis.exceptions import NoPermissionError

from pyredisson import (
    AsyncMessage,
    AsyncRedisson,
    AsyncWorker,
    DecodeError,
    NotNotifiedError,
    NotReleasedError,
    NotReplicatedError,
    PartialOfferError,
)
from pyredisson.codecs import LongCodec, StringCodec
from tests._async.link.acl_objects import (
    RECEIPT,
    Given,
    arguments,
    methods,
    more_objects,
    objects,
)
from tests.support.monitor import HasPort
from tests.support.state import pack
from tests.support.twins import AsyncStarted, interrupt_async, sleep_async, until_async

LIKE_A_DELAYED_QUEUE = ("bounded queue", "expiring queue", "durable queue")
"""Apart from offers, these have the methods of a delayed queue."""
_POPS: tuple[dict[str, Any], ...] = ({}, {"limit": 2}, {"timeout": 1}, {"limit": 2, "timeout": 1})
VARIANTS: dict[str, tuple[dict[str, Any], ...]] = {
    "poll": _POPS,
    "poll_first": _POPS,
    "poll_last": _POPS,
    "remove": ({}, {"value": "v"}),
    "move": ({}, {"timeout": 1}),
    "poll_last_and_offer_first_to": ({}, {"timeout": 1}),
    "drop": ({}, {"limit": 1}, {"raw": b"w"}, {"id": "first"}),
    "redrive": ({}, {"id": "first"}),
    "requeue": ({}, {"raw": b"w"}),
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
"""By the method's name. A class without such an argument skips the variant."""


@dataclass(frozen=True)
class Call:
    """A call of a kind of object; `label` is its name on the page."""

    kind: str
    label: str
    run: Callable[[AsyncRedisson, Given, Any], Any]

    def __str__(self) -> str:
        return f"{self.kind}: {self.label}"


def calls() -> list[Call]:
    """Return every call."""
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
            continue  # the delayed queue's calls cover them
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
    """Store entries that a check finds and a repair changes."""
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
    """Let the user `few` make a call, and close the client; return the text of a rejection."""
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
    """Make a call; return the text of its rejection, empty without one."""
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
    except redis.ResponseError as error:  # a script's error, before Redis 7
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
    await sleep_async(0.2)  # and the task has read the companion keys
    return redisson.transfer_stats()[0].refused or ""


class Said(logging.Handler):
    """Collects log messages."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


async def _advances(redisson: AsyncRedisson, given: Given, root: Any) -> str:
    times, entries = "pyredisson_schedule_times:{q}", "pyredisson_schedule:{q}"
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    before = root.hget(entries, "entry")
    root.zadd(times, {"entry": 1})
    said = Said(logging.ERROR)
    log = logging.getLogger("pyredisson")
    log.addHandler(said)
    try:
        redisson.get_schedule(delayed)
        await until_async(
            lambda: bool(said.lines) or root.hget(entries, "entry") != before,
            "it went on, or is refused",
        )
    finally:
        log.removeHandler(said)
    return "".join(said.lines)


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
