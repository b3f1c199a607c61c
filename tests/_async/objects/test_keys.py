"""RObject and RExpirable: a handle acts on its own keys, and rejects keys of other types.

Redisson's delayed queue inherits most of these methods for its *target*. There `unlink()` deletes
the queue that consumers read, and `rename()` and `copy()` write wrong keys.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from pyredisson import AsyncDelayedQueue, AsyncRedisson, KeyTypeError
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.state import Shape, pack, shape
from tests.support.twins import PATIENCE, until_async

STRINGS = StringCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
LIST2, SET2 = "redisson_delay_queue:{q2}", "redisson_delay_queue_timeout:{q2}"
FAR = 4_000_000_000_000
JUST_NOW = pytest.approx(PATIENCE / 2, abs=PATIENCE / 2)

Call = Callable[[Any], Any]

# --- types --------------------------------------------------------------------------------------

MAKE: dict[str, Callable[[redis.Redis, str], Any]] = {
    "string": lambda raw, key: raw.set(key, "v"),
    "list": lambda raw, key: raw.rpush(key, "v"),
    "set": lambda raw, key: raw.sadd(key, "v"),
    "zset": lambda raw, key: raw.zadd(key, {"v": 1}),
    "hash": lambda raw, key: raw.hset(key, "f", "v"),
    "stream": lambda raw, key: raw.xadd(key, {"f": "v"}, id="1-1"),
}


@pytest.mark.parametrize("found", ["string", "set", "zset", "hash", "stream"])
@pytest.mark.parametrize(
    "kind", ["get_queue", "get_deque", "get_blocking_queue", "get_blocking_deque"]
)
async def test_queue_rejects_key_that_is_no_list(
    redisson: AsyncRedisson, raw: redis.Redis, kind: str, found: str
) -> None:
    MAKE[found](raw, "q")
    queue = getattr(redisson, kind)("q")
    for _ in range(2):  # not only the first time
        with pytest.raises(KeyTypeError, match="'q' should hold a list but holds a ") as caught:
            await queue.add("x")
        error = caught.value
        assert (error.key, error.expected, error.found) == ("q", "list", found)
        assert isinstance(error, TypeError)
    assert raw.type("q") == found.encode()
    raw.delete("q")
    assert await queue.add("x")


@pytest.mark.parametrize(
    ("key", "expected", "found"),
    [
        (LIST, "list", "zset"),
        (LIST, "list", "string"),
        (SET, "zset", "list"),
        (SET, "zset", "hash"),
        ("q", "list", "set"),
    ],
)
async def test_delayed_queue_rejects_wrong_type_of_each_key(
    redisson: AsyncRedisson, raw: redis.Redis, key: str, expected: str, found: str
) -> None:
    MAKE[found](raw, key)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    with pytest.raises(KeyTypeError) as caught:
        await delayed.offer("x", delay=3600)
    error = caught.value
    assert (error.key, error.expected, error.found) == (key, expected, found)
    assert raw.keys() == [key.encode()]
    assert raw.type(key) == found.encode()


async def test_poll_takes_nothing_for_destination_that_is_no_list(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    await delayed.offer("x", delay=3600)
    MAKE["hash"](raw, "other")
    with pytest.raises(KeyTypeError, match="'other' should hold a list but holds a hash"):
        await delayed.poll_last_and_offer_first_to("other")
    assert await delayed.read_all() == ["x"]
    assert raw.zcard(SET) == 1


WAITS: dict[str, Call] = {
    "poll": lambda q: q.poll(timeout=1),
    "take": lambda q: q.take(),
    "pollFromAny": lambda q: q.poll_from_any(1, "other"),
    "takeLastAndOfferFirstTo": lambda q: q.take_last_and_offer_first_to("other"),
    "pollFirstFromAny": lambda q: q.poll_first_from_any(1, "other"),
}


@pytest.mark.parametrize("call", WAITS.values(), ids=WAITS)
async def test_later_change_of_key_type_is_reported(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call
) -> None:
    queue = redisson.get_blocking_queue("q")
    await queue.add("x")
    raw.delete("q")
    raw.set("q", "v")
    with pytest.raises(KeyTypeError) as caught:
        await queue.add("x")
    assert caught.value.key == "q"
    with pytest.raises(KeyTypeError):
        await call(queue)


async def test_delayed_queue_loses_nothing_if_target_is_no_list(
    redisson: AsyncRedisson, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    entry = pack(b"a")
    raw.rpush(LIST, entry)
    raw.zadd(SET, {entry: 1})
    raw.set("q", "v")
    redisson.get_delayed_queue(redisson.get_queue("q"))
    await until_async(lambda: "WRONGTYPE" in caplog.text, "the failure is told")
    assert raw.lrange(LIST, 0, -1) == raw.zrange(SET, 0, -1) == [entry]
    raw.delete("q")
    await until_async(lambda: shape(raw) == {"q": ["a"]}, "it is delivered after all")


# --- RObject ------------------------------------------------------------------------------------

PENDING: Shape = {LIST: ["A", "B"], SET: ["A", "B"]}
TARGET: Shape = {"q": ["X"]}


async def prepared(redisson: AsyncRedisson, raw: redis.Redis) -> AsyncDelayedQueue[str]:
    """Return a delayed queue without a transfer task. A and B are pending, and X is transferred."""
    raw.rpush("q", "X")
    for number, value in enumerate([b"A", b"B"]):
        entry = pack(value)
        raw.rpush(LIST, entry)
        raw.zadd(SET, {entry: FAR + number})
    queue = redisson.get_queue("q", codec=STRINGS)
    return redisson.get_delayed_queue(queue, transfer=False)


def lasting(shape_: Shape) -> Shape:
    return {key: [*values, "ttl"] for key, values in shape_.items()}


HOUR = timedelta(hours=1)
TABLE: dict[str, tuple[Call, Any, Shape]] = {
    "delete": (lambda d: d.delete(), True, TARGET),
    "unlink": (lambda d: d.unlink(), True, TARGET),
    "isExists": (lambda d: d.is_exists(), True, TARGET | PENDING),
    "touch": (lambda d: d.touch(), True, TARGET | PENDING),
    "expire": (lambda d: d.expire(3600), True, TARGET | lasting(PENDING)),
    "expire_Duration": (lambda d: d.expire(HOUR), True, TARGET | lasting(PENDING)),
    "expire_0": (lambda d: d.expire(0), True, TARGET),
    "expireAt": (
        lambda d: d.expire_at(datetime(2100, 1, 1, tzinfo=UTC)),
        True,
        TARGET | lasting(PENDING),
    ),
    "expireAt_past": (lambda d: d.expire_at(datetime(2000, 1, 1, tzinfo=UTC)), True, TARGET),
    "expireIfSet": (lambda d: d.expire(HOUR, condition="XX"), False, TARGET | PENDING),
    "expireIfNotSet": (
        lambda d: d.expire(HOUR, condition="NX"),
        True,
        TARGET | lasting(PENDING),
    ),
    "expireIfGreater": (lambda d: d.expire(HOUR, condition="GT"), False, TARGET | PENDING),
    "expireIfLess": (lambda d: d.expire(HOUR, condition="LT"), True, TARGET | lasting(PENDING)),
    "clearExpire_none": (lambda d: d.clear_expire(), False, TARGET | PENDING),
    "remainTimeToLive": (lambda d: d.remain_time_to_live(), None, TARGET | PENDING),
    "getExpireTime": (lambda d: d.get_expire_time(), None, TARGET | PENDING),
    "getIdleTime": (lambda d: d.get_idle_time(), JUST_NOW, TARGET | PENDING),
    "move_db": (lambda d: d.move_to_database(1), True, TARGET),
    "copy_name": (
        lambda d: d.copy("q2"),
        True,
        TARGET | PENDING | {LIST2: ["A", "B"], SET2: ["A", "B"]},
    ),
    "copy_name_db": (lambda d: d.copy("q2", database=1), True, TARGET | PENDING),
    "copyAndReplace": (
        lambda d: d.copy_and_replace("q2"),
        True,
        TARGET | PENDING | {LIST2: ["A", "B"], SET2: ["A", "B"]},
    ),
    "rename": (lambda d: d.rename("q2"), None, TARGET | {LIST2: ["A", "B"], SET2: ["A", "B"]}),
    "renamenx": (lambda d: d.renamenx("q2"), True, TARGET | {LIST2: ["A", "B"], SET2: ["A", "B"]}),
}


@pytest.mark.parametrize(("call", "result", "after"), TABLE.values(), ids=TABLE)
async def test_methods_of_delayed_queue_act_on_pending_keys(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call, result: Any, after: Shape
) -> None:
    raw.select(1)
    raw.flushdb()
    raw.select(0)
    assert await call(await prepared(redisson, raw)) == result
    assert shape(raw) == after


QUEUE_TABLE: dict[str, tuple[Call, Any, Shape]] = {
    "delete": (lambda q: q.delete(), True, {}),
    "unlink": (lambda q: q.unlink(), True, {}),
    "isExists": (lambda q: q.is_exists(), True, TARGET),
    "touch": (lambda q: q.touch(), True, TARGET),
    "expire": (lambda q: q.expire(3600), True, lasting(TARGET)),
    "clearExpire_none": (lambda q: q.clear_expire(), False, TARGET),
    "remainTimeToLive": (lambda q: q.remain_time_to_live(), None, TARGET),
    "getIdleTime": (lambda q: q.get_idle_time(), JUST_NOW, TARGET),
    "rename": (lambda q: q.rename("q2"), None, {"q2": ["X"]}),
    "rename_same": (lambda q: q.rename("q"), None, TARGET),
    "renamenx": (lambda q: q.renamenx("q2"), True, {"q2": ["X"]}),
    "copy": (lambda q: q.copy("q2"), True, TARGET | {"q2": ["X"]}),
    "copyAndReplace": (lambda q: q.copy_and_replace("q2"), True, TARGET | {"q2": ["X"]}),
}


@pytest.mark.parametrize(("call", "result", "after"), QUEUE_TABLE.values(), ids=QUEUE_TABLE)
async def test_methods_of_queue_act_on_its_key(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call, result: Any, after: Shape
) -> None:
    raw.rpush("q", "X")
    assert await call(redisson.get_queue("q")) == result
    assert shape(raw) == after


NOT_THERE: dict[str, tuple[Call, Any]] = {
    "delete": (lambda d: d.delete(), False),
    "unlink": (lambda d: d.unlink(), False),
    "isExists": (lambda d: d.is_exists(), False),
    "touch": (lambda d: d.touch(), False),
    "expire": (lambda d: d.expire(5), False),
    "clearExpire": (lambda d: d.clear_expire(), False),
    "remainTimeToLive": (lambda d: d.remain_time_to_live(), None),
    "getExpireTime": (lambda d: d.get_expire_time(), None),
    "getIdleTime": (lambda d: d.get_idle_time(), None),
    "sizeInMemory": (lambda d: d.size_in_memory(), 0),
    "copy": (lambda d: d.copy("q2"), False),
    "move_db": (lambda d: d.move_to_database(1), False),
}


@pytest.mark.parametrize(("call", "result"), NOT_THERE.values(), ids=NOT_THERE)
async def test_methods_of_missing_object_change_nothing(
    redisson: AsyncRedisson, raw: redis.Redis, call: Call, result: Any
) -> None:
    queue = redisson.get_queue("q")
    assert await call(queue) == result
    assert await call(redisson.get_delayed_queue(queue, transfer=False)) == result
    assert shape(raw) == {}


async def test_existing_new_name_is_kept_or_replaced(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    delayed = await prepared(redisson, raw)
    other = redisson.get_delayed_queue(redisson.get_queue("q2", codec=STRINGS), transfer=False)
    await other.offer("Z", delay=3600)
    before = shape(raw)
    assert await delayed.copy("q2") is False
    assert await delayed.renamenx("q2") is False
    assert delayed.name == "q"
    assert shape(raw) == before
    assert await delayed.copy_and_replace("q2") is True
    assert await other.read_all() == ["A", "B"]
    await delayed.rename("q2")
    assert shape(raw) == TARGET | {LIST2: ["A", "B"], SET2: ["A", "B"]}
    with pytest.raises(redis.ResponseError, match="no such key"):
        await redisson.get_queue("none").rename("q3")


async def test_renamed_handle_uses_new_name(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    await queue.add("x")
    await queue.rename("q2")
    assert queue.name == "q2"
    assert await queue.take() == "x"

    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    await delayed.offer("old", delay=3600)
    await delayed.rename("q2")
    assert (delayed.name, delayed.target.name) == ("q2", "q2")
    await delayed.offer("new", delay=0)
    assert await queue.take() == "new"
    assert shape(raw) == {LIST2: ["old"], SET2: ["old"]}
    assert [one.queue for one in redisson.transfer_stats()] == ["q2"]


async def test_expiry_of_delayed_queue(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    delayed = await prepared(redisson, raw)
    at = datetime(2100, 1, 1, 0, 0, 0, 1_000, tzinfo=UTC)
    assert await delayed.expire_at(at)
    assert await delayed.get_expire_time() == at
    assert await delayed.expire(HOUR)
    ttl = await delayed.remain_time_to_live()
    assert ttl is not None
    assert timedelta() < ttl <= HOUR
    assert await delayed.expire(2 * HOUR, condition="LT") is False
    assert await delayed.expire(2 * HOUR, condition="GT") is True
    assert await delayed.clear_expire() is True
    assert shape(raw) == TARGET | PENDING
    assert raw.ttl("q") == -1
    await delayed.expire(timedelta(milliseconds=20))
    await until_async(lambda: shape(raw) == TARGET, "what is pending vanishes")


@pytest.mark.parametrize("condition", ["nx", "XY", "NX XX"])
async def test_unknown_expire_condition_is_rejected(
    redisson: AsyncRedisson, raw: redis.Redis, condition: str
) -> None:
    delayed = await prepared(redisson, raw)
    with pytest.raises(ValueError, match="condition"):
        await delayed.expire(5, condition=condition)
    with pytest.raises(ValueError, match="naive"):
        await delayed.expire_at(datetime(2100, 1, 1))
    assert shape(raw) == TARGET | PENDING


async def test_size_in_memory_is_sum_of_both_keys(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    delayed = await prepared(redisson, raw)
    parts: list[Any] = [raw.memory_usage(LIST), raw.memory_usage(SET)]
    assert await delayed.size_in_memory() == sum(parts)


async def test_dump_and_restore(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    delayed = await prepared(redisson, raw)
    dumped = await delayed.dump()
    assert len(dumped) == 2
    with pytest.raises(redis.ResponseError, match="BUSYKEY"):
        await delayed.restore(dumped)
    await delayed.delete()
    await delayed.restore(dumped)
    assert shape(raw) == TARGET | PENDING
    await delayed.restore(dumped, ttl=HOUR, replace=True)
    assert shape(raw) == TARGET | lasting(PENDING)
    raw.delete(LIST)
    with pytest.raises(redis.ResponseError, match="BUSYKEY"):
        await delayed.restore(dumped)
    assert not raw.exists(LIST)  # the restored list is removed again
    await delayed.delete()
    assert await delayed.dump() == (None, None)
    await delayed.restore((None, None))
    assert shape(raw) == TARGET


async def test_migrate_moves_pending_entries(
    redisson: AsyncRedisson, raw: redis.Redis, own_server: RedisServer
) -> None:
    delayed = await prepared(redisson, raw)
    await delayed.migrate("127.0.0.1", own_server.port)
    assert shape(raw) == TARGET
    assert shape(own_server.client()) == PENDING
