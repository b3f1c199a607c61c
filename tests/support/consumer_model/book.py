"""The model's account: which messages there are, in which place each is, and what may become of it.

Equal values are counted. A value of which there is one alone has its attempts and its expiry noted,
too.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.consumers.delivery import Delivery
from tests.support.consumer_model.places import Places

UNIT = 10_000
"""Seconds; times of the model are whole units, and no example lasts for as long as one."""
UNIT_MS = UNIT * 1000

EQUAL, EQUAL_EXPIRING = "equal", "equal expiring"


@dataclass
class Lease:
    """A message that somebody has: a holder of the model, or nobody who is alive."""

    value: str
    ends_ms: float
    holder: Any
    expires_ms: float
    """When it expires unless somebody has it by then; 0: never, or somebody has it."""
    lost_by: Any = None
    """The consumer whose take had no reply: it gives the message back, and no delivery counts."""


class Book:
    """What there is.

    Args:
        began_ms: when unit 0 began, by the server's clock.
    """

    def __init__(self, began_ms: int) -> None:
        self._began_ms = began_ms
        self.accounts = Counter[str]()
        """How many there are of each value that is neither acknowledged nor removed."""
        self.pending = Counter[tuple[str, int]]()
        """Value and unit in which it is due."""
        self.alone = Counter[tuple[str, int]]()
        """Those that Java's transfer has moved and not forgotten: they come once more."""
        self.leases: dict[bytes, Lease] = {}
        self.dead = Counter[str]()
        self._expired = Counter[str]()
        self.attempts: dict[str, int] = {}
        self.expiry: dict[str, float] = {}
        """When an item expires that nobody has had yet, epoch ms."""
        self._expiries: defaultdict[tuple[str, bool], list[float]] = defaultdict(list)
        """By value, and whether they are dropped: when those expire that were offered so."""

    def unit(self, moment_ms: float) -> int:
        """Return the unit of a moment."""
        return int((moment_ms - self._began_ms) // UNIT_MS)

    # ---------------------------------------------------------- steps

    def offered(
        self, value: str, due_ms: int, *, expires_ms: int = 0, dropped: bool = False
    ) -> None:
        """An item is pending; it may expire so long after it was due."""
        self.accounts[value] += 1
        self.pending[value, self.unit(due_ms)] += 1
        self.note(value)
        if expires_ms:
            self._expiries[value, dropped].append(due_ms + expires_ms)
            if value in self.attempts:
                self.expiry[value] = due_ms + expires_ms

    def note(self, value: str) -> None:
        """Begin to count the attempts of a value of which there is one alone."""
        if value not in (EQUAL, EQUAL_EXPIRING):
            self.attempts[value] = 0

    def remove(self, value: str) -> None:
        """A message is gone: acknowledged, or somebody else has it."""
        self.accounts[value] -= 1

    def copied(self, value: str) -> None:
        """A message comes once more: which of the two is which nobody knows."""
        self.accounts[value] += 1
        self.attempts.pop(value, None)
        self.expiry.pop(value, None)

    def had(self, value: str) -> None:
        """Somebody had it, so it does not expire any more."""
        self.expiry.pop(value, None)

    def taken(self, taken: Delivery, ends_ms: float, holder: Any, lost_by: Any = None) -> None:
        """A message has a lease now."""
        value = taken.raw.decode()
        self.delivered(value, taken.attempt)
        if value in self.attempts:
            assert taken.expires_ms == self.expiry.get(value, 0), f"expiry of {value}"
        self.leases[taken.token] = Lease(value, ends_ms, holder, taken.expires_ms, lost_by)

    def delivered(self, value: str, attempt: int) -> None:
        """Somebody got a message: each delivery counts."""
        if value in self.attempts:
            self.attempts[value] += 1
            assert attempt == self.attempts[value], f"attempt {attempt} of {value}"

    def uncount(self, value: str) -> None:
        """A delivery does not count."""
        if value in self.attempts:
            self.attempts[value] -= 1

    def forget_ended(self, places: Places) -> None:
        """A lease is gone when it has ended, and somebody has put its message back.

        Or when its message has expired, which nobody had been handed.
        """
        for token in self.leases.keys() - places.leased.keys():
            lease = self.leases.pop(token)
            ends_ms = min(lease.ends_ms, lease.expires_ms or lease.ends_ms)
            assert ends_ms <= places.now_ms, f"the lease of {lease.value} has gone"
            self.had(lease.value)

    def settled(self, token: bytes, *, started: bool = True) -> Lease:
        """A lease is gone, because its message was settled before it ended."""
        lease = self.leases.pop(token)
        if started:
            self.had(lease.value)
        else:
            self.uncount(lease.value)
        return lease

    def recalled(self, consumer: Any, places: Places) -> None:
        """What a consumer took and did not hear of is back, unless its lease had ended."""
        for token in self.leases.keys() - places.leased.keys():
            lease = self.leases[token]
            if lease.lost_by is consumer and lease.ends_ms > places.now_ms:
                self.settled(token, started=False)

    def buried(self, value: str) -> None:
        """A message is a dead letter."""
        self.dead[value] += 1

    # ---------------------------------------------------------- what always holds

    def agree(self, places: Places) -> None:
        """Hold what is in the server against the account."""
        pending: Counter[tuple[str, int]] = Counter()
        alone: Counter[tuple[str, int]] = Counter()
        for entry in places.pending.values():
            (alone if entry.alone else pending)[entry.value, self.unit(entry.due_ms)] += 1
        assert (pending, alone) == (+self.pending, +self.alone)
        self.forget_ended(places)
        assert self.leases.keys() == places.leased.keys(), "somebody has a message unseen"
        for token, lease in self.leases.items():
            found = places.leased[token]
            assert (found.value, found.ends_ms) == (lease.value, lease.ends_ms)
        self._agree_on_expiry(places)
        assert places.dead == +self.dead
        assert places.counts() == +self.accounts

    def _agree_on_expiry(self, places: Places) -> None:
        """Of those that were offered so, as many are dead or dropped as nobody took in time."""
        for value, count in (places.expired - self._expired).items():
            self._expire(value, count, places, dropped=False)
            self.dead[value] += count
        self._expired = places.expired
        for value, count in (self.accounts - places.counts()).items():
            self._expire(value, count, places, dropped=True)
            self.accounts[value] -= count

    def _expire(self, value: str, count: int, places: Places, *, dropped: bool) -> None:
        times = sorted(self._expiries[value, dropped])
        passed = [when for when in times if when <= places.now_ms]
        assert len(passed) >= count, f"{value} is nowhere" if dropped else f"{value} expired early"
        self._expiries[value, dropped] = times[count:]
        self.had(value)
