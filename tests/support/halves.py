"""Script calls of a check that find and repair incomplete data, and the keys before them."""

import hashlib
from typing import Any

from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.checks.halves import GroupHead, HalvesProtocol
from pyredisson.protocol.checks.returned import ReturnedProtocol
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import WindowNames
from tests.support.flow import PASSED, PENDING, found
from tests.support.groups import OPENED, Fields, record
from tests.support.state import pack

WINDOW = WindowNames.of("q")
N = WINDOW.consumer
CHECK, HALVES, ENTRIES = CheckProtocol(N), HalvesProtocol(N), ReturnedProtocol(N)
HANDS, _, LETTERS = CHECK.pairs()
A, B, C = (pack(value) for value in (b"a", b"b", b"c"))
LETTER = b"\0\0\0\2{}" + record(b"v")

Stored = tuple[tuple[str, Any], ...]

TWICE: Stored = ((N.queue.delay_list, [A, B, A, C, A, B]), (N.queue.timeout_set, {A: 1, B: 2}))
DEAD: Stored = (
    (N.dead, {b"both": 1, b"time": 2, b"cut": 3, b"empty": 4}),
    (N.letters, Fields(both=LETTER, letter=LETTER, cut=LETTER[:20], empty=b"")),
    (N.leases, {b"cut": 2**52}),
    (N.taken, Fields(cut=record(b"")[:40], lone=b"")),
    (N.queue.poison, [b"x"]),
)

SHA = hashlib.sha1(b"open").hexdigest()


def groups(*numbers: int, head: bytes = b"", **keys: bytes) -> Stored:
    """Return the data of a group: values with these numbers, a head, keys."""
    kept = Fields({f"{SHA}{number}": b"v%d" % number for number in numbers})
    kept |= {SHA: head} if head else {}
    return (
        (WINDOW.groups, Fields({"0" * 40: b"\0\0\0\0" + b"i" * 16 + b"other"} | kept)),
        (WINDOW.started, Fields({"gone": pack(b"gone"), "none": b""} | keys)),
        (N.queue.poison, [b"x"]),
    )


def open_group(*more: int, **keys: bytes) -> Stored:
    """Return the data of a group whose text is pending."""
    return (
        *groups(1, 2, 3, *more, head=HEAD, **keys),
        (N.queue.timeout_set, {OPENED: 2**52, A: 1}),
    )


HEAD = b"\0\0\0\3" + b"i" * 16 + b"k"
KNOWN, UNKNOWN = GroupHead(b"k", b"i" * 16), GroupHead()


def group(head: GroupHead, action: str = "repair") -> Eval[Any]:
    """Return the call that checks the group, or repairs it."""
    return HALVES.group(action, SHA.encode(), head)


RETRIES, EXPIRIES = ENTRIES.known()
KNOWN_OF: Stored = found(PASSED, PENDING)
[PASSED_ENTRY, PENDING_ENTRY] = dict(KNOWN_OF)[N.expiries]
TIMES: Stored = tuple(each for each in KNOWN_OF if each[0] != N.expiries)
LATER: Stored = ((N.postponed, {PASSED: 1, PENDING: 9}), *TIMES[2:])
ALONE: Stored = tuple(each for each in KNOWN_OF if each[0] != N.expiring)
BOTH = [(PASSED_ENTRY, b""), (PENDING_ENTRY, PENDING)]


CASES: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (CHECK.twice("look", [A, B, C, b"none"]), TWICE, " looks"),
    (CHECK.twice("repair", [A, B, C, b"none"]), TWICE, ""),
    (ENTRIES.times_alone("look", EXPIRIES, [PASSED, PENDING, A]), TIMES, " looks"),
    (ENTRIES.times_alone("restore", EXPIRIES, [PASSED, PENDING, A]), TIMES, ""),
    (ENTRIES.times_alone("restore", EXPIRIES, [PASSED, PENDING]), KNOWN_OF, " in vain"),
    (ENTRIES.times_alone("forget", RETRIES, [PASSED, PENDING, A]), LATER, " of retries"),
    (ENTRIES.records_alone("look", EXPIRIES, BOTH), ALONE, " looks"),
    (ENTRIES.records_alone("repair", EXPIRIES, BOTH), ALONE, ""),
    (ENTRIES.records_alone("repair", EXPIRIES, BOTH[1:]), KNOWN_OF, " in vain"),
    (HALVES.fields(N.letters, 0), DEAD, ""),
    (HALVES.cut_short("look", LETTERS, [b"both", b"cut", b"none"]), DEAD, " looks"),
    (HALVES.cut_short("repair", LETTERS, [b"both", b"cut", b"empty", b"none"]), DEAD, ""),
    (HALVES.cut_short("repair", HANDS, [b"cut", b"lone"]), DEAD, " of messages"),
    (HALVES.letters("look", [b"both", b"time", b"letter"]), DEAD, " looks"),
    (HALVES.letters("repair", [b"both", b"time", b"letter", b"none"]), DEAD, ""),
    (HALVES.letters("repair", [b"time"]), DEAD, " of times"),
    (HALVES.dead_values(0), DEAD, ""),
    (CHECK.heads(0), groups(1, 3, 4, head=HEAD), ""),
    (HALVES.values(0), groups(1, 3, 4, head=HEAD), ""),
    (group(UNKNOWN, "look"), groups(1, 3, head=HEAD), " looks"),
    (group(UNKNOWN), groups(1, 2, 3, head=HEAD), " of one in order"),
    (group(UNKNOWN), groups(1, 3, 5, head=HEAD, k=OPENED), ""),
    (group(UNKNOWN), groups(2, head=HEAD, k=OPENED), " of one value"),
    (group(UNKNOWN), groups(head=HEAD, k=OPENED), " of no value"),
    (group(UNKNOWN), groups(1, 3, head=b"cut"), " of no known key"),
    (group(UNKNOWN), groups(0), " of no more than its delivery"),
    (group(KNOWN), groups(2, 3, k=OPENED), " by its key"),
    (group(KNOWN), groups(2, 3, k=pack(b"next")), " by the key of another"),
    (group(UNKNOWN), groups(0), " of a holder"),
    (group(UNKNOWN), groups(0, 1, head=HEAD), " that somebody has"),
    (HALVES.unnamed("repair", [OPENED]), open_group(0), " of a group that was taken"),
    (HALVES.unnamed("look", [OPENED, A]), open_group(), " looks"),
    (HALVES.unnamed("repair", [OPENED, A]), open_group(), ""),
    (HALVES.unnamed("repair", [OPENED, OPENED]), open_group(k=b"cut"), " of a key with another"),
    (HALVES.keys_alone("look", [b"k", b"gone", b"none"]), groups(1, head=HEAD, k=OPENED), " looks"),
    (HALVES.keys_alone("repair", [b"k", b"gone", b"none"]), groups(1, head=HEAD, k=OPENED), ""),
)
"""Each row has a call, the keys before it, and a label."""
