"""The model's account: all messages, the place of each, and the changes that may follow.

Equal values are counted. For a unique value, the account also has its attempts and its expiry.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.consumers.delivery import Delivery
from tests.support.consumer_model.places import Places

UNIT = 10_000
"""Seconds. Times of the model are whole units; each example takes less time than one unit."""
UNIT_MS = UNIT * 1000

EQUAL, EQUAL_EXPIRING = "equal", "equal expiring"


@dataclass
class Lease:
    """A leased message. The holder is one of the model, or None if it no longer exists."""

    value: str
    ends_ms: float
    holder: Any
    expires_ms: float
    """When the message expires, unless it is delivered before; 0: never, or it is delivered."""
    lost_by: Any = None
    """The consumer whose reply was lost: it releases the message; the delivery does not count."""


class Book:
    """All messages that the model expects.

    Args:
        began_ms: the start of unit 0, by the server's clock.
    """

    def __init__(self, began_ms: int) -> None:
        self._began_ms = began_ms
        self.accounts = Counter[str]()
        """The count of each value that is neither acknowledged nor removed."""
        self.pending = Counter[tuple[str, int]]()
        """The count of each value and unit in which it is due."""
        self.alone = Counter[tuple[str, int]]()
        """Items that Java's transfer has moved but not removed: they are transferred again."""
        self.leases: dict[bytes, Lease] = {}
        self.dead = Counter[str]()
        self._expired = Counter[str]()
        self.attempts: dict[str, int] = {}
        self.expiry: dict[str, float] = {}
        """When each undelivered item expires, epoch ms."""
        self._expiries: defaultdict[tuple[str, bool], list[float]] = defaultdict(list)
        """When items expire, by value and by whether expired items are dropped."""

    def unit(self, moment_ms: float) -> int:
        """Return the unit of a moment."""
        return int((moment_ms - self._began_ms) // UNIT_MS)

    # ---------------------------------------------------------- steps

    def offered(
        self, value: str, due_ms: int, *, expires_ms: int = 0, dropped: bool = False
    ) -> None:
        """Note a pending item; it may expire this many ms after its due time."""
        self.accounts[value] += 1
        self.pending[value, self.unit(due_ms)] += 1
        self.note(value)
        if expires_ms:
            self._expiries[value, dropped].append(due_ms + expires_ms)
            if value in self.attempts:
                self.expiry[value] = due_ms + expires_ms

    def note(self, value: str) -> None:
        """Start to count the attempts of a unique value."""
        if value not in (EQUAL, EQUAL_EXPIRING):
            self.attempts[value] = 0

    def remove(self, value: str) -> None:
        """Remove a message that was settled for good, or that Java has taken or removed."""
        self.accounts[value] -= 1

    def copied(self, value: str) -> None:
        """Note a second copy of a message; the model cannot distinguish the copies."""
        self.accounts[value] += 1
        self.attempts.pop(value, None)
        self.expiry.pop(value, None)

    def had(self, value: str) -> None:
        """Note that a message was delivered, so it no longer expires."""
        self.expiry.pop(value, None)

    def taken(self, taken: Delivery, ends_ms: float, holder: Any, lost_by: Any = None) -> None:
        """Note the lease of a message."""
        value = taken.raw.decode()
        self.delivered(value, taken.attempt)
        if value in self.attempts:
            assert taken.expires_ms == self.expiry.get(value, 0), f"expiry of {value}"
        self.leases[taken.token] = Lease(value, ends_ms, holder, taken.expires_ms, lost_by)

    def delivered(self, value: str, attempt: int) -> None:
        """Note a delivery; each one counts."""
        if value in self.attempts:
            self.attempts[value] += 1
            assert attempt == self.attempts[value], f"attempt {attempt} of {value}"

    def uncount(self, value: str) -> None:
        """Undo the count of a delivery."""
        if value in self.attempts:
            self.attempts[value] -= 1

    def forget_ended(self, places: Places) -> None:
        """Forget the leases that the server no longer has; they must have ended.

        Their messages were requeued, or they had expired before they were handed out.
        """
        for token in self.leases.keys() - places.leased.keys():
            lease = self.leases.pop(token)
            ends_ms = min(lease.ends_ms, lease.expires_ms or lease.ends_ms)
            assert ends_ms <= places.now_ms, f"the lease of {lease.value} has gone"
            self.had(lease.value)

    def settled(self, token: bytes, *, started: bool = True) -> Lease:
        """Forget a lease, because its message was settled before the lease ended."""
        lease = self.leases.pop(token)
        if started:
            self.had(lease.value)
        else:
            self.uncount(lease.value)
        return lease

    def recalled(self, consumer: Any, places: Places) -> None:
        """Note that messages of lost replies were released, unless their leases had ended."""
        for token in self.leases.keys() - places.leased.keys():
            lease = self.leases[token]
            if lease.lost_by is consumer and lease.ends_ms > places.now_ms:
                self.settled(token, started=False)

    def buried(self, value: str) -> None:
        """Note a dead letter."""
        self.dead[value] += 1

    # ---------------------------------------------------------- invariants

    def agree(self, places: Places) -> None:
        """Compare the contents of the server with the account."""
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
        """Check that only expired items are dead-lettered as expired, or dropped."""
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
