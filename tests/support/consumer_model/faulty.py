"""What befalls the model's consumers on a server: forks, and a server that stands still."""

from __future__ import annotations

import json
import os
import signal
import warnings
from typing import ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pyredisson import Consumer
from tests.support.consumer_model.consuming import HOLDERS
from tests.support.consumer_model.holder import Holder
from tests.support.consumer_model.machine import CHOICES, UNITS, chosen
from tests.support.consumer_model.rig import Clustered
from tests.support.consumer_model.working import Working

_TIMEOUT = 0.2
_PATIENCE = 60


class Forking(Working):
    """A consumer that is forked belongs to both processes, what it has fetched to one."""

    @rule(which=HOLDERS, limit=st.integers(1, 3), acks=st.integers(0, 2), ends=UNITS)
    def fork(self, which: int, limit: int, acks: int, ends: int) -> None:
        """The child takes, acknowledges some, and mostly closes; what else it has is left."""
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
    """Use the parent's consumer, say what was taken, and end."""
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
    """The server stands still, for longer than somebody waits for a reply."""

    frozen = False

    @rule(again=st.booleans(), what=st.sampled_from(["take", "ack", "nack", "reject", "close"]))
    def freeze(self, again: bool, what: str) -> None:
        """Once in an example, because it takes its time."""
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
    """The queue's slot is open: all its keys are here still, or some, or none."""

    rig: ClassVar[Clustered]

    @rule(which=st.integers(0, 1))
    def open_slot(self, which: int) -> None:
        """Or close it, where it is open."""
        if self.rig.slot_is_open:
            self.rig.close_slot()
        else:
            self.rig.open_slot(which)

    @rule(which=CHOICES)
    def move_a_key(self, which: int) -> None:
        if self.rig.slot_is_open and (keys := self.rig.keys()):
            self.rig.move(chosen(keys, which))

    def drain(self) -> None:
        """Take what is left, when all is in one place."""
        self.rig.close_slot()
        super().drain()
