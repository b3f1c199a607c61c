"""Users with few rights: which calls work, which are rejected, and where each item is then.

Each role has its minimal rights (docs/guarantees.md); tests remove each right once.
"""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncDelayedQueue,
    AsyncRedisson,
    DecodeError,
    NotNotifiedError,
    OfferError,
    PartialOfferError,
)
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.faults_tools import PushOnceRefused, settled
from tests.support.rights import CHANNEL, KEYS, LIST, POISON, SET, TRANSFER
from tests.support.state import shape
from tests.support.twins import aside_async, interrupt_async, sleep_async, until_async

STRINGS = StringCodec()
Login = Callable[..., AsyncRedisson]
PRODUCER = ("+eval", "+evalsha", "+zadd", "+rpush", "+zrem", "+zrange", "+publish")
CONSUMER = ("+blpop", "+lpush", "+client|unblock", "+client|id", "+info")
OBSERVER = ("+llen", "+lrange", "+lindex", "+type")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]


async def test_producer_needs_only_the_rights_of_its_script(
    root: redis.Redis, login: Login, caplog: pytest.LogCaptureFixture
) -> None:
    """TIME and TYPE are rejected: the client uses this machine's clock and logs one warning."""
    redisson = login(*KEYS, f"&{CHANNEL}", *PRODUCER)
    queue = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    for number in range(3):
        await delayed.offer(str(number), delay=3600)
    await delayed.offer_many([("3", 3600), ("4", 3600)])
    assert shape(root)[LIST] == ["0", "1", "2", "3", "4"]
    assert sorted(shape(root)[SET]) == ["0", "1", "2", "3", "4"]
    (warning,) = warnings(caplog)
    assert "TIME is rejected" in warning


async def test_offer_with_a_rejected_notification_is_stored(root: Any, login: Login) -> None:
    redisson = login(*KEYS, *PRODUCER, "+time", "+type")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(NotNotifiedError, match="the item is stored") as caught:
        await delayed.offer("head", delay=3600)
    error = caught.value
    assert isinstance(error, OfferError)
    assert CHANNEL in str(error)
    assert error.receipt.value == b"head"
    assert shape(root) == {LIST: ["head"], SET: ["head"]}
    await delayed.offer("behind", delay=7200)  # not the head, so no notification
    with pytest.raises(NotNotifiedError):
        await delayed.offer_again(error.receipt)
    assert shape(root) == {LIST: ["head", "behind"], SET: ["head", "behind"]}
    root.execute_command("ACL", "SETUSER", "user0", f"&{CHANNEL}")
    await delayed.offer_again(error.receipt)
    assert shape(root) == {LIST: ["head", "behind"], SET: ["head", "behind"]}


async def test_offer_without_the_right_to_publish_is_stored(
    root: redis.Redis, login: Login
) -> None:
    redisson = login(*KEYS, f"&{CHANNEL}", *PRODUCER, "-publish")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(NotNotifiedError):
        await delayed.offer("head", delay=3600)
    assert shape(root) == {LIST: ["head"], SET: ["head"]}


@pytest.mark.parametrize("refused", ["zadd", "rpush"])
async def test_rejected_offer_is_stored_whole_or_not_at_all(
    root: redis.Redis, login: Login, refused: str
) -> None:
    """In Redisson, the allowed half of the write stays."""
    redisson = login(*KEYS, f"&{CHANNEL}", *PRODUCER, f"-{refused}")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(redis.exceptions.NoPermissionError, match=f"needs .{refused}") as caught:
        await delayed.offer("head", delay=3600)
    assert not isinstance(caught.value, OfferError)
    with pytest.raises(PartialOfferError, match=f"needs .{refused}") as many:
        await delayed.offer_many([("head", 3600), ("behind", 3600)])
    assert isinstance(many.value.cause, redis.exceptions.NoPermissionError)
    assert list(many.value.unstored) == [0, 1]
    assert shape(root) == {}


@pytest.mark.parametrize("missing", KEYS)
async def test_offer_with_a_rejected_key_stores_nothing(
    root: redis.Redis, login: Login, missing: str
) -> None:
    redisson = login(*(key for key in KEYS if key != missing), "&*", *PRODUCER)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(redis.exceptions.NoPermissionError):
        await delayed.offer("head", delay=3600)
    assert shape(root) == {}


async def test_transfer_task_needs_only_the_rights_of_its_script(
    root: redis.Redis, login: Login
) -> None:
    redisson = login("~q", f"~{LIST}", f"~{SET}", POISON, f"&{CHANNEL}", *TRANSFER)
    redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it listens")
    producer = login("~*", "&*", "+@all")
    queue = producer.get_queue("q", codec=STRINGS)
    delayed = producer.get_delayed_queue(queue, transfer=False)
    await delayed.offer("a", delay=0.1)
    await until_async(lambda: shape(root) == {"q": ["a"]}, "it is delivered")


async def test_a_transfer_task_without_the_channel_polls(
    root: redis.Redis, login: Login, caplog: pytest.LogCaptureFixture
) -> None:
    rights = ("~q", f"~{LIST}", f"~{SET}", POISON, *TRANSFER, "+time")
    redisson = login(*rights, safety_interval=0.1)
    redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    producer = login("~*", "&*", "+@all")
    queue = producer.get_queue("q", codec=STRINGS)
    await producer.get_delayed_queue(queue, transfer=False).offer("a", delay=0.1)
    await until_async(lambda: shape(root) == {"q": ["a"]}, "it is delivered all the same")
    assert not redisson.transfer_stats()[0].subscribed
    (warning,) = [one for one in warnings(caplog) if "SUBSCRIBE is rejected" in one]
    assert warning.endswith(f"it needs +subscribe &{CHANNEL}")


def without(rights: tuple[str, ...], taken: str) -> tuple[str, ...]:
    return tuple(right for right in rights if right != taken)


CANCEL = ("+eval", "+evalsha", "+llen", "+zrem", "+lrem")
RESCHEDULE = ("+eval", "+evalsha", "+zscore", "+zadd", "+zrange", "+publish")
ITEMS = ("+eval", "+evalsha", "+zscore", "+zrank", "+zcount", "+zrange")


@pytest.mark.parametrize("taken", ["", *CANCEL[2:], *RESCHEDULE[2:], *ITEMS[2:]])
async def test_calls_on_pending_items_need_only_their_rights(
    root: Any, login: Login, taken: str
) -> None:
    """Each call runs with its rights, and without one of them. A rejected call changes nothing."""
    producer = login("~*", "&*", "+@all")
    queue = producer.get_queue("q", codec=STRINGS)
    receipt = await producer.get_delayed_queue(queue, transfer=False).offer("a", delay=3600)

    def queue_of(keys: tuple[str, ...], rights: tuple[str, ...]) -> AsyncDelayedQueue[str]:
        redisson = login(*keys, f"&{CHANNEL}", *without(rights, taken))
        return redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)

    async def refused(call: Callable[[], Any], rights: tuple[str, ...]) -> bool:
        try:
            await call()
        except (redis.exceptions.NoPermissionError, NotNotifiedError):
            assert taken in rights
            return True
        return False

    async def listed() -> None:
        delayed = queue_of((f"~{SET}",), ITEMS)
        assert [item.receipt async for item in delayed.items()] == [receipt]

    await refused(listed, ITEMS)
    asking = queue_of((f"~{SET}",), ("+zscore",))
    await refused(partial(asking.remaining_delay, receipt), ("+zscore",))
    rescheduling = queue_of((f"~{SET}", f"~{CHANNEL}"), RESCHEDULE)
    await refused(partial(rescheduling.reschedule, receipt, 7200), RESCHEDULE)
    cancelling = queue_of((f"~{LIST}", f"~{SET}"), CANCEL)
    if await refused(partial(cancelling.cancel, receipt), CANCEL):
        assert shape(root) == {LIST: ["a"], SET: ["a"]}
    else:
        assert shape(root) == {}


async def test_producer_offers_without_zrem(root: Any, login: Login) -> None:
    redisson = login(*KEYS, f"&{CHANNEL}", *without(PRODUCER, "+zrem"))
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    await delayed.offer("a", delay=3600)
    assert shape(root) == {LIST: ["a"], SET: ["a"]}


@pytest.mark.parametrize("taken", without(PRODUCER, "+zrem"))
async def test_producer_with_a_missing_right_stores_whole_items_or_none(
    root: Any, login: Login, taken: str
) -> None:
    """An item is stored whole or not at all; the error names the item and the missing right."""
    redisson = login(*KEYS, f"&{CHANNEL}", *without(PRODUCER, taken), "+type")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    for _ in range(2):
        with pytest.raises((redis.ResponseError, NotNotifiedError)) as caught:
            await delayed.offer("a", delay=3600)
        root.delete("q")
        assert taken[1:] in str(caught.value)
        if isinstance(caught.value, NotNotifiedError):
            with pytest.raises(NotNotifiedError):
                await delayed.offer_again(caught.value.receipt)
            break
    stored = ["a"] if taken in ("+zrange", "+publish") else []
    assert shape(root) == ({LIST: stored, SET: stored} if stored else {})


@pytest.mark.parametrize(
    "taken",
    [right for right in (*TRANSFER, *KEYS[:3], POISON) if right not in ("+subscribe", "+ping")],
)
async def test_transfer_continues_when_a_missing_right_is_granted(
    root: Any, login: Login, caplog: pytest.LogCaptureFixture, taken: str
) -> None:
    """Nothing is transferred and one warning is logged, until the right is granted."""
    owner = login("~*", "&*", "+@all", codec=STRINGS)
    delayed = owner.get_delayed_queue(owner.get_queue("q"), transfer=False)
    keys = ("~q", f"~{LIST}", f"~{SET}", POISON)
    rights = ("+time", "+type", f"&{CHANNEL}", *without(keys, taken), *without(TRANSFER, taken))
    redisson = login(*rights, safety_interval=0.05)
    for number, value in enumerate("abc"):
        await delayed.offer(value, delay=number / 500)
    redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    await until_async(lambda: redisson.transfer_stats()[0].failures > 5, "it is refused often")
    assert shape(root) == {LIST: ["a", "b", "c"], SET: ["a", "b", "c"]}
    (stats,) = redisson.transfer_stats()
    assert taken in (stats.refused or "") or f"'{taken[1:]}'" in (stats.refused or "")
    root.execute_command("ACL", "SETUSER", "user1", taken)
    await until_async(lambda: shape(root) == {"q": ["a", "b", "c"]}, "all is delivered")
    await until_async(lambda: redisson.transfer_stats()[0].refused is None, "it is repaired")
    said = [text for text in warnings(caplog) if "queue 'q'" in text]
    assert ["is rejected:" in text for text in said] == [True, False]
    assert "no longer rejected" in said[1]


async def test_offers_do_not_wake_a_transfer_that_is_refused(root: Any, login: Login) -> None:
    rights = ("~q", f"~{LIST}", f"~{SET}", POISON, f"&{CHANNEL}", "+time", "+type")
    redisson = login(*rights, *without(TRANSFER, "+lrem"), safety_interval=600)
    redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    await until_async(lambda: redisson.transfer_stats()[0].refused is not None, "it is refused")
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it listens")
    owner = login("~*", "&*", "+@all", codec=STRINGS)
    delayed = owner.get_delayed_queue(owner.get_queue("q"), transfer=False)
    await until_async(settled(lambda: redisson.transfer_stats()[0].failures), "it has looked")
    before = redisson.transfer_stats()[0].failures
    for number in range(20):
        await delayed.offer(str(number), delay=0)
        await sleep_async(0.01)
    assert redisson.transfer_stats()[0].failures == before
    assert len(shape(root)[LIST]) == len(shape(root)[SET]) == 20


async def test_a_subscription_stays_where_ping_is_refused(
    root: Any, login: Login, caplog: pytest.LogCaptureFixture
) -> None:
    """A rejected PING is a reply, so the connection is alive."""

    def listeners() -> list[str]:
        return [one["id"] for one in root.client_list(_type="pubsub")]

    def refusals() -> int:
        return int(root.info("commandstats")["cmdstat_ping"]["rejected_calls"])

    rights = ("~q", f"~{LIST}", f"~{SET}", POISON, f"&{CHANNEL}", "+time", "+type")
    redisson = login(*rights, *without(TRANSFER, "+ping"), safety_interval=0.05)
    redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it listens")
    before, known = refusals(), listeners()
    await until_async(lambda: refusals() > before + 4, "it was asked often")
    assert listeners() == known
    assert redisson.transfer_stats()[0].subscribed
    assert warnings(caplog) == []


async def test_a_subscription_stays_where_unsubscribe_is_refused(
    root: Any, login: Login, caplog: pytest.LogCaptureFixture
) -> None:
    """Messages of the destroyed queue's channel do no harm."""
    redisson = login("~*", "&*", *TRANSFER, "+time", "+type", codec=STRINGS)
    first = redisson.get_delayed_queue(redisson.get_queue("first"))
    redisson.get_delayed_queue(redisson.get_queue("q"))
    await until_async(lambda: all(one.subscribed for one in redisson.transfer_stats()), "both are")
    known = [one["id"] for one in root.client_list(_type="pubsub")]
    first.destroy()
    await until_async(lambda: "cmdstat_unsubscribe" in root.info("commandstats"), "it is refused")
    root.publish("redisson_delay_queue_channel:{first}", "1")
    runs = redisson.transfer_stats()[0].runs
    root.publish(CHANNEL, "1")
    await until_async(lambda: redisson.transfer_stats()[0].runs > runs, "it is heard")
    assert [one["id"] for one in root.client_list(_type="pubsub")] == known
    assert warnings(caplog) == []


@pytest.mark.parametrize("taken", CONSUMER)
async def test_cancelled_take_with_a_missing_right_loses_nothing(
    root: Any, login: Login, caplog: pytest.LogCaptureFixture, taken: str
) -> None:
    """A cancelled take requeues a late element, or logs all its bytes."""
    redisson = login("~q", *without(CONSUMER, taken), "+type")
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    if taken == "+blpop":
        root.rpush("q", "a")
        with pytest.raises(redis.exceptions.NoPermissionError, match="blpop"):
            await queue.take()
        assert shape(root) == {"q": ["a"]}
        return
    root.rpush("q", "a")
    assert await queue.take() == "a"
    if taken == "+lpush":  # else the wait ends before the push
        root.execute_command("ACL", "SETUSER", "user0", "-client|unblock")
    if taken in ("+client|id", "+info"):  # the wait ends with its slice
        info = root.info
        assert await interrupt_async(queue.take, lambda: info("clients")["blocked_clients"]) == []
        root.rpush("q", "b")
    else:
        late = PushOnceRefused(root, "b")
        assert await interrupt_async(queue.take, late) == []
        await aside_async(late.join)
    if taken == "+lpush":
        assert "b'b'" in caplog.text
        assert "lpush" in caplog.text
    else:
        assert shape(root) == {"q": ["b"]}


@pytest.mark.parametrize("taken", OBSERVER)
async def test_observer_with_a_missing_right_reads_the_rest(
    root: Any, login: Login, taken: str
) -> None:
    owner = login("~*", "&*", "+@all")
    await owner.get_delayed_queue(owner.get_queue("q", codec=STRINGS)).offer("a", delay=3600)
    redisson = login("%R~*", *without(OBSERVER, taken))
    queue = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    reads = {"+llen": delayed.size, "+lrange": delayed.read_all, "+lindex": delayed.peek}
    for right, read in reads.items():
        if right == taken:
            with pytest.raises(redis.exceptions.NoPermissionError, match=taken[1:]):
                await read()
        else:
            assert await read() in (1, ["a"], "a")
    assert shape(root) == {LIST: ["a"], SET: ["a"]}


async def test_plain_consumer_needs_only_blpop(root: redis.Redis, login: Login) -> None:
    redisson = login("~q", "+blpop")
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    root.rpush("q", "a", "b")
    assert await queue.take() == "a"
    assert await queue.poll(timeout=1) == "b"
    assert await queue.poll(timeout=0.05) is None
    with pytest.raises(redis.exceptions.NoPermissionError):
        await queue.add("c")


async def test_observer_reads_and_cannot_write(root: redis.Redis, login: Login) -> None:
    owner = login("~*", "&*", "+@all")
    await owner.get_delayed_queue(owner.get_queue("q", codec=STRINGS)).offer("a", delay=3600)
    redisson = login("%R~*", "+llen", "+lrange", "+lindex", "+type")
    queue = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    assert await delayed.size() == 1
    assert await delayed.peek() == "a"
    assert await delayed.read_all() == [value async for value in delayed] == ["a"]
    assert await queue.is_empty()
    with pytest.raises(redis.exceptions.NoPermissionError):
        await delayed.clear()
    assert await delayed.size() == 1


async def test_consumer_keeps_undecodable_values_in_the_poison_list(
    root: redis.Redis, login: Login
) -> None:
    root.rpush("q", "one", "two")
    redisson = login("~q", POISON, "+blpop", "+rpush")
    with pytest.raises(DecodeError, match="; kept in"):
        await redisson.get_blocking_queue("q", codec=LongCodec()).take()
    assert shape(root) == {"q": ["two"], POISON[1:]: ["one"]}
    redisson = login("~q", POISON, "+blpop")
    with pytest.raises(DecodeError, match=r"; keeping it in .* failed .* permissions") as caught:
        await redisson.get_blocking_queue("q", codec=LongCodec()).take()
    assert caught.value.raw == b"two"
    assert shape(root) == {POISON[1:]: ["one"]}


async def test_requeue_of_poison_needs_only_its_commands(root: redis.Redis, login: Login) -> None:
    root.rpush(POISON[1:], "a", "b")
    redisson = login(
        *("~q", POISON, "+llen", "+lrange", "+eval", "+evalsha", "+lpos", "+lpush", "+lrem")
    )
    poison = redisson.get_poison_list(redisson.get_queue("q", codec=STRINGS))
    assert await poison.requeue() == 2
    assert shape(root) == {"q": ["a", "b"]}
