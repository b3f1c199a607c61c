"""Script calls of locks: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.locks.fair_lock import FairLockProtocol
from pyredisson.protocol.locks.lock import FencedLockProtocol, LockProtocol, Renewal, renew
from pyredisson.protocol.locks.read_write_lock import ReadLockProtocol, WriteLockProtocol
from tests.support.groups import Fields


def unfinished(redisson: Any) -> list[Any]:
    """Return the background work of a client, except renewals without a lock."""
    work = redisson._context.background.work.values()
    return [each for each in work if getattr(each, "_holds", True)]


L = LockProtocol("l")
F = FencedLockProtocol("l")
SPIN = LockProtocol("l", ("", ""))
TOKEN = (F.token_key, b"6")
HELD = (("l", Fields(o=b"1")),)
R, W = ReadLockProtocol("l{q}"), WriteLockProtocol("l{q}")
ONE, TWO, THEIRS = (
    f"l{{q}}:{each}:rwlock_timeout:{i}" for each, i in (("o", 1), ("o", 2), ("p", 1))
)
READ = (("l{q}", Fields(mode=b"read", o=b"1")), (ONE, b"1"))
READ_TWICE = (("l{q}", Fields(mode=b"read", o=b"2")), (ONE, b"1"), (TWO, b"1"))
WRITTEN = (("l{q}", Fields({"mode": b"write", "o:write": b"1"})),)
BOTH = (("l{q}", Fields({"mode": b"write", "o:write": b"1", "o": b"1"})), (ONE, b"1"))
FAIR = FairLockProtocol("l{q}")
_, QUEUE, ENDS = FAIR.keys()
BUSY = ("l{q}", Fields(x=b"1"))
WAITS = ((QUEUE, [b"dead", b"o", b"p"]), (ENDS, {b"dead": 1, b"o": 2**52, b"p": 2**53}))
TWICE = (("l", Fields(o=b"2")),)

Stored = tuple[tuple[str, Any], ...]
LOCKS: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (L.acquire("o", 60_000), (), ""),
    (L.acquire("o", 60_000), HELD, " once more"),
    (L.acquire("other", 60_000), HELD, " of another"),
    (L.acquire("o", 60_000, 2), HELD, " again"),
    (L.acquire("o", 60_000, 2), (), " again, lost"),
    (F.acquire("o", 60_000), (TOKEN,), " with a token"),
    (F.acquire("o", 60_000), (*HELD, TOKEN), " with a token once more"),
    (F.acquire("o", 60_000, 2), (*HELD, TOKEN), " with a token again"),
    (L.release("o", 60_000), HELD, ""),
    (SPIN.release("o", 60_000), HELD, " without a message"),
    (L.release("o", 60_000, 1), TWICE, " once"),
    (L.release("other", 60_000), HELD, " of another"),
    (L.force_unlock(), HELD, ""),
    (R.acquire("o", 60_000), (), ""),
    (R.acquire("o", 60_000), READ, " once more"),
    (R.acquire("o", 60_000, 2), READ, " again"),
    (R.acquire("o", 60_000, 2), (), " again, lost"),
    (R.acquire("p", 60_000), READ, " beside another"),
    (R.acquire("o", 60_000), WRITTEN, " of a writer"),
    (R.acquire("p", 60_000), WRITTEN, " of another writer"),
    (W.acquire("o", 60_000), (), ""),
    (W.acquire("o", 60_000), WRITTEN, " once more"),
    (W.acquire("o", 60_000, 2), WRITTEN, " again"),
    (W.acquire("o", 60_000, 2), (), " again, lost"),
    (W.acquire("p", 60_000), READ, " of a reader"),
    (R.release("o", 60_000), READ, ""),
    (R.release("o", 60_000, 1), READ_TWICE, " once"),
    (R.release("o", 60_000, 1), READ, " once more"),
    (R.release("p", 60_000), READ, " of another"),
    (R.release("o", 60_000), BOTH, " of a writer"),
    (R.release("o", 60_000), READ[:1], " whose lease has ended"),
    (
        R.release("o", 60_000),
        (("l{q}", Fields(mode=b"read", o=b"1", p=b"1")), (ONE, b"1"), (THEIRS, b"1")),
        " beside another",
    ),
    (W.release("o", 60_000), WRITTEN, ""),
    (W.release("o", 60_000, 1), WRITTEN, " once more"),
    (W.release("p", 60_000), WRITTEN, " of another"),
    (W.release("o", 60_000), BOTH, " of a reader"),
    (R.force_unlock(), READ, " of readers"),
    (R.force_unlock(), WRITTEN, " of a writer"),
    (FAIR.acquire("o", 60_000), (), ""),
    (FAIR.acquire("o", 60_000), WAITS, " whose turn it is"),
    (FAIR.acquire("p", 60_000), WAITS, " whose turn it is not"),
    (FAIR.acquire("n", 60_000), (BUSY,), " that is held"),
    (FAIR.acquire("x", 60_000), (BUSY,), " once more"),
    (FAIR.acquire("x", 60_000, 2), (BUSY,), " again"),
    (FAIR.acquire("x", 60_000, 3), (BUSY,), " again, lost"),
    (FAIR.acquire("n", 60_000, 1, "last"), (BUSY,), " that joins"),
    (FAIR.acquire("n", 60_000, 1, "last"), WAITS, " that joins others"),
    (FAIR.acquire("n", 60_000, 1, "first"), (BUSY, *WAITS), " that returns"),
    (FAIR.acquire("n", 60_000, 1, "first"), WAITS, " that returns in time"),
    (FAIR.acquire("o", 60_000, 1, "first"), (BUSY, *WAITS), " that waits on"),
    (FAIR.acquire("o", 60_000), (("l{q}", Fields(o=b"1")), *WAITS[1:]), " of a stale wait"),
    (FAIR.release("x", 60_000), (BUSY, *WAITS), ""),
    (FAIR.release("x", 60_000, 1), (BUSY,), " once more"),
    (FAIR.release("o", 60_000), WAITS, " of a waiter"),
    (FAIR.release("n", 60_000), (BUSY, *WAITS), " of another"),
    (FAIR.force_unlock(), (BUSY, *WAITS), " of any holder"),
    (FAIR.force_unlock(), WAITS, " of none"),
    (renew([R.renewal("o", 2), W.renewal("o", 1)], 60_000), READ_TWICE, " of readers"),
    (renew([Renewal("l", "o"), Renewal("m", "o")], 60_000), HELD, ""),
)
KINDS = {"l": "hash", "m": "hash", L.channel: "string", F.token_key: "string"}
KINDS |= {"l{q}": "hash", R.channel: "string"}
KINDS |= dict.fromkeys((ONE, TWO, THEIRS), "string")
KINDS |= {QUEUE: "list", ENDS: "zset"}
