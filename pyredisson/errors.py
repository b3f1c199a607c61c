"""The errors of pyredisson, as one tree.

Every error of pyredisson derives from `RedissonError`. Some also derive from a builtin exception,
in brackets, so that ``except`` with this builtin catches the error, too::

    RedissonError(Exception)
    ├── CodecError(ValueError)             .codec  .data
    │   ├── EncodeError                    this codec cannot encode the value
    │   │   └── MessageTooLongError        longer than max_bytes  .key .length .limit
    │   └── DecodeError                    this codec cannot read bytes  .raw .class_name .kept_in
    │       └── BatchDecodeError           some of several values  .values  .errors
    ├── ClassFileError(ValueError)         a jar or class file that cannot be read
    ├── WireFormatError(ValueError)        an entry of a delayed queue that no known
    │                                      release writes  .data  .raw  .kept_in
    ├── InvalidNameError(ValueError)       a name whose keys would be in several slots of a
    │                                      cluster, or are the keys of another name
    ├── KeyTypeError(TypeError)            a key holds another Redis type  .key .expected .found
    ├── EmptyQueueError(LookupError)       the queue is empty: `element()`, `remove()`, ...
    ├── QueueFullError(RuntimeError)       no room for an offer  .key .size .limit
    ├── ClosedError(RuntimeError)          used after `close()`
    ├── LockError(RuntimeError)            the caller does not have the lock, or has it already
    │   └── LockLostError                  the caller had the lock and lost it  .key
    ├── BloomFilterError(RuntimeError)     a filter without parameters, or with others
    ├── RateNotSetError(RuntimeError)      a rate limiter that has no rate  .key
    ├── PermitLostError(RuntimeError)      a permit that is not leased  .key  .permit_id
    ├── TimeLimitError(TimeoutError)       a worker's handler took too long
    ├── NotReleasedError                   closed, but messages stay leased  .held  .causes
    ├── UncertainError(ConnectionError)    no reply: done or not is unknown  .key
    ├── OfferError                         .receipt
    │   ├── UncertainOfferError(ConnectionError)   no reply: stored or not is unknown
    │   └── NotNotifiedError                       stored, but the notification was rejected
    ├── NotReplicatedError                 stored, not confirmed  .receipts  .results
    ├── PartialOfferError                  not all were stored  .stored .unstored .unknown .cause
    └── ServerError                        of the server or the connection: `server_errors`

The rule: each error adds facts that redis-py does not have: the key, the receipt, the raw bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyredisson._support.error_text import described

__all__ = [
    "BatchDecodeError",
    "BloomFilterError",
    "ClosedError",
    "CodecError",
    "DecodeError",
    "EmptyQueueError",
    "EncodeError",
    "InvalidNameError",
    "KeyTypeError",
    "LockError",
    "LockLostError",
    "MessageTooLongError",
    "NotNotifiedError",
    "NotReleasedError",
    "NotReplicatedError",
    "OfferError",
    "PartialOfferError",
    "PermitLostError",
    "QueueFullError",
    "RateNotSetError",
    "RedissonError",
    "TimeLimitError",
    "UncertainError",
    "UncertainOfferError",
    "WireFormatError",
]

_SHOWN = 48


def shorten(data: bytes) -> str:
    """Return a description of bytes for an error text: the first bytes in hex, and the length."""
    head = data[:_SHOWN].hex()
    return f"{head}{'…' if len(data) > _SHOWN else ''} ({len(data)} bytes)"


def _restore(kind: type[RedissonError], args: tuple[Any, ...], state: Any) -> RedissonError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class RedissonError(Exception):
    """Base class of all errors of pyredisson. An instance can be copied and pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the message and the attributes, because `__init__` may take other arguments."""
        return _restore, (type(self), self.args, self.__dict__)


class CodecError(RedissonError, ValueError):
    """A codec could not encode a value, or could not decode bytes.

    Attributes:
        codec: the codec's name.
        data: the bytes that could not be decoded; empty if a value could not be encoded.
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
            "elsewhere and offer a reference to it, compress it (LZ4Codec, for example), or raise "
            "max_bytes",
            codec=codec,
        )
        self.key = key
        self.length = length
        self.limit = limit


class DecodeError(CodecError):
    """The codec cannot read the bytes, or the bytes name a class that no schema describes.

    Attributes:
        data: the bytes that the decoder got.
        raw: the bytes in Redis; they differ from `data` if the codec compresses.
        class_name: the Java class at which the decoder stopped, or None.
        kept_in: the key of the poison list that holds the bytes now, or None.
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
        from pyredisson.sniffing import sniff  # noqa: PLC0415 - needed for errors only

        guess = sniff(data)
        known = codec.replace("Jackson3", "Jackson")  # both write the same first bytes
        return "" if guess is None or known in guess.codec else f"; they look like {guess}"


class BatchDecodeError(DecodeError):
    """Some values of one reply could not be decoded.

    Attributes:
        values: the decoded values, in their order in the reply.
        errors: a `DecodeError` for each other value, or a `WireFormatError` if the entry that
            contains the value could not be parsed. Both have the raw bytes.
    """

    def __init__(
        self, values: Sequence[Any], errors: Sequence[DecodeError | WireFormatError]
    ) -> None:
        first = errors[0]
        known = first if isinstance(first, DecodeError) else None
        super().__init__(
            f"{len(errors)} of {len(values) + len(errors)} values could not be decoded, "
            f"see .errors and .values; the first error: {first}",
            codec=known.codec if known else "wire format",
            data=first.data,
            class_name=known.class_name if known else None,
        )
        self.raw = first.raw
        self.values = list(values)
        self.errors = list(errors)

    def _likeness(self, codec: str, data: bytes) -> str:
        return ""  # the text of the first error contains it


class WireFormatError(RedissonError, ValueError):
    """An entry of a delayed queue has a format that no known Redisson release writes.

    Attributes:
        data, raw: the entry's bytes.
        kept_in: the key of the poison list that holds the entry now, or None.
    """

    kept_in: str | None = None

    def __init__(self, data: bytes) -> None:
        super().__init__(
            "not an entry of a delayed queue, neither Bc0Lc0 (Redisson 3.21.1 and newer) "
            f"nor dLc0 (up to 3.21.0): {shorten(data)}"
        )
        self.data = self.raw = data


class InvalidNameError(RedissonError, ValueError):
    """An object cannot have this name.

    Its keys would be in different slots of the cluster, or this client uses another name with the
    same keys.
    """


class KeyTypeError(RedissonError, TypeError):
    """A key of the object holds another Redis type; nothing was written.

    Attributes:
        key: the key.
        expected: the Redis type that the object needs.
        found: the Redis type that the key holds.
    """

    def __init__(self, key: str, expected: str, found: str) -> None:
        super().__init__(
            f"key {key!r} should hold a {expected} but holds a {found}: another object uses this "
            "name; take another name, or delete the key if nothing uses it"
        )
        self.key = key
        self.expected = expected
        self.found = found


class EmptyQueueError(RedissonError, LookupError):
    """The queue is empty. Redisson raises NoSuchElementException."""


class QueueFullError(RedissonError, RuntimeError):
    """The queue has no room for the item; "Queue full" in Redisson and Java.

    Attributes:
        key: the queue's name in Redis.
        size: the number of items in the queue, pending and ready.
        limit: the queue's `max_size`.
    """

    def __init__(self, key: str, size: int, limit: int) -> None:
        super().__init__(
            f"no room in queue {key!r}: it has {size} items, pending and ready, and max_size is "
            f"{limit}; nothing was stored. Offer the item later, run more consumers, or wait for "
            "room with when_full='wait'"
        )
        self.key = key
        self.size = size
        self.limit = limit


class ClosedError(RedissonError, RuntimeError):
    """The client is closed, or the object that was used."""


class NotReleasedError(RedissonError):
    """The client is closed, but could not release messages that it had fetched.

    These messages are redelivered when their leases end.

    Attributes:
        held: the names of the queues, each with the number of its messages.
        causes: the errors of the releases; empty if a server did not answer in time.
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


class BloomFilterError(RedissonError, RuntimeError):
    """A Bloom filter is not initialized, or is initialized with other parameters."""


class RateNotSetError(RedissonError, RuntimeError):
    """A rate limiter has no rate: none was set, or the rate expired or was deleted.

    Attributes:
        key: the limiter's name in Redis.
    """

    def __init__(self, key: str) -> None:
        super().__init__(
            f"rate limiter {key!r} has no rate: call try_set_rate(...) first, and again after its "
            "keep_alive or its time to live"
        )
        self.key = key


class LockError(RedissonError, RuntimeError):
    """The calling thread or task does not have the lock, or has it already."""


class LockLostError(LockError):
    """The calling thread or task had the lock and lost it.

    Another holder may have had the lock since.

    Attributes:
        key: the lock's name in Redis.
    """

    def __init__(self, key: str) -> None:
        super().__init__(
            f"lock {key!r} was lost before it was released: its lease ended, or somebody else "
            "freed it; another holder may have had it since"
        )
        self.key = key


class PermitLostError(RedissonError, RuntimeError):
    """A permit is not leased: its lease ended, it was released, or it is of another semaphore.

    Attributes:
        key: the semaphore's name in Redis.
        permit_id: the permit's id.
    """

    def __init__(self, key: str, permit_id: str) -> None:
        super().__init__(
            f"permit {permit_id!r} of semaphore {key!r} is not leased: its lease ended, it was "
            "released before, or it is of another semaphore; another holder may have had it since"
        )
        self.key, self.permit_id = key, permit_id


class TimeLimitError(RedissonError, TimeoutError):
    """A worker's handler took longer than its time limit."""


class UncertainError(RedissonError, ConnectionError):
    """An operation was sent, but no reply came. It is not known whether the server executed it.

    pyredisson does not send it again, because the server might then execute it twice.

    Attributes:
        key: the object's name in Redis.
    """

    def __init__(self, what: str, key: str, cause: Exception) -> None:
        super().__init__(
            f"no reply to {what} of {key!r} ({cause}): it may have been done or not, and was not "
            "sent again; check its effect before you repeat it"
        )
        self.key = key


class OfferError(RedissonError):
    """Base of errors after which an item is stored, or may be stored.

    Attributes:
        receipt: identifies the item, for `offer_again`; None if there is no receipt.
    """

    def __init__(self, message: str, receipt: Any) -> None:
        super().__init__(message)
        self.receipt = receipt


class UncertainOfferError(OfferError, ConnectionError):
    """The offer was sent, but no reply came. It is not known whether the item is stored.

    `offer_again(receipt)` makes sure that the item is stored once, unless it was delivered before.
    After an offer with a dedup key, `receipt` is None: offer the item again with the same key.
    """

    def __init__(self, queue: str, cause: Exception, receipt: Any) -> None:
        again = "offer_again(error.receipt)" if receipt else "offering again with its dedup key"
        super().__init__(
            f"no reply to an offer to queue {queue!r} ({cause}): the item may be stored or not; "
            f"{again} makes sure that it is stored once, unless it has been delivered by then",
            receipt,
        )


class NotNotifiedError(OfferError):
    """The item is stored, but the server rejected the notification of the transfer tasks.

    Attributes:
        receipts: the receipts of all items that the call has stored. With
            ``offer_many(receipts=False)``, only `receipt`.
        receipt: the receipt of the earliest item whose notification was rejected.
        refusal: the server's error text.
        returns: the value that the call would have returned; None after `offer` and `offer_many`.
    """

    def __init__(self, channel: str, refusal: str, receipt: Any, returns: Any = None) -> None:
        super().__init__(
            f"the item is stored, but the notification on {channel!r} was rejected ({refusal}), so "
            "its transfer may be late. Do not offer the item again; grant this user the channel "
            f"(ACL SETUSER … &{channel} +publish +zrange)",
            receipt,
        )
        self.receipts: list[Any] = [receipt]
        self.refusal = refusal
        self.returns = returns


class NotReplicatedError(RedissonError):
    """The write is stored, but replicas or disks did not confirm it in time (`durable=`).

    Attributes:
        receipts: after offers, the receipts of the items that are stored and not confirmed.
        results: after acknowledgements, the values that the call would have returned.
        confirmed: the number of replicas that have confirmed the write; None if it is not known.
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

    The keys of the mappings are the indexes of the items. Items that an iterator has not yielded
    yet are in no mapping.

    Attributes:
        stored: receipts of the items that are stored; empty with ``receipts=False``.
        unstored: receipts of the items that are not stored.
        unknown: receipts of the items whose reply is missing: each is stored or not.
        count: the number of stored items.
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
            f"stored, {len(unstored)} are not, and {len(unknown)} may be stored or not: "
            f"{described(cause)}; offer_again(receipt) for each receipt in "
            "error.unstored and error.unknown makes sure that each is stored once, unless it has "
            "been delivered by then"
        )
        self.cause = cause
        self.count = count
        self.stored = dict(stored)
        self.unstored = dict(unstored)
        self.unknown = dict(unknown)


for _name in __all__:
    globals()[_name].__module__ = "pyredisson"  # the public name, for tracebacks
