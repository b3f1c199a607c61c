"""Whether items are transferred and taken: overdue, no-transfer, paused, memory."""

from __future__ import annotations

from collections.abc import Iterator
from time import sleep

from pyredisson.admin.doctor.patient import Diagnosis, Patient
from pyredisson.admin.find import queue_of
from pyredisson.admin.look import look_at
from pyredisson.admin.watch import OVERDUE, STUCK
from pyredisson.protocol.checks.stats import QueueStats
from pyredisson.protocol.kernel.command import Command

__all__ = ["flow"]

_MANY = 1000
"""The number of ready elements from which the growth of a queue can be a finding."""
_PAUSE = 1.0
_HEAD = 10


def flow(patient: Patient) -> Iterator[Diagnosis]:
    """Find why items are not transferred or not taken."""
    stats = patient.stats
    if stats is None:
        return
    _note_what_is_there(patient, stats)
    yield from _transfers(patient, stats)
    if stats.paused:
        yield Diagnosis(
            "paused",
            "warning",
            f"the queue is paused: pyredisson's consumers and workers take nothing, {stats.ready} "
            "items are ready; Java's consumers are not stopped",
            f"pyredisson resume {patient.quoted}",
        )
    elif stats.ready >= _MANY:
        yield from _growth(patient, stats)


def _note_what_is_there(patient: Patient, stats: QueueStats) -> None:
    counts = (stats.pending, stats.due, stats.ready, stats.in_progress, stats.subscribers)
    shown = ["?" if each in (-1, None) else each for each in counts]
    patient.looked_at.append(
        "{} pending ({} due), {} ready, {} leased; transfer tasks: {}".format(*shown)
    )
    if owner := queue_of(patient.name):
        patient.notes.append(f"this is the name of a key beside the queue {owner!r}")
    elif not any((*patient.sizes.values(), *counts[:-1], stats.subscribers, stats.paused)):
        patient.notes.append(
            "no such queue: it has no key and no transfer task; an empty queue that nobody uses "
            "looks the same (`pyredisson queues` finds the others)"
        )


def _transfers(patient: Patient, stats: QueueStats) -> Iterator[Diagnosis]:
    nobody = stats.subscribers == 0
    remedy = f"pyredisson transfer {patient.quoted}"
    if stats.due > 0 and stats.oldest_overdue > (OVERDUE if nobody else STUCK):
        why = (
            "no transfer task is subscribed"
            if nobody
            else "the transfer tasks do not move them fast enough, or fail: read their logs"
        )
        yield Diagnosis(
            "overdue",
            "error",
            f"due items: {stats.due}, the earliest since {stats.oldest_overdue:.0f} s; {why}",
            remedy,
        )
    if nobody and stats.pending > 0:
        late = stats.oldest_overdue > OVERDUE
        yield Diagnosis(
            "no-transfer",
            "error" if late else "warning",
            f"nobody is subscribed to {patient.names.queue.channel}, so nobody moves "
            f"pending items ({stats.pending}) when they are due: no Java service has this delayed "
            "queue open, and no pyredisson client transfers it",
            remedy,
        )


def _growth(patient: Patient, before: QueueStats) -> Iterator[Diagnosis]:
    """Read the queue twice: without consumers, it grows and its first elements stay the same."""
    key = patient.names.queue.name
    head = Command(("LRANGE", key, 0, _HEAD - 1), list, key, safe=True)
    first = patient.ask(head)
    sleep(_PAUSE)
    same, after = first == patient.ask(head), look_at(patient.redisson, patient.name)
    told_apart = len({*(first or ())}) > 1  # if all values are equal, a take changes nothing here
    if same and told_apart and after.ready > before.ready and not after.in_progress:
        yield Diagnosis(
            "memory",
            "warning",
            f"{after.ready} items are ready, {after.ready - before.ready} more than {_PAUSE:g} s "
            "ago, and nobody has taken the first one: start consumers before the memory is full",
        )
