"""Messages that stay leased: stuck-consumer.

The rule: a message is a finding if it was delivered often, or if its lease ended some time ago. A
long lease alone is no finding, because a handler may extend it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

from pyredisson.admin.doctor.patient import SAMPLE, Diagnosis, Patient
from pyredisson.protocol.checks.check import UNSEEN_MS
from pyredisson.protocol.consumers.in_flight import Held, held_by_consumers
from pyredisson.protocol.objects.pages import START

__all__ = ["holders"]

_OFTEN = 4
"""The number of deliveries from which a leased message is a finding."""
_SHOWN = 3


def holders(patient: Patient) -> Iterator[Diagnosis]:
    """Find messages that are delivered repeatedly, and messages that are not redelivered."""
    names = patient.names
    answer = patient.ask(held_by_consumers(names, START, patient.affordable(SAMPLE)))
    if not answer or not answer[0]:
        return
    held, of = answer[0], patient.of_sample(names.leases)
    patient.looked_at.append(f"{len(held)} leased messages")
    often = [each for each in held if each.delivery.attempt >= _OFTEN]
    if often:
        most = max(each.delivery.attempt for each in often)
        yield Diagnosis(
            "stuck-consumer",
            "warning",
            f"{len(often)} leased messages{of} are delivered for the {_OFTEN}th to {most}th time: "
            f"their leases end, or their handlers fail, again and again; held by {_who(often)}",
            f"pyredisson items {patient.quoted} --state in-progress",
        )
    now_ms = patient.redisson._context.link.clock(names.leases).earliest_ms(time.monotonic())
    ended = [each for each in held if now_ms - each.ends_ms > UNSEEN_MS]
    if ended:
        late = (now_ms - ended[0].ends_ms) / 1000
        yield Diagnosis(
            "stuck-consumer",
            "error",
            f"the leases of {len(ended)} messages{of} ended up to {late:.0f} s ago, and nobody "
            f"redelivers them, as a consumer or a transfer task does; held by {_who(ended)}",
            f"pyredisson transfer {patient.quoted}",
        )


def _who(held: list[Held]) -> str:
    counts = Counter(each.consumer or "a consumer without a name" for each in held)
    names = [f"{name} ({count})" for name, count in counts.most_common(_SHOWN)]
    return ", ".join(names) + (" and others" if len(counts) > _SHOWN else "")
