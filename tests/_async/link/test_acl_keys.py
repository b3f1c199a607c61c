"""A user without some key patterns: each error names the command, the keys and the right.

The methods are those of `acl_objects`. Rule: the user may run every command, but on no key or
only on the queue.
"""

import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from redis.exceptions import NoPermissionError

from pyredisson import (
    AsyncMessage,
    AsyncRedisson,
    AsyncWorker,
    PartialOfferError,
)
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.delivery import Delivery
from tests._async.link.acl_objects import arguments, methods, objects
from tests.support.twins import start_async, until_async

Login = Callable[..., AsyncRedisson]

NAMED = re.compile(r"\(([A-Z]+(?: and [A-Z]+)*|[A-Z]+ \S+), which needs [~+]\S+")
KINDS = sorted(objects(AsyncRedisson.from_url("redis://nowhere", codec=StringCodec())))


async def refusal(one: Any, name: str, method: Callable[..., Any]) -> str:
    """Call a method; return the text of its rejection, empty without one."""
    given = arguments(method)
    if name == "drain_to":
        given["target"] = []
    if name == "restore":
        given["data"] = (b"x",) * len(one._types)
    if "messages" in given:
        given["messages"] = [
            AsyncMessage(one, Delivery(b"t" * 16, b"i" * 16, 1, 1, 1, 0, b"v"), 0.0)
        ]
    try:
        result = method(**given)
        if isinstance(result, AsyncIterator):
            async for _ in result:
                pass
        else:
            await result
    except PartialOfferError as error:
        return str(error.cause)
    except NoPermissionError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("kind", KINDS)
async def test_error_names_command_and_key_without_rights_to_any_key(
    login: Login, kind: str
) -> None:
    one = objects(login("+@all", "&*", codec=StringCodec()))[kind]
    for name, method in methods(one):
        said = await refusal(one, name, method)
        assert NAMED.search(said), f"{name}: {said}"
        assert re.search(r"~(q\b|\S+:\{q\})", said), f"{name}: {said}"


@pytest.mark.parametrize("kind", KINDS)
async def test_error_names_companion_keys_with_rights_to_the_queue_only(
    login: Login, kind: str
) -> None:
    """The error of a method that needs companion keys names these keys."""
    one = objects(login("~q", "+@all", "&*", codec=StringCodec()))[kind]
    beside = ("in_flight", "pause", "resume", "is_paused")
    refused = 0
    for name, method in methods(one):
        if kind in ("queue", "bucket") and name not in beside:
            continue
        if said := await refusal(one, name, method):
            refused += 1
            assert NAMED.search(said), name
            assert re.search(r"~(py)?redisson_\S+:\{q\}|~other", said), f"{name}: {said}"
    assert (refused == 0) == (kind == "bucket")


async def test_error_names_dedup_key_and_other_queues(login: Login) -> None:
    redisson = login("~q", "+@all", "&*", codec=StringCodec())
    queue = redisson.get_blocking_deque("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    with pytest.raises(NoPermissionError, match=r"EVALSHA, which needs .*~pyredisson_dedup:\{q\}"):
        await delayed.offer("v", delay=5, dedup="key")
    with pytest.raises(NoPermissionError, match=r"BLPOP, which needs ~q ~other"):
        await queue.poll_from_any(1, "other")


async def test_worker_ends_with_the_error_of_the_missing_right(login: Login) -> None:
    redisson = login("~q", "+@all", "&*", codec=StringCodec())
    worker = AsyncWorker(redisson, redisson.get_queue("q"), print)
    with pytest.raises(NoPermissionError, match=r"EVALSHA, which needs ~q ~pyredisson_arriving:"):
        await worker.run()


async def test_rejected_wait_names_the_target_key(root: Any, login: Login) -> None:
    """The right to the second key is removed while the consumer waits."""
    redisson = login("~*", "+@all", "&*", codec=StringCodec())
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    assert await consumer.poll() is None
    waiting = start_async(consumer.take)
    await until_async(lambda: root.info("clients")["blocked_clients"] == 1, "it waits")
    root.execute_command("ACL", "SETUSER", "user0", "resetkeys", "~q")
    with pytest.raises(NoPermissionError, match=r"BLMOVE and EVALSHA, which needs ~q ~\S+arriv"):
        await waiting.result()


async def test_rejected_call_on_shards_names_their_keys(login: Login) -> None:
    redisson = login("~{none}", "+@all", "&*", codec=StringCodec())
    orders = redisson.get_sharded_queue("orders", 3, transfer=False)
    for call in (orders.take, orders.size, orders.pause, orders.in_flight, orders.check):
        with pytest.raises(NoPermissionError, match=r"which needs ~\S*orders:"):
            await call()
    with pytest.raises(NoPermissionError, match=r"which needs ~\S*orders:"):
        await redisson.get_consumer(orders, transfer=False).take()
