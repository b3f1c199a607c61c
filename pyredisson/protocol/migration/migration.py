"""The operations of a migration.

The rule: those that change something name the run that sends them, and have no effect if another
run has taken over. A batch has a number, and is added once and removed once.
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
    """The batch that was added last: its number, its size and the places of those that stay."""

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
        """Return the keys that must not exist, each with what to do about it first."""
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

        Its result is None if the queue is empty, 1 if a migration with these options has ended, or
        the name of a key that must not exist.
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
        """EXISTS: whether there is such a key."""
        return Command(("EXISTS", key), truth, key, safe=True)

    def read(self, kind: str, start: int, count: int, *, staged: bool) -> Eval[list[Any]]:
        """Read items of the migration, or of the queue."""
        keys = self._taken() if staged else self._parts()
        return Eval(load("migration/read"), keys, (kind, start, count), list, safe=True)

    def size(self, kind: str, *, staged: bool) -> Command[int]:
        """LLEN or ZCARD: how many items of a kind there are."""
        keys = self._taken() if staged else self._parts()
        key = keys[{"pending": 0, "ready": 2, "dead": 3}[kind]]
        return Command(("ZCARD" if kind == "dead" else "LLEN", key), number, key, safe=True)

    def dedup(self, cursor: int) -> Command[tuple[int, dict[bytes, bytes]]]:
        """HSCAN: the next cursor (0: the end), and some dedup keys with their entries."""

        def read(reply: Any) -> tuple[int, dict[bytes, bytes]]:
            return int(reply[0]), dict(zip(reply[1][::2], reply[1][1::2], strict=True))

        key = self.names.dedup
        return Command(("HSCAN", key, cursor, "COUNT", 1000), read, key, safe=True)

    def fence(self, staged: Staged, run: str, *, anew: bool = False) -> Eval[Added | int]:
        """Make a run the only one that adds items here.

        Its result is 0 if another migration adds items here, or 1 if the record of this one is
        gone, unless it may begin `anew`.
        """
        args = (staged.id, run, int(anew or staged.batch == 0))
        return Eval(load("migration/fence"), (self.names.record,), args, _added, safe=True)

    def add(self, run: str, kind: str, added: Added, items: Sequence[Item]) -> Eval[Any]:
        """Add a batch here, and record it.

        Its result is 0 if another run has taken over, or the places (from 1 on) of items that exist
        already; then nothing is added.
        """
        n, q = self.names, self.names.consumer.queue
        keys = (*self._parts(), q.dedup, q.channel, n.record)
        stay = " ".join(map(str, added.stay))
        words = [word for item in items for word in item]
        args: tuple[Arg, ...] = (run, added.batch, added.size, stay, kind, *words)
        return Eval(load("migration/add"), keys, args, lambda reply: reply, safe=True)

    def advance(self, run: str, kind: str, added: Added, keys: Mapping[int, bytes]) -> Eval[int]:
        """Remove a batch from the migration, and restore those of its entries that stay.

        Args:
            run: of this process.
            kind: of the items.
            added: the batch.
            keys: the dedup keys of items that stay, by their places.
        """
        q = self.names.consumer.queue
        names = (*self._taken(), *self._parts(), q.dedup, q.channel, self.names.state)
        stay: list[Arg] = []
        for place in added.stay:
            stay += (place, keys.get(place, b""))
        args: tuple[Arg, ...] = (run, added.batch, kind, added.size, *stay)
        return Eval(load("migration/advance"), names, args, number)

    def forget(self) -> Command[int]:
        """DEL: delete the record of a migration that has ended."""
        return Command(("DEL", self.names.record), number, self.names.record, safe=True)

    def finish(self, run: str, *, once: bool) -> Eval[int]:
        """End the migration; return how many halves of items go back, or -1.

        With `once`, its options are kept for some time, so that it is not done twice.
        """
        n, c = self.names, self.names.consumer
        halves = (n.timeout_set, n.letters, n.dedup, c.queue.timeout_set, c.letters)
        args = (run, _ENDED_MS if once else 0)
        return Eval(load("migration/finish"), (*halves, n.state, n.ended), args, number)
