"""Messages in flight: when a consumer's name is recorded, and how a page is read."""

import struct
from datetime import UTC, datetime
from typing import Any

import pytest

from pyredisson.errors import DecodeError
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.consumers.delivery import RECORD, Delivery
from pyredisson.protocol.consumers.in_flight import (
    Held,
    InFlight,
    Naming,
    held_by_consumers,
    in_flight_of,
    require_name,
)
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.pages import START

NAMES = ConsumerNames.of("q")
RECORDED = RECORD.pack(b"i" * 16, 3, 1_000, 2_000, 0) + b"v"


def test_a_name_is_due_at_first_and_once_in_the_time_of_a_lease() -> None:
    naming = Naming(b"1234")
    assert naming.due(100.0, 30)
    naming.noted()
    assert not naming.due(129.0, 30)
    assert not naming.due(130.0, 30)  # noted until 160
    assert naming.due(130.1, 30)
    assert naming.due(129.0, 30, wait=2)  # a message of this wait may be leased until 161
    assert naming.due(129.0, 40)


def test_call_that_took_nothing_recorded_no_name() -> None:
    naming = Naming(b"1234")
    assert naming.due(100.0, 30)
    assert naming.due(110.0, 30)
    naming.noted()  # it is unknown which of the two calls recorded it
    assert not naming.due(130.0, 30)
    assert naming.due(131.0, 30)


def test_noted_without_a_due_name_records_nothing() -> None:
    naming = Naming(b"1234")
    naming.noted()
    assert naming.due(100.0, 30)
    naming.noted()
    naming.noted()
    assert not naming.due(101.0, 30)


def test_a_longer_lease_is_not_forgotten() -> None:
    naming = Naming(b"1234")
    assert naming.due(100.0, 300)
    naming.noted()
    assert not naming.due(300.0, 30)
    assert naming.due(650.0, 100)
    naming.noted()
    assert not naming.due(700.0, 100)


def test_takes_and_extensions_carry_the_consumer_name() -> None:
    protocol = ConsumerProtocol(NAMES)
    plain, named = protocol.take(1, 5, bytes(14)), protocol.take(1, 5, bytes(14), called=b"1234me")
    assert named.keys == plain.keys
    assert NAMES.consumers in plain.keys
    assert named.args == (*plain.args, 10, b"1234me")
    wait = protocol.wait(1, 5, bytes(14), 1.0, called=b"1234me")
    assert (wait.keys, wait.args) == (named.keys, named.args)
    assert protocol.extend([b"t"], 5).args == (5, b"t")
    extend = protocol.extend([b"t"], 5, b"1234me")
    assert extend.keys == (NAMES.leases, NAMES.taken, NAMES.consumers)
    assert extend.args == (10, b"1234me", 5, b"t")


def page(*found: Any, names: tuple[bytes, ...] = (), more: int = 0) -> Any:
    return held_by_consumers(NAMES, START, 9).decode([more, list(names), list(found)])


def test_a_page() -> None:
    call = held_by_consumers(NAMES, (b"token", b"5"), 9)
    assert call.keys == (NAMES.leases, NAMES.taken, NAMES.consumers)
    assert call.args == (b"token", b"5", 9)
    assert call.safe
    one, two = b"1" * 16, b"2" * 16
    held, behind = page(one, b"5", RECORDED, two, b"6.5", RECORDED, names=(b"1111w\xffb", b"3333z"))
    assert held == [
        Held(Delivery.of(one, RECORDED), 5.0, "w\ufffdb"),
        Held(Delivery.of(two, RECORDED), 6.5, None),
    ]
    assert behind is None


def test_a_page_that_is_not_the_last_says_where_the_next_begins() -> None:
    assert page(b"1", b"5", None, b"2", b"6", RECORDED, more=1)[1] == (b"2", b"6")
    assert page() == ([], None)


def test_incomplete_records_are_left_out() -> None:
    cut = struct.pack(">16sIQQQ", b"i" * 16, 1 << 31 | 1, 1, 1, 1)  # the time of expiry is missing
    assert page(b"1", b"5", None, b"2", b"6", b"", b"3", b"7", RECORDED[:43], b"4", b"8", cut) == (
        [],
        None,
    )


def test_a_delivery_as_it_is_shown() -> None:
    taken = Delivery.of(b"t" * 16, RECORDED)
    shown: InFlight[str] = in_flight_of(Held(taken, 3_500.0, "me"), "v", None)
    assert (shown.id, shown.delivery_id) == ((b"i" * 16).hex(), (b"t" * 16).hex())
    assert (shown.value, shown.raw, shown.error, shown.attempt) == ("v", b"v", None, 3)
    assert shown.consumer == "me"
    assert shown.received_at == datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC)
    assert shown.lease_ends_at == datetime(1970, 1, 1, 0, 0, 3, 500_000, tzinfo=UTC)
    error = DecodeError("why", codec="c", data=b"v")
    last: InFlight[str] = in_flight_of(Held(taken, float("inf"), None), None, error)
    assert (last.lease_ends_at.year, last.error) == (9999, error)


def test_invalid_consumer_names_are_rejected() -> None:
    assert require_name("x" * 200) == "x" * 200
    wrong: Any
    for wrong in (5, b"x", "", "x" * 201):
        with pytest.raises((TypeError, ValueError), match="consumer_name must"):
            require_name(wrong)
