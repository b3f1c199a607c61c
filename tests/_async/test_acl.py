"""Users with few rights: what works, what is refused, and what an offer has left behind then.

The rights are the least of each role; docs/wire-format.md has the commands of each operation.
"""

import logging
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, DecodeError, NotNotifiedError, OfferError
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.server import RedisServer
from tests.support.state import shape
from tests.support.twins import until_async

STRINGS = StringCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
CHANNEL = "redisson_delay_queue_channel:{q}"
KEYS = ("~q", f"~{LIST}", f"~{SET}", f"~{CHANNEL}")

PRODUCER = ("+eval", "+evalsha", "+zadd", "+rpush", "+zrange", "+publish")
TRANSFER = (
    "+subscribe",
    "+eval",
    "+evalsha",
    "+zrangebyscore",
    "+rpush",
    "+lrem",
    "+zrem",
    "+zrange",
)
POISON = "~pyredisson_poison:{q}"

Login = Callable[..., AsyncRedisson]


@pytest.fixture
def root() -> Any:
    """The administrator of a server of this test alone."""
    with RedisServer() as server:
        yield server.client()


@pytest.fixture
async def login(root: Any) -> AsyncIterator[Login]:
    """Makes a client of a new user with the rights given."""
    clients: list[AsyncRedisson] = []

    def make(*rights: str, **options: Any) -> AsyncRedisson:
        name = f"user{len(clients)}"
        root.execute_command("ACL", "SETUSER", name, "reset", "on", "nopass", *rights)
        port = root.get_connection_kwargs()["port"]
        url = f"redis://{name}:any@127.0.0.1:{port}"
        clients.append(AsyncRedisson.from_url(url, **options))
        return clients[-1]

    yield make
    for client in clients:
        await client.aclose()


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.WARNING]


async def test_a_producer_needs_no_more_than_its_script(
    root: redis.Redis, login: Login, caplog: pytest.LogCaptureFixture
) -> None:
    """TIME and TYPE are refused: this machine's clock has to do, and one warning says so."""
    redisson = login(*KEYS, f"&{CHANNEL}", *PRODUCER)
    queue = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    for number in range(3):
        await delayed.offer(str(number), delay=3600)
    assert shape(root)[LIST] == ["0", "1", "2"]
    assert sorted(shape(root)[SET]) == ["0", "1", "2"]
    (warning,) = warnings(caplog)
    assert "TIME is refused" in warning


async def test_an_offer_whose_notification_is_refused_is_stored(root: Any, login: Login) -> None:
    redisson = login(*KEYS, *PRODUCER, "+time", "+type")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(NotNotifiedError, match="the item is stored") as caught:
        await delayed.offer("head", delay=3600)
    error = caught.value
    assert isinstance(error, OfferError)
    assert CHANNEL in str(error)
    assert error.receipt.value == b"head"
    assert shape(root) == {LIST: ["head"], SET: ["head"]}
    await delayed.offer("behind", delay=7200)  # nobody is to be notified of that
    with pytest.raises(NotNotifiedError):
        await delayed.offer_again(error.receipt)
    assert shape(root) == {LIST: ["head", "behind"], SET: ["head", "behind"]}
    root.execute_command("ACL", "SETUSER", "user0", f"&{CHANNEL}")
    await delayed.offer_again(error.receipt)
    assert shape(root) == {LIST: ["head", "behind"], SET: ["head", "behind"]}


async def test_without_the_publish_command_it_is_the_same(root: redis.Redis, login: Login) -> None:
    redisson = login(*KEYS, f"&{CHANNEL}", *PRODUCER, "-publish")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(NotNotifiedError):
        await delayed.offer("head", delay=3600)
    assert shape(root) == {LIST: ["head"], SET: ["head"]}


@pytest.mark.parametrize("refused", ["zadd", "rpush"])
async def test_an_offer_is_stored_whole_or_not_at_all(
    root: redis.Redis, login: Login, refused: str
) -> None:
    """In Redisson the half that was allowed stays."""
    redisson = login(*KEYS, f"&{CHANNEL}", *PRODUCER, "+zrem", f"-{refused}")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(redis.exceptions.NoPermissionError, match=f"needs .{refused}") as caught:
        await delayed.offer("head", delay=3600)
    assert not isinstance(caught.value, OfferError)
    assert shape(root) == {}


@pytest.mark.parametrize("missing", KEYS)
async def test_a_key_that_is_refused_leaves_nothing(
    root: redis.Redis, login: Login, missing: str
) -> None:
    redisson = login(*(key for key in KEYS if key != missing), "&*", *PRODUCER)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), transfer=False)
    with pytest.raises(redis.exceptions.NoPermissionError):
        await delayed.offer("head", delay=3600)
    assert shape(root) == {}


async def test_a_transfer_task_needs_no_more_than_its_script(
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
    assert [one for one in warnings(caplog) if "SUBSCRIBE is refused" in one]


async def test_a_consumer_needs_no_more_than_its_pop(root: redis.Redis, login: Login) -> None:
    redisson = login("~q", "+blpop")
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    root.rpush("q", "a", "b")
    assert await queue.take() == "a"
    assert await queue.poll(timeout=1) == "b"
    assert await queue.poll(timeout=0.05) is None
    with pytest.raises(redis.exceptions.NoPermissionError):
        await queue.add("c")


async def test_an_observer_reads(root: redis.Redis, login: Login) -> None:
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


async def test_a_consumer_that_keeps_what_it_cannot_read(root: redis.Redis, login: Login) -> None:
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


async def test_putting_back_needs_no_more_than_its_commands(
    root: redis.Redis, login: Login
) -> None:
    root.rpush(POISON[1:], "a", "b")
    redisson = login(
        *("~q", POISON, "+llen", "+lrange", "+eval", "+evalsha", "+lpos", "+lpush", "+lrem")
    )
    poison = redisson.get_poison(redisson.get_queue("q", codec=STRINGS))
    assert await poison.put_back() == 2
    assert shape(root) == {"q": ["a", "b"]}
