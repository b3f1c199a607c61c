"""RDelayedQueue: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import (
    BatchDecodeError,
    DecodeError,
    EncodeError,
    NotNotifiedError,
    Receipt,
    UncertainOfferError,
    WireFormat,
    WireFormatError,
)
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol, Transferred, heads_of
from pyredisson.protocol.delayed.entry import pack
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.objects.pages import START, Page
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

NAMES = QueueNames.of("q")
LIST = "redisson_delay_queue:{q}"
ZSET = "redisson_delay_queue_timeout:{q}"
CHANNEL = "redisson_delay_queue_channel:{q}"
POISON = "pyredisson_poison:{q}"

ID = b"\1\2\3\4\5\6\7\x88"
D = DelayedQueueProtocol(NAMES, StringCodec())
OLD = DelayedQueueProtocol(NAMES, StringCodec(), WireFormat.LEGACY)
RECEIPT = D.receipt(b"v", 1_700_000_000_000, ID)
OLD_RECEIPT = OLD.receipt(b"v", 1_700_000_000_000, ID)
PENDING = (LIST, ZSET)
AB = (b"a", b"b")


def entry(value: bytes) -> bytes:
    return pack(ID, value)


CALLS: dict[str, tuple[Callable[[], Operation[Any]], tuple[Any, ...]]] = {
    "offer": (
        lambda: D.offer(RECEIPT),
        (
            "delayed/offer",
            ("q", ZSET, LIST, CHANNEL),
            (1_700_000_000_000, ID, b"v", "Bc0Lc0"),
        ),
    ),
    "offer in the old format": (
        lambda: OLD.offer(OLD_RECEIPT),
        (
            "delayed/offer",
            ("q", ZSET, LIST, CHANNEL),
            (1_700_000_000_000, int.from_bytes(ID, "little", signed=True), b"v", "dLc0"),
        ),
    ),
    "offer_again of an old receipt": (
        lambda: D.offer(OLD_RECEIPT),
        ("delayed/offer", ("q", ZSET, LIST, CHANNEL), words(OLD.offer(OLD_RECEIPT))[2]),
    ),
    "transfer": (
        lambda: D.transfer(99, 100),
        ("delayed/transfer", ("q", ZSET, LIST, POISON), (99, 100, 0)),
    ),
    "poll": (D.poll, ("delayed/poll", PENDING, (1,))),
    "poll(3)": (lambda: D.poll_many(3), ("delayed/poll", PENDING, (3,))),
    "poll_last_and_offer_first_to": (
        lambda: D.poll_last_and_offer_first_to("r"),
        ("delayed/poll_last_and_offer_first_to", (*PENDING, "r", POISON), ()),
    ),
    "peek": (D.peek, ("LINDEX", LIST, 0)),
    "size": (D.size, ("LLEN", LIST)),
    "read_all": (lambda: D.range(0, -1), ("LRANGE", LIST, 0, -1)),
    "entries": (lambda: D.entries(5, 9), ("LRANGE", LIST, 5, 9)),
    "contains": (lambda: D.contains("a"), ("delayed/contains", (LIST,), (b"a",))),
    "contains_all": (lambda: D.contains_all("ab"), ("delayed/contains_all", (LIST,), AB)),
    "remove": (lambda: D.remove("a"), ("delayed/remove", PENDING, (b"a",))),
    "remove_all": (lambda: D.remove_all("ab"), ("delayed/remove_all", PENDING, AB)),
    "retain_all": (lambda: D.retain_all("ab"), ("delayed/retain_all", PENDING, AB)),
    "remove_if": (
        lambda: D.remove_entry(entry(b"a")),
        ("delayed/remove_entry", PENDING, (entry(b"a"),)),
    ),
    "cancel": (
        lambda: D.cancel(RECEIPT),
        ("delayed/cancel", PENDING, (entry(b"v"),)),
    ),
    "reschedule": (
        lambda: D.reschedule(RECEIPT),
        ("delayed/reschedule", (ZSET, CHANNEL), (entry(b"v"), 1_700_000_000_000)),
    ),
    "remaining_delay": (lambda: D.due(RECEIPT), ("ZSCORE", ZSET, entry(b"v"))),
    "items": (
        lambda: D.page((entry(b"v"), b"5"), 500),
        ("delayed/page", (ZSET,), (entry(b"v"), b"5", 500)),
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    assert words(build()) == expected


@each_row("case", CALLS)
def test_only_harmless_calls_may_be_sent_twice(case: str) -> None:
    operation = CALLS[case][0]()
    assert operation.safe is may_be_sent_twice(operation)


@each_row("case", CALLS)
def test_a_lost_reply_is_uncertain_only_for_an_offer(case: str) -> None:
    assert (CALLS[case][0]().lost is not None) is case.startswith("offer")


REPLIES: dict[str, tuple[Operation[Any], Any, Any]] = {
    "offered": (D.offer(RECEIPT), None, None),
    "no head left": (D.transfer(1, 1), None, Transferred(None, 0)),
    "a head": (D.transfer(1, 1), b"1700000000000", Transferred(1_700_000_000_000.0, 0)),
    "a foreign fraction": (D.transfer(1, 1), b"1.5", Transferred(1.5, 0)),
    "a foreign exponent": (D.transfer(1, 1), b"1e+17", Transferred(1e17, 0)),
    "poison and a head": (D.transfer(1, 1), [b"7", 2, 5], Transferred(7.0, 2, 5)),
    "counted": (D.transfer(1, 1, counted=True), [b"7", 0, 5], Transferred(7.0, 0, 5)),
    "poison and no head": (D.transfer(1, 1), [None, 1, 0], Transferred(None, 1)),
    "heads": (heads_of([ConsumerNames.of("q")] * 2), [b"7", None], [7.0, None]),
    "poll nothing": (D.poll(), [], None),
    "poll": (D.poll(), [entry(b"a")], "a"),
    "poll what Java wrote": (D.poll(), [pack(ID, b"a", WireFormat.LEGACY)], "a"),
    "poll many": (D.poll_many(3), [entry(b"a"), entry(b"")], ["a", ""]),
    "poll none of many": (D.poll_many(3), [], []),
    "moved nothing": (D.poll_last_and_offer_first_to("r"), None, None),
    "moved": (D.poll_last_and_offer_first_to("r"), entry(b"a"), "a"),
    "peek nothing": (D.peek(), None, None),
    "peek": (D.peek(), entry(b"a"), "a"),
    "size": (D.size(), 2, 2),
    "range": (D.range(0, 1), [entry(b"a"), pack(ID, b"b", WireFormat.LEGACY)], ["a", "b"]),
    "entries": (D.entries(0, 0), [b"junk"], [b"junk"]),
    "contains": (D.contains("a"), 1, True),
    "contains all": (D.contains_all("a"), 0, False),
    "removed": (D.remove("a"), 1, True),
    "removed all": (D.remove_all("a"), 0, False),
    "retained": (D.retain_all("a"), 1, True),
    "removed an entry": (D.remove_entry(b"m"), 0, False),
    "cancelled": (D.cancel(RECEIPT), 1, True),
    "too late to cancel": (D.cancel(RECEIPT), 0, False),
    "rescheduled": (D.reschedule(RECEIPT), 1, RECEIPT),
    "too late to reschedule": (D.reschedule(RECEIPT), None, None),
    "due": (D.due(RECEIPT), b"1700000000000", 1_700_000_000_000),
    "due, in RESP3": (D.due(RECEIPT), 5.5, 6),
    "due never": (D.due(RECEIPT), b"inf", 2**53),
    "due nowhere": (D.due(RECEIPT), None, None),
    "a page": (
        D.page(START, 9),
        [1, [[b"a", b"1"], [b"b", b"2"]]],
        Page([(b"a", b"1"), (b"b", b"2")], more=True),
    ),
    "the last page": (D.page(START, 9), [0, [[]]], Page([], more=False)),
}


@each_row("case", REPLIES)
def test_the_value_of_each_reply(case: str) -> None:
    operation, reply, expected = REPLIES[case]
    value = operation.decode(reply)
    assert (value, type(value)) == (expected, type(expected))


def test_a_refused_notification_says_that_the_item_is_stored() -> None:
    with pytest.raises(NotNotifiedError, match="is stored") as caught:
        D.offer(RECEIPT).decode(b"NOPERM \xff")
    assert caught.value.receipt is RECEIPT
    assert CHANNEL in str(caught.value)
    assert "NOPERM �" in str(caught.value)


def test_a_refused_notification_says_that_the_time_is_changed() -> None:
    with pytest.raises(NotNotifiedError, match="NOPERM") as caught:
        D.reschedule(RECEIPT).decode(b"NOPERM \xff")
    assert caught.value.receipt is RECEIPT


def test_a_lost_reply_of_an_offer_carries_the_receipt() -> None:
    lost = D.offer(RECEIPT).lost
    assert lost is not None
    error = lost(OSError("reset"))
    assert isinstance(error, UncertainOfferError)
    assert error.receipt is RECEIPT
    assert "may be stored" in str(error)
    assert "reset" in str(error)


@pytest.mark.parametrize(
    ("protocol", "wire_format"), [(D, WireFormat.CURRENT), (OLD, WireFormat.LEGACY)]
)
def test_receipt_has_the_entry_that_the_server_packs(
    protocol: DelayedQueueProtocol[str], wire_format: WireFormat
) -> None:
    receipt = protocol.receipt(b"v", 5, ID)
    assert receipt == Receipt("q", 5, ID, b"v", wire_format)
    assert receipt.entry == pack(ID, b"v", wire_format)
    assert receipt in {protocol.receipt(b"v", 5, ID)}


def test_all_values_are_encoded_before_anything_is_sent() -> None:
    numbers = DelayedQueueProtocol(NAMES, LongCodec())
    with pytest.raises(EncodeError):
        numbers.remove_all([1, 2**63])


def test_a_value_that_cannot_be_read_keeps_its_bytes() -> None:
    numbers = DelayedQueueProtocol(NAMES, LongCodec())
    with pytest.raises(DecodeError) as caught:
        numbers.poll().decode([entry(b"one")])
    assert caught.value.data == b"one"
    with pytest.raises(DecodeError, match="6f6e65"):
        numbers.value_of(entry(b"one"))


def test_error_of_an_entry_of_no_format_has_its_bytes() -> None:
    for operation, reply in ((D.poll(), [b"junk"]), (D.peek(), b"junk")):
        with pytest.raises(WireFormatError) as caught:
            operation.decode(reply)
        assert caught.value.data == b"junk"


@pytest.mark.parametrize("operation", [D.poll_many(3), D.range(0, 2)])
def test_entry_of_no_format_does_not_lose_other_entries(operation: Operation[Any]) -> None:
    """Java also loses the entries before it."""
    with pytest.raises(BatchDecodeError) as caught:
        operation.decode([entry(b"a"), b"junk", entry(b"b")])
    assert caught.value.values == ["a", "b"]
    assert [error.data for error in caught.value.errors] == [b"junk"]


def test_an_item_of_a_page_has_the_queue_and_its_time() -> None:
    item = D.item((entry(b"v"), b"5"))
    assert item is not None
    assert (item.value, item.raw, item.error) == ("v", b"v", None)
    assert (item.receipt.queue, item.receipt.due_ms, item.receipt.entry) == ("q", 5, entry(b"v"))
    assert D.item((b"junk", b"5")) is None
