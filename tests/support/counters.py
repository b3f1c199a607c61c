"""Script calls of counters: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.protocol.counters.atomic_double import AtomicDoubleProtocol
from pyredisson.protocol.counters.atomic_long import AtomicLongProtocol
from pyredisson.protocol.counters.id_generator import IdGeneratorProtocol
from pyredisson.protocol.kernel.command import Eval

A = AtomicLongProtocol("a")
D = AtomicDoubleProtocol("a")
IDS = IdGeneratorProtocol("i")
FIVE = (("a", b"5"),)

Stored = tuple[tuple[str, Any], ...]
COUNTERS: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (A.compare_and_set(5, 6), FIVE, ""),
    (A.compare_and_set(0, 6), (), " of none"),
    (A.compare_and_set(4, 6), FIVE, " of another"),
    (A.set_if_less(6, 1), FIVE, ""),
    (A.set_if_less(5, 1), FIVE, " in vain"),
    (A.set_if_greater(4, 1), FIVE, ""),
    (A.set_if_greater(-1, 1), (), " of none"),
    (D.compare_and_set(5, 6), FIVE, ""),
    (D.compare_and_set(0, 6), (), " of none"),
    (IDS.try_init(5, 10), (), ""),
    (IDS.try_init(5, 10), ((IDS.keys[1], b"3"),), " half-way"),
    (IDS.allocate(), (), ""),
    (IDS.allocate(), (("i", b"7"), (IDS.keys[1], b"3")), " the next"),
)
KINDS = dict.fromkeys(("a", *IDS.keys), "string")
