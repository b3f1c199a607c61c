"""Findings of `check`: poison, mixed-formats, divergence, wrong-type, eviction, ttl, lost-leases.

The rule: a short queue is checked completely. If it has findings, it is checked again, because a
busy queue has some states for a moment only. Of a long queue, only counts and samples are compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from time import sleep

from pyredisson import Finding, FindingKind
from pyredisson.admin.doctor.patient import SAMPLE, Diagnosis, Kind, Patient, Severity
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.checks.check import CheckProtocol, format_of
from pyredisson.protocol.checks.finding import Findings
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.server_errors import ReplyError

__all__ = ["damage"]

_WHOLE = 3 * SAMPLE
_PAUSE = 0.3
_F = FindingKind
_LEASES = (_F.LEASE_WITHOUT_MESSAGE, _F.MESSAGE_WITHOUT_LEASE, _F.UNCLAIMED)
_KINDS: dict[FindingKind, Kind] = {
    **dict.fromkeys((*_LEASES, _F.TIME_WITHOUT_RETRY, _F.RETRY_WITHOUT_TIME), "lost-leases"),
    _F.WRONG_TYPE: "wrong-type",
    _F.TIME_TO_LIVE: "ttl",
    _F.POISON: "poison",
    _F.MIXED_FORMATS: "mixed-formats",
    _F.EVICTION_POLICY: "eviction",
}
_WARNINGS = {
    *(_F.EVICTION_POLICY, _F.LEASE_WITHOUT_MESSAGE, _F.TIMEOUT_SET_ONLY, _F.LISTED_TWICE),
    *(_F.TIME_WITHOUT_RETRY, _F.RETRY_WITHOUT_TIME, _F.EXPIRY_WITHOUT_TIME),
    *(_F.TIME_WITHOUT_EXPIRY, _F.TIME_WITHOUT_LETTER, _F.KEY_WITHOUT_GROUP),
    *(_F.TIME_WITHOUT_ENTRY, _F.GROUP_WITHOUT_KEY),
}


def damage(patient: Patient) -> Iterator[Diagnosis]:
    """Find damaged keys and entries."""
    if (stats := patient.stats) and stats.poison > 0:
        yield Diagnosis(
            "poison",
            "warning",
            f"{stats.poison} values or entries could not be decoded and are in the poison list",
            f"pyredisson poison {patient.quoted} list",
        )
    total = sum(patient.sizes.values())
    is_whole = total <= patient.affordable(_WHOLE)
    findings = _checked(patient) if is_whole else _sampled(patient)
    how = "all elements" if is_whole else f"samples of {total} elements"
    patient.looked_at.append(f"types and contents of {len(patient.sizes)} keys: {how}")
    for each in findings:
        yield _diagnosis(patient, each, "" if is_whole else " (found in a sample)")


def _diagnosis(patient: Patient, found: Finding, how: str) -> Diagnosis:
    severity: Severity = "warning" if found.kind in _WARNINGS else "error"
    single = found.kind in (_F.WRONG_TYPE, _F.TIME_TO_LIVE, _F.EVICTION_POLICY)
    text = f"{found.key}: {'' if single else f'{found.count}{how}; '}{found.text}"
    return Diagnosis(_KINDS.get(found.kind, "divergence"), severity, text, _remedy(patient, found))


def _remedy(patient: Patient, found: Finding) -> str:
    if found.kind is _F.EVICTION_POLICY:
        return "CONFIG SET maxmemory-policy noeviction"
    if found.kind is _F.MIXED_FORMATS:
        return f"pyredisson migrate {patient.quoted} --to-release 4.7.0"
    if found.kind is _F.MIGRATION:
        words = ("HGET", found.key, "options")
        options = patient.ask(Command(words, lambda reply: reply or b"", found.key, safe=True))
        return f"pyredisson migrate {patient.quoted} {(options or b'').decode()}"
    if found.kind is _F.WRONG_TYPE:  # both names are in the same slot
        moved = f"{found.key}.moved" if "{" in found.key else f"{{{found.key}}}.moved"
        return f"RENAME {found.key} {moved}"
    return f"pyredisson repair {patient.quoted}"


# -------------------------------------------------------------- short queues


def _checked(patient: Patient) -> list[Finding]:
    """Return the findings of a second check that the first check had, too."""
    first = _check(patient)
    if not first:
        return []
    sleep(_PAUSE)
    known = {(each.kind, each.key): each for each in first}
    return [each for each in _check(patient) if _lasts(known.get((each.kind, each.key)), each)]


def _lasts(before: Finding | None, now: Finding) -> bool:
    if before is None:
        return False
    all_shown = len(now.examples) == now.count and len(before.examples) == before.count
    return not all_shown or not {*now.examples}.isdisjoint(before.examples)


def _check(patient: Patient) -> list[Finding]:
    queue = patient.redisson.get_queue(patient.name, codec=ByteArrayCodec())
    try:
        return list(patient.redisson.get_delayed_queue(queue, transfer=False).check())
    except ReplyError as error:
        patient.note(error)
        return []


# -------------------------------------------------------------- long queues


def _sampled(patient: Patient) -> list[Finding]:
    protocol, findings = CheckProtocol(patient.names), Findings("deliver")
    if policy := patient.ask(protocol.eviction()):
        key, detail = patient.names.queue.name, f"maxmemory-policy {policy}: "
        findings.add(_F.EVICTION_POLICY, key, count=1, detail=detail)
    types = protocol.types()
    for key, kind, ttl_ms in patient.ask(protocol.keys()) or ():
        if kind not in ("none", types[key]):
            held = f"holds a {kind} instead of a {types[key]}: "
            findings.add(_F.WRONG_TYPE, key, count=1, detail=held)
        elif key == protocol.migration and kind != "none":
            findings.add(_F.MIGRATION, key, count=1)
        elif ttl_ms >= 0 and key not in protocol.fleeting():
            findings.add(_F.TIME_TO_LIVE, key, count=1)
    _sample_formats(patient, findings)
    queue, size = patient.names.queue, patient.sizes
    if listed := patient.ask(protocol.listed(0, patient.affordable(PAGE))):
        findings.add(_F.DELAY_LIST_ONLY, queue.delay_list, listed[1])
    if (more := size[queue.timeout_set] - size[queue.delay_list]) > 0:
        findings.add(_F.TIMEOUT_SET_ONLY, queue.timeout_set, count=more)
    elif more < 0 and not (listed and listed[1]):
        findings.add(_F.DELAY_LIST_ONLY, queue.delay_list, count=-more)
    if (alone := size[patient.names.taken] - size[patient.names.leases]) > 0:
        findings.add(_F.MESSAGE_WITHOUT_LEASE, patient.names.taken, count=alone)
    return findings.all()


def _sample_formats(patient: Patient, findings: Findings) -> None:
    queue, formats = patient.names.queue, Counter[WireFormat]()
    entries = {*patient.listed, *(entry for entry, _ in patient.pending)}
    poison = []
    for entry in entries:
        if (found := format_of(entry)) is None:
            poison.append(entry)
        else:
            formats[found] += 1
    findings.add(_F.POISON, queue.timeout_set, poison)
    if len(formats) > 1:
        findings.add(_F.MIXED_FORMATS, queue.timeout_set, count=min(formats.values()))
