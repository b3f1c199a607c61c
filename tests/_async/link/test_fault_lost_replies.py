"""A request without a reply is executed at most once; an offer can be repeated.

The proxy loses the reply, or drops the request.
"""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import (
    AsyncBlockingDeque,
    AsyncDelayedQueue,
    AsyncRedisson,
    DecodeError,
    NotNotifiedError,
    UncertainOfferError,
)
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.faults_tools import calls, server_ms
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.state import shape
from tests.support.twins import sleep_async, start_async, until_async

NAMES = QueueNames.of("q")
LOST = (RedisConnectionError, RedisTimeoutError, OSError)
HOUR = 3600
NIL = b"$-1\r\n"
"""The reply to an offer, as bytes."""


@pytest.fixture
async def redisson(proxy: FaultProxy) -> AsyncIterator[AsyncRedisson]:
    """A client behind the proxy with a short response timeout."""
    async with AsyncRedisson.from_url(
        proxy.url, codec=StringCodec(), response_timeout=1
    ) as redisson:
        yield redisson


@pytest.fixture
async def delayed(redisson: AsyncRedisson) -> AsyncDelayedQueue[str]:
    """The delayed queue ``q``, which was used before and contains "before"."""
    delayed = redisson.get_delayed_queue(redisson.get_blocking_queue("q"), transfer=False)
    await delayed.offer("before", delay=HOUR)
    return delayed


def stored(raw: redis.Redis) -> tuple[list[str], list[str]]:
    """The values of both structures, as sorted text."""
    found = shape(raw)
    return sorted(found[NAMES.delay_list]), sorted(found[NAMES.timeout_set])


async def test_an_offer_without_a_reply_is_uncertain_and_stored_once(
    raw: redis.Redis, proxy: FaultProxy, delayed: AsyncDelayedQueue[str]
) -> None:
    """The client does not resend it; `offer_again` finds the item and adds nothing."""
    proxy.drop_replies(1)
    with pytest.raises(UncertainOfferError, match="may be stored") as caught:
        await delayed.offer("x", delay=HOUR)
    assert caught.value.receipt.value == b"x"
    assert stored(raw) == (["before", "x"], ["before", "x"])
    await delayed.offer_again(caught.value.receipt)
    assert stored(raw) == (["before", "x"], ["before", "x"])
    assert raw.zscore(NAMES.timeout_set, caught.value.receipt.entry) == (
        caught.value.receipt.due_ms
    )


@pytest.mark.parametrize(
    ("rule", "arrives"), [("ignore", True), ("replace", True), ("ignore", False)]
)
async def test_repeated_offer_with_a_dedup_key_stores_one_item(
    raw: redis.Redis,
    proxy: FaultProxy,
    delayed: AsyncDelayedQueue[str],
    rule: Any,
    arrives: bool,
) -> None:
    """Whether the first offer was stored or not, one item is stored."""
    await delayed.cancel(await delayed.offer("first", HOUR, dedup="first"))
    if arrives:
        proxy.drop_replies(1)
    else:
        proxy.black_hole()
    with pytest.raises(UncertainOfferError, match="offering again with its dedup key") as caught:
        await delayed.offer("x", HOUR, dedup="k", if_exists=rule)
    assert caught.value.receipt is None
    proxy.heal()
    again = await delayed.offer("x", HOUR, dedup="k", if_exists=rule)
    assert again.stored is (not arrives or rule == "replace")
    assert raw.zscore(NAMES.timeout_set, again.entry) == again.due_ms
    raw.delete(NAMES.dedup)
    assert stored(raw) == (["before", "x"], ["before", "x"])


@pytest.mark.parametrize("cut", [True, False], ids=["reset", "silent"])
async def test_offer_that_did_not_arrive_is_uncertain_and_can_be_repeated(
    raw: redis.Redis, proxy: FaultProxy, delayed: AsyncDelayedQueue[str], cut: bool
) -> None:
    """The client cannot distinguish it from a lost reply; `offer_again` stores the item."""
    proxy.black_hole()
    offer = start_async(lambda: delayed.offer("x", delay=HOUR))
    if cut:
        await until_async(lambda: proxy.swallowed > 0, "the request is gone")
        proxy.reset_all()
    with pytest.raises(UncertainOfferError, match="may be stored") as caught:
        await offer.result()
    proxy.heal()
    assert stored(raw) == (["before"], ["before"])
    await delayed.offer_again(caught.value.receipt)
    await delayed.offer_again(caught.value.receipt)
    assert stored(raw) == (["before", "x"], ["before", "x"])


async def test_repeated_offer_without_a_reply_stays_uncertain(
    raw: redis.Redis, proxy: FaultProxy, delayed: AsyncDelayedQueue[str]
) -> None:
    """Each attempt has the same receipt, so only one item is stored."""
    proxy.filter_replies(lambda frame: None if frame == NIL else frame)
    with pytest.raises(UncertainOfferError) as caught:
        await delayed.offer("x", delay=HOUR)
    receipt = caught.value.receipt
    for _ in range(2):
        with pytest.raises(UncertainOfferError) as caught:
            await delayed.offer_again(receipt)
        assert caught.value.receipt == receipt
    assert proxy.dropped == 3
    proxy.heal()
    await delayed.offer_again(receipt)
    assert stored(raw) == (["before", "x"], ["before", "x"])


async def test_offer_to_a_server_that_refuses_connections_is_not_uncertain(
    raw: redis.Redis, proxy: FaultProxy, delayed: AsyncDelayedQueue[str]
) -> None:
    """Nothing was sent, so the error is not UncertainOfferError."""
    proxy.refuse()
    proxy.reset_all()
    await until_async(lambda: proxy.connections == 0, "the idle connection is dead")
    await sleep_async(0.1)  # and the client has noticed it
    with pytest.raises(LOST) as caught:
        await delayed.offer("x", delay=HOUR)
    assert not isinstance(caught.value, UncertainOfferError)
    assert stored(raw) == (["before"], ["before"])


Call = Callable[[AsyncBlockingDeque[str], AsyncDelayedQueue[str]], Any]

ONCE: list[tuple[str, Call, str, int]] = [
    ("poll", lambda q, d: q.poll(), "lpop", 1),
    ("poll_last", lambda q, d: q.poll_last(), "rpop", 1),
    ("poll limit", lambda q, d: q.poll(2), "lpop", 2),
    ("drain_to", lambda q, d: q.drain_to([], 2), "ltrim", 1),
    ("remove", lambda q, d: q.remove("a"), "lrem", 1),
    ("add", lambda q, d: q.add("x"), "rpush", 1),
    ("add_first", lambda q, d: q.add_first("x"), "lpush", 1),
    ("poll to", lambda q, d: q.poll_last_and_offer_first_to("t"), "rpoplpush", 1),
    ("delayed poll", lambda q, d: d.poll(), "lpop", 1),
    ("delayed poll limit", lambda q, d: d.poll(2), "zrem", 2),
    ("delayed remove", lambda q, d: d.remove("before"), "zrem", 1),
    ("delayed poll to", lambda q, d: d.poll_last_and_offer_first_to("t"), "rpop", 1),
]


@pytest.mark.parametrize(
    ("call", "command", "times"), [row[1:] for row in ONCE], ids=[row[0] for row in ONCE]
)
async def test_write_without_a_reply_is_executed_once(
    server: RedisServer,
    proxy: FaultProxy,
    redisson: AsyncRedisson,
    delayed: AsyncDelayedQueue[str],
    call: Call,
    command: str,
    times: int,
) -> None:
    """The reply is lost: the call raises, and the server has executed it once."""
    queue = redisson.get_blocking_deque("q")
    await queue.add_all(["a", "b", "c", "a", "e", "f"])
    for value in ("second", "third", "before", "fifth"):
        await delayed.offer(value, delay=HOUR)
    await call(queue, delayed)  # loads the script and opens the connection
    before = calls(server, command)
    proxy.drop_replies(1)
    calling = start_async(lambda: call(queue, delayed))
    await until_async(lambda: proxy.dropped == 1, "the reply is lost")
    proxy.reset_all()
    with pytest.raises(LOST):
        await calling.result()
    assert calls(server, command) - before == times


async def test_read_without_a_reply_is_repeated(
    proxy: FaultProxy, redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str]
) -> None:
    """A read is repeated after a lost reply, because it changes nothing."""
    proxy.drop_replies(1)
    assert await delayed.size() == 1
    proxy.drop_replies(1)
    assert await delayed.read_all() == ["before"]
    assert proxy.dropped == 2


async def test_wait_continues_after_a_lost_reply(
    proxy: FaultProxy, redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """The element of the lost reply is not requeued, as it is unknown; the wait continues."""
    queue = redisson.get_blocking_queue("q")
    assert await queue.poll(timeout=0) is None
    proxy.drop_replies(1)
    raw.rpush("q", "lost", "next")
    assert await queue.take() == "next"
    assert raw.llen("q") == 0


# --- the notification is refused ----------------------------------------------------------------


async def test_offer_with_a_rejected_notification_is_stored_and_on_time(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The item is stored, and the transfer task of this process delivers it on time."""
    with own_server.client() as admin:
        admin.execute_command(
            "ACL", "SETUSER", "mute", "on", "nopass", "~*", "+@all", "resetchannels"
        )
        url = f"redis://mute:x@127.0.0.1:{own_server.port}/0"
        async with AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=HOUR) as client:
            queue = client.get_blocking_queue("q")
            delayed = client.get_delayed_queue(queue)
            await until_async(lambda: client.transfer_stats()[0].runs > 0, "the task runs")
            with pytest.raises(NotNotifiedError, match="is stored") as caught:
                await delayed.offer("x", delay=HOUR)
            assert await delayed.read_all() == ["x"]
            assert admin.zcard(NAMES.timeout_set) == admin.llen(NAMES.delay_list) == 1
            with pytest.raises(NotNotifiedError):
                await delayed.offer_again(caught.value.receipt)
            assert admin.zcard(NAMES.timeout_set) == admin.llen(NAMES.delay_list) == 1
            await delayed.offer("later", delay=2 * HOUR)  # not the head, so no notification
            with pytest.raises(NotNotifiedError, match="is stored") as caught:
                await delayed.offer("soon", delay=0.2)
            assert await queue.poll(timeout=30) == "soon"
            assert caught.value.receipt.due_ms <= server_ms(own_server)
            assert await delayed.read_all() == ["x", "later"]
            assert not client.transfer_stats()[0].subscribed
    assert caplog.text.count("SUBSCRIBE is rejected") == 1


async def test_undecodable_value_without_a_reply_is_kept_once(
    redisson: AsyncRedisson, raw: redis.Redis, proxy: FaultProxy
) -> None:
    queue = redisson.get_blocking_queue("q", codec=LongCodec())
    assert await queue.size() == 0
    raw.rpush("q", "one", "2")
    proxy.filter_replies(lambda reply: None if reply == b":1\r\n" else reply)
    with pytest.raises(DecodeError, match=r"keeping it in the list .* failed") as caught:
        await queue.take()
    assert (caught.value.raw, caught.value.kept_in) == (b"one", None)
    proxy.heal()
    assert shape(raw) == {"q": ["2"], NAMES.poison: ["one"]}
    assert await queue.take() == 2
