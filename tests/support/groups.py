"""A group window in all its states, and the operations on it, for tests of its scripts."""

import hashlib

from pyredisson.codecs import StringCodec
from pyredisson.protocol.names import WindowNames
from pyredisson.protocol.objects.member import WireFormat
from pyredisson.protocol.objects.taken import RECORD
from pyredisson.protocol.objects.window import (
    GroupLettersProtocol,
    GroupsProtocol,
    WindowProtocol,
)
from tests.support.state import pack


class Fields(dict[str, bytes]):
    """A hash."""


def record(value: bytes) -> bytes:
    """What is kept of a message that somebody has."""
    return RECORD.pack(b"i" * 16, 1, 5, 6, 0) + value


WINDOW = WindowNames.of("q")
W = WindowProtocol(WINDOW, StringCodec(), WireFormat.CURRENT)
G = GroupsProtocol.of(WINDOW)
GL = GroupLettersProtocol.of(WINDOW, StringCodec())
N = WINDOW.consumer
A, OPENED, SHUT = pack(b"a"), pack(b"open"), pack(b"shut")


def group(token: bytes, key: bytes) -> dict[str, bytes]:
    """What is kept of a group of two values."""
    sha = hashlib.sha1(token).hexdigest()
    return {sha: b"\0\0\0\2" + b"i" * 16 + key, f"{sha}1": b"one", f"{sha}2": b"two"}


GROUPS = (
    ("q", [b"x"]),
    (N.queue.delay_list, [A, OPENED]),
    (N.queue.timeout_set, {A: 1, OPENED: 2**52}),
    (WINDOW.begun, Fields(k=OPENED, v=SHUT)),
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
"""The text of one of the groups is nowhere."""
