"""The keys and times to live of bytes that are stored beside items."""

from hashlib import sha1

from pyredisson.protocol.delayed.carried import KEPT_MS, carry, read_carried
from pyredisson.protocol.kernel.names import slot

V, W = (sha1(value, usedforsecurity=False).hexdigest() for value in (b"v", b"w"))


def test_each_item_has_a_key_beside_its_queue() -> None:
    stored = carry("q", [(1500, b"v"), (400, b"w")], b"bytes", 1000.0)
    assert stored.keys == (f"pyredisson_trace:{{q}}:{V}", f"pyredisson_trace:{{q}}:{W}")
    assert stored.args == (b"bytes", 500 + KEPT_MS, KEPT_MS)  # the second is overdue
    assert {slot(key) for key in stored.keys} == {slot("q")}


def test_bytes_of_each_value_are_read() -> None:
    found = read_carried("a{b}", [b"v", b"w"])
    assert found.args == ("MGET", f"pyredisson_trace:a{{b}}:{V}", f"pyredisson_trace:a{{b}}:{W}")
    assert found.decode([b"bytes", None]) == [b"bytes", None]
