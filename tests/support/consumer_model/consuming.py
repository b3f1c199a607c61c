"""The model's consumers: they take, settle, fetch ahead, close and crash; replies may be lost."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pyredisson import Message
from tests.support.consumer_model.book import UNIT, Lease
from tests.support.consumer_model.holder import LEASE, Holder, token_of
from tests.support.consumer_model.machine import CHOICES, WAYS, Machine, chosen
from tests.support.consumer_model.places import Places
from tests.support.consumer_model.rig import LOST

Act = Callable[[Message[str]], bool]
Effect = Callable[[Lease], None]
HOW = st.sampled_from(["ack", "nack", "nack later", "defer", "reject"])
HOLDERS = st.sampled_from([0, 1, 1])
SETTLINGS = st.tuples(HOW, WAYS, st.booleans())
"""How to settle, whether the reply arrives, and whether to retry after a lost reply."""
_FAR = 100
"""Units after which all items are due, and all that can expire have expired."""


class Consuming(Machine):
    """The model with consumers."""

    # ---------------------------------------------------------- time

    @rule(units=st.sampled_from([0, 0, 1, 1, 2]), what=st.sampled_from(["", "transfer", "take"]))
    def wait(self, units: int, what: str) -> None:
        """Let time pass: leases end, unless they were extended.

        0 units are a moment, after which the leases of prefetched messages need to be renewed.
        """
        holder = self.holders[1]
        if what == "take" and not holder.ahead():
            self.provide()
            self.take_by(holder, 1, "plain")
            self.each_message_is_in_one_place()
        self.pass_time(units)
        if what == "transfer":
            self.transfer()
        elif what == "take":
            self.each_message_is_in_one_place()
            self.take_by(holder, 2, "plain")

    # ---------------------------------------------------------- taking

    @rule(which=HOLDERS, limit=st.integers(1, 3), way=WAYS, any_left=st.booleans())
    def take(self, which: int, limit: int, way: str, any_left: bool) -> None:
        if any_left:
            self.provide()
        self.take_by(self.holders[which], limit, way)

    def take_by(self, holder: Holder, limit: int, way: str) -> None:
        """Take messages: each one has its full lease, and has not expired.

        The consumer returns fewer messages if some prefetched ones had expired.
        """
        before = self.places()
        ends = [self.book.leases[t].expires_ms for t in holder.ahead() & self.book.leases.keys()]
        late = any(0 < expires_ms <= before.now_ms for expires_ms in ends)
        found = self.step(lambda: holder.consumer.take_many(limit, 0), way)
        handed = [] if found is LOST else found
        places = self.adopt(holder, handed)
        for message in handed:
            held = places.leased[token_of(message)]
            assert held.ends_ms >= before.now_ms + LEASE * 1000
            self.book.leases[held.taken.token].expires_ms = 0
            assert self.book.expiry.get(held.value, before.now_ms + 1) > before.now_ms
            assert (message.value, message.attempt) == (held.value, held.taken.attempt)
        holder.held += handed
        if way == "plain" and len(handed) < limit and not (handed and late):
            assert not places.ready
            assert not places.ended()

    def adopt(self, holder: Holder, handed: list[Message[str]]) -> Places:
        """Note new leases, and the longer leases of prefetched messages.

        If the consumer does not know a leased message, its reply was lost: the lease has no holder.
        """
        places, ahead = self.places(), holder.ahead()
        self.book.recalled(holder.consumer, places)
        self.book.forget_ended(places)
        known = ahead | {token_of(message) for message in handed}
        for token, held in sorted(places.leased.items()):
            lease = self.book.leases.get(token)
            if lease is None:
                mine = token in known
                lost_by = None if mine else holder.consumer
                self.book.taken(held.taken, held.ends_ms, holder if mine else None, lost_by)
            elif lease.holder is holder and token in known:
                assert held.ends_ms >= lease.ends_ms
                lease.ends_ms = held.ends_ms
            elif lease.holder is holder and lease.ends_ms <= places.now_ms:
                lease.holder = None
        return places

    def adopt_for_nobody(self, places: Places) -> None:
        """Note new leases whose holders no longer exist."""
        for token in sorted(places.leased.keys() - self.book.leases.keys()):
            self.book.taken(places.leased[token].taken, places.leased[token].ends_ms, None)

    # ---------------------------------------------------------- settling

    @property
    def acts(self) -> dict[str, tuple[Act, Effect]]:
        """Return the ways to settle a message, each with its effect on the account."""
        return {
            "ack": (lambda message: message.ack(), lambda lease: self.book.remove(lease.value)),
            "nack": (lambda message: message.nack(), lambda _: None),
            "nack later": (lambda message: message.nack(UNIT), self.postponed),
            "defer": (lambda message: message.defer(UNIT), self.deferred),
            "reject": (
                lambda message: message.reject("no"),
                lambda lease: self.book.buried(lease.value),
            ),
        }

    def postponed(self, lease: Lease) -> None:
        """Note that a message is pending for one unit."""
        self.book.pending[lease.value, self.unit + 1] += 1

    def deferred(self, lease: Lease) -> None:
        """Note that a message is pending, and that its delivery does not count."""
        self.postponed(lease)
        self.book.uncount(lease.value)

    @rule(which=CHOICES, settlings=st.lists(SETTLINGS, min_size=1, max_size=3))
    def settle(self, which: int, settlings: list[tuple[str, str, bool]]) -> None:
        """Settle some of the messages that were handed out; if none are held, take some first."""
        if not self.held():
            self.provide()
            self.take_by(chosen(self.holders, which), 3, "plain")
        for how, way, again in settlings:
            self.each_message_is_in_one_place()
            if held := self.held():
                holder, message = chosen(held, which)
                self.settle_by(holder, message, how, way, again=again)

    def held(self) -> list[tuple[Holder, Message[str]]]:
        """Return all messages that were handed out, with their holders."""
        return [(holder, message) for holder in self.holders for message in holder.held]

    def settle_by(
        self, holder: Holder, message: Message[str], how: str, way: str, *, again: bool
    ) -> None:
        """Settle a message that was handed out; retry a lost reply if `again` is true."""
        act, effect = self.acts[how]
        token, lives = token_of(message), self.lives(message, self.places())
        done = self.step(lambda: act(message), way)
        if done is LOST and again:
            done = self.step(lambda: act(message), "hasty" if way == "frozen" else "plain")
        gone = lives and token not in self.places().leased
        assert done is LOST or done is gone is lives
        if gone:
            effect(self.book.settled(token))
        if gone or not lives:
            holder.held.remove(message)

    @staticmethod
    def lives(message: Message[str], places: Places) -> bool:
        """Return whether the lease of a message has not ended."""
        held = places.leased.get(token_of(message))
        return held is not None and held.ends_ms > places.now_ms

    @rule(which=CHOICES, units=st.sampled_from([0.1, 1.5]))
    def extend(self, which: int, units: float) -> None:
        """Extend a lease; it never becomes shorter."""
        if not self.held():
            return
        _, message = chosen(self.held(), which)
        token, before = token_of(message), self.places()
        lives = self.lives(message, before)
        assert self.step(lambda: message.extend(units * UNIT)) is lives
        if lives:
            lease, found = self.book.leases[token], self.places().leased[token]
            least = max(lease.ends_ms, before.now_ms + units * UNIT * 1000)
            assert least <= found.ends_ms <= least + LEASE * 100
            lease.ends_ms = found.ends_ms

    @rule(what=st.sampled_from(["give back", "close", "crash"]), which=HOLDERS, way=WAYS)
    def leave(self, what: str, which: int, way: str) -> None:
        """Let a consumer release its messages, close, or crash."""
        holder = self.holders[which]
        if not holder.ahead():
            self.provide()
            self.take_by(holder, 1, "plain")
            self.each_message_is_in_one_place()
        if what == "give back":
            self.release(holder, way)
        elif what == "close":
            self.close_of(holder, way)
        else:
            self.crash_of(holder)

    def release(self, holder: Holder, way: str) -> None:
        """Release all messages that were handed out; their deliveries do not count."""
        before = self.places()
        messages, holder.held = holder.held, []
        done = self.step(lambda: holder.consumer.release(messages), way)
        places = self.places()
        for place, message in enumerate(messages):
            token, lives = token_of(message), self.lives(message, before)
            gone = lives and token not in places.leased
            assert done is LOST or done[place] is gone is lives
            if gone:
                self.book.settled(token, started=False)
            elif lives:
                holder.held.append(message)

    # ---------------------------------------------------------- ends

    def close_of(self, holder: Holder, way: str) -> None:
        """Close a consumer, a second time if the reply is lost; a new one replaces it.

        The close releases prefetched messages; the caller still holds those that were handed out.
        """
        before, ahead = self.places(), holder.ahead()
        if self.step(holder.consumer.close, way) is LOST:
            self.step(holder.consumer.close)
        assert not holder.ahead()
        self.book.recalled(holder.consumer, self.places())
        self.returned(ahead, before, self.places())
        holder.begin()

    def returned(self, ahead: set[bytes], before: Places, after: Places) -> None:
        """Note that prefetched messages were released, unless their leases had ended."""
        for token in ahead & before.leased.keys():
            if before.leased[token].ends_ms > before.now_ms:
                assert token not in after.leased
                self.book.settled(token, started=False)

    def crash_of(self, holder: Holder) -> None:
        """Crash a consumer: its messages are redelivered when their leases end."""
        for lease in self.book.leases.values():
            if lease.holder is holder:
                lease.holder = None
        holder.crash()

    def drain(self) -> None:
        """Take and acknowledge all remaining messages, and drop the dead letters."""
        for holder in self.holders:
            holder.crash()
        for lease in self.book.leases.values():
            lease.holder = None
        self.pass_time(_FAR)
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
        assert holder.consumer.poll() is None  # deletes the records of messages that others took
        self.pass_time(_FAR)  # the names of the consumers expire
        assert self.rig.left() == set()
