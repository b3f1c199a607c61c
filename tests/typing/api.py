"""The types that a user's program sees. Type checkers read this file; it never runs.

Each function is a part of such a program. A wrong use has an ignore comment for its error: if a
checker accepts the use, it reports the comment as unused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, assert_type

import redis

from pyredisson import (
    BlockingDeque,
    BlockingQueue,
    Bucket,
    DecodeError,
    DelayedQueue,
    Deque,
    End,
    NameMapper,
    PendingItem,
    Queue,
    Receipt,
    Redisson,
    TransferStats,
    WireFormat,
)
from pyredisson.codecs import (
    ByteArrayCodec,
    Codec,
    DoubleCodec,
    IntegerCodec,
    LongCodec,
    StringCodec,
    TypedJsonJacksonCodec,
)


class Mapper:
    """A user's name mapper: any class with these two methods."""

    def map(self, name: str, /) -> str:
        """Return the name in Redis."""
        return f"app:{name}"

    def unmap(self, name: str, /) -> str:
        """Return the program's name."""
        return name.removeprefix("app:")


class OnlyMaps:
    """A name mapper without `unmap`."""

    def map(self, name: str, /) -> str:
        """Return the name in Redis."""
        return name


class PairCodec(Codec[tuple[int, int]]):
    """A user's codec."""

    def encode(self, value: tuple[int, int]) -> bytes:
        """Return the bytes of a pair."""
        return b"%d,%d" % value

    def decode(self, data: bytes) -> tuple[int, int]:
        """Return the pair."""
        left, _, right = data.partition(b",")
        return int(left), int(right)


# --- clients ------------------------------------------------------------------------------------


def clients() -> None:
    """Both ways to make a client, with every option."""
    with Redisson.from_url("redis://127.0.0.1:6379/0", socket_keepalive=True) as client:
        assert_type(client, Redisson)
        assert_type(client.transfer_stats(), Sequence[TransferStats])
    mapper: NameMapper = Mapper()
    own = Redisson(
        redis.Redis(),
        codec=StringCodec(),
        release="3.27.2",
        wire_format="3.21.0",
        on_undecodable="raise",
        name_mapper=mapper,
        safety_interval=timedelta(seconds=2),
        response_timeout=1.5,
        transfer_process=True,
    )
    own.close()
    Redisson(redis.Redis(), wire_format=WireFormat.LEGACY)
    Redisson(redis.Redis(), name_mapper=OnlyMaps())  # type: ignore[arg-type]  # no unmap
    Redisson(redis.Redis(), codec=StringCodec)  # type: ignore[arg-type]  # a class, not a codec
    Redisson(redis.Redis(), StringCodec())  # type: ignore[call-arg]  # options have names
    Redisson(redis.Redis(), safety_interval="5s")  # type: ignore[arg-type]  # seconds or timedelta
    Redisson(redis.Redis(), on_undecodable="drop")  # type: ignore[arg-type]  # poison or raise
    Redisson(redis.Redis(), release=3.27)  # type: ignore[arg-type]  # a text


# --- the type of the values ---------------------------------------------------------------------


def codecs_decide(client: Redisson) -> None:
    """The type of a queue is that of its codec's values."""
    assert_type(client.get_queue("q", StringCodec()), Queue[str])
    assert_type(client.get_deque("q", LongCodec()), Deque[int])
    assert_type(client.get_bucket("q", LongCodec()), Bucket[int])
    assert_type(client.get_bucket("q"), Bucket[Any])
    assert_type(client.get_blocking_queue("q", IntegerCodec()), BlockingQueue[int])
    assert_type(client.get_blocking_deque("q", DoubleCodec()), BlockingDeque[float])
    assert_type(client.get_queue("q", codec=ByteArrayCodec()), Queue[bytes])
    assert_type(client.get_queue("q", PairCodec()), Queue[tuple[int, int]])
    assert_type(client.get_queue("q"), Queue[Any])
    assert_type(client.get_deque("q"), Deque[Any])
    assert_type(client.get_blocking_queue("q", None), BlockingQueue[Any])
    assert_type(client.get_blocking_deque("q"), BlockingDeque[Any])
    orders = client.get_blocking_queue("q", StringCodec())
    assert_type(orders.codec, Codec[str])
    assert_type(orders.name, str)
    delayed = client.get_delayed_queue(orders)
    assert_type(delayed, DelayedQueue[str])
    assert_type(delayed.codec, Codec[str])
    assert_type(delayed.target, Queue[str])
    assert_type(client.get_delayed_queue(client.get_deque("q", LongCodec())), DelayedQueue[int])
    assert_type(
        client.get_delayed_queue(orders, transfer=False, wire_format="3.19.3"), DelayedQueue[str]
    )
    client.get_queue("q", StringCodec)  # type: ignore[call-overload]  # a class, not a codec
    client.get_delayed_queue("q")  # type: ignore[arg-type]  # a queue, not its name
    client.get_delayed_queue(delayed)  # type: ignore[arg-type]  # a delayed queue is no target


def codecs_alone() -> None:
    """Codecs work without a client."""
    assert_type(StringCodec("UTF-16").encode("é"), bytes)
    assert_type(StringCodec().decode(b"x"), str)
    assert_type(LongCodec().decode(b"1"), int)
    assert_type(IntegerCodec().decode(b"1"), int)
    assert_type(DoubleCodec().decode(b"1"), float)
    assert_type(ByteArrayCodec().decode(b"1"), bytes)
    assert_type(PairCodec().decode(b"1,2"), tuple[int, int])
    StringCodec().encode(1)  # type: ignore[arg-type]  # text
    LongCodec().encode("1")  # type: ignore[arg-type]  # a whole number
    StringCodec().decode("x")  # type: ignore[arg-type]  # bytes


def typed_json(client: Redisson) -> None:
    """The type of the codec without class names is that of its argument."""
    assert_type(TypedJsonJacksonCodec(str), TypedJsonJacksonCodec[str])
    assert_type(client.get_queue("q", TypedJsonJacksonCodec(int)), Queue[int])
    assert_type(client.get_queue("q", TypedJsonJacksonCodec()), Queue[Any])


# --- queues -------------------------------------------------------------------------------------


def queue(orders: Queue[str]) -> None:
    """RQueue."""
    assert_type(orders.add("a"), bool)
    assert_type(orders.offer("a"), bool)
    assert_type(orders.add_all(["a", "b"]), bool)
    assert_type(orders.poll(), str | None)
    assert_type(orders.poll(3), list[str])
    assert_type(orders.remove(), str)
    assert_type(orders.remove("a"), bool)
    assert_type(orders.remove_all({"a"}), bool)
    assert_type(orders.retain_all(value for value in "ab"), bool)
    assert_type(orders.poll_last_and_offer_first_to("other"), str | None)
    assert_type(orders.peek(), str | None)
    assert_type(orders.element(), str)
    assert_type(orders.size(), int)
    assert_type(orders.is_empty(), bool)
    assert_type(orders.contains("a"), bool)
    assert_type(orders.contains_all(("a",)), bool)
    assert_type(orders.index_of("a"), int)
    assert_type(orders.read_all(), list[str])
    assert_type(len(orders), int)
    assert_type("a" in orders, bool)
    assert_type([value for value in orders], list[str])  # noqa: C416 - iteration is what is shown
    assert_type(iter(orders), Iterator[str])
    orders.clear()
    orders.add(1)  # type: ignore[arg-type]  # another type than the codec's
    orders.add_all("a", "b")  # type: ignore[call-arg]  # one iterable
    orders.poll("3")  # type: ignore[call-overload]  # a number
    orders.poll(timeout=3)  # type: ignore[call-overload]  # only a blocking queue waits
    orders.take()  # type: ignore[attr-defined]  # only a blocking queue waits
    orders.poll().upper()  # type: ignore[union-attr]  # there may be none


def deque(orders: Deque[int]) -> None:
    """RDeque."""
    assert_type(orders.add_first(1, 2), int)
    assert_type(orders.add_last(1), int)
    assert_type(orders.add_first_if_exists(1), int)
    assert_type(orders.add_last_if_exists(1), int)
    assert_type(orders.offer_first(1), bool)
    assert_type(orders.offer_last(1), bool)
    orders.push(1)
    assert_type(orders.pop(), int)
    assert_type(orders.poll_first(), int | None)
    assert_type(orders.poll_first(2), list[int])
    assert_type(orders.poll_last(), int | None)
    assert_type(orders.poll_last(2), list[int])
    assert_type(orders.peek_first(), int | None)
    assert_type(orders.peek_last(), int | None)
    assert_type(orders.get_first(), int)
    assert_type(orders.get_last(), int)
    assert_type(orders.remove_first(), int)
    assert_type(orders.remove_last(), int)
    assert_type(orders.remove_first_occurrence(1), bool)
    assert_type(orders.remove_last_occurrence(1), bool)
    assert_type(orders.move("other", End.LAST, End.FIRST), int | None)
    assert_type(orders.descending_iterator(), Iterator[int])
    orders.add_first("1")  # type: ignore[arg-type]  # another type than the codec's
    orders.move("other", "LEFT", "RIGHT")  # type: ignore[arg-type]  # ends are of End


def blocking_queue(orders: BlockingQueue[str]) -> None:
    """RBlockingQueue."""
    orders.put("a")
    assert_type(orders.take(), str)
    assert_type(orders.poll(), str | None)
    assert_type(orders.poll(3), list[str])
    assert_type(orders.poll(timeout=0.5), str | None)
    assert_type(orders.poll(timeout=timedelta(seconds=1)), str | None)
    target: list[str] = []
    assert_type(orders.drain_to(target), int)
    assert_type(orders.drain_to(target, 10), int)
    assert_type(orders.remaining_capacity(), int)
    assert_type(orders.take_last_and_offer_first_to("other"), str)
    assert_type(orders.poll_last_and_offer_first_to("other", 1), str | None)
    assert_type(orders.poll_from_any(1, "b", "c"), str | None)
    assert_type(orders.poll_from_any_with_name(1, "b"), tuple[str, str] | None)
    assert_type(orders.poll_last_from_any_with_name(1, "b"), tuple[str, str] | None)
    assert_type(orders.poll_first_from_any(1, "b", count=5), dict[str, list[str]])
    assert_type(orders.poll_last_from_any(timedelta(1)), dict[str, list[str]])
    subscription = orders.subscribe_on_elements(target.append)
    subscription.close()
    numbers: list[int] = []
    assert_type(orders.poll(3, timeout=1), list[str])
    orders.poll(timeout="1")  # type: ignore[call-overload]  # seconds or timedelta
    orders.drain_to(numbers)  # type: ignore[arg-type]  # a list of another type
    orders.subscribe_on_elements(numbers.append)  # type: ignore[arg-type]  # takes another type
    orders.put(None)  # type: ignore[arg-type]  # None means: there was nothing


def blocking_deque(orders: BlockingDeque[bytes]) -> None:
    """RBlockingDeque."""
    orders.put_first(b"a")
    orders.put_last(b"a")
    assert_type(orders.take(), bytes)
    assert_type(orders.take_first(), bytes)
    assert_type(orders.take_last(), bytes)
    assert_type(orders.poll_first(), bytes | None)
    assert_type(orders.poll_first(2), list[bytes])
    assert_type(orders.poll_first(timeout=1), bytes | None)
    assert_type(orders.poll_last(), bytes | None)
    assert_type(orders.poll_last(2), list[bytes])
    assert_type(orders.poll_last(timeout=1), bytes | None)
    assert_type(orders.move("other", End.FIRST, End.LAST, timeout=1), bytes | None)
    assert_type(orders.move("other", End.FIRST, End.LAST), bytes | None)
    as_queue: BlockingQueue[bytes] = orders
    as_deque: Deque[bytes] = orders
    assert_type(as_queue.take(), bytes)
    assert_type(as_deque.pop(), bytes)
    assert_type(orders.poll_first(2, timeout=1), list[bytes])
    assert_type(orders.poll_last(2, timeout=1), list[bytes])


def delayed_queue(delayed: DelayedQueue[str]) -> None:
    """RDelayedQueue."""
    receipt = delayed.offer("a", 30)
    assert_type(receipt, Receipt)
    assert_type(delayed.offer("a", delay=timedelta(minutes=30)), Receipt)
    assert_type(delayed.offer("a", delay=1.5), Receipt)
    assert_type(delayed.offer("a", at=datetime(2030, 1, 1, tzinfo=UTC)), Receipt)
    assert_type(delayed.offer("a", 30, dedup="k"), Receipt)
    assert_type(delayed.offer("a", 30, dedup="k", if_exists="replace").stored, bool)
    delayed.offer("a", 30, dedup=5)  # type: ignore[arg-type]  # str
    delayed.offer("a", 30, dedup="k", if_exists="later")  # type: ignore[arg-type]  # one of four
    assert_type(receipt.due_ms, int)
    assert_type(receipt.queue, str)
    assert_type(receipt.item_id, bytes)
    assert_type(receipt.value, bytes)
    assert_type(receipt.entry, bytes)
    assert_type(receipt.wire_format, WireFormat)
    assert_type(Receipt.parse(str(receipt)), Receipt)
    assert_type(Receipt.parse(bytes(receipt)), Receipt)
    Receipt.parse(receipt)  # type: ignore[arg-type]  # text or bytes
    delayed.offer_again(receipt)
    assert_type(delayed.cancel(receipt), bool)
    assert_type(delayed.reschedule(receipt, 30), Receipt | None)
    assert_type(delayed.reschedule(receipt, delay=timedelta(minutes=5)), Receipt | None)
    assert_type(delayed.reschedule(receipt, at=datetime(2030, 1, 1, tzinfo=UTC)), Receipt | None)
    assert_type(delayed.remaining_delay(receipt), timedelta | None)
    assert_type(delayed.receipt_of("key"), Receipt | None)
    assert_type(receipt.short(), Receipt)
    assert_type(delayed.cancel(receipt.short()), bool)
    assert_type(delayed.retries_of(receipt), list[Receipt])
    assert_type(delayed.items(), Iterator[PendingItem[str]])
    for item in delayed.items():
        assert_type(item.value, str | None)
        assert_type(item.raw, bytes)
        assert_type(item.receipt, Receipt)
        assert_type(item.due_at, datetime)
        assert_type(item.error, DecodeError | None)
    assert_type(delayed.poll(), str | None)
    assert_type(delayed.poll(3), list[str])
    assert_type(delayed.peek(), str | None)
    assert_type(delayed.element(), str)
    assert_type(delayed.remove(), str)
    assert_type(delayed.remove("a"), bool)
    assert_type(delayed.remove_all(["a"]), bool)
    assert_type(delayed.retain_all(["a"]), bool)
    assert_type(delayed.remove_if(lambda value: value.startswith("a")), bool)
    assert_type(delayed.poll_last_and_offer_first_to("other"), str | None)
    assert_type(delayed.size(), int)
    assert_type(delayed.is_empty(), bool)
    assert_type(delayed.contains("a"), bool)
    assert_type(delayed.contains_all(["a"]), bool)
    assert_type(delayed.read_all(), list[str])
    assert_type(len(delayed), int)
    assert_type("a" in delayed, bool)
    assert_type(iter(delayed), Iterator[str])
    delayed.clear()
    delayed.destroy()
    many = [("a", 30), ("b", 0.5)]
    assert_type(delayed.offer_many(many), list[Receipt])
    assert_type(delayed.offer_many([("a", timedelta(minutes=30)), ("b", 5)]), list[Receipt])
    assert_type(delayed.offer_many([("a", datetime(2030, 1, 1, tzinfo=UTC))]), list[Receipt])
    assert_type(delayed.offer_many(iter(many), receipts=False), int)
    delayed.offer_many([(1, 30)])  # type: ignore[list-item]  # another type than the codec's
    delayed.offer_many(["a"])  # type: ignore[list-item]  # each with its delay
    delayed.offer(1, 30)  # type: ignore[arg-type]  # another type than the codec's
    delayed.offer("a", "30 minutes")  # type: ignore[arg-type]  # seconds or timedelta
    delayed.offer("a", at=1_900_000_000)  # type: ignore[arg-type]  # an aware datetime
    delayed.offer("a", datetime(2030, 1, 1, tzinfo=UTC))  # type: ignore[arg-type]  # that is at=
    delayed.cancel("a")  # type: ignore[arg-type]  # a receipt
    delayed.take()  # type: ignore[attr-defined]  # taken from the target queue
    receipt.due_ms = 5  # type: ignore[misc]  # a receipt is a fact


def handle(orders: Queue[str], delayed: DelayedQueue[str]) -> None:
    """RObject and RExpirable, of both kinds of queues."""
    for each in (orders, delayed):
        assert_type(each.is_exists(), bool)
        assert_type(each.delete(), bool)
        assert_type(each.unlink(), bool)
        assert_type(each.touch(), bool)
        assert_type(each.size_in_memory(), int)
        assert_type(each.get_idle_time(), int | None)
        assert_type(each.copy("new", database=1), bool)
        assert_type(each.copy_and_replace("new"), bool)
        each.rename("new")
        assert_type(each.renamenx("new"), bool)
        assert_type(each.move_to_database(1), bool)
        each.migrate("host", 6379, timeout=timedelta(seconds=5))
        dumped = each.dump()
        assert_type(dumped, tuple[bytes | None, ...])
        each.restore(dumped, ttl=60, replace=True)
        assert_type(each.expire(timedelta(hours=1), condition="NX"), bool)
        assert_type(each.expire_at(datetime(2030, 1, 1, tzinfo=UTC)), bool)
        assert_type(each.clear_expire(), bool)
        assert_type(each.remain_time_to_live(), timedelta | None)
        assert_type(each.get_expire_time(), datetime | None)


def bucket(price: Bucket[int]) -> None:
    """RBucket."""
    assert_type(price.get(), int | None)
    price.set(5)
    price.set(None)
    price.set(5, ttl=timedelta(minutes=1))
    assert_type(price.try_set(5, 1.5), bool)
    assert_type(price.get_and_set(6), int | None)
    assert_type(price.compare_and_set(None, 6), bool)
    assert_type(price.get_and_delete(), int | None)
    price.set("text")  # type: ignore[arg-type]  # not an int
