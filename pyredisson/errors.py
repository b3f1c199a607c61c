"""What can go wrong, as one tree.

Every error of our own derives from `RedissonError`, and from the builtin in
brackets where there is one that a caller would reach for first::

    RedissonError(Exception)
    ├── CodecError(ValueError)             .codec  .data
    │   ├── EncodeError                    the value cannot be spelled in this codec
    │   │   └── MessageTooLongError        longer than max_bytes  .key .length .limit
    │   └── DecodeError                    not this codec's bytes  .raw  .class_name  .kept_in
    │       └── BatchDecodeError           some of several  .values  .errors
    ├── ClassFileError(ValueError)         a jar or class file that cannot be read
    ├── WireFormatError(ValueError)        a member of no known release  .data  .raw  .kept_in
    ├── InvalidNameError(ValueError)       a name whose keys cannot live together in a cluster,
    │                                      or are those of another name
    ├── KeyTypeError(TypeError)            a key holds another Redis type  .key .expected .found
    ├── EmptyQueueError(LookupError)       `element()`, `remove()` and the like on an empty queue
    ├── QueueFullError(RuntimeError)       no room for an offer  .key .size .limit
    ├── ClosedError(RuntimeError)          used after `close()`
    ├── TimeLimitError(TimeoutError)       a worker's handler took too long
    ├── NotReleasedError                   the client is closed, messages come again  .held  .causes
    ├── OfferError                         .receipt
    │   ├── UncertainOfferError(ConnectionError)   no reply: the item may be stored
    │   └── NotNotifiedError                       stored, but the notification was refused
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
    """Spell bytes for a message: their start in hex and their length."""
    head = data[:_SHOWN].hex()
    return f"{head}{'…' if len(data) > _SHOWN else ''} ({len(data)} bytes)"


def _restore(kind: type[RedissonError], args: tuple[Any, ...], state: Any) -> RedissonError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class RedissonError(Exception):
    """Base of all errors that pyredisson raises itself; they can be copied and pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep message and attributes, whatever the arguments of the class are."""
        return _restore, (type(self), self.args, self.__dict__)


class CodecError(RedissonError, ValueError):
    """A value and its bytes do not fit together.

    `codec` is the codec's name; `data` the raw bytes (empty when encoding).
    """

    def __init__(self, message: str, *, codec: str, data: bytes = b"") -> None:
        super().__init__(message)
        self.codec = codec
        self.data = data


class EncodeError(CodecError):
    """The value cannot be spelled in this codec; nothing was written."""


class MessageTooLongError(EncodeError):
    """The value's bytes are more than `max_bytes` allows; nothing of it was written."""

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
    """The bytes are not this codec's, or name a class that no schema describes.

    `data` is what the decoder was given, `raw` what Redis had: the same, but for codecs
    that compress.  `class_name` is the Java class that stopped the decoder, if one did;
    `kept_in` the poison list that has the bytes now, if one does.
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
        """Say what the bytes look like where that is another codec's."""
        from pyredisson.sniffing import sniff  # noqa: PLC0415 - only where one is raised

        guess = sniff(data)
        known = codec.replace("Jackson3", "Jackson")  # it begins as its elder sibling does
        return "" if guess is None or known in guess.codec else f"; they look like {guess}"


class BatchDecodeError(DecodeError):
    """Some values of one reply could not be decoded; the others are here.

    `values` are the decoded ones in their order, `errors` a `DecodeError` for each
    of the rest, or a `WireFormatError` where not even the value's bytes could be
    found; both carry raw bytes.
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
    """A member of a delayed queue that no known Redisson release writes.

    `data` and `raw` are the member, `kept_in` is the poison list that has it now, if one does.
    """

    kept_in: str | None = None

    def __init__(self, data: bytes) -> None:
        super().__init__(
            "not a member of a delayed queue, neither Bc0Lc0 (Redisson 3.21.1 and newer) "
            f"nor dLc0 (up to 3.21.0): {shorten(data)}"
        )
        self.data = self.raw = data


def tell_kept(error: DecodeError | WireFormatError, key: str) -> None:
    """Say in an error that a poison list has its bytes."""
    error.kept_in = key
    error.args = (f"{error.args[0]}; kept in the list {key!r}",)


def tell_not_kept(error: DecodeError | WireFormatError, key: str, cause: Exception) -> None:
    """Say in an error that nothing else may have its bytes."""
    error.args = (
        f"{error.args[0]}; keeping it in the list {key!r} failed ({cause}): "
        "Redis may have it no more, this error has all bytes",
    )


class InvalidNameError(RedissonError, ValueError):
    """The keys of a queue of this name would live in different slots of the cluster.

    Or they are those of another name that the client uses.
    """


class KeyTypeError(RedissonError, TypeError):
    """A key of the queue holds another Redis type, so nothing was sent."""

    def __init__(self, key: str, expected: str, found: str) -> None:
        super().__init__(
            f"key {key!r} should hold a {expected} but holds a {found}: "
            "another object uses this name; rename the queue, or remove the key if it is a leftover"
        )
        self.key = key
        self.expected = expected
        self.found = found


class EmptyQueueError(RedissonError, LookupError):
    """The queue has no element; Redisson's NoSuchElementException."""


class QueueFullError(RedissonError, RuntimeError):
    """So many items wait as the queue may hold; Redisson's and Java's "Queue full"."""

    def __init__(self, key: str, size: int, limit: int) -> None:
        super().__init__(
            f"no room in queue {key!r}: {size} items wait, pending or to be taken, and max_size "
            f"is {limit}; nothing was stored. Offer it later, let more consumers take, or wait for "
            "room with when_full='wait'"
        )
        self.key = key
        self.size = size
        self.limit = limit


class ClosedError(RedissonError, RuntimeError):
    """The client or the handle was closed."""


class NotReleasedError(RedissonError):
    """The client is closed, and messages that it had fetched could not be given back.

    They come again when their leases end. `held` is how many there are, by the name of the queue;
    `causes` are the errors that came, of which there are none where a server did not answer in
    time.
    """

    def __init__(self, held: Mapping[str, int], causes: Sequence[Exception] = ()) -> None:
        counts = ", ".join(f"{count} of {queue!r}" for queue, count in sorted(held.items()))
        cause = str(causes[0]) if causes else "no answer in time"
        super().__init__(
            f"the client is closed, but messages could not be given back ({counts}): {cause}; "
            "they come again when their leases end"
        )
        self.held = dict(held)
        self.causes = list(causes)


class TimeLimitError(RedissonError, TimeoutError):
    """A worker's handler took longer than its time limit."""


class OfferError(RedissonError):
    """An offer did not end as it should; `receipt` is what `offer_again` needs, if that helps."""

    def __init__(self, message: str, receipt: Any) -> None:
        super().__init__(message)
        self.receipt = receipt


class UncertainOfferError(OfferError, ConnectionError):
    """The offer was sent, but no reply came: the item may be stored.

    `receipt` is None after an offer with a dedup key: offer again with that key.
    """

    def __init__(self, queue: str, cause: Exception, receipt: Any) -> None:
        again = "offer_again(error.receipt)" if receipt else "offering again with its dedup key"
        super().__init__(
            f"no reply to an offer to queue {queue!r} ({cause}): the item may be stored or not; "
            f"{again} makes sure that it is there once, as long as it has not been delivered",
            receipt,
        )


class NotNotifiedError(OfferError):
    """The item is stored, but the server refused to notify the transfer tasks.

    `receipts` are those of all that the call has stored; `receipt` is the earliest of those
    that should have been announced. `refusal` is what the server said, and `returns` what the call
    would have returned.
    """

    def __init__(self, channel: str, refusal: str, receipt: Any, returns: Any = None) -> None:
        super().__init__(
            f"the item is stored, but not announced on {channel!r} ({refusal}): transfer "
            "tasks that only listen will be late; grant this user the channel "
            f"(ACL SETUSER … &{channel} +publish +zrange), and do not offer the item again",
            receipt,
        )
        self.receipts: list[Any] = [receipt]
        self.refusal = refusal
        self.returns = returns


class NotReplicatedError(RedissonError):
    """What was written is stored, but not as safe in time as `durable=` asks for.

    Of offers `receipts` are those that are stored and not confirmed; of acknowledgements `results`
    is what the call would have returned. `confirmed` is how many replicas have it, None where
    that is not known.
    """

    confirmed: int | None = None

    def __init__(
        self, what: str, lack: str, advice: str, *, receipts: Sequence[Any] = (), results: Any = ()
    ) -> None:
        super().__init__(f"{what}, but {lack}: {advice}")
        self.receipts: list[Any] = list(receipts)
        self.results: list[bool] = list(results)


class PartialOfferError(RedissonError):
    """`offer_many` stored some of its items, or none; what it knows of each is here.

    `stored`, `unstored` and `unknown` are receipts by the item's place among those of the call:
    of what is stored (empty with ``receipts=False``), of what is not, and of what may be stored
    or not, as the reply is missing. `count` is how many are stored. `cause` is what stopped it;
    what an iterator had not given yet is not touched.
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


def tell_item(error: Exception, place: int) -> None:
    """Say in an error which of many items it is about."""
    if type(error) in (TypeError, ValueError) or isinstance(error, CodecError):
        error.args = (f"item {place}: {error}",)
    else:
        error.add_note(f"item {place} of many offers")
