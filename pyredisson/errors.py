"""The errors of pyredisson, as one tree.

Every error of pyredisson derives from `RedissonError`. The builtin in brackets is a second base,
where callers would catch that builtin first::

    RedissonError(Exception)
    ├── CodecError(ValueError)             .codec  .data
    │   ├── EncodeError                    this codec cannot encode the value
    │   │   └── MessageTooLongError        longer than max_bytes  .key .length .limit
    │   └── DecodeError                    not this codec's bytes  .raw  .class_name  .kept_in
    │       └── BatchDecodeError           some of several  .values  .errors
    ├── ClassFileError(ValueError)         a jar or class file that cannot be read
    ├── WireFormatError(ValueError)        an entry of no known release  .data  .raw  .kept_in
    ├── InvalidNameError(ValueError)       a name whose keys would be in several slots of a
    │                                      cluster, or are the keys of another name
    ├── KeyTypeError(TypeError)            a key holds another Redis type  .key .expected .found
    ├── EmptyQueueError(LookupError)       `element()`, `remove()` and the like on an empty queue
    ├── QueueFullError(RuntimeError)       no room for an offer  .key .size .limit
    ├── ClosedError(RuntimeError)          used after `close()`
    ├── TimeLimitError(TimeoutError)       a worker's handler took too long
    ├── NotReleasedError                   closed; messages wait for their leases  .held  .causes
    ├── OfferError                         .receipt
    │   ├── UncertainOfferError(ConnectionError)   no reply: the item may be stored
    │   └── NotNotifiedError                       stored, but the notification was rejected
    ├── NotReplicatedError                 stored, not confirmed  .receipts  .results
    ├── PartialOfferError                  some of many  .stored  .unstored  .unknown  .cause
    └── ServerError                        of the server or the connection: `server_errors`

The rule: each error adds what redis-py cannot know, such as the key, the receipt, the raw bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = [
    "BatchDecodeError",
    "ClosedError",
    "CodecError",
    "DecodeError",
    "EmptyQueueError",
    "EncodeError",
    "InvalidNameError",
    "KeyTypeError",
    "MessageTooLongError",
    "NotNotifiedError",
    "NotReleasedError",
    "NotReplicatedError",
    "OfferError",
    "PartialOfferError",
    "QueueFullError",
    "RedissonError",
    "TimeLimitError",
    "UncertainOfferError",
    "WireFormatError",
]

_SHOWN = 48


def shorten(data: bytes) -> str:
    """Return bytes for an error text: their first bytes in hex, and their length."""
    head = data[:_SHOWN].hex()
    return f"{head}{'…' if len(data) > _SHOWN else ''} ({len(data)} bytes)"


def _restore(kind: type[RedissonError], args: tuple[Any, ...], state: Any) -> RedissonError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class RedissonError(Exception):
    """Base of all errors that pyredisson raises itself. They can be copied and pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the message and the attributes, whatever arguments the class takes."""
        return _restore, (type(self), self.args, self.__dict__)


class CodecError(RedissonError, ValueError):
    """A codec could not encode a value, or could not decode bytes.

    Attributes:
        codec: the codec's name.
        data: the raw bytes; empty when encoding.
    """

    def __init__(self, message: str, *, codec: str, data: bytes = b"") -> None:
        super().__init__(message)
        self.codec = codec
        self.data = data


class EncodeError(CodecError):
    """This codec cannot encode the value; nothing was written."""


class MessageTooLongError(EncodeError):
    """The encoded value is longer than `max_bytes`; it was not written.

    Attributes:
        key: the queue's name in Redis.
        length: the value's length, in bytes.
        limit: `max_bytes`.
    """

    def __init__(self, key: str, length: int, limit: int, codec: str) -> None:
        super().__init__(
            f"a value for {key!r} is {length} bytes long, more than max_bytes={limit}: store it "
            "elsewhere and offer where it is, compress it (LZ4Codec and its like), or raise "
            "max_bytes",
            codec=codec,
        )
        self.key = key
        self.length = length
        self.limit = limit


class DecodeError(CodecError):
    """The codec cannot read the bytes, or they name a class that no schema describes.

    Attributes:
        data: the bytes that the decoder got.
        raw: the bytes that Redis had; they differ from `data` for codecs that compress.
        class_name: the Java class at which the decoder stopped, or None.
        kept_in: the key of the poison list that has the bytes now, or None.
    """

    kept_in: str | None = None

    def __init__(
        self, message: str, *, codec: str, data: bytes, class_name: str | None = None
    ) -> None:
        shown = f"{codec}: {message}; the bytes: {shorten(data)}"
        super().__init__(shown + self._likeness(codec, data), codec=codec, data=data)
        self.raw = data
        self.class_name = class_name

    def _likeness(self, codec: str, data: bytes) -> str:
        """Return which other codec the bytes look like, if any."""
        from pyredisson.sniffing import sniff  # noqa: PLC0415 - only where one is raised

        guess = sniff(data)
        known = codec.replace("Jackson3", "Jackson")  # it begins as its elder sibling does
        return "" if guess is None or known in guess.codec else f"; they look like {guess}"


class BatchDecodeError(DecodeError):
    """Some values of one reply could not be decoded.

    Attributes:
        values: the decoded values, in their order.
        errors: a `DecodeError` for each other value, or a `WireFormatError` where not even the
            value's bytes could be found. Both have the raw bytes.
    """

    def __init__(
        self, values: Sequence[Any], errors: Sequence[DecodeError | WireFormatError]
    ) -> None:
        first = errors[0]
        known = first if isinstance(first, DecodeError) else None
        super().__init__(
            f"{len(errors)} of {len(values) + len(errors)} values could not be decoded, "
            f"see .errors and .values; the first: {first}",
            codec=known.codec if known else "wire format",
            data=first.data,
            class_name=known.class_name if known else None,
        )
        self.raw = first.raw
        self.values = list(values)
        self.errors = list(errors)

    def _likeness(self, codec: str, data: bytes) -> str:
        return ""  # the first error's text has it


class WireFormatError(RedissonError, ValueError):
    """An entry of a delayed queue has a format that no known Redisson release writes.

    Attributes:
        data, raw: the entry's bytes.
        kept_in: the key of the poison list that has the entry now, or None.
    """

    kept_in: str | None = None

    def __init__(self, data: bytes) -> None:
        super().__init__(
            "not an entry of a delayed queue, neither Bc0Lc0 (Redisson 3.21.1 and newer) "
            f"nor dLc0 (up to 3.21.0): {shorten(data)}"
        )
        self.data = self.raw = data


def note_quarantined(error: DecodeError | WireFormatError, key: str) -> None:
    """Add to an error the poison list that has its bytes."""
    error.kept_in = key
    error.args = (f"{error.args[0]}; kept in the list {key!r}",)


def note_not_quarantined(error: DecodeError | WireFormatError, key: str, cause: Exception) -> None:
    """Add to an error that perhaps nothing else has its bytes."""
    error.args = (
        f"{error.args[0]}; keeping it in the list {key!r} failed ({cause}): "
        "Redis may no longer have it; this error's .raw has all its bytes",
    )


class InvalidNameError(RedissonError, ValueError):
    """The keys of this name would be in different slots of the cluster.

    Or they are the keys of another name that this client uses.
    """


class KeyTypeError(RedissonError, TypeError):
    """A key of the object holds another Redis type, so nothing was sent.

    Attributes:
        key: the key.
        expected: the Redis type that the object needs.
        found: the Redis type that the key holds.
    """

    def __init__(self, key: str, expected: str, found: str) -> None:
        super().__init__(
            f"key {key!r} should hold a {expected} but holds a {found}: "
            "another object uses this name; rename the queue, or remove the key if it is a leftover"
        )
        self.key = key
        self.expected = expected
        self.found = found


class EmptyQueueError(RedissonError, LookupError):
    """The queue has no element; NoSuchElementException in Redisson."""


class QueueFullError(RedissonError, RuntimeError):
    """The queue has no room for the item; "Queue full" in Redisson and Java.

    Attributes:
        key: the queue's name in Redis.
        size: how many items wait, pending or in the target queue.
        limit: the queue's `max_size`.
    """

    def __init__(self, key: str, size: int, limit: int) -> None:
        super().__init__(
            f"no room in queue {key!r}: {size} items wait, pending or to be taken, and max_size "
            f"is {limit}; nothing was stored. Offer it later, run more consumers, or wait for "
            "room with when_full='wait'"
        )
        self.key = key
        self.size = size
        self.limit = limit


class ClosedError(RedissonError, RuntimeError):
    """The client, or this object of it, was closed."""


class NotReleasedError(RedissonError):
    """The client is closed, but could not release messages that it had fetched.

    Consumers receive them again when their leases end.

    Attributes:
        held: how many messages, by the name of the queue.
        causes: the errors; empty where a server did not answer in time.
    """

    def __init__(self, held: Mapping[str, int], causes: Sequence[Exception] = ()) -> None:
        counts = ", ".join(f"{count} of {queue!r}" for queue, count in sorted(held.items()))
        cause = str(causes[0]) if causes else "no answer in time"
        super().__init__(
            f"the client is closed, but messages could not be released ({counts}): {cause}; "
            "they are redelivered when their leases end"
        )
        self.held = dict(held)
        self.causes = list(causes)


class TimeLimitError(RedissonError, TimeoutError):
    """A worker's handler took longer than its time limit."""


class OfferError(RedissonError):
    """An offer failed in part; `receipt` is the argument for `offer_again`, where that helps."""

    def __init__(self, message: str, receipt: Any) -> None:
        super().__init__(message)
        self.receipt = receipt


class UncertainOfferError(OfferError, ConnectionError):
    """The offer was sent, but no reply came: the item may be stored.

    After an offer with a dedup key `receipt` is None: offer again with that key.
    """

    def __init__(self, queue: str, cause: Exception, receipt: Any) -> None:
        again = "offer_again(error.receipt)" if receipt else "offering again with its dedup key"
        super().__init__(
            f"no reply to an offer to queue {queue!r} ({cause}): the item may be stored or not; "
            f"{again} makes sure that it is there once, as long as it has not been delivered",
            receipt,
        )


class NotNotifiedError(OfferError):
    """The item is stored, but the server rejected the notification of the transfer tasks.

    Attributes:
        receipts: of all items that the call has stored.
        receipt: of the earliest item that should have been announced.
        refusal: the server's error text.
        returns: what the call would have returned.
    """

    def __init__(self, channel: str, refusal: str, receipt: Any, returns: Any = None) -> None:
        super().__init__(
            f"the item is stored, but not announced on {channel!r} ({refusal}): transfer "
            "tasks that only listen will be late. Grant this user the channel "
            f"(ACL SETUSER … &{channel} +publish +zrange), and do not offer the item again",
            receipt,
        )
        self.receipts: list[Any] = [receipt]
        self.refusal = refusal
        self.returns = returns


class NotReplicatedError(RedissonError):
    """The write is stored, but replicas or disks did not confirm it in time (`durable=`).

    Attributes:
        receipts: of offers, what is stored and not confirmed.
        results: of acknowledgements, what the call would have returned.
        confirmed: how many replicas have the write; None where that is not known.
    """

    confirmed: int | None = None

    def __init__(
        self, what: str, lack: str, advice: str, *, receipts: Sequence[Any] = (), results: Any = ()
    ) -> None:
        super().__init__(f"{what}, but {lack}: {advice}")
        self.receipts: list[Any] = list(receipts)
        self.results: list[bool] = list(results)


class PartialOfferError(RedissonError):
    """`offer_many` stored only some of its items, or none.

    Items that an iterator has not yielded yet are not touched. The receipts are by the item's
    place in the call.

    Attributes:
        stored: receipts of stored items; empty with ``receipts=False``.
        unstored: receipts of items that are not stored.
        unknown: receipts of items that may be stored: their reply is missing.
        count: how many items are stored.
        cause: the error that stopped the call.
    """

    def __init__(
        self,
        queue: str,
        cause: Exception,
        *,
        count: int,
        stored: Mapping[int, Any],
        unstored: Mapping[int, Any],
        unknown: Mapping[int, Any],
    ) -> None:
        super().__init__(
            f"of {count + len(unstored) + len(unknown)} items for queue {queue!r} {count} are "
            f"stored, {len(unstored)} are not, and {len(unknown)} may be or not: "
            f"{type(cause).__name__}: {cause}; offer_again(receipt) for each receipt in "
            "error.unstored and error.unknown makes sure that they are there once, "
            "as long as they have not been delivered"
        )
        self.cause = cause
        self.count = count
        self.stored = dict(stored)
        self.unstored = dict(unstored)
        self.unknown = dict(unknown)


def note_item(error: Exception, place: int) -> None:
    """Add to an error which of many items it is about."""
    if type(error) in (TypeError, ValueError) or isinstance(error, CodecError):
        error.args = (f"item {place}: {error}",)
    else:
        error.add_note(f"item {place} of many offers")
