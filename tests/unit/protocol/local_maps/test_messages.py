"""The messages of a local cached map are Redisson's bytes, in both directions."""

from __future__ import annotations

import pytest

from pyredisson.protocol.local_maps.messages import (
    CLEAR,
    Clear,
    Disable,
    Enable,
    Invalidate,
    Message,
    Update,
    invalidation,
    parse,
    update,
)
from tests.support.rows import each_row

H, J, E = b"h" * 16, b"j" * 16, b"e" * 16
ID = b"\x04abcd"
LONG = b"\0\0\0\0\0\0\x0b\xb8"

MESSAGES: dict[bytes, Message | None] = {
    b"\0" + E + H + b"\1": Clear(H.hex()),
    b"\0" + E + H + b"\0": Clear(""),
    b"\1" + E + b"\0\0\0\2" + H + J: Invalidate([H, J]),
    b"\1" + E + b"\0\0\0\1" + H + b"more": Invalidate([H]),
    b"\2" + E + b"\0\0\0\1k\0\0\0\2vw": Update([(b"k", b"vw")]),
    b"\2" + E + b"\0\0\0\1k\0\0\0\0\0\0\0\0\0\0\0\1w": Update([(b"k", b""), (b"", b"w")]),
    b"\3" + ID + LONG + b"\0\0\0\1" + H: Disable("abcd", 3.0, [H]),
    b"\3" + ID + LONG + b"\0" + b"\0\0\0\1" + H: Disable("abcd", 3.0, [H]),
    b"\3" + ID + LONG + b"\1" + b"\0\0\0\0": Disable("abcd", 3.0, None),
    b"\5" + ID + b"\0\0\0\1" + H: Enable([H]),
    b"\5" + ID + b"\0" + b"\0\0\0\1" + H: Enable([H]),
    b"\5" + ID + b"\1" + b"\0\0\0\0": Enable(None),
    b"\4": None,
    b"\6" + ID + LONG: None,
}


@each_row("data", MESSAGES)
def test_messages_of_java_are_parsed(data: bytes) -> None:
    assert parse(data) == MESSAGES[data]


@each_row("data", [each for each in MESSAGES if each[:1] not in (b"\4", b"\6")])
def test_a_message_that_is_cut_short(data: bytes) -> None:
    with pytest.raises(ValueError, match="a message ends after"):
        parse(data[:9])


@pytest.mark.parametrize(
    "data", [b"", b"\7", b"\1" + E + b"\xff\xff\xff\xff", b"\3\1\xff" + LONG + bytes(4)]
)
def test_invalid_messages_are_rejected(data: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of several kinds
        parse(data)


def test_published_messages_equal_redissons() -> None:
    assert b"\0" + bytes(33) == CLEAR
    assert invalidation([H, J]) == b"\1" + bytes(16) + b"\0\0\0\2" + H + J
    assert update([(b"k", b"v")]) == b"\2" + bytes(16) + b"\0\0\0\1k\0\0\0\1v"
    for message in (CLEAR, invalidation([H]), update([(b"k", b"v")])):
        assert parse(message) is not None
