"""A stored schedule for tests of its scripts, and the calls of these tests."""

from typing import Any

from pyredisson.protocol.kernel.names import ScheduleNames
from pyredisson.protocol.schedules.schedule import Plan, ScheduleProtocol
from tests.support.groups import Fields
from tests.support.state import pack

S = ScheduleProtocol(ScheduleNames.of("q"))


def plan(due: int) -> Plan:
    """Return an entry as it is read from Redis."""
    return Plan.of(bytes(Plan(b"v", "once", every_us=10**6, due=due, item_id=b"i" * 16)))


NAMES = S.names.queue
THERE = plan(2)
A, BAD, OCCURS = pack(b"a"), b"bad", pack(b"v", b"i" * 16)
SCHEDULED: tuple[tuple[str, Any], ...] = (
    (NAMES.delay_list, [A, BAD, OCCURS]),
    (NAMES.timeout_set, {A: 1, BAD: 3, OCCURS: 2}),
    (S.names.entries, Fields(n=THERE.record, other=b"")),
    (S.names.times, {b"n": 2, b"other": 9}),
)
"""The entry `n`, whose occurrence is pending, and another one."""

LOOK = S.check(5, 0, 9)
REPLACE = S.put(b"n", THERE, plan(7), [0, 7], now=1, random=bytes(range(16)))
ADD = S.put(b"m", None, plan(7), [7], now=1, random=bytes(8))
REMOVE = S.remove(b"n", THERE)
REMOVE_TIME = S.remove(b"gone", None)
