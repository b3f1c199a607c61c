"""Users with few rights that acknowledge messages, or manage dead letters."""

from collections.abc import Callable
from typing import Any

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.rights import CHANNEL, KEYS, POISON, TRANSFER
from tests.support.twins import interrupt_async, until_async

STRINGS = StringCodec()
Login = Callable[..., AsyncRedisson]

ACKNOWLEDGING = (
    *("+eval", "+evalsha", "+blmove", "+time", "+lpop", "+lpush", "+zadd", "+zrem", "+zscore"),
    *("+zrangebyscore", "+hset", "+hget", "+hdel", "+exists", "+del", "+zrange", "+rpush"),
    *("+lrange", "+zrangebylex", "+publish", "+client|unblock", "+client|id", "+info"),
)
LETTERS = (
    *("+zcard", "+zcount", "+zrank", "+zrange", "+zscore"),
    *("+hget", "+hexists", "+rpush", "+zrem", "+hdel"),
)
OWN = "~pyredisson_*:{q}"
GROUPING = (
    *("+eval", "+evalsha", "+time", "+hget", "+hset", "+hdel", "+zscore", "+zadd", "+zrem"),
    *("+zrange", "+rpush", "+lrem", "+publish", "+hscan"),
)


async def test_consumer_needs_only_the_rights_of_its_scripts(root: Any, login: Login) -> None:
    redisson = login(*KEYS, OWN, f"&{CHANNEL}", *ACKNOWLEDGING)
    consumer = redisson.get_consumer(redisson.get_queue("q", codec=STRINGS), transfer=False)
    assert await consumer.poll(0.05) is None
    root.rpush("q", "a", "b", "c", "d")
    first, second, third, fourth = await consumer.take_many(4)
    assert await first.ack()
    assert await second.nack()
    assert await third.nack(3600)
    assert await fourth.reject("why")
    assert (await consumer.take()).attempt == 2
    for _ in await interrupt_async(consumer.take, 0.1):
        raise AssertionError("there was nothing")


async def test_consumer_of_shards_works_without_llen(root: Any, login: Login) -> None:
    """The consumer takes from each shard instead."""
    redisson = login("~*", "&*", *ACKNOWLEDGING)
    orders = redisson.get_sharded_queue("orders", 3, codec=STRINGS, transfer=False)
    async with redisson.get_consumer(orders, transfer=False) as consumer:
        root.rpush(orders.names[1], "a")
        assert await (await consumer.take()).ack()
        assert await consumer.poll(0.05) is None


async def test_pause_and_resume_need_only_their_rights(root: Any, login: Login) -> None:
    keys = ("~pyredisson_paused:{q}", "~pyredisson_resumed:{q}")
    words = ("+eval", "+evalsha", "+exists", "+set", "+del", "+rpush", "+pexpire")
    queue = login(*keys, *words).get_queue("q", codec=STRINGS)
    await queue.pause()
    taking = login(*KEYS, OWN, f"&{CHANNEL}", *ACKNOWLEDGING)
    consumer = taking.get_consumer(taking.get_queue("q", codec=STRINGS), transfer=False)
    root.rpush("q", "a")
    assert await consumer.poll(0.05) is None
    assert await queue.is_paused()
    await queue.resume()
    assert (await consumer.take()).value == "a"


async def test_dead_letters_need_only_their_rights(root: Any, login: Login) -> None:
    root.rpush("q", "a", "b")
    other = login("~*", "&*", "+@all")
    redisson = login("~q", "~pyredisson_dead*:{q}", "+eval", "+evalsha", *LETTERS)
    consumer = other.get_consumer(other.get_queue("q", codec=STRINGS))
    for message in await consumer.take_many(2):
        assert await message.reject("why")
    letters = redisson.get_dead_letters(redisson.get_queue("q", codec=STRINGS))
    assert [letter.reason async for letter in letters] == ["why", "why"]
    assert await letters.redrive(1) == 1
    assert await letters.drop() == 1
    assert root.lrange("q", 0, -1) == [b"a"]


async def test_a_transfer_task_without_the_rights_of_consumers(root: Any, login: Login) -> None:
    """The task still transfers due items; it leaves messages of crashed consumers."""
    redisson = login(*KEYS, POISON, f"&{CHANNEL}", *TRANSFER, safety_interval=0.1)
    root.rpush("pyredisson_arriving:{q}", "left")
    redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS))
    everything = login("~*", "&*", "+@all")
    queue = everything.get_queue("q", codec=STRINGS)
    await everything.get_delayed_queue(queue, transfer=False).offer("due", delay=0)
    await until_async(lambda: root.lrange("q", 0, -1) == [b"due"], "it is moved")
    assert root.lrange("pyredisson_arriving:{q}", 0, -1) == [b"left"]
    few = ("+time", "+lrange", "+lpop", "+lpush", "+hget", "+hdel", "+zadd", "+zscore")
    other = login(*KEYS, OWN, f"&{CHANNEL}", *TRANSFER, *few)
    other.get_delayed_queue(other.get_queue("q", codec=STRINGS))
    await until_async(lambda: root.lrange("q", 0, -1) == [b"left", b"due"], "it is back")


async def test_group_windows_need_only_their_rights(root: Any, login: Login) -> None:
    keys = ("~pyredisson_window:{q}", "~pyredisson_groups:{q}", f"&{CHANNEL}")
    options: Any = {"size": 2, "max_wait": 3600, "transfer": False}
    offering = login(*KEYS, *keys, *GROUPING)
    window = offering.get_group_window(offering.get_queue("q", codec=STRINGS), **options)
    for key in ("full", "full", "cancelled", "open"):
        await window.offer(key, "v")
    assert [state.key for state in await window.pending()] == ["cancelled", "open"]
    assert await window.cancel("cancelled") == 1
    taking = login(*KEYS, OWN, f"&{CHANNEL}", *ACKNOWLEDGING, "+hmget", "+lrem")
    window = taking.get_group_window(taking.get_queue("q", codec=STRINGS), **options)
    consumer = taking.get_consumer(window, transfer=False)
    message = await consumer.take()
    assert message.value.values == ["v", "v"]
    assert await message.reject("why")
    root.rpush("q", f"pyredisson_group:{(await window.offer('half', 'v')).id}")
    half = await consumer.take()
    assert half.value.values == ["v"]
    assert await half.ack()
    looking = login("~q", "~pyredisson_dead*:{q}", *keys, "+eval", "+evalsha", *LETTERS, "+hmget")
    window = looking.get_group_window(looking.get_queue("q", codec=STRINGS), **options)
    letters = looking.get_dead_letters(window)
    assert [letter.reason async for letter in letters] == ["why"]
    assert await letters.redrive() == 1
    assert await (await consumer.take()).reject("again")
    assert await letters.drop() == 1
    assert root.hlen("pyredisson_groups:{q}") == 2  # the open group
