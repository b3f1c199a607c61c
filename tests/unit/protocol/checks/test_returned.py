"""The check of records and their entries: which belong together, words sent, values of replies."""

from __future__ import annotations

import hashlib
import struct

from pyredisson.protocol.checks.returned import (
    ReturnedProtocol,
    entry_of,
    place_of_entry,
    place_of_record,
    sha_in,
)
from pyredisson.protocol.delayed.entry import WireFormat, pack, sha_of
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.rows import each_row

N = ConsumerNames.of("q")
E = ReturnedProtocol(N)
RETRIES, EXPIRIES = E.known()
OURS = new_item_id(10**15, bytes(8))
LONG = b"v" * 300


def record(sha: bytes, prefix: bytes) -> bytes:
    """Return a record as a script stores it."""
    rest = (b"i" * 16, 1, 2, 3, 0)
    head = struct.pack(f">QB{len(prefix)}s", 10**12, len(prefix), prefix)
    return sha + head + struct.pack(">16sIQQq", *rest)


@each_row("value", [b"", b"v", LONG])
@each_row("wire_format", WireFormat)
def test_record_and_its_entry_have_the_same_place(value: bytes, wire_format: WireFormat) -> None:
    entry = pack(OURS, value, wire_format)
    prefix = entry[: len(entry) - len(value)]
    kept = record(sha_of(value), prefix)
    assert place_of_record(kept) == place_of_entry(entry) == sha_of(value) + prefix
    assert entry_of(kept, value) == entry
    assert sha_in(kept) == sha_of(value) == hashlib.sha1(value).hexdigest().encode()


def test_entries_of_other_clients_have_a_place() -> None:
    javas = pack(bytes(8), b"v")
    assert place_of_entry(javas) == sha_of(javas[16:]) + javas[:16]
    cut = pack(OURS, b"value")[:-1]
    assert place_of_entry(cut) == sha_of(cut[16:]) + cut[:16]
    assert place_of_entry(b"") == sha_of(b"")
    assert place_of_record(b"stray") == b"stray"


def test_words_and_replies() -> None:
    assert E.count(N.retried).request() == ("ZCARD", N.retried)
    assert E.scan(N.retried, 7).request() == ("ZSCAN", N.retried, 7, "COUNT", 500)
    assert E.scan(N.retried, 7).decode([b"12", [b"a", b"0", b"b", b"0"]]) == (12, [b"a", b"b"])
    assert E.times_alone("look", RETRIES, [b"m"]).args == ("look", b"m")
    assert E.times_alone("look", RETRIES, [b"m"]).keys[:2] == (N.postponed, N.retried)
    pairs = [(b"e", b"m"), (b"f", b"")]
    assert E.records_alone("repair", EXPIRIES, pairs).args == ("repair", b"e", b"m", b"f", b"")
    assert E.records_alone("repair", EXPIRIES, pairs).keys == (N.expiring, N.expiries)
    assert (RETRIES.repair, EXPIRIES.repair) == ("forget", "restore")


def test_calls_that_change_something_are_sent_once() -> None:
    assert not E.times_alone("forget", RETRIES, [b"m"]).safe
    assert not E.records_alone("repair", RETRIES, [(b"e", b"")]).safe
    assert all(each.safe for each in (E.count("k"), E.scan("k", 0)))
