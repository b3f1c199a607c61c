"""Durable writes: the words of their requests, and the values of their replies."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from pyredisson.codecs import StringCodec
from pyredisson.errors import NotNotifiedError, NotReplicatedError
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.delayed.dedup import Dedup, offer_once
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.confirmation import acknowledged, probe, touch
from pyredisson.protocol.kernel.durable import Durable, require_durable
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from tests.support.rows import each_row

ONE = Durable(1, timeout=0.25)
DISK = Durable(fsync=True)


@pytest.mark.parametrize(
    ("durable", "words"),
    [
        (ONE, ("WAIT", 1, 250)),
        (Durable(replicas=2, timeout=timedelta(seconds=2)), ("WAIT", 2, 2000)),
        (DISK, ("WAITAOF", 1, 0, 1000)),
        (Durable(1, fsync=True, timeout=0.0001), ("WAITAOF", 1, 1, 1)),
    ],
)
def test_words_of_each_confirmation(durable: Durable, words: tuple[Any, ...]) -> None:
    assert durable._words() == words


@each_row(
    ("options", "kind", "said"),
    [
        ({}, ValueError, "confirms nothing"),
        ({"replicas": -1, "fsync": True}, ValueError, "confirms nothing"),
        ({"replicas": 1.5}, TypeError, "whole number"),
        ({"replicas": True}, TypeError, "whole number"),
        ({"fsync": 1}, TypeError, "True or False"),
        ({"replicas": 2**31}, ValueError, r"replicas must be below 2\*\*31"),
        ({"replicas": 1, "timeout": 0}, ValueError, "more than 0"),
        ({"replicas": 1, "timeout": float("inf")}, ValueError, "finite"),
        ({"replicas": 1, "timeout": "1"}, TypeError, "timedelta"),
    ],
)
def test_invalid_options_are_rejected(
    options: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        Durable(**options)


def test_other_types_are_rejected() -> None:
    assert require_durable(ONE) is ONE
    assert require_durable(None) is None
    wrong: Any = 1
    with pytest.raises(TypeError, match="Durable"):
        require_durable(wrong)


@each_row(
    ("durable", "answer", "lack"),
    [
        (ONE, 1, None),
        (ONE, 3, None),
        (ONE, 0, "0 of 1 replicas have it after 0.25 s"),
        (DISK, [1, 0], None),
        (DISK, [0, 0], "its master does not have it on disk after 1 s"),
        (Durable(2, fsync=True), [1, 1], "1 of 2 replicas have it on disk after 1 s"),
        (
            Durable(1, fsync=True),
            [0, 0],
            "its master does not have it on disk and 0 of 1 replicas have it on disk after 1 s",
        ),
        (ONE, OSError("reset"), "whether it is confirmed is unknown (reset)"),
    ],
)
def test_missing_confirmation_is_described(durable: Durable, answer: Any, lack: str | None) -> None:
    assert durable._lack(answer) == lack


def test_an_offer() -> None:
    protocol = DelayedQueueProtocol(QueueNames.of("q"), StringCodec(), durable=ONE)
    receipt = protocol.receipt(b"v", 5, bytes(8))
    offer = protocol.offer(receipt)
    assert offer.durable is ONE
    offer.decode((None, 1))
    with pytest.raises(NotReplicatedError, match="the item is stored for queue 'q', but 0") as one:
        offer.decode((None, 0))
    assert (one.value.receipts, one.value.confirmed) == ([receipt], 0)
    with pytest.raises(NotReplicatedError, match="is unknown") as unknown:
        offer.decode((None, OSError("reset")))
    assert unknown.value.confirmed is None
    assert isinstance(unknown.value.__cause__, OSError)
    with pytest.raises(NotNotifiedError):
        offer.decode((b"NOPERM", 1))
    with pytest.raises(NotReplicatedError) as both:
        offer.decode((b"NOPERM", 0))
    assert isinstance(both.value.__cause__, NotNotifiedError)


def test_many_offers() -> None:
    protocol = DelayedQueueProtocol(QueueNames.of("q"), StringCodec(), durable=DISK)
    receipts = [protocol.receipt(b"v", 5, bytes([number] * 8)) for number in range(2)]
    with pytest.raises(NotReplicatedError, match="items are stored") as caught:
        protocol.offer_many(receipts).decode((None, [0, 1]))
    assert (caught.value.receipts, caught.value.confirmed) == (receipts, 1)


def test_offer_that_returns_the_pending_item() -> None:
    protocol = DelayedQueueProtocol(QueueNames.of("q"), StringCodec(), durable=ONE)
    mine = protocol.receipt(b"v", 5, bytes(8))
    offer = protocol.durably(offer_once(protocol.names, mine, Dedup(b"k", "ignore")), mine)
    assert offer.decode(((mine.entry, b"5"), 1)) == mine
    for reply in (mine.entry, b"5"), (mine.entry, b"5", b"NOPERM"):
        with pytest.raises(NotReplicatedError) as caught:
            offer.decode((reply, 0))
        assert caught.value.receipts == [mine]


def test_a_touch() -> None:
    protocol = DelayedQueueProtocol(QueueNames.of("q"), StringCodec(), durable=ONE)
    touch = protocol.touch(protocol.receipt(b"v", 5, bytes(8)))
    assert touch.request() == ("SET", "pyredisson_touched:{q}", "", "PX", 1)
    assert touch.decode((b"OK", 1)) is None
    with pytest.raises(NotReplicatedError):
        touch.decode((b"OK", 0))


def test_an_acknowledgement() -> None:
    protocol = ConsumerProtocol(ConsumerNames.of("q"))
    ack = acknowledged(protocol.ack([b"one"]), ONE, "q")
    assert ack.decode(([1], 1)) == [True]
    with pytest.raises(NotReplicatedError, match="the message is acknowledged") as caught:
        ack.decode(([1], 0))
    assert (caught.value.results, caught.value.receipts) == ([True], [])
    many = acknowledged(protocol.ack([b"one", b"two"]), ONE, "q")
    with pytest.raises(NotReplicatedError, match="messages are acknowledged") as both:
        many.decode(([1, 0], 0))
    assert both.value.results == [True, False]
    assert many.decode(([0, 0], 0)) == [False, False]  # there was nothing to confirm


def test_an_earlier_acknowledgement_is_confirmed_by_another_write() -> None:
    again = touch("q", [True, False])
    assert again.request() == ("SET", "pyredisson_touched:{q}", "", "PX", 1)
    assert again.safe
    assert again.decode(b"OK") == [True, False]
    with pytest.raises(NotReplicatedError, match="acknowledged") as caught:
        acknowledged(again, ONE, "q").decode((b"OK", 0))
    assert caught.value.results == [True, False]


def test_the_probe() -> None:
    asked = probe("q", Durable(1, timeout=60))
    assert (asked.request(), asked.key) == (("WAIT", 1, 1), "q")
    assert asked.waits == 0.001
