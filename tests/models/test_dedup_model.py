"""Offers with keys against a plain model: offers, cancels, new times, transfers, Java's removals.

After every step the pending items are those of the model, with their times and in their order. Each
key names the same item as in the model.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
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

from pyredisson import Receipt, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.cleanup import forget_keys
from pyredisson.protocol.delayed.dedup import IfExists
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.state import scored

NAMES = QueueNames.of("q")
START = 4_000_000_000
TIMES = st.integers(0, 20)
RULES: st.SearchStrategy[IfExists] = st.sampled_from(["ignore", "replace", "extend", "earliest"])


@dataclass
class Item:
    """A pending item."""

    receipt: Receipt
    time: int
    key: str | None = None


class Machine(RuleBasedStateMachine):
    """The model: the pending items in the order of their offers."""

    raw: Any
    redisson: Redisson

    def __init__(self) -> None:
        super().__init__()
        self.raw.flushall()
        queue = self.redisson.get_queue("q")
        self.handles = [
            self.redisson.get_delayed_queue(queue, transfer=False, wire_format=release)
            for release in ("4.7.0", "3.21.0")
        ]
        self.items: list[Item] = []
        self.gone: list[Receipt] = []
        self.offers = 0

    def at(self, time: int) -> datetime:
        return datetime.fromtimestamp(START + time, UTC)

    def a_value(self) -> str:
        self.offers += 1
        return f"v{self.offers}"

    def drop(self, item: Item) -> None:
        self.items.remove(item)
        self.gone.append(item.receipt)

    @rule(time=TIMES, old=st.integers(0, 1))
    def offer(self, time: int, old: int) -> None:
        self.items.append(Item(self.handles[old].offer(self.a_value(), at=self.at(time)), time))

    @rule(key=st.sampled_from("abc"), time=TIMES, if_exists=RULES, old=st.integers(0, 1))
    def offer_once(self, key: str, time: int, if_exists: IfExists, old: int) -> None:
        value = self.a_value()
        found = self.handles[old].offer(value, at=self.at(time), dedup=key, if_exists=if_exists)
        pending = next((item for item in self.items if item.key == key), None)
        if pending is None or if_exists == "replace":
            assert found.stored
            assert found.value.decode() == value
            if pending is not None:
                self.drop(pending)
            self.items.append(Item(found, time, key))
            return
        assert not found.stored
        if if_exists != "ignore":
            pending.time = (max if if_exists == "extend" else min)(pending.time, time)
        assert found.entry == pending.receipt.entry
        assert found.due_ms == (START + pending.time) * 1000

    @precondition(lambda self: self.items)
    @rule(data=st.data())
    def cancel(self, data: Any) -> None:
        item = data.draw(st.sampled_from(self.items))
        assert self.handles[0].cancel(item.receipt)
        self.drop(item)

    @precondition(lambda self: self.items)
    @rule(data=st.data(), time=TIMES)
    def reschedule(self, data: Any, time: int) -> None:
        item = data.draw(st.sampled_from(self.items))
        assert self.handles[0].reschedule(item.receipt, at=self.at(time))
        item.time = time

    @precondition(lambda self: self.gone)
    @rule(data=st.data())
    def too_late(self, data: Any) -> None:
        receipt = data.draw(st.sampled_from(self.gone))
        assert not self.handles[0].cancel(receipt)
        assert self.handles[0].reschedule(receipt, 5) is None

    @precondition(lambda self: self.items)
    @rule(data=st.data())
    def java_removes(self, data: Any) -> None:
        item = data.draw(st.sampled_from(self.items))
        self.raw.zrem(NAMES.timeout_set, item.receipt.entry)
        self.raw.lrem(NAMES.delay_list, 1, item.receipt.entry)
        self.drop(item)

    @rule(time=TIMES)
    def transfer(self, time: int) -> None:
        protocol = DelayedQueueProtocol(NAMES, StringCodec())
        self.redisson._context.link.request(protocol.transfer((START + time) * 1000, 100))
        for item in [item for item in self.items if item.time <= time]:
            self.drop(item)

    @rule()
    def forget(self) -> None:
        self.redisson._context.link.request(forget_keys(NAMES))
        if not self.items:
            assert not self.raw.exists(NAMES.dedup)

    @invariant()
    def what_is_pending(self) -> None:
        entries = [item.receipt.entry for item in self.items]
        assert self.raw.lrange(NAMES.delay_list, 0, -1) == entries
        times = {item.receipt.entry: (START + item.time) * 1000 for item in self.items}
        assert dict(scored(self.raw, NAMES.timeout_set.encode())) == times
        named = {key.decode(): entry for key, entry in self.raw.hgetall(NAMES.dedup).items()}
        alive = {key: entry for key, entry in named.items() if entry in times}
        assert alive == {item.key: item.receipt.entry for item in self.items if item.key}


def test_offers_with_keys_follow_the_model(world: tuple[Any, Redisson]) -> None:
    Machine.raw, Machine.redisson = world
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=60,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
