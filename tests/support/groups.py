"""A group window in all its states, and the operations on it, for tests of its scripts."""

import hashlib
from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.delivery import RECORD, Delivery
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import WindowNames
from pyredisson.protocol.windows.window import (
    GroupLettersProtocol,
    GroupsProtocol,
    WindowProtocol,
)
from tests.support.state import pack


class Fields(dict[str, bytes]):
    """A hash."""


def record(value: bytes) -> bytes:
    """Return the record of a leased message."""
    return RECORD.pack(b"i" * 16, 1, 5, 6, 0) + value


WINDOW = WindowNames.of("q")
W = WindowProtocol(WINDOW, StringCodec(), WireFormat.CURRENT)
G = GroupsProtocol.of(WINDOW)
GL = GroupLettersProtocol.of(WINDOW, StringCodec())
N = WINDOW.consumer
A, OPENED, SHUT = pack(b"a"), pack(b"open"), pack(b"shut")


def group(token: bytes, key: bytes) -> dict[str, bytes]:
    """Return the fields of a group of two values."""
    sha = hashlib.sha1(token).hexdigest()
    return {sha: b"\0\0\0\2" + b"i" * 16 + key, f"{sha}1": b"one", f"{sha}2": b"two"}


GROUPS = (
    ("q", [b"x"]),
    (N.queue.delay_list, [A, OPENED]),
    (N.queue.timeout_set, {A: 1, OPENED: 2**52}),
    (WINDOW.started, Fields(k=OPENED, v=SHUT)),
    (WINDOW.groups, Fields(group(b"open", b"k") | group(b"shut", b"v"))),
    (N.leases, {b"held": 2**52, b"ended": 1}),
    (N.taken, Fields(held=record(b"shut"), ended=record(b"v"))),
    (N.dead, {b"i": 1}),
    (N.letters, Fields(i=b"\0\0\0\2{}" + record(b"shut"))),
)

LOST = tuple(
    (key, Fields(group(b"open", b"k") | group(b"lost", b"l")) if key == WINDOW.groups else value)
    for key, value in GROUPS
)
"""The text of one of the groups is in no other key."""

TAKEN = [
    Delivery.of(delivery, record(text))
    for delivery, text in (
        (b"one", b"open"),
        (b"two", b"open"),
        (b"held", b"shut"),
        (b"some", b"none"),
    )
]
"""Messages just taken: a pending group, its copy, one that is not pending, one without a group."""

GROUPED: list[tuple[Eval[Any], tuple[tuple[str, Any], ...], str]] = [
    (W.offer(b"k", b"three", 9, 1000, bytes(24)), GROUPS, ""),
    (W.offer(b"k", b"three", 3, 1000, bytes(24)), GROUPS, " fills"),
    (W.offer(b"v", b"one", 9, 1000, bytes(24)), GROUPS, " begins anew"),
    (W.offer(b"new", b"one", 9, 1000, bytes(24)), GROUPS, " begins"),
    (W.offer(b"new", b"one", 1, 1000, bytes(24)), GROUPS, " of one"),
    (W.cancel(b"k"), GROUPS, ""),
    (W.cancel(b"v"), GROUPS, " too late"),
    (W.pending(0), GROUPS, ""),
    (G.ack([b"ended", b"held", b"none"]), GROUPS, ""),
    (G.hold(TAKEN), GROUPS, ""),
    (G.hold(TAKEN[:1]), GROUPS[1:5], " while it is pending"),
    (G.read([b"shut", b"none"]), GROUPS, ""),
    (GL.drop([b"i", b"j"]), GROUPS, ""),
]
"""Each row has a call, the keys before it, and a label."""
