"""Clocks that differ: this machine's, those of pyredisson's producers, and those of Java.

The rule: a time is a finding only if no delay can explain it. If the server permits TIME,
pyredisson uses the server's clock. Java uses the clocks of the machine that offers and of the
machine that transfers. An id of pyredisson has the time of its offer, and an id of Java is random.
So an item of Java is compared with the latest offer of pyredisson before it in the delay list.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import suppress

from pyredisson.admin.doctor.patient import Diagnosis, Patient
from pyredisson.errors import WireFormatError
from pyredisson.protocol.delayed.entry import Entry, WireFormat, unpack

__all__ = ["clocks"]

_ALLOWED = 2.0
"""The largest difference, in seconds, that is no finding."""
_JAVA_ID, _OWN_ID = 8, 16
_EVIDENCE = 3
"""The number of Java's items with a due time before their offer from which they are a finding."""
_EARLIEST = 1e12
"""2001 in epoch ms: a lower due time is in seconds, or comes from a clock that was never set."""
_CENTURY = 100 * 365.25 * 86_400_000
_UNREADABLE = 1e17
"""The lowest score (ms) that Redis writes with an exponent, which Java cannot read."""


def clocks(patient: Patient) -> Iterator[Diagnosis]:
    """Find wrong clocks, and due times that come from a wrong clock."""
    sent, wall = time.monotonic(), time.time()
    reply = patient.ask_server(patient.server, "TIME")
    trip = time.monotonic() - sent
    if reply is None:
        return
    now = int(reply[0]) + int(reply[1]) / 1e6
    ahead = wall + trip / 2 - now
    patient.looked_at.append(f"clock of this machine: {ahead:+.3f} s from the server's")
    if abs(ahead) > _ALLOWED + trip:
        yield Diagnosis(
            "clock-skew",
            "warning",
            f"this machine's clock is {_shown(ahead)} the server's: what Java offers or transfers "
            "here is early or late by as much; pyredisson uses the server's clock",
            "chronyc makestep",
        )
    yield from _due_times(patient, now * 1000)
    yield from _offers(patient, now)


def _shown(ahead: float) -> str:
    return f"{abs(ahead):.1f} s {'ahead of' if ahead > 0 else 'behind'}"


def _due_times(patient: Patient, now_ms: float) -> Iterator[Diagnosis]:
    """Find due times that no correct clock and no sensible delay can give."""
    scores, key = [score for _, score in patient.pending], patient.names.queue.timeout_set
    if unreadable := [each for each in scores if not (0 <= each < _UNREADABLE and each % 1 == 0)]:
        yield Diagnosis(
            "clock-skew",
            "error",
            f"{len(unreadable)} due times{patient.of_sample(key)} are negative, too large or no "
            f"whole milliseconds, such as {unreadable[0]!r}: Java's transfer fails at them or "
            "repeats without a pause; reschedule or cancel these items",
            _reschedule(patient, unreadable[0]),
        )
    strange = [each for each in scores if each < _EARLIEST or each > now_ms + _CENTURY]
    if strange and not unreadable:
        yield Diagnosis(
            "clock-skew",
            "warning",
            f"{len(strange)} due times{patient.of_sample(key)} are before 2001 or more than 100 "
            f"years ahead, such as {strange[0]:.0f} ms: the clock or the unit of a producer is "
            "wrong; reschedule or cancel these items",
            _reschedule(patient, strange[0]),
        )


def _reschedule(patient: Patient, score: float) -> str:
    """Return a command that repairs the first item with this score."""
    first = [entry for entry, each in patient.pending if each == score][:1]
    for _, entry in _unpacked(first):
        return f"pyredisson reschedule {patient.quoted} --id {entry.item_id.hex()} --delay 0"
    return f"pyredisson repair {patient.quoted}"


def _offers(patient: Patient, now: float) -> Iterator[Diagnosis]:
    """Compare the times in pyredisson's ids with the server's time and with Java's due times."""
    entries = list(_unpacked(patient.listed))
    times = [_offered(each) for _, each in entries]
    latest = max((each for each in times if each is not None), default=0.0)
    if latest > now + _ALLOWED:
        yield Diagnosis(
            "clock-skew",
            "warning",
            f"a pyredisson client has offered an item {latest - now:.1f} s ahead of the server's "
            "clock: the server rejects TIME there, and that machine's clock is wrong",
            "chronyc makestep",
        )
        return
    due, after, early = dict(patient.pending), 0.0, []
    for (raw, entry), offered in zip(entries, times, strict=True):
        if offered is not None:
            after = max(after, offered)
        elif entry.wire_format is WireFormat.CURRENT and len(entry.item_id) == _JAVA_ID:
            seconds = after - due.get(raw, float("inf")) / 1000
            if seconds > _ALLOWED:
                early.append(seconds)
    if len(early) >= _EVIDENCE:
        yield Diagnosis(
            "clock-skew",
            "warning",
            f"{len(early)} items of Java{patient.of_sample(patient.names.queue.delay_list)} were "
            f"due up to {max(early):.1f} s before they were offered: the clock of a Java service "
            "that offers is behind, so its delays are too short",
            "chronyc makestep",
        )


def _unpacked(entries: Sequence[bytes]) -> Iterator[tuple[bytes, Entry]]:
    for each in entries:
        with suppress(WireFormatError):
            yield each, unpack(each)


def _offered(entry: Entry) -> float | None:
    """Return when pyredisson offered an entry, in epoch seconds; None if its id has no time."""
    if len(entry.item_id) != _OWN_ID or entry.item_id[:1] != b"P":
        return None
    return int.from_bytes(entry.item_id[1:8], "big") / 1e6
