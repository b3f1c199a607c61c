"""Faults of the model: forks of consumers, a frozen server, and a slot that is moving."""

from __future__ import annotations

import json
import os
import signal
import warnings
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pyredisson import Consumer, Message
from tests.support.consumer_model.consuming import HOLDERS, HOW
from tests.support.consumer_model.holder import Holder
from tests.support.consumer_model.machine import CHOICES, UNITS, chosen
from tests.support.consumer_model.rig import Clustered
from tests.support.consumer_model.working import Working

STEPS = st.tuples(
    st.lists(CHOICES, max_size=6),
    HOW | st.sampled_from(["take", "close", "give back", "transfer"]),
    CHOICES,
)
"""The keys to move, the step after that, and the message of the step."""

_TIMEOUT = 0.2
_PATIENCE = 60


class Forking(Working):
    """A forked consumer works in both processes; its prefetched messages belong to one of them."""

    @rule(which=HOLDERS, limit=st.integers(1, 3), acks=st.integers(0, 2), ends=UNITS)
    def fork(self, which: int, limit: int, acks: int, ends: int) -> None:
        """The child takes messages, acknowledges some, settles no others, and mostly closes."""
        self.rig.close_slot()
        self.provide()
        holder = self.holders[which]
        reader, writer = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # threads and fork, since 3.12
            child = os.fork()
        if child == 0:
            _be_a_child(holder.consumer, writer, limit, acks, closes=ends > 0)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            text = pipe.read()
        assert os.waitpid(child, 0)[1] == 0, text
        found: list[tuple[str, int]] = [(str(value), int(n)) for value, n in json.loads(text)]
        places = self.places()
        self.book.forget_ended(places)
        for value, attempt in found[:acks]:
            self.book.delivered(value, attempt)
            self.book.had(value)
            self.book.remove(value)
        self.adopt_for_nobody(places)


def _be_a_child(
    consumer: Consumer[str], writer: int, limit: int, acks: int, *, closes: bool
) -> None:
    """Use the parent's consumer, send the taken messages to the parent, and exit."""
    try:
        signal.alarm(_PATIENCE)
        found = consumer.take_many(limit, 0)
        assert all(consumer.ack_many(found[:acks]))
        if closes:
            consumer.close()
        text = json.dumps([(message.value, message.attempt) for message in found])
        os.write(writer, text.encode())
        os._exit(0)
    except BaseException as error:
        os.write(writer, repr(error).encode())
    finally:
        os._exit(1)


class Freezing(Forking):
    """The server freezes, for longer than a client waits for a reply."""

    frozen = False

    @rule(again=st.booleans(), what=st.sampled_from(["take", "ack", "nack", "reject", "close"]))
    def freeze(self, again: bool, what: str) -> None:
        """Freeze the server once in an example at most, because this is slow."""
        if self.frozen:
            return
        self.frozen = True
        self.rig.close_slot()
        self.provide()
        with self.rig.client(response_timeout=_TIMEOUT) as redisson:
            holder = Holder(redisson, 2)
            self.holders.append(holder)
            self.take_by(holder, 1, "hasty")
            if what == "take":
                self.take_by(holder, 3, "frozen")
            elif what == "close":
                self.close_of(holder, "frozen")
            elif holder.held:
                self.settle_by(holder, holder.held[0], what, "frozen", again=again)
            self.crash_of(holder)
            self.holders.remove(holder)
            holder.consumer.close()


class Moving(Freezing):
    """The queue's slot is moving: all, some or none of its keys are still on the old node."""

    rig: ClassVar[Clustered]

    @rule(to=st.integers(0, 1), steps=st.lists(STEPS, min_size=1, max_size=4))
    def open_slot(self, to: int, steps: list[tuple[list[int], str, int]]) -> None:
        """Move some keys before each step. The slot stays open, unless a step waits for its end."""
        for keys, what, which in steps:
            if not self.held():
                self.rig.close_slot()
                self.provide()
                self.take_by(self.holders[1], 2, "plain")
            if not self.rig.slot_is_open:
                self.rig.open_slot(to)
            for key in keys:
                if left := self.rig.keys():
                    self.rig.move(chosen(left, key))
            self.each_message_is_in_one_place()
            if held := self.held():
                self._step_in_it(what, *chosen(held, which))
            self.each_message_is_in_one_place()

    def _step_in_it(self, what: str, holder: Holder, message: Message[str]) -> None:
        if what == "take":
            self.take_by(holder, 2, "plain")
        elif what == "close":
            self.close_of(holder, "plain")
        elif what == "give back":
            self.release(holder, "plain")
        elif what == "transfer":
            self.transfer()
        else:
            self.settle_by(holder, message, what, "plain", again=False)

    def drain(self) -> None:
        """Finish the move; then take all remaining messages."""
        self.rig.close_slot()
        super().drain()
