"""The types of errors, bounds and statistics that a user's program sees; see ``api.py``."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, assert_type

from pyredisson import (
    BatchDecodeError,
    BlockingDeque,
    BlockingQueue,
    ClosedError,
    CodecError,
    DecodeError,
    DelayedQueue,
    EmptyQueueError,
    EncodeError,
    InvalidNameError,
    KeyTypeError,
    MessageTooLongError,
    NotNotifiedError,
    NotReleasedError,
    OfferError,
    PartialOfferError,
    PoisonedValue,
    PoisonList,
    Queue,
    QueueFullError,
    Receipt,
    Redisson,
    RedissonError,
    ReplyError,
    ServerConnectionError,
    ServerError,
    ServerTimeoutError,
    TransferStats,
    UncertainError,
    UncertainOfferError,
    WireFormatError,
)
from pyredisson.codecs import StringCodec


def errors_by_kind(delayed: DelayedQueue[str]) -> Receipt | None:
    """The attributes of each error."""
    try:
        return delayed.offer("a", 30)
    except UncertainOfferError as error:
        lost: ConnectionError = error
        lost.with_traceback(None)
        delayed.offer_again(error.receipt)
    except PartialOfferError as error:
        assert_type(error.unknown, dict[int, Any])
        assert_type(error.cause, Exception)
        assert_type(error.count, int)
    except NotNotifiedError as error:
        assert_type(error, NotNotifiedError)
    except OfferError:
        raise
    except BatchDecodeError as error:
        assert_type(error.values, list[Any])
        assert_type(error.errors, list[DecodeError | WireFormatError])
    except DecodeError as error:
        assert_type(error.class_name, str | None)
        assert_type(error.data, bytes)
    except EncodeError as error:
        assert_type(error.codec, str)
    except CodecError as error:
        assert_type(error.data, bytes)
    except WireFormatError as error:
        assert_type(error.data, bytes)
    except KeyTypeError as error:
        assert_type((error.key, error.expected, error.found), tuple[str, str, str])
    except (InvalidNameError, EmptyQueueError, ClosedError) as error:
        known: RedissonError = error
        raise known from None
    return None


def left(error: NotReleasedError) -> tuple[dict[str, int], list[Exception]]:
    """The messages that a close could not release."""
    return error.held, error.causes


def bounds(client: Redisson, orders: Queue[str]) -> None:
    """A bounded queue is a delayed queue."""
    bounded = client.get_delayed_queue(
        orders,
        max_bytes=1000,
        max_size=10,
        when_full="wait",
        full_timeout=timedelta(seconds=5),
        expire_after=60,
        when_expired="drop",
    )
    assert_type(bounded, DelayedQueue[str])
    client.get_delayed_queue(orders, max_size=10, when_full="drop")  # type: ignore[arg-type]  # no such word


def refused(length: MessageTooLongError, size: QueueFullError) -> None:
    """The attributes of the errors of bounds."""
    assert_type((length.key, length.length, length.limit), tuple[str, int, int])
    assert_type((size.key, size.size, size.limit), tuple[str, int, int])


def figures(stats: TransferStats) -> None:
    """The statistics of a transfer task."""
    assert_type(stats.queue, str)
    assert_type(stats.handles + stats.runs + stats.failures + stats.poisoned, int)
    assert_type(stats.seconds_since_success, float | None)
    assert_type(stats.subscribed, bool)
    stats.runs = 0  # type: ignore[misc]  # a snapshot


def poison(client: Redisson, orders: BlockingQueue[str], delayed: DelayedQueue[str]) -> None:
    """The poison list, and how to requeue its entries."""
    assert_type(client.get_queue("q", StringCodec(), on_undecodable="raise"), Queue[str])
    assert_type(client.get_blocking_deque("q", on_undecodable="poison"), BlockingDeque[Any])
    kept = client.get_poison_list(orders)
    assert_type(kept, PoisonList[str])
    assert_type(client.get_poison_list(delayed), PoisonList[str])
    assert_type(kept.size(), int)
    assert_type(kept.read_all(), list[PoisonedValue[str]])
    for each in kept:
        assert_type(each.raw, bytes)
        assert_type(each.value, str | None)
        assert_type(each.error, DecodeError | None)
        assert_type(kept.drop(raw=each.raw), int)
    assert_type(kept.requeue(), int)
    assert_type(kept.requeue(5, include_undecodable=True), int)
    assert_type(kept.drop(5), int)
    kept.requeue(raw="text")  # type: ignore[arg-type]  # bytes
    client.get_poison_list("q")  # type: ignore[arg-type]  # a queue, which knows its codec
    client.get_bucket("q", on_undecodable="raise")  # type: ignore[call-overload]  # takes nothing


def server_errors(queue: Queue[str]) -> None:
    """Errors of the server have their own base class; they are also errors of redis-py."""
    try:
        queue.poll()
    except ReplyError as error:
        assert_type(error.code, str)
    except (ServerConnectionError, ServerTimeoutError) as error:
        base: ServerError = error
        raise base from None


def uncertain(error: UncertainError) -> None:
    """The error of an operation that is not retried."""
    lost: ConnectionError = error
    assert_type(error.key, str)
    lost.with_traceback(None)
