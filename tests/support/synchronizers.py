"""Script calls of synchronizers: each row has a call, the keys before it, and a label."""

import struct
from typing import Any

from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.synchronizers.count_down_latch import CountDownLatchProtocol
from pyredisson.protocol.synchronizers.permits import PermitsProtocol
from pyredisson.protocol.synchronizers.rate_limiter import Rate, RateLimiterProtocol, RateType
from pyredisson.protocol.synchronizers.semaphore import SemaphoreProtocol
from tests.support.groups import Fields

R = RateLimiterProtocol("rl", "u")
RATE, FREE, OWN_FREE, LOG, OWN_LOG = R.keys
EACH = Rate.of(RateType.PER_CLIENT, 3, 60, 60)
ID = b"i" * 16
S, C = SemaphoreProtocol("sm"), CountDownLatchProtocol("cd")
P = PermitsProtocol("ps")
ENDED, LEASED = {b"e" * 16: 1}, {b"l" * 16: 2**52}
IN_USE = (("ps", b"0"), (P.leases, ENDED | LEASED))
THREE, LAST = (("sm", b"3"),), (("cd", b"1"),)


def acquired(request_id: bytes, permits: int) -> bytes:
    """Return an entry of a limiter's log, as Java writes it."""
    return struct.pack("B", len(request_id)) + request_id + struct.pack("<I", permits)


def limiter(kind: int = 0, keep: int = 60_000) -> tuple[str, Fields]:
    """Return the key of a limiter with a rate of 3 permits a minute."""
    rate = {"rate": b"3", "interval": b"60000", "type": b"%d" % kind, "keepAliveTime": b"%d" % keep}
    return (RATE, Fields(rate))


KEPT = Rate.of(RateType.OVERALL, 3, 60, None)
OVER, NEW = {acquired(b"o" * 8, 1): 1}, {acquired(b"n" * 16, 2): 2**52}
USED = ((FREE, b"1"), (LOG, NEW))
OLD = ((FREE, b"0"), (LOG, OVER | NEW))
OWN = ((OWN_FREE, b"0"), (OWN_LOG, OVER | NEW))

Stored = tuple[tuple[str, Any], ...]
SYNCHRONIZERS: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (R.try_set_rate(EACH), (), ""),
    (R.try_set_rate(EACH), (limiter(),), " again"),
    (R.try_set_rate(EACH), ((RATE, Fields(rate=b"5")),), " of a half"),
    (R.set_rate(EACH), (limiter(), *USED), ""),
    (R.set_rate(KEPT), (limiter(), *USED), " for ever"),
    (R.set_rate(KEPT, keep_state=True), (limiter(keep=0), *OLD), " with what is acquired"),
    (R.set_rate(EACH, keep_state=True), (limiter(1), *OWN), " with what this client has"),
    (R.set_rate(KEPT, keep_state=True, update=True), (), " that is not there"),
    (R.acquire(1, ID), (limiter(),), ""),
    (R.acquire(1, ID), (limiter(keep=0), *USED), " of the last"),
    (R.acquire(2, ID), (limiter(), *USED), " too early"),
    (R.acquire(1, ID), (limiter(), *OLD), " of one that is over"),
    (R.acquire(1, ID), (limiter(1, 0), *OWN), " of this client"),
    (R.acquire(1, ID), (limiter(), (FREE, b"9"), (LOG, NEW)), " of too many"),
    (R.acquire(1, ID), (), " without a rate"),
    (R.release(1), (limiter(), *USED), ""),
    (R.release(9), (limiter(1, 0), *OWN), " of more than this client has"),
    (R.release(1), (), " without a rate"),
    (R.available(), (limiter(), *OLD), ""),
    (S.acquire(2), THREE, ""),
    (S.acquire(4), THREE, " of too many"),
    (S.drain(), THREE, ""),
    (S.drain(), (), " of none"),
    (S.add(2), THREE, ""),
    (S.try_set(2, None), (), ""),
    (S.try_set(2, 60_000), (), " with a time to live"),
    (S.try_set(2, None), THREE, " again"),
    (C.try_set(2), (), ""),
    (C.try_set(2), LAST, " again"),
    (C.count_down(), (("cd", b"2"),), ""),
    (C.count_down(), LAST, " to 0"),
    (C.count_down(), (), " of none"),
    (C.delete(), LAST, ""),
    (P.acquire(60_000, ID), (("ps", b"3"), (P.leases, LEASED)), ""),
    (P.acquire(0, ID), IN_USE, " of one that has ended"),
    (P.acquire(60_000, ID), (("ps", b"0"), (P.leases, LEASED)), " too early"),
    (P.acquire(60_000, b"l" * 16), IN_USE, " again"),
    (P.release(b"l" * 16), IN_USE, ""),
    (P.release(b"e" * 16), IN_USE, " too late"),
    (P.release(b"l" * 16, b"e" * 16, ID), IN_USE, " of several"),
    (P.acquire(60_000, ID, ID[::-1]), (("ps", b"3"), (P.leases, LEASED)), " of two"),
    (P.acquire(60_000, ID, ID[::-1]), IN_USE, " of two, too early"),
    (P.release(ID), IN_USE, " of none"),
    (P.count(), IN_USE, ""),
    (P.count(5), IN_USE, " anew"),
    (P.update_lease(b"l" * 16, 60_000), IN_USE, ""),
    (P.update_lease(b"e" * 16, 60_000), IN_USE, " too late"),
    (P.lease_time(b"l" * 16), IN_USE, ""),
)
KINDS = {"sm": "string", "cd": "string", S.channel: "string", C.channel: "string"}
KINDS |= {"ps": "string", P.leases: "zset", P.semaphore.channel: "string"}
KINDS |= {RATE: "hash", FREE: "string", OWN_FREE: "string", LOG: "zset", OWN_LOG: "zset"}
