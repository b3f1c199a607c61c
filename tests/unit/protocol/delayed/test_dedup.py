"""Offers with a dedup key: valid arguments, words sent, and values of replies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pyredisson import NotNotifiedError, QueueFullError, UncertainOfferError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.cleanup import forget_keys
from pyredisson.protocol.delayed.dedup import Dedup, offer_once, pending_with
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.entry import WireFormat, pack
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.rows import each_row

NAMES = QueueNames.of("q")
D = DelayedQueueProtocol(NAMES, StringCodec())
MINE = D.receipt(b"v", 1_700_000_000_000, b"12345678")
OFFER = offer_once(NAMES, MINE, Dedup(b"k", "extend"))


@pytest.mark.parametrize(
    ("dedup", "if_exists", "expected"),
    [
        ("k", None, Dedup(b"k", "ignore")),
        ("größe", "replace", Dedup("größe".encode(), "replace")),
        ("k", "extend", Dedup(b"k", "extend")),
        ("k", "earliest", Dedup(b"k", "earliest")),
    ],
)
def test_valid_dedup_arguments_are_accepted(dedup: Any, if_exists: Any, expected: Dedup) -> None:
    assert Dedup.of(dedup, if_exists) == expected


@each_row(
    ("dedup", "if_exists", "kind"),
    [
        (None, "ignore", TypeError),
        (None, "later", TypeError),
        (5, None, TypeError),
        (b"k", None, TypeError),
        ("", None, ValueError),
        ("\ud800", None, ValueError),
        ("k", "later", ValueError),
        ("k", "", ValueError),
        ("k", ["ignore"], ValueError),
    ],
)
def test_invalid_dedup_arguments_are_rejected(
    dedup: Any, if_exists: Any, kind: type[Exception]
) -> None:
    with pytest.raises(kind):
        Dedup.of(dedup, if_exists)


def test_the_words() -> None:
    assert OFFER.keys == (
        "q",
        "redisson_delay_queue_timeout:{q}",
        "redisson_delay_queue:{q}",
        "redisson_delay_queue_channel:{q}",
        "pyredisson_dedup:{q}",
    )
    assert OFFER.args == (MINE.due_ms, MINE.entry, b"k", "extend", "inf")
    assert not OFFER.safe  # an item delivered in between would be stored again
    sweep = forget_keys(NAMES)
    assert sweep.keys == ("pyredisson_dedup:{q}", "redisson_delay_queue_timeout:{q}")
    assert sweep.safe
    assert sweep.decode(None) is None


@pytest.mark.parametrize(
    ("reply", "value", "due_ms", "stored"),
    [
        ([None, b"1700000000000"], b"v", MINE.due_ms, True),
        ([pack(b"abcdefgh", b"w"), b"7"], b"w", 7, False),
        ([pack(b"abcdefgh", b"w", WireFormat.LEGACY), b"7"], b"w", 7, False),
        ([MINE.entry, b"9"], b"v", 9, True),  # sent twice: the pending item is its own
    ],
)
def test_receipt_is_that_of_the_pending_item(
    reply: Any, value: bytes, due_ms: int, stored: bool
) -> None:
    found = OFFER.decode(reply)
    assert (found.value, found.due_ms, found.stored) == (value, due_ms, stored)
    assert reply[0] in (None, found.entry)


@pytest.mark.parametrize("entry", [None, pack(b"abcdefgh", b"w")])
def test_offer_with_a_rejected_notification(entry: bytes | None) -> None:
    with pytest.raises(NotNotifiedError, match="NOPERM because") as caught:
        OFFER.decode([entry, b"7", b"NOPERM because"])
    assert caught.value.receipt.stored is (entry is None)


def test_a_queue_that_is_full() -> None:
    offer = offer_once(NAMES, MINE, Dedup(b"k", "ignore"), 5)
    assert offer.args[-1] == 5
    assert offer.decode([None, b"1700000000000"]) == MINE
    with pytest.raises(QueueFullError) as caught:
        offer.decode([7])
    assert (caught.value.size, caught.value.limit) == (7, 5)


def test_a_lost_reply() -> None:
    """The error has no receipt, because `offer_again` does not use dedup keys."""
    assert OFFER.lost is not None
    error = OFFER.lost(OSError("reset"))
    assert isinstance(error, UncertainOfferError)
    assert error.receipt is None
    assert "offering again with its dedup key makes sure that it is stored once" in str(error)


def test_pending_item_of_a_key_is_read() -> None:
    look = pending_with(NAMES, b"k")
    assert look.safe
    assert look.keys == ("pyredisson_dedup:{q}", "redisson_delay_queue_timeout:{q}")
    assert look.decode(None) is None
    assert look.decode([MINE.entry, b"9"]) == replace(MINE, due_ms=9)
