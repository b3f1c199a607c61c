"""Halves (incomplete records) that a check looks for: words sent, and values of replies."""

from __future__ import annotations

import hashlib

from pyredisson.codecs import JsonJacksonCodec, LongCodec, StringCodec
from pyredisson.protocol.checks.check import CheckProtocol, value_in
from pyredisson.protocol.checks.finding import FindingKind
from pyredisson.protocol.checks.halves import GroupHead, HalvesProtocol, head_named_by
from pyredisson.protocol.delayed.entry import WireFormat, pack
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.windows.window import LARGEST, item_id_in
from tests.support.rows import each_row

N = ConsumerNames.of("q")
H, C = HalvesProtocol(N), CheckProtocol(N)
K = FindingKind
HEX = "0123456789abcdef" * 2
TEXT = f"pyredisson_group:{HEX}"
CODECS = (LongCodec(), StringCodec())


def test_scans_of_names() -> None:
    assert H.fields(N.letters, 7).args == (7, 500)
    assert H.fields(N.letters, 7).decode([b"12", [b"a", b"b"]]) == (12, [b"a", b"b"])
    assert H.values(0).decode([b"0", [b"a", b"b", b"a"]]) == (0, {b"a", b"b"})
    assert H.dead_values(3).decode([b"0", [b"a", b"b"]]) == (0, [b"a", b"b"])
    started = H.started(3)
    assert isinstance(started, Command)
    assert started.args == ("HSCAN", H.window.started, 3, "COUNT", 500)
    assert started.decode([b"0", [b"k", b"m"]]) == (0, {b"k": b"m"})


def test_records_that_are_cut_short() -> None:
    held, recurring, dead = C.pairs()
    assert H.cut_short("look", held, [b"t"]).args == ("look", 44, 0, b"t")
    assert H.cut_short("look", recurring, [b"t"]).args == ("look", 1, 0, b"t")
    assert H.cut_short("repair", dead, [b"t"]).args == ("repair", 44, 1, b"t")
    assert H.cut_short("repair", dead, [b"t"]).keys == (N.dead, N.letters, N.queue.poison)
    assert dead.kinds == (K.TIME_WITHOUT_LETTER, K.LETTER_WITHOUT_TIME)


def test_replies() -> None:
    assert H.letters("look", [b"i"]).decode([[b"t"], [b"l"]]) == ([b"t"], [b"l"])
    look = H.group("look", b"sha", GroupHead(b"key", b"id"))
    assert look.args == ("look", b"sha", LARGEST, b"key", b"id")
    assert look.decode([1, 3]) == (True, 3)
    assert H.keys_alone("look", [b"k"]).args == ("look", b"k")
    assert H.unnamed("look", [b"m"]).args == ("look", b"m")
    assert C.groups("look", 5, [b"t", b"u"]).args == ("look", 5, b"t", b"u")
    assert C.groups("look", None, [b"t"]).args == ("look", "inf", b"t")
    assert C.groups("look", 5, [b"t"]).decode([b"t", b"k"]) == {b"t": b"k"}
    assert C.waiting(0, 500).request() == ("LRANGE", "q", -500, -1)
    assert C.waiting(500, 8).request() == ("LRANGE", "q", -508, -501)
    assert C.twice("look", [b"m"]).args == ("look", b"m")


def test_calls_that_change_something_are_sent_once() -> None:
    pair, _, _ = C.pairs()
    repairing = (
        *(
            H.cut_short("repair", pair, [b"n"]),
            H.letters("repair", [b"n"]),
            C.twice("repair", [b"m"]),
        ),
        *(H.keys_alone("repair", [b"k"]), H.unnamed("repair", [b"m"])),
        H.group("repair", b"s", GroupHead()),
    )
    assert not any(each.safe for each in repairing)
    assert all(each.safe for each in (H.fields("h", 0), H.values(0), H.started(0)))


@each_row(
    ("token", "item_id"),
    [
        (TEXT.encode(), bytes.fromhex(HEX)),
        (b"12345678", None),
        (TEXT[:-2].encode(), None),
        (TEXT.upper().encode(), None),
        (b"\xff", None),
    ],
)
def test_item_id_in_the_text_that_stands_for_a_group(token: bytes, item_id: bytes | None) -> None:
    assert item_id_in(token, CODECS) == item_id


def test_the_head_of_a_group_that_a_key_names() -> None:
    sha = hashlib.sha1(TEXT.encode()).hexdigest().encode()
    for wire_format in WireFormat:
        entry = pack(b"12345678", TEXT.encode(), wire_format)
        named = (sha, GroupHead(b"k", bytes.fromhex(HEX)))
        assert head_named_by(b"k", entry, CODECS) == named
        assert head_named_by(b"k", entry, [JsonJacksonCodec()]) is None
    assert head_named_by(b"k", b"", CODECS) is None


def test_value_of_an_entry() -> None:
    assert value_in(pack(b"12345678", b"v")) == b"v"
    assert value_in(b"bad") is None
