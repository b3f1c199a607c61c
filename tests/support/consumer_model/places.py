"""The places of a queue's messages, as read from its keys: pending, ready, leased, dead."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.delayed.entry import WireFormat, unpack
from pyredisson.protocol.kernel.names import ConsumerNames

Command = tuple[Any, ...]
Reader = Callable[[Sequence[Command]], list[Any]]
"""Runs commands at one moment; returns the replies."""


@dataclass(frozen=True)
class Entry:
    """A message in the timeout set; `alone` means that the delay list does not contain it."""

    value: str
    due_ms: float
    layout: WireFormat
    alone: bool


@dataclass(frozen=True)
class Held:
    """A message with a lease."""

    value: str
    taken: Delivery
    ends_ms: float


@dataclass(frozen=True)
class Places:
    """The places of all messages at one moment, by the server's clock."""

    now_ms: int
    pending: dict[bytes, Entry]
    ready: Counter[str]
    arriving: Counter[str]
    """The messages of `ready` that a wait has moved out of the queue."""
    leased: dict[bytes, Held]
    dead: Counter[str]
    expired: Counter[str]
    """The messages of `dead` that expired before a delivery."""

    def counts(self) -> Counter[str]:
        """Count each value in all places."""
        pending = Counter(entry.value for entry in self.pending.values())
        return pending + self.ready + Counter(h.value for h in self.leased.values()) + self.dead

    def ended(self) -> Counter[str]:
        """Count the messages whose lease has ended, which any consumer may take."""
        return Counter(h.value for h in self.leased.values() if h.ends_ms <= self.now_ms)


def look(read: Reader, names: ConsumerNames) -> Places:
    """Read the keys; fail if only one half of a message is stored."""
    q = names.queue
    replies = read(
        [
            ("TIME",),
            ("LRANGE", q.name, 0, -1),
            ("LRANGE", names.arriving, 0, -1),
            ("LRANGE", q.delay_list, 0, -1),
            ("ZRANGE", q.timeout_set, 0, -1, "WITHSCORES"),
            ("ZRANGE", names.leases, 0, -1, "WITHSCORES"),
            ("HGETALL", names.taken),
            ("ZRANGE", names.dead, 0, -1),
            ("HGETALL", names.letters),
            ("EXISTS", q.poison),
        ]
    )
    time, queue, arriving, listed, due, leases, records, dead, letters, poison = replies
    ends, hands, scores = _pairs(leases), _pairs(records), _pairs(due)
    assert poison == 0
    assert len(set(listed)) == len(listed), "an entry is in the delay list twice"
    assert set(listed) <= scores.keys(), "an entry of the delay list has no time"
    assert ends.keys() == hands.keys(), "a lease without its message, or a message without one"
    assert set(dead) == _pairs(letters).keys(), "half a dead letter"
    reasons = [_letter(letter) for letter in _pairs(letters).values()]
    return Places(
        now_ms=int(time[0]) * 1000 + int(time[1]) // 1000,
        pending={m: _entry(m, float(at), m not in listed) for m, at in scores.items()},
        ready=Counter(value.decode() for value in [*queue, *arriving]),
        arriving=Counter(value.decode() for value in arriving),
        leased={token: _held(token, hands[token], float(end)) for token, end in ends.items()},
        dead=Counter(value for value, _ in reasons),
        expired=Counter(value for value, reason in reasons if reason == "expired"),
    )


def _pairs(flat: list[bytes]) -> dict[bytes, bytes]:
    return dict(zip(flat[::2], flat[1::2], strict=True))


def _entry(entry: bytes, due_ms: float, alone: bool) -> Entry:
    found = unpack(entry)
    return Entry(found.value.decode(), due_ms, found.wire_format, alone)


def _held(token: bytes, record: bytes, ends_ms: float) -> Held:
    taken = Delivery.of(token, record)
    return Held(taken.raw.decode(), taken, ends_ms)


def _letter(letter: bytes) -> tuple[str, str]:
    start = 4 + int.from_bytes(letter[:4], "big")
    value = Delivery.of(b"", letter[start:]).raw.decode()
    return value, json.loads(letter[4:start])["reason"]
