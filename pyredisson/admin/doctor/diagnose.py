"""Runs all parts of the examination of a queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyredisson import InvalidNameError, Redisson
from pyredisson.admin.doctor.clocks import clocks
from pyredisson.admin.doctor.damage import damage
from pyredisson.admin.doctor.flow import flow
from pyredisson.admin.doctor.holders import holders
from pyredisson.admin.doctor.patient import KINDS, Diagnosis, Patient
from pyredisson.admin.doctor.permissions import permissions
from pyredisson.admin.doctor.servers import cross_slot, servers
from pyredisson.admin.doctor.values import values
from pyredisson.codecs.base import Codec

__all__ = ["Diagnosis", "Examination", "diagnose", "examine"]

_SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True, slots=True)
class Examination:
    """The findings (the worst first), what was examined, and notes that are no findings."""

    findings: list[Diagnosis]
    looked_at: list[str]
    notes: list[str]


def diagnose(redisson: Redisson, name: str, codec: Codec[Any] | None = None) -> list[Diagnosis]:
    """Return the problems of a queue and its server, the worst first.

    It changes nothing. It reads a few thousand elements at most. It waits up to 1.3 seconds in
    total, to find out whether a problem lasts.

    Args:
        redisson: the client.
        name: the queue's name.
        codec: the codec of the queue's values; None to accept any codec that decodes all of them.

    Raises:
        InvalidNameError: no key can have this name.
        ServerError: the server cannot be reached.
    """
    return examine(redisson, name, codec).findings


def examine(redisson: Redisson, name: str, codec: Codec[Any] | None = None) -> Examination:
    """Return the findings of `diagnose`, what was examined, and notes."""
    patient = Patient(redisson, name, codec)
    found = list(cross_slot(patient))
    try:
        for part in (flow, damage, clocks, values, holders, servers, permissions):
            found += part(patient)
    except InvalidNameError:  # in a cluster, the other parts cannot examine such a name
        if not found:
            raise
    found.sort(key=lambda each: (_SEVERITIES.index(each.severity), KINDS.index(each.kind)))
    return Examination(found, patient.looked_at, patient.notes)
