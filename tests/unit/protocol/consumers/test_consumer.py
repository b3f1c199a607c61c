"""Operations of consumers and dead letters: words sent, and values of replies."""

import struct
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pyredisson.codecs import LongCodec
from pyredisson.protocol.consumers.cleanup import CleanedUp, reap
from pyredisson.protocol.consumers.consumer import ConsumerProtocol, Kept
from pyredisson.protocol.consumers.delivery import (
    RECORD,
    Deliveries,
    Delivery,
    Ended,
    Expired,
    emit_expired,
)
from pyredisson.protocol.dead_letters.dead_letters import DeadProtocol, encode_reason
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.pages import START, Page

NAMES = ConsumerNames.of("q")
CONSUMER = ConsumerProtocol(NAMES)
DEAD = DeadProtocol(NAMES, LongCodec())
BASE = b"b" * 14
RECORDED = RECORD.pack(b"i" * 16, 3, 1_000, 2_000, 1_500) + b"42"
TAKEN = Delivery(b"token", b"i" * 16, 3, 1_000, 2_000, 1_500, b"42")
ENDED = Ended("69" * 16, 4, "me")
EXPIRED = Expired("69" * 16, 3, b"42", from_epoch_ms(2_000), from_epoch_ms(1_500), dropped=True)


def test_the_names_share_the_queue_s_tag() -> None:
    assert NAMES.types() == {
        "pyredisson_arriving:{q}": "list",
        "pyredisson_leases:{q}": "zset",
        "pyredisson_taken:{q}": "hash",
        "pyredisson_returned:{q}": "zset",
        "pyredisson_retried:{q}": "zset",
        "pyredisson_postponed:{q}": "zset",
        "pyredisson_dead:{q}": "zset",
        "pyredisson_dead_letters:{q}": "hash",
    }


def test_a_record_is_44_bytes_and_the_value() -> None:
    head = b"i" * 16 + bytes.fromhex("00000003 00000000000003e8 00000000000007d0 00000000000005dc")
    assert head + b"42" == RECORDED
    assert Delivery.of(b"token", RECORDED) == TAKEN


def test_record_of_an_expiring_message_has_8_more_bytes() -> None:
    head = struct.pack(">16sIQQQq", b"i" * 16, 1 << 31 | 3, 1_000, 2_000, 1_500, -7_000)
    assert Delivery.of(b"token", head + b"42") == replace(TAKEN, expires_ms=7_000)


def test_taking() -> None:
    take = CONSUMER.take(5, 30_000, BASE)
    assert take.args == (5, 30_000, BASE, 0)
    assert take.keys[0] == take.key == "q"
    assert (take.waits, take.ahead) == (None, ())
    assert take.decode(None) == []
    assert take.decode([9, b"token", RECORDED]) == [TAKEN]
    assert not take.safe


def test_take_returns_expired_messages() -> None:
    """The expired messages follow the time in the reply. An unknown due time is None."""
    take = CONSUMER.take(5, 30_000, BASE, expiring=True)
    unknown = RECORD.pack(b"i" * 16, 3, 1_000, 2_000, 0) + b"42"
    found = take.decode([[9, b"dead", unknown, b"dropped", RECORDED], b"token", RECORDED])
    assert found == [TAKEN]
    assert isinstance(found, Deliveries)
    assert list(found.expired) == [replace(EXPIRED, due_at=None, dropped=False), EXPIRED]
    assert take.undo is not None
    assert take.undo([[9, b"dead", RECORDED]]) is None


def test_take_with_due_times_names_one_more_key() -> None:
    asking = ConsumerProtocol(NAMES, due_times=True)
    named = CONSUMER.take(5, 1, BASE, called=b"1234me")
    keys = (*named.keys, "pyredisson_due:{q}")
    assert asking.take(5, 1, BASE).keys == asking.wait(5, 1, BASE, 1.5).keys == keys
    assert asking.take(5, 1, BASE, called=b"1234me").keys == keys
    assert asking.take(5, 1, BASE, called=b"1234me").args == named.args


@pytest.mark.parametrize("dropped", [True, False])
def test_hooks_receive_events_of_an_expired_message(dropped: bool) -> None:
    told: list[tuple[object, ...]] = []
    emit_expired(lambda *facts: told.append(facts), "q", EXPIRED, dropped=dropped)
    last = (
        ("on_drop", "q", EXPIRED, None)
        if dropped
        else ("on_dead_letter", "q", EXPIRED, "expired", None)
    )
    assert told == [("on_expire", "q", EXPIRED), last]


def test_a_wait_is_a_move_ahead_of_the_same_script() -> None:
    wait, take = CONSUMER.wait(5, 30_000, BASE, 1.5), CONSUMER.take(5, 30_000, BASE)
    assert wait.ahead == ("BLMOVE", "q", "pyredisson_arriving:{q}", "LEFT", "RIGHT", "1.500")
    assert wait.request() == take.request()
    assert wait.waits == 1.5
    assert wait.decode([9, b"token", RECORDED]) == [TAKEN]


def test_undo_of_a_take_releases_messages_as_not_started() -> None:
    take = CONSUMER.take(5, 30_000, BASE)
    assert take.undo is not None
    assert take.undo(None) is None
    undo = take.undo([9, b"one", RECORDED, b"two", RECORDED])
    assert isinstance(undo, Eval)
    assert undo.script.name == "consumers/release"
    assert undo.args == (0, b"one", b"two")


@pytest.mark.parametrize("expiring", [False, True])
def test_recall_of_a_lost_take_releases_its_messages(expiring: bool) -> None:
    take = CONSUMER.wait(2, 30_000, BASE, 1.5, expiring=expiring)
    recall = CONSUMER.recall(take)
    tokens = (BASE + b"\0\1", BASE + b"\0\2")
    assert recall.args[-2:] == tokens
    assert recall.script.name == "consumers/release" + expiring * "_expiring"
    assert recall.safe
    assert recall.decode([1, 0]) == [True, False]


def test_release_of_expiring_messages_uses_another_script() -> None:
    undo = CONSUMER.release_unstarted([TAKEN, replace(TAKEN, token=b"two", expires_ms=7_000)])
    assert undo.script.name == "consumers/release_expiring"
    assert undo.args == (b"token", b"two")
    assert undo.keys[4:] == ("pyredisson_expiring:{q}", "pyredisson_expiries:{q}")


def test_expire_returns_the_state_of_each_message() -> None:
    expire = CONSUMER.expire([b"one", b"two", b"three"])
    assert expire.args == (b"one", b"two", b"three")
    became = [Kept.KEPT, Kept.EXPIRED, Kept.LEASE_ENDED, Kept.DROPPED]
    assert expire.decode([2, 1, 0, 3]) == became


@pytest.mark.parametrize(
    ("operation", "args"),
    [
        (CONSUMER.ack([b"one", b"two"]), (b"one", b"two")),
        (CONSUMER.extend([b"one", b"two"], 500), (500, b"one", b"two")),
        (CONSUMER.release([b"one", b"two"], started=True), (1, b"one", b"two")),
    ],
)
def test_many_at_a_time(operation: Eval[list[bool]], args: tuple[object, ...]) -> None:
    assert operation.args == args
    assert operation.decode([1, 0]) == [True, False]


@pytest.mark.parametrize(
    ("wire_format", "words"),
    [
        (WireFormat.CURRENT, (b"\1\2\3\4\5\6\7\x08", "Bc0Lc0")),
        (WireFormat.LEGACY, (578437695752307201, "dLc0")),
    ],
)
def test_with_a_delay(wire_format: WireFormat, words: tuple[object, ...]) -> None:
    operation = CONSUMER.postpone(b"t", 5_000, bytes(range(1, 9)), wire_format, started=False)
    assert operation.args == (b"t", 5_000, 0, *words)
    assert operation.decode(1_500) == 1_500


def test_reaping() -> None:
    clearing = reap(CONSUMER.names)
    assert clearing.safe
    assert clearing.decode([None]) == CleanedUp(None, (), ())
    reply = [b"1500", b"endedme", RECORDED[:44], b"dropped", RECORDED]
    assert clearing.decode(reply) == CleanedUp(1_500.0, [ENDED], [EXPIRED])


def test_taking_where_leases_had_ended() -> None:
    nameless = [b"ended", RECORDED[:44]]
    found = CONSUMER.take(5, 1, BASE).decode([[9, b"endedme", RECORDED[:44], *nameless]])
    assert isinstance(found, Deliveries)
    assert found.ended == [ENDED, replace(ENDED, consumer=None)]


def test_a_reason_is_json() -> None:
    assert encode_reason("é", None) == '{"reason": "é"}'.encode()
    assert encode_reason("a", "b") == b'{"reason": "a", "traceback": "b"}'
    assert encode_reason("\udc80", None) == b'{"reason": "?"}'
    assert CONSUMER.reject(b"t", "a", None).args == (b"t", b'{"reason": "a"}')
    with pytest.raises(TypeError, match=r"reason must be str, not ValueError\('x'\)"):
        CONSUMER.reject(b"t", ValueError("x"), None)  # type: ignore[arg-type]  # no text


def test_a_letter() -> None:
    why = encode_reason("no", "trace")
    letter = len(why).to_bytes(4, "big") + why + RECORDED
    [(_, _, found)] = DEAD.page(START, 9).decode([0, [b"i" * 16, b"3000", letter]]).elements
    assert found is not None
    assert (found.id, found.value, found.raw, found.error) == ("69" * 16, 42, b"42", None)
    assert (found.reason, found.traceback, found.attempts) == ("no", "trace", 3)
    assert [found.first_received_at, found.received_at, found.failed_at] == [
        datetime.fromtimestamp(second, UTC) for second in (1, 2, 3)
    ]


def test_page_with_a_missing_letter() -> None:
    page = DEAD.page(START, 9).decode([1, [b"i" * 16, b"3000", None]])
    assert page == Page([(b"i" * 16, b"3000", None)], more=True)


def test_a_letter_that_cannot_be_read() -> None:
    why = encode_reason("no", None)
    letter = len(why).to_bytes(4, "big") + why + RECORDED + b"x"
    [(_, _, found)] = DEAD.page(START, 9).decode([0, [b"i" * 16, b"3000", letter]]).elements
    assert found is not None
    assert (found.value, found.raw, found.traceback) == (None, b"42x", None)
    assert found.error is not None


@pytest.mark.parametrize("half", [None, b"", b"\0\0\0", b"\0\0\0\2{}" + RECORDED[:40]])
def test_page_with_an_incomplete_letter(half: bytes | None) -> None:
    page = DEAD.page(START, 9).decode([0, [b"i" * 16, b"3000", half]])
    assert page == Page([(b"i" * 16, b"3000", None)], more=False)


def test_dead_letters_are_counted_named_moved_and_dropped() -> None:
    size, ids = DEAD.size(), DEAD.ids(2, 5)
    assert isinstance(size, Command)
    assert size.request() == ("ZCARD", "pyredisson_dead:{q}")
    assert (size.ahead, size.decode(3)) == ((), 3)
    assert ids.request() == ("ZRANGE", "pyredisson_dead:{q}", 2, 6)
    assert DEAD.redrive([b"i"]).keys[0] == "q"
    assert DEAD.redrive([b"i", b"j"]).decode([1, 1, 2]) == (1, 1, 2)
    assert DEAD.drop([b"i", b"j", b"j"]).decode(2) == (2, 0, 3)
