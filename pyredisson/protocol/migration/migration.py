"""The operations of a migration.

The rule: `stage` makes a run the only one for the queue that items come from, `fence` for the queue
that gets items. `add`, `advance` and `finish` name their run, and have no effect if another run has
taken over. Each batch has a number, is added once, and is removed once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import MigrationNames, ScheduleNames, WindowNames
from pyredisson.protocol.kernel.replies import number, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.migration.conversion import Item

__all__ = ["KINDS", "Added", "MigrationProtocol", "Staged"]

KINDS = ("pending", "ready", "dead")
_TYPES = ("list", "zset", "list", "zset", "hash")
_ENDED_MS = 7 * 86_400_000


class Staged(NamedTuple):
    """A migration: its id, its options and the number of its next batch."""

    id: bytes
    options: bytes
    batch: int


class Added(NamedTuple):
    """A batch: its number, its size, and the places in it of the items that stay.

    These items stay in the queue that they came from. Places count from 1. If no batch was added,
    `fence` returns the number -1.
    """

    batch: int
    size: int
    stay: tuple[int, ...]


def _staged(reply: Any) -> Staged | str | int | None:
    if isinstance(reply, int):
        return reply
    if isinstance(reply, list):
        return Staged(reply[0], reply[1], int(reply[2]))
    return None if reply is None else bytes(reply).decode()


def _added(reply: Any) -> Added | int:
    if isinstance(reply, int):
        return reply
    batch, size, stay = reply
    if batch is None:
        return Added(-1, 0, ())
    return Added(int(batch), int(size), tuple(map(int, stay.split())))


@dataclass(frozen=True, slots=True)
class MigrationProtocol:
    """The operations on a queue that items come from, or that gets items."""

    names: MigrationNames

    def _parts(self) -> tuple[str, ...]:
        n = self.names.consumer
        return (n.queue.delay_list, n.queue.timeout_set, n.queue.name, n.dead, n.letters)

    def _taken(self) -> tuple[str, ...]:
        n = self.names
        return (n.delay_list, n.timeout_set, n.ready, n.dead, n.letters)

    def in_the_way(self, *, only_pending: bool) -> dict[str, str]:
        """Return the keys that must not exist at a `stage`, with the reasons and what to do."""
        n, q = self.names.consumer, self.names.consumer.queue
        s, w = ScheduleNames.of(q.name), WindowNames.of(q.name)
        window = "its items are groups of a window: deliver them first"
        retried = "it has messages that were requeued: wait until they are done"
        expiring = "it has items that expire: wait until they are delivered or expired"
        keys = {
            w.started: window,
            w.groups: window,
            s.entries: "it has recurring work: remove that first, and add it again afterwards",
            n.retried: retried,
            n.postponed: retried,
            n.expiring: expiring,
            n.expiries: expiring,
        }
        if not only_pending:
            held = "consumers have messages of it: stop them, and wait until their leases end"
            keys |= {n.leases: held, n.taken: held, n.arriving: held, n.returned: retried}
        return keys

    def stage(
        self, new: str, run: str, options: str, *, only_pending: bool, again: bool = False
    ) -> Eval[Staged | str | int | None]:
        """Take the items out of the queue, or take over a migration that was interrupted.

        The result is the migration. A migration with other options is returned, but not taken
        over. Other results:

        * None: the queue has no items, and no migration exists.
        * 1: a migration with these options has ended, and `again` is False.
        * A text: the name of a key that exists, but must not.

        Args:
            new: the id of a new migration.
            run: the run that takes the items out or takes over.
            options: the options of the migration.
            only_pending: whether only pending items are taken out.
            again: whether to repeat a migration that has ended.
        """
        count = 2 if only_pending else 5
        old = (*self._parts()[:count], self.names.consumer.queue.dedup)
        taken = (*self._taken()[:count], self.names.dedup)
        forbidden = self.in_the_way(only_pending=only_pending)
        keys = (self.names.state, self.names.ended, *old, *taken, *forbidden)
        types = " ".join((*_TYPES[:count], "hash"))
        args: tuple[Arg, ...] = (new, run, options, len(old), int(again), types)
        return Eval(load("migration/stage"), keys, args, _staged, safe=True)

    def exists(self, key: str) -> Command[bool]:
        """EXISTS."""
        return Command(("EXISTS", key), truth, key, safe=True)

    def read(self, kind: str, start: int, count: int, *, staged: bool) -> Eval[list[Any]]:
        """Read at most `count` items from place `start` on, counted from 0.

        `staged` selects the items of the migration, not those of the queue.
        """
        keys = self._taken() if staged else self._parts()
        return Eval(load("migration/read"), keys, (kind, start, count), list, safe=True)

    def size(self, kind: str, *, staged: bool) -> Command[int]:
        """LLEN or ZCARD: the number of items of a kind; for `staged` see `read`."""
        keys = self._taken() if staged else self._parts()
        key = keys[{"pending": 0, "ready": 2, "dead": 3}[kind]]
        return Command(("ZCARD" if kind == "dead" else "LLEN", key), number, key, safe=True)

    def dedup(self, cursor: int) -> Command[tuple[int, dict[bytes, bytes]]]:
        """HSCAN: the next cursor (0: the end), and some dedup keys of the migration and entries."""

        def read(reply: Any) -> tuple[int, dict[bytes, bytes]]:
            return int(reply[0]), dict(zip(reply[1][::2], reply[1][1::2], strict=True))

        key = self.names.dedup
        return Command(("HSCAN", key, cursor, "COUNT", 1000), read, key, safe=True)

    def fence(self, staged: Staged, run: str, *, anew: bool = False) -> Eval[Added | int]:
        """Make a run the only one that adds items here.

        The result is the batch that was added last. Other results:

        * 0: another migration adds items here.
        * 1: the migration has no record here, although it has removed a batch, and `anew` is False.
        """
        args = (staged.id, run, int(anew or staged.batch == 0))
        return Eval(load("migration/fence"), (self.names.record,), args, _added, safe=True)

    def add(self, run: str, kind: str, added: Added, items: Sequence[Item]) -> Eval[Any]:
        """Add a batch here, and record it.

        The result is an empty list if the batch was added, or 0 if another run has taken over. If
        an entry or id already exists, also in this batch, nothing is added. Then the result is the
        places of such items in `items`, from 1 on.
        """
        n, q = self.names, self.names.consumer.queue
        keys = (*self._parts(), q.dedup, q.channel, n.record)
        stay = " ".join(map(str, added.stay))
        words = [word for item in items for word in item]
        args: tuple[Arg, ...] = (run, added.batch, added.size, stay, kind, *words)
        return Eval(load("migration/add"), keys, args, lambda reply: reply, safe=True)

    def advance(self, run: str, kind: str, added: Added, keys: Mapping[int, bytes]) -> Eval[int]:
        """Remove a batch from the migration; its items that stay go back to the queue.

        The result is 1, or 0 if another run has taken over or the batch was removed before.

        Args:
            run: the run of this process.
            kind: "pending", "ready" or "dead".
            added: the batch.
            keys: the dedup keys of the items that stay, by place.
        """
        q = self.names.consumer.queue
        names = (*self._taken(), *self._parts(), q.dedup, q.channel, self.names.state)
        stay: list[Arg] = []
        for place in added.stay:
            stay += (place, keys.get(place, b""))
        args: tuple[Arg, ...] = (run, added.batch, kind, added.size, *stay)
        return Eval(load("migration/advance"), names, args, number)

    def forget(self) -> Command[int]:
        """DEL of the record of a migration that has no items left."""
        return Command(("DEL", self.names.record), number, self.names.record, safe=True)

    def finish(self, run: str, *, once: bool) -> Eval[int]:
        """End the migration; return how many halves of items went back to the queue.

        A half is a time without an entry, or a letter without a time. The result is -1 if another
        run has taken over. With `once`, the server keeps the options for 7 days, so that the same
        migration is not done twice.
        """
        n, c = self.names, self.names.consumer
        halves = (n.timeout_set, n.letters, n.dedup, c.queue.timeout_set, c.letters)
        args = (run, _ENDED_MS if once else 0)
        return Eval(load("migration/finish"), (*halves, n.state, n.ended), args, number)
