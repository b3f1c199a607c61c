"""Calls with many offers: the size of chunks, rejected items, and the result of each item."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyredisson import EncodeError, NotNotifiedError, Receipt, UncertainOfferError, WireFormat
from pyredisson.codecs import ByteArrayCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.batches import Batch, BatchBuilder, BatchResult, BatchState
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.entry import item_id_of, pack
from pyredisson.protocol.delayed.item_id import new_item_id, new_item_ids
from pyredisson.protocol.kernel.due import due_ms
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.rows import each_row

PROTOCOL = DelayedQueueProtocol(QueueNames.of("q"), StringCodec())
BYTES = DelayedQueueProtocol(QueueNames.of("q"), ByteArrayCodec())
NOW = 1_790_000_000_000.25


def frozen() -> float:
    """A clock that does not advance."""
    return 0.0


def draft(protocol: Any = PROTOCOL, first: int = 0) -> BatchBuilder[Any]:
    return BatchBuilder(protocol.encode, first, frozen)


def sizes(items: Iterable[Any], protocol: Any = PROTOCOL) -> list[int]:
    """Return the number of items of each chunk."""
    source, found = iter(items), []
    while True:
        drawn = draft(protocol)
        more = drawn.take(source)
        found.append(len(drawn))
        if not more:
            return found


# --- chunks -------------------------------------------------------------------------------------


@each_row(
    ("items", "expected"),
    [(0, [0]), (1, [1]), (249, [249]), (250, [250, 0]), (251, [250, 1]), (600, [250, 250, 100])],
)
def test_chunk_has_at_most_250_items(items: int, expected: list[int]) -> None:
    assert sizes([("x", 1)] * items) == expected


def test_chunk_ends_at_its_limit_of_bytes() -> None:
    """A chunk ends with the item that reaches the limit. A huge item fills a chunk."""
    assert sizes([(bytes(100_000), 1)] * 7, BYTES) == [3, 3, 1]
    assert sizes([(bytes(10_000_000), 1)] * 2, BYTES) == [1, 1, 0]


def test_a_slow_source_fills_no_chunk() -> None:
    """A chunk ends with the first item after a tenth of a second."""
    slow = BatchBuilder(PROTOCOL.encode, 0, count(0.0, 0.03).__next__)
    assert slow.take(iter([("x", 1)] * 250))
    assert len(slow) == 4


def test_an_empty_draft_is_false() -> None:
    assert not draft()


def test_draft_has_encoded_values() -> None:
    encoded = draft()
    encoded.take([("a", 1), ("b", 2)])
    assert encoded.values == [PROTOCOL.encode("a"), PROTOCOL.encode("b")]


# --- items --------------------------------------------------------------------------------------

DELAYS = st.one_of(
    st.integers(0, 10**12),
    st.floats(0, 1e12),
    st.timedeltas(timedelta(0), timedelta(days=10**6)),
    st.datetimes(datetime(1970, 1, 2)).map(lambda at: at.replace(tzinfo=UTC)),
)


@given(DELAYS, st.floats(0, 2e12))
def test_an_item_is_due_as_a_single_offer_would_be(when: Any, now: float) -> None:
    drawn = draft()
    drawn.take([("x", when)])
    (receipt,) = drawn.batch(PROTOCOL, now, bytes(8)).receipts
    delay, at = (None, when) if isinstance(when, datetime) else (when, None)
    assert receipt.due_ms == due_ms(delay, at, now)


@pytest.mark.parametrize("wire_format", WireFormat)
def test_receipts(wire_format: WireFormat) -> None:
    protocol = DelayedQueueProtocol(QueueNames.of("q"), StringCodec(), wire_format)
    drawn = draft(first=5)
    drawn.take([("a", 3), ("b", 1), ("c", 2)])
    chunk = drawn.batch(protocol, NOW, b"111111112222222233333333")
    ids = new_item_ids(math.ceil(NOW * 1000), b"111111112222222233333333", wire_format)
    assert chunk.receipts == [
        Receipt("q", 1_790_000_003_001, ids[0], b"a", wire_format),
        Receipt("q", 1_790_000_001_001, ids[1], b"b", wire_format),
        Receipt("q", 1_790_000_002_001, ids[2], b"c", wire_format),
    ]
    assert (chunk.first, chunk.fate) == (5, BatchState.UNSTORED)
    assert chunk.earliest_ms == chunk.receipts[1].due_ms


def test_ids_of_one_call_are_in_order() -> None:
    random = bytes(range(24))
    parts = [random[:8], random[8:16], random[16:]]
    old = new_item_ids(7, random, WireFormat.LEGACY)
    assert old == [item_id_of(pack(part, b"", WireFormat.LEGACY)[:8]) for part in parts]
    assert new_item_ids(7, random, WireFormat.CURRENT) == [
        new_item_id(7 + number, part) for number, part in enumerate(parts)
    ]


class Shy(Codec[str]):
    """A user's codec that raises another error than EncodeError."""

    def encode(self, value: str) -> bytes:
        raise LookupError(value)

    def decode(self, data: bytes) -> str:
        raise NotImplementedError


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "value": ((5, 1), EncodeError, "item 7: StringCodec writes str"),
    "negative": (("x", -1), ValueError, "item 7: delay is negative"),
    "negative float": (("x", -0.5), ValueError, "item 7: delay is negative"),
    "NaN": (("x", math.nan), ValueError, "item 7: delay is NaN"),
    "infinite": (("x", math.inf), ValueError, "item 7: delay is infinite"),
    "too late": (("x", 2**63), ValueError, r"item 7: .* 2\*\*53"),
    "none": (("x", None), TypeError, "item 7: delay must be .* not None"),
    "bool": (("x", True), TypeError, "item 7: delay must be seconds"),
    "text": (("x", "5"), TypeError, "item 7: delay must be seconds"),
    "naive": (("x", datetime(2100, 1, 1)), ValueError, "item 7: at is a naive datetime"),
    "value alone": (5, TypeError, "item 7: must be a value and its delay, not 5$"),
    "too many": (("x", 1, 2), TypeError, r"must be a value and its delay, not \('x', 1, 2\)"),
}


@each_row(("item", "error", "match"), REFUSED.values(), ids=REFUSED)
def test_error_of_a_rejected_item_names_its_number(
    item: Any, error: type[Exception], match: str
) -> None:
    drawn = draft(first=5)
    with pytest.raises(error, match=match) as caught:
        drawn.take([("x", 1), ("y", 2), item, ("z", 3)])
    assert type(caught.value) is error
    assert len(drawn) == 2


def test_a_codecs_own_error_stays_as_it_is() -> None:
    with pytest.raises(LookupError) as caught:
        BatchBuilder(Shy().encode, 3, frozen).take([("x", 1)])
    assert caught.value.args == ("x",)
    assert caught.value.__notes__ == ["item 3 of many offers"]


def test_error_of_the_source_is_raised_unchanged() -> None:
    def broken() -> Iterator[tuple[str, float]]:
        yield "x", 1
        raise OSError("the database is gone")

    drawn = draft()
    with pytest.raises(OSError, match=r"^the database is gone$"):
        drawn.take(broken())
    assert len(drawn) == 1


# --- results ------------------------------------------------------------------------------------


def chunks() -> list[Batch]:
    """Return three chunks of two items each."""
    return [
        Batch(first, PROTOCOL, [(9, bytes([place]) * 16, b"v") for place in (first, first + 1)])
        for first in (0, 2, 4)
    ]


def test_the_first_items_of_a_chunk_are_stored() -> None:
    """The queue had room for these items only. The hook receives their receipts."""
    heard: list[Receipt] = []
    account = BatchResult("q", keep=True, emit=heard.append)
    first, second, third = chunks()
    for chunk in (first, second, third):
        account.add(chunk)
    assert account.stored_first(first, 2) is None
    rest = account.stored_first(second, 1)
    assert rest is not None
    assert (rest.first, rest.rows) == (3, second.rows[1:])
    assert heard == [*first.receipts, second.receipts[0]]
    assert not account.complete
    error = account.error(OSError("full"))
    assert error.count == 3
    assert error.stored == dict(enumerate(heard))
    assert error.unstored == dict(enumerate([second.receipts[1], *third.receipts], 3))


def test_a_draft_shows_its_values() -> None:
    made = draft()
    made.take([("a", 1), ("b", 2)])
    assert made.values == [b"a", b"b"]


def test_all_are_stored() -> None:
    account = BatchResult("q", keep=True)
    for chunk in chunks():
        account.add(chunk)
        account.stored(chunk)
    assert account.count == 6
    assert [receipt.item_id[0] for receipt in account.receipts()] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("keep", [True, False])
def test_error_lists_stored_unstored_and_unknown_items(keep: bool) -> None:
    account = BatchResult("q", keep=keep)
    first, second, third = chunks()
    for chunk in (first, second, third):
        account.add(chunk)
    account.stored(first)
    second.fate = BatchState.UNKNOWN
    cause = OSError("reset")
    error = account.error(cause)
    assert error.cause is cause
    assert error.count == 2
    assert error.stored == (dict(zip((0, 1), first.receipts, strict=True)) if keep else {})
    assert error.unknown == dict(zip((2, 3), second.receipts, strict=True))
    assert error.unstored == dict(zip((4, 5), third.receipts, strict=True))
    assert str(error).startswith(
        "of 6 items for queue 'q' 2 are stored, 2 are not, and 2 may be stored or not: "
        "OSError: reset"
    )


@pytest.mark.parametrize("keep", [True, False])
def test_rest_of_a_chunk_is_stored_later(keep: bool) -> None:
    """A bounded queue has room for the first item only, and later for the rest."""
    told: list[Receipt] = []
    account = BatchResult("q", keep=keep, emit=told.append)
    chunk, last, _ = chunks()
    account.add(chunk)
    account.add(last)
    rest = account.stored_first(chunk, 1)
    assert rest is not None
    assert (rest.first, rest.rows) == (1, chunk.rows[1:])
    assert not account.complete
    error = account.error(OSError("full"))
    assert (error.count, list(error.unstored)) == (1, [1, 2, 3])
    assert account.stored_first(rest, 1) is None
    assert account.stored_first(last, 2) is None
    assert account.complete
    assert (account.count, len(account.receipts())) == (4, 4 if keep else 0)
    assert told == [*chunk.receipts, *last.receipts]


def test_draft_lists_its_encoded_values() -> None:
    taken = draft()
    taken.take([("a", 1), ("b", 2)])
    assert taken.values == [b"a", b"b"]


def test_the_script_for_many() -> None:
    receipts = [Receipt("q", due, bytes([due]) * 16, b"v") for due in (3, 1, 2)]
    operation = PROTOCOL.offer_many(receipts)
    assert operation.args == (3, receipts[0].entry, 1, receipts[1].entry, 2, receipts[2].entry)
    assert not operation.safe
    operation.decode(None)
    with pytest.raises(NotNotifiedError, match="NOPERM") as caught:
        operation.decode(b"NOPERM publish")
    assert caught.value.receipt is receipts[1]
    assert operation.lost is not None
    assert isinstance(operation.lost(OSError("reset")), UncertainOfferError)
