"""Consumers against a plain model: offers, takes, settling, leases that end, transfers, crashes.

After every step each item is in exactly one place: ready (the target list, or arriving), held,
pending, dead, or gone for good. Values repeat, as they do in life.
"""

from collections import Counter
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from pyredisson import Consumer, Message, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.cleanup import reap
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.consuming import NAMES, end_leases, texts, traces

VALUES = st.sampled_from(["a", "b", "c"])
QUEUE = ConsumerNames.of("q").queue
FAR = 4_000_000_000_000


class Machine(RuleBasedStateMachine):
    """The model: the messages that are held, and how many of each value have left the queue."""

    raw: Any
    redisson: Redisson

    def __init__(self) -> None:
        super().__init__()
        self.raw.flushall()
        queue = self.redisson.get_queue("q")
        self.queue = queue
        self.delayed = self.redisson.get_delayed_queue(queue, transfer=False)
        self.letters = self.redisson.get_dead_letters(queue)
        self.consumer: Consumer[str] = self.redisson.get_consumer(queue, transfer=False)
        self.offered: Counter[str] = Counter()
        self.gone: Counter[str] = Counter()
        self.dead: Counter[str] = Counter()
        self.held: list[Message[str]] = []
        self.ended: list[Message[str]] = []
        self.attempts: dict[str, int] = {}

    # ---------------------------------------------------------- offers, Java's as well

    @rule(value=VALUES)
    def add(self, value: str) -> None:
        self.offered[value] += 1
        self.queue.add(value)

    @rule(value=VALUES)
    def offer(self, value: str) -> None:
        self.offered[value] += 1
        self.delayed.offer(value, delay=3600)

    @rule()
    def another_takes(self) -> None:
        """Java takes a value, without a lease."""
        value = self.queue.poll()
        if value is not None:
            self.gone[value] += 1

    @rule(now=st.booleans())
    def transfer(self, now: bool) -> None:
        """Transfer all pending items, or none."""
        protocol = DelayedQueueProtocol(QUEUE, StringCodec())
        self.redisson._context.link.request(protocol.transfer(FAR if now else 0, 100))

    # ---------------------------------------------------------- consumers

    @rule(limit=st.integers(1, 3))
    def take(self, limit: int) -> None:
        """A redelivered message has the same id, and at most one attempt more than before."""
        found = self.consumer.take_many(limit, 0)
        self.held += found
        for message in found:
            assert message.attempt >= 1
            assert message.attempt <= self.attempts.get(message.id, 0) + 1
            self.attempts[message.id] = message.attempt
        if len(found) < limit:
            assert texts(self.raw) == []

    def settled(self, data: Any) -> Message[str]:
        return self.held.pop(data.draw(st.integers(0, len(self.held) - 1)))

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def ack(self, data: Any) -> None:
        message = self.settled(data)
        assert message.ack()
        self.gone[message.value] += 1

    @precondition(lambda self: self.held)
    @rule(data=st.data(), delay=st.sampled_from([0, 3600]))
    def nack(self, data: Any, delay: int) -> None:
        assert self.settled(data).nack(delay)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), delay=st.sampled_from([0, 3600]))
    def defer(self, data: Any, delay: int) -> None:
        message = self.settled(data)
        assert message.defer(delay)
        self.attempts[message.id] -= 1

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def reject(self, data: Any) -> None:
        message = self.settled(data)
        assert message.reject("why")
        self.dead[message.value] += 1

    @precondition(lambda self: self.held)
    @rule(data=st.data())
    def extend(self, data: Any) -> None:
        message = self.settled(data)
        assert message.extend(100)
        self.held.append(message)

    # ---------------------------------------------------------- faults

    @precondition(lambda self: self.held)
    @rule()
    def leases_end(self) -> None:
        """The leases end because the consumer has ended or is slow. It can no longer settle."""
        end_leases(self.raw)
        self.ended, self.held = self.held, []

    @precondition(lambda self: self.ended)
    @rule(data=st.data())
    def too_late(self, data: Any) -> None:
        message = data.draw(st.sampled_from(self.ended))
        late = data.draw(st.sampled_from([message.ack, message.nack, lambda: message.extend(5)]))
        assert late() is False

    @rule()
    def a_wait_is_killed(self) -> None:
        """A wait is killed between its move and its script."""
        self.raw.lmove("q", NAMES.arriving, "LEFT", "RIGHT")

    @rule()
    def reap(self) -> None:
        self.redisson._context.link.request(reap(NAMES))
        assert self.raw.exists(NAMES.arriving) == 0

    @precondition(lambda self: self.dead)
    @rule(limit=st.integers(1, 2))
    def redrive(self, limit: int) -> None:
        ready = Counter(texts(self.raw))
        moved = self.letters.redrive(limit)
        back = Counter(texts(self.raw)) - ready
        assert moved == back.total()
        self.dead -= back

    # ---------------------------------------------------------- what always holds

    @invariant()
    def everything_is_somewhere(self) -> None:
        taken: Any = self.raw.hvals(NAMES.taken)
        held = Counter(record[44:].decode() for record in taken)
        ready = Counter(texts(self.raw) + texts(self.raw, NAMES.arriving))
        pending = Counter(self.delayed.read_all())
        dead = Counter(letter.value for letter in self.letters)
        assert dead == self.dead
        assert Counter(message.value for message in self.held) <= held
        assert ready + pending + held + dead + self.gone == self.offered
        assert self.raw.hlen(NAMES.taken) == self.raw.zcard(NAMES.leases)

    def teardown(self) -> None:
        """In the end only dead letters remain of pyredisson's keys."""
        end_leases(self.raw)
        self.redisson._context.link.request(
            DelayedQueueProtocol(QUEUE, StringCodec()).transfer(FAR, 1000)
        )
        self.everything_is_somewhere()
        for entry in self.raw.zrange(NAMES.postponed, 0, -1):
            self.raw.zadd(NAMES.postponed, {entry: 1})  # it is due now
        while message := self.consumer.poll():
            assert message.ack()
        assert traces(self.raw) <= {"dead", "dead_letters"}
        assert bool(traces(self.raw)) == bool(self.dead)
        self.consumer.close()


def test_every_item_is_in_one_place(world: tuple[Any, Redisson]) -> None:
    Machine.raw, Machine.redisson = world
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=60,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
