"""The model's consumers: they take, settle, fetch ahead, close and crash; replies may be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from pyredisson import Message
from tests.support.consumer_model.book import UNIT, Lease
from tests.support.consumer_model.holder import LEASE, Holder, token_of
from tests.support.consumer_model.machine import WAYS, Machine
from tests.support.consumer_model.places import Places
from tests.support.consumer_model.rig import LOST

Effect = Callable[[Lease], None]
_FAR = 100
"""Units after which all is due, and has expired."""


class Consuming(Machine):
    """With consumers."""

    # ---------------------------------------------------------- taking

    @rule(which=st.integers(0, 1), limit=st.integers(1, 3), way=WAYS)
    def take(self, which: int, limit: int, way: str) -> None:
        """What is handed out has its whole lease before it, and has not expired."""
        holder, before = self.holders[which], self.places()
        found = self.step(lambda: holder.consumer.take_many(limit, 0), way)
        handed = [] if found is LOST else found
        places = self.adopt(holder, handed)
        for message in handed:
            held = places.leased[token_of(message)]
            assert held.ends_ms >= before.now_ms + LEASE * 1000
            assert self.book.expiry.get(held.value, before.now_ms + 1) > before.now_ms
            assert (message.value, message.attempt) == (held.value, held.taken.attempt)
        holder.held += handed
        if found is not LOST and len(handed) < limit:
            assert not places.ready
            assert not places.ended()

    def adopt(self, holder: Holder, handed: list[Message[str]]) -> Places:
        """Note what has a lease now, and that what was fetched ahead may have a longer one.

        What its consumer does not know of is nobody's: the reply was lost.
        """
        places, ahead = self.places(), holder.ahead()
        known = ahead | {token_of(message) for message in handed}
        for token, held in sorted(places.leased.items()):
            lease = self.book.leases.get(token)
            if lease is None:
                self.book.taken(held, holder if token in known else None)
            elif lease.holder is holder and token in known:
                assert held.ends_ms >= lease.ends_ms
                lease.ends_ms = held.ends_ms
            elif lease.holder is holder and lease.ends_ms <= places.now_ms:
                lease.holder = None
        return places

    # ---------------------------------------------------------- settling

    def settle(
        self,
        data: Any,
        act: Callable[[Message[str]], bool],
        effect: Effect,
        way: str,
        *,
        begun: bool = True,
    ) -> None:
        """Settle one of all messages that were handed out; where no reply comes, perhaps again."""
        which = [(h, m) for h in self.holders for m in h.held]
        holder, message = which[data.draw(st.integers(0, len(which) - 1))]
        token, before = token_of(message), self.places()
        lives = token in before.leased and before.leased[token].ends_ms > before.now_ms
        done = self.step(lambda: act(message), way)
        if done is LOST and data.draw(st.booleans()):
            done = self.step(lambda: act(message))
        gone = lives and token not in self.places().leased
        if done is not LOST:
            assert done is lives
            assert gone is lives
        if gone:
            effect(self.book.settled(token, begun=begun))
        if gone or not lives:
            holder.held.remove(message)

    some_held = precondition(lambda self: any(holder.held for holder in self.holders))

    @some_held
    @rule(data=st.data(), way=WAYS)
    def ack(self, data: Any, way: str) -> None:
        self.settle(data, lambda m: m.ack(), lambda lease: self.book.remove(lease.value), way)

    @some_held
    @rule(data=st.data(), way=WAYS)
    def nack(self, data: Any, way: str) -> None:
        self.settle(data, lambda m: m.nack(), lambda _: None, way)

    def postponed(self, lease: Lease) -> None:
        """It is pending, for one unit."""
        self.book.pending[lease.value, self.unit + 1] += 1

    @some_held
    @rule(data=st.data(), way=WAYS)
    def nack_later(self, data: Any, way: str) -> None:
        self.settle(data, lambda m: m.nack(UNIT), self.postponed, way)

    @some_held
    @rule(data=st.data(), way=WAYS)
    def defer(self, data: Any, way: str) -> None:
        def uncounted(lease: Lease) -> None:
            self.postponed(lease)
            if lease.value in self.book.attempts:
                self.book.attempts[lease.value] -= 1

        self.settle(data, lambda m: m.defer(UNIT), uncounted, way)

    @some_held
    @rule(data=st.data(), way=WAYS)
    def reject(self, data: Any, way: str) -> None:
        self.settle(data, lambda m: m.reject("no"), lambda le: self.book.buried(le.value), way)

    @some_held
    @rule(data=st.data(), units=st.sampled_from([0.1, 1.5]))
    def extend(self, data: Any, units: float) -> None:
        """No lease becomes shorter."""
        which = [m for holder in self.holders for m in holder.held]
        message = data.draw(st.sampled_from(which))
        token, before = token_of(message), self.places()
        lives = token in before.leased and before.leased[token].ends_ms > before.now_ms
        assert self.step(lambda: message.extend(units * UNIT)) is lives
        if lives:
            lease, found = self.book.leases[token], self.places().leased[token]
            least = max(lease.ends_ms, before.now_ms + units * UNIT * 1000)
            assert least <= found.ends_ms <= least + LEASE * 100
            lease.ends_ms = found.ends_ms

    @some_held
    @rule(which=st.integers(0, 1), way=WAYS)
    def give_back(self, which: int, way: str) -> None:
        """All that a consumer has; none of these deliveries counts."""
        holder, before = self.holders[which], self.places()
        messages, holder.held = holder.held, []
        done = self.step(lambda: holder.consumer.give_back(messages), way)
        places = self.places()
        for place, message in enumerate(messages):
            token = token_of(message)
            lives = token in before.leased and before.leased[token].ends_ms > before.now_ms
            gone = lives and token not in places.leased
            assert done is LOST or done[place] is gone is lives
            if gone:
                self.book.settled(token, begun=False)
            elif lives:
                holder.held.append(message)

    # ---------------------------------------------------------- ends

    @rule(which=st.integers(0, 1), way=WAYS)
    def close(self, which: int, way: str) -> None:
        """What it has fetched ahead goes back; what it was handed it still has."""
        holder = self.holders[which]
        before, ahead = self.places(), holder.ahead()
        if self.step(holder.consumer.close, way) is LOST:
            self.step(holder.consumer.close)
        assert not holder.ahead()
        self.returned(ahead, before, self.places())
        holder.begin()

    def returned(self, ahead: set[bytes], before: Places, after: Places) -> None:
        """What somebody had fetched ahead is back, unless its lease had ended."""
        for token in ahead & before.leased.keys():
            if before.leased[token].ends_ms > before.now_ms:
                assert token not in after.leased
                self.book.settled(token, begun=False)

    @rule(which=st.integers(0, 1))
    def crash(self, which: int) -> None:
        """What it has comes back when the leases end."""
        holder = self.holders[which]
        for lease in self.book.leases.values():
            if lease.holder is holder:
                lease.holder = None
        holder.crash()

    def drain(self) -> None:
        """Take and acknowledge all that is left, and drop the dead letters."""
        for holder in self.holders:
            holder.crash()
        for lease in self.book.leases.values():
            lease.holder = None
        self.time_passes(_FAR)
        self.transfer()
        self.each_message_is_in_one_place()
        (holder, *_) = self.holders
        while found := holder.consumer.take_many(100, 0):
            self.adopt(holder, found)
            assert all(holder.consumer.ack_many(found))
            for message in found:
                self.book.remove(self.book.settled(token_of(message)).value)
        self.each_message_is_in_one_place()
        assert self.letters.drop() == self.book.dead.total()
        self.book.accounts -= self.book.dead
        self.book.dead.clear()
        self.each_message_is_in_one_place()
        assert not +self.book.accounts
        assert holder.consumer.poll() is None  # what it has looked at is forgotten now
        assert self.rig.left() == set()
