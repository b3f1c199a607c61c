"""The model: offers, transfers, operations of Java, time that passes, dead letters.

After each step every message is in exactly one place, as in the account, or it is acknowledged, or
a dead letter. `check` finds only problems that the account contains.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime
from typing import ClassVar, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import UncertainOfferError
from pyredisson.protocol.checks.check import UNSEEN_MS
from pyredisson.protocol.checks.finding import FindingKind
from pyredisson.protocol.delayed.entry import WireFormat
from tests.support.consumer_model import javas
from tests.support.consumer_model.book import EQUAL, EQUAL_EXPIRING, UNIT, UNIT_MS, Book
from tests.support.consumer_model.holder import Holder
from tests.support.consumer_model.places import Places
from tests.support.consumer_model.rig import LOST, NAMES, Lost, Rig

T = TypeVar("T")

WAYS = st.sampled_from(["plain", "plain", "plain", "lost"])
"""Whether the reply of a step arrives."""
LAYOUTS = st.sampled_from(list(WireFormat))
UNITS = st.sampled_from([0, 0, 1, 2])
KINDS = st.sampled_from(["plain", "plain", "dead", "drop", "brief"])
CHOICES = st.integers(0, 99)
"""An index into a sequence; the numbers that a rule draws do not depend on the other rules."""
_MOMENT = 100
"""Seconds, after which leases of prefetched messages need a renewal, and brief items expire."""
_EXPIRES = {"plain": 0, "brief": 60, "dead": 1.5 * UNIT, "drop": 1.5 * UNIT}
"""Seconds from the due time of an item to its expiry, by its kind; 0: it never expires."""


def chosen(some: Sequence[T], which: int) -> T:
    """Return the element at an index, modulo the length."""
    return some[which % len(some)]


class Machine(RuleBasedStateMachine):
    """The queue `q` on the servers of a rig, and its account."""

    rig: ClassVar[Rig]

    def __init__(self) -> None:
        super().__init__()
        self.rig.empty()
        self.unit = 0
        self.book = Book(self.rig.now_ms())
        self.count = 0
        redisson = self.rig.redisson
        self.queue = redisson.get_queue("q")
        self.offers = {
            (layout, kind): redisson.get_delayed_queue(
                self.queue,
                transfer=False,
                wire_format=layout,
                expire_after=expires or None,
                when_expired="drop" if kind == "drop" else "dead",
            )
            for layout in WireFormat
            for kind, expires in _EXPIRES.items()
        }
        observed = self.rig.observer.get_queue("q")
        self.checked = self.rig.observer.get_delayed_queue(observed, transfer=False)
        self.letters = redisson.get_dead_letters(self.queue)
        self.holders = [Holder(redisson, 1), Holder(redisson, 5)]

    # ---------------------------------------------------------- helpers

    def step(self, step: Callable[[], T], way: str = "plain") -> T | Lost:
        """Call the library; return LOST if the reply was lost."""
        ways: dict[str, Callable[[], AbstractContextManager[None]]]
        ways = {"lost": self.rig.losing, "frozen": self.rig.frozen, "hasty": nullcontext}
        if way == "plain":
            return self.rig.run(step)
        try:
            with ways[way]():
                return self.rig.run(step)
        except (RedisConnectionError, RedisTimeoutError, UncertainOfferError):
            return LOST

    def places(self) -> Places:
        """Return the places of all messages."""
        return self.rig.places()

    def a_value(self, kind: str, *, equal: bool) -> str:
        """Return a value that many items have, or a unique one."""
        self.count += 1
        if equal:
            return EQUAL if kind == "plain" else EQUAL_EXPIRING
        return f"v{self.count}"

    # ---------------------------------------------------------- offers

    @rule(equal=st.booleans(), unit=UNITS, layout=LAYOUTS, kind=KINDS, way=WAYS)
    def offer(self, equal: bool, unit: int, layout: WireFormat, kind: str, way: str) -> None:
        value, due_ms = self.a_value(kind, equal=equal and kind != "drop"), self.due_ms(unit)
        at = datetime.fromtimestamp(due_ms / 1000, UTC)
        before = self.places().pending.keys()
        found = self.step(lambda: self.offers[layout, kind].offer(value, at=at), way)
        new = self.places().pending.keys() - before
        assert len(new) == 1 or (found is LOST and not new)
        if new:
            self.offered(value, due_ms, kind)

    @rule(count=st.integers(2, 5), unit=UNITS, kind=st.sampled_from(["plain", "dead", "brief"]))
    def offer_many(self, count: int, unit: int, kind: str) -> None:
        """Offer several equal items."""
        value, due_ms = self.a_value(kind, equal=True), self.due_ms(unit)
        at = datetime.fromtimestamp(due_ms / 1000, UTC)
        offers = self.offers[WireFormat.CURRENT, kind]
        self.step(lambda: offers.offer_many([(value, at)] * count))
        for _ in range(count):
            self.offered(value, due_ms, kind)

    def due_ms(self, units: int) -> int:
        """Return the moment this many units from now."""
        return self.rig.now_ms() + units * UNIT_MS

    def offered(self, value: str, due_ms: int, kind: str) -> None:
        """Note an item."""
        expires_ms = int(_EXPIRES[kind] * 1000)
        self.book.offered(value, due_ms, expires_ms=expires_ms, dropped=kind == "drop")

    # ---------------------------------------------------------- transfers, Java

    @rule(what=st.sampled_from(["ours", "ours", "reap", "java", "half"]), layout=LAYOUTS)
    def move(self, what: str, layout: WireFormat) -> None:
        """Transfer due items, or requeue abandoned messages."""
        if what == "ours":
            self.transfer()
        elif what == "reap":
            self.reap()
        else:
            self.java_transfers(layout, 50 if what == "java" else 2)

    def transfer(self) -> None:
        """Transfer due items, as pyredisson's transfer tasks do."""
        self.rig.transfer()
        for due in (self.book.pending, self.book.alone):
            for value, unit in list(due):
                if unit <= self.unit:
                    del due[value, unit]

    def reap(self) -> None:
        """Requeue abandoned messages, as pyredisson's transfer tasks do."""
        self.rig.reap()
        places = self.places()
        assert not places.arriving
        assert not places.ended()

    def java_transfers(self, layout: WireFormat, stop: int) -> None:
        """If Java's transfer stops half-way, the moved items are transferred a second time."""
        self.rig.close_slot()
        moved = javas.transfer(self.rig, self.places(), layout, stop)
        for entry in moved.entries:
            place = entry.value, self.book.unit(entry.due_ms)
            if moved.whole:
                (self.book.alone if entry.alone else self.book.pending)[place] -= 1
                continue
            self.book.copied(entry.value)
            if not entry.alone:
                self.book.pending[place] -= 1
                self.book.alone[place] += 1

    def provide(self) -> None:
        """Provide messages to take: new and redelivered ones, with and without an expiry."""
        places = self.places()
        if not places.ready and not places.ended():
            for kind in _EXPIRES:
                self.offer(False, 0, WireFormat.CURRENT, kind, "plain")
            self.offer_many(2, 0, "brief")
            self.transfer()

    # ---------------------------------------------------------- Java

    @rule(what=st.sampled_from(["adds", "polls", "removes", "waits"]), which=CHOICES)
    def java(self, what: str, which: int) -> None:
        """Act as Java, or as a consumer that is killed in a wait, between move and script."""
        if what == "adds":
            value = self.a_value("plain", equal=which % 2 == 0)
            self.rig.read([("RPUSH", NAMES.queue.name, value)])
            self.book.accounts[value] += 1
            self.book.note(value)
        elif what == "removes":
            self.java_removes(which)
        else:
            (value,) = self.rig.read([("LPOP", NAMES.queue.name)])
            if value is not None and what == "waits":
                self.rig.read([("RPUSH", NAMES.arriving, value)])
            elif value is not None:
                self.book.remove(value.decode())
                self.book.had(value.decode())

    def java_removes(self, which: int) -> None:
        """Remove a pending item, as Java does."""
        pending = self.places().pending
        if not pending:
            return
        packed, entry = chosen(sorted(pending.items(), key=lambda each: each[1].value), which)
        javas.remove(self.rig, packed)
        place = entry.value, self.book.unit(entry.due_ms)
        (self.book.alone if entry.alone else self.book.pending)[place] -= 1
        self.book.remove(entry.value)
        self.book.had(entry.value)

    # ---------------------------------------------------------- time

    def pass_time(self, units: int) -> None:
        """Let a number of units pass; 0 units are a moment."""
        self.unit += units
        self.rig.put_forward(units * UNIT or _MOMENT)

    # ---------------------------------------------------------- dead letters

    @rule(limit=st.integers(1, 2), drop=st.booleans())
    def settle_letters(self, limit: int, drop: bool) -> None:
        before = self.places()
        settle = self.letters.drop if drop else self.letters.redrive
        count = self.step(lambda: settle(limit))
        gone = before.dead - self.places().dead
        assert gone.total() == count == min(limit, before.dead.total())
        self.book.dead -= gone
        for value in gone.elements():
            if drop:
                self.book.remove(value)
            elif value in self.book.attempts:
                self.book.attempts[value] = 0

    # ---------------------------------------------------------- invariants

    @invariant()
    def each_message_is_in_one_place(self) -> None:
        places = self.places()
        self.book.agree(places)
        for holder in self.holders:
            self._is_known(holder, places)
        if not self.rig.slot_is_open:
            self._check(places)

    def _is_known(self, holder: Holder, places: Places) -> None:
        """Check that each leased message of a consumer was handed out, or is prefetched."""
        ahead = holder.ahead()
        known = ahead | {bytes.fromhex(message.delivery_id) for message in holder.held}
        for token, lease in self.book.leases.items():
            if lease.holder is holder and lease.ends_ms > places.now_ms:
                assert token in known, f"{lease.value} is leased, and its consumer forgot it"

    def _check(self, places: Places) -> None:
        expected = {
            FindingKind.TIMEOUT_SET_ONLY: sum(entry.alone for entry in places.pending.values()),
            FindingKind.LEASE_ENDED: sum(
                held.ends_ms < places.now_ms - UNSEEN_MS for held in places.leased.values()
            ),
            FindingKind.UNCLAIMED: places.arriving.total(),
        }
        layouts = [entry.layout for entry in places.pending.values()]
        if len(set(layouts)) > 1:
            expected[FindingKind.MIXED_FORMATS] = min(map(layouts.count, WireFormat))
        found = self.checked.check()
        assert {each.kind: each.count for each in found} == {k: n for k, n in expected.items() if n}

    def teardown(self) -> None:
        """Deliver all messages; then no key remains."""
        if sys.exc_info()[0] is None:
            self.drain()
        for holder in self.holders:
            holder.crash()
            holder.consumer.close()

    def drain(self) -> None:
        """Take and acknowledge all remaining messages, and drop the dead letters."""
        raise NotImplementedError
