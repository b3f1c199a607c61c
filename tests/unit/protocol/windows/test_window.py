"""Group windows as operations: words sent, values of replies, and rejected codecs."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

import pytest

from pyredisson.codecs import ByteArrayCodec, JsonJacksonCodec, Kryo5Codec, LongCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError, NotReplicatedError
from pyredisson.protocol.consumers.delivery import RECORD, Delivery
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.names import WindowNames
from pyredisson.protocol.windows.window import (
    COPY,
    Group,
    GroupLettersProtocol,
    GroupsProtocol,
    GroupState,
    WindowProtocol,
    collected,
    group_of,
    is_text,
    require_texts,
    texts_of,
    whole_group,
)

NAMES = WindowNames.of("q")
ID = bytes(range(16))
DUE = datetime(2026, 5, 1, 12, tzinfo=UTC)
DUE_MS = int(DUE.timestamp() * 1000)


def window(wire_format: WireFormat = WireFormat.CURRENT) -> WindowProtocol:
    return WindowProtocol(NAMES, StringCodec(), wire_format)


def test_names_are_in_the_slot_of_the_queue() -> None:
    assert (NAMES.started, NAMES.groups) == ("pyredisson_window:{q}", "pyredisson_groups:{q}")
    assert WindowNames.of("a:{1}").groups == "pyredisson_groups:a:{1}"


@pytest.mark.parametrize(
    ("wire_format", "pending_id", "layout"),
    [(WireFormat.CURRENT, b"\x01" + bytes(7), "Bc0Lc0"), (WireFormat.LEGACY, 1, "dLc0")],
)
def test_an_offer(wire_format: WireFormat, pending_id: Any, layout: str) -> None:
    call = window(wire_format).offer(b"k", b"7", 2, 1500, ID + b"\x01" + bytes(7))
    token = b"pyredisson_group:" + ID.hex().encode()
    assert call.keys == (
        "q",
        "redisson_delay_queue_timeout:{q}",
        "redisson_delay_queue:{q}",
        "redisson_delay_queue_channel:{q}",
        "pyredisson_window:{q}",
        "pyredisson_groups:{q}",
    )
    assert call.args == (b"k", b"7", 2, 1500, token, ID, pending_id, layout)
    assert not call.safe
    started = GroupState("k", ID.hex(), 1, DUE)
    assert call.decode([ID, 1, DUE_MS, 1]) == (started, True)
    assert call.decode([ID, 2, DUE_MS, 0]) == (
        GroupState("k", ID.hex(), 2, DUE, closed=True),
        False,
    )


def test_an_offer_that_is_durable() -> None:
    offer = window().offer(b"k", b"7", 2, 1500, ID + b"\x01" + bytes(7))
    assert collected(offer, None, "k") is offer
    durable = collected(offer, Durable(1), "k")
    started = [ID, 1, DUE_MS, 1]
    assert durable.decode((started, 1)) == offer.decode(started)
    with pytest.raises(NotReplicatedError, match="the value is in the group of 'k'"):
        durable.decode((started, 0))


def test_open_groups() -> None:
    call = window().pending(5)
    assert call.args[0] == 5
    assert call.safe
    assert call.decode([b"0"]) == (0, [])
    assert call.decode([b"7", b"k\xc3\xa9", ID, 3, DUE_MS, b"l", ID, 1, 0]) == (
        7,
        [
            GroupState("ké", ID.hex(), 3, DUE),
            GroupState("l", ID.hex(), 1, datetime(1970, 1, 1, tzinfo=UTC)),
        ],
    )


def test_consumers_of_groups() -> None:
    groups = GroupsProtocol.of(NAMES)
    assert groups.read([b"x", b"y"]).args == (b"x", b"y")
    assert groups.ack([b"1", b"2"]).decode([1, 0]) == [True, False]
    assert groups.forget([b"1"]).script.name == "consumers/ack"
    taken = [Delivery.of(token, bytes(RECORD.size) + token * 2) for token in (b"1", b"2")]
    hold = groups.hold(taken)
    assert hold.args == (b"1", b"11", b"2", b"22")
    assert hold.keys == (
        "pyredisson_leases:{q}",
        "pyredisson_taken:{q}",
        "redisson_delay_queue_timeout:{q}",
        "redisson_delay_queue:{q}",
        "pyredisson_window:{q}",
        "pyredisson_groups:{q}",
    )
    assert hold.safe
    assert hold.decode([None, COPY]) == [None, COPY]


def test_letters_are_dropped_with_their_groups() -> None:
    letters = GroupLettersProtocol.of(NAMES, StringCodec())
    assert letters.drop([b"i"]).keys[2:] == (NAMES.started, NAMES.groups)
    assert letters.redrive([b"i"]).script.name == "dead_letters/redrive"


def test_a_group_as_it_was_kept() -> None:
    kept = ["ké".encode(), ID, b"7", b"8"]
    group = Group("ké", ID.hex(), [7, 8], [b"7", b"8"])
    assert group_of(kept, b"token", LongCodec()) == (group, None)
    assert whole_group(kept, b"token", LongCodec()) == group
    assert "raw_values" not in repr(group)


def test_a_group_with_values_that_cannot_be_read() -> None:
    kept = [b"k", ID, b"7", b"seven", b"8", b"nine"]
    group, error = group_of(kept, b"token", LongCodec())
    assert group == Group("k", ID.hex(), [7, 8], [b"7", b"seven", b"8", b"nine"])
    assert error is not None
    assert error.raw == b"seven"
    assert "value 2 of 4" in str(error)
    with pytest.raises(DecodeError, match="value 2 of 4"):
        whole_group(kept, b"token", LongCodec())


@pytest.mark.parametrize("kept", [None, [b"k", ID, b"7", None]])
def test_missing_group_is_an_error(kept: Any) -> None:
    group, error = group_of(kept, b"token", LongCodec())
    assert group is None
    assert error is not None
    assert error.raw == b"token"
    with pytest.raises(DecodeError, match="its group does not exist"):
        whole_group(kept, b"token", LongCodec())


TEXT = f"pyredisson_group:{ID.hex()}"


@pytest.mark.parametrize("codec", [StringCodec(), Kryo5Codec(), JsonJacksonCodec()])
def test_text_that_stands_for_a_group(codec: Codec[Any]) -> None:
    assert is_text(codec, codec.encode(TEXT))
    for other in (TEXT + "0", TEXT[1:], TEXT[:-1], TEXT.upper(), ""):
        assert not is_text(codec, codec.encode(other))
    assert not is_text(LongCodec(), b"7")
    assert not is_text(LongCodec(), b"seven")


@pytest.mark.parametrize("codec", [StringCodec(), Kryo5Codec(), JsonJacksonCodec()])
def test_codecs_that_can_encode_texts(codec: Codec[Any]) -> None:
    require_texts(codec)


class Forgetful(StringCodec):
    """A codec that decodes another text than it encoded."""

    def decode(self, data: bytes) -> str:
        return super().decode(data).upper()


@pytest.mark.parametrize("codec", [LongCodec(), Forgetful()])
def test_codecs_that_cannot_encode_texts_are_rejected(codec: Codec[Any]) -> None:
    with pytest.raises(TypeError, match="use a codec for texts in the queue"):
        require_texts(codec)


def test_the_text_of_a_group_is_known_by_its_hash() -> None:
    plain = b"pyredisson_group:" + ID.hex().encode()
    quoted = JsonJacksonCodec().encode(plain.decode())
    head = b"\0\0\0\2" + ID + b"key"
    heads = {hashlib.sha1(each).hexdigest().encode(): head for each in (plain, quoted)}
    heads |= {b"of another codec": head, b"short": b""}
    assert texts_of(heads, [ByteArrayCodec(), StringCodec()]) == [plain]
    assert texts_of(heads, [JsonJacksonCodec(), StringCodec()]) == [plain, quoted]
