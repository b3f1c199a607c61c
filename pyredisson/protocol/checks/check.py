"""Looking for what is wrong with a queue, and repairing it.

The rule: what one look finds is a suspicion where others change the queue meanwhile; the script
that reports or repairs it looks again, in the same step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pyredisson.errors import WireFormatError
from pyredisson.protocol.checks.finding import FindingKind
from pyredisson.protocol.consumers.delivery import RECORD
from pyredisson.protocol.delayed.entry import WireFormat, unpack
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.eviction import LOOK, evicting
from pyredisson.protocol.kernel.names import ConsumerNames, ScheduleNames, WindowNames
from pyredisson.protocol.kernel.replies import number
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["ENDED_MS", "CheckProtocol", "Pair", "chunks", "format_of", "value_in"]

ENDED_MS = 1
"""The end of a lease that a repair gives to a message without one."""

_PASSED = 200_000
_MOST = 100


def format_of(member: bytes) -> WireFormat | None:
    """Return how a pending member is written; None for poison."""
    try:
        return unpack(member).wire_format
    except WireFormatError:
        return None


def value_in(member: bytes) -> bytes | None:
    """Return the value of a pending member; None for poison."""
    try:
        return unpack(member).value
    except WireFormatError:
        return None


def chunks(members: Sequence[bytes], listed: int) -> Iterator[Sequence[bytes]]:
    """Split members so that a script that looks for each in a list of some length is short."""
    size = max(1, min(_MOST, _PASSED // (listed + 1)))
    for start in range(0, len(members), size):
        yield members[start : start + size]


def _page(reply: Any) -> tuple[int, list[bytes]]:
    cursor, found = reply
    return int(cursor), found[::2]


@dataclass(frozen=True, slots=True)
class Pair:
    """A sorted set of times and a hash of records: a name is in both or none.

    A record is at least `least` bytes long; where it is `headed` these stand behind a number and so
    many bytes. The kinds are what is wrong where a name is among the times alone, or the records.
    """

    times: str
    records: str
    least: int
    headed: bool
    kinds: tuple[FindingKind, FindingKind]


@dataclass(frozen=True, slots=True)
class CheckProtocol:
    """The operations on one queue, its pending items, and what is kept beside it."""

    names: ConsumerNames

    @property
    def window(self) -> WindowNames:
        """The names of the group window whose queue it may be."""
        return WindowNames.of(self.names.queue.name)

    def types(self) -> dict[str, str]:
        """Return all keys, each with the type that it should have."""
        q, w, n = self.names.queue, self.window, self.names
        s = ScheduleNames.of(q.name)
        pending = {q.name: "list", q.delay_list: "list", q.timeout_set: "zset", q.poison: "list"}
        flow = {n.paused: "string", n.resumed: "list", n.expiring: "zset", n.expiries: "zset"}
        flow[n.consumers] = "zset"
        others = {w.begun: "hash", w.groups: "hash", s.entries: "hash", s.times: "zset"}
        return pending | {q.dedup: "hash", q.due: "hash"} | n.types() | flow | others

    def fleeting(self) -> tuple[str, ...]:
        """Return the keys that may vanish: nothing is lost with them."""
        n = self.names
        return n.paused, n.resumed, n.consumers, n.queue.due

    def pairs(self) -> tuple[Pair, Pair, Pair]:
        """Return what belongs together: messages that somebody has, recurring work, letters."""
        n, s, kinds = self.names, ScheduleNames.of(self.names.queue.name), FindingKind
        held = (kinds.LEASE_WITHOUT_MESSAGE, kinds.MESSAGE_WITHOUT_LEASE)
        recurring = (kinds.TIME_WITHOUT_ENTRY, kinds.ENTRY_WITHOUT_TIME)
        dead = (kinds.TIME_WITHOUT_LETTER, kinds.LETTER_WITHOUT_TIME)
        return (
            Pair(n.leases, n.taken, RECORD.size, headed=False, kinds=held),
            Pair(s.times, s.entries, 1, headed=False, kinds=recurring),
            Pair(n.dead, n.letters, RECORD.size, headed=True, kinds=dead),
        )

    def keys(self) -> Eval[list[tuple[str, str, int]]]:
        """Each key with its type (`none` without the key) and its time to live."""
        keys = tuple(self.types())

        def read(reply: Any) -> list[tuple[str, str, int]]:
            kinds = [bytes(kind).decode() for kind in reply[::2]]
            return list(zip(keys, kinds, reply[1::2], strict=True))

        return Eval(load("checks/keys"), keys, (), read, safe=True)

    def eviction(self) -> Command[str | None]:
        """INFO: the policy by which the server drops keys, if it does."""
        return Command(LOOK, evicting, self.names.queue.name, safe=True)

    def scan(self, key: str, cursor: int) -> Command[tuple[int, list[bytes]]]:
        """ZSCAN or HSCAN: the next cursor (0: no more), and some members or fields."""
        name = "HSCAN" if self.types()[key] == "hash" else "ZSCAN"
        return Command((name, key, cursor, "COUNT", PAGE), _page, key, safe=True)

    def listed(self, start: int) -> Eval[tuple[list[bytes], list[bytes]]]:
        """A page of the delay list, and which of it has no time."""
        q = self.names.queue
        keys, args = (q.delay_list, q.timeout_set), (start, start + PAGE - 1)
        return Eval(load("checks/listed"), keys, args, lambda r: (r[0], r[1]), safe=True)

    def size(self, key: str) -> Command[int]:
        """LLEN."""
        return Command(("LLEN", key), number, key, safe=True)

    def timeout_set_only(self, action: str, members: Sequence[bytes]) -> Eval[list[bytes]]:
        """Look for, deliver or drop members that the set has alone; which were?"""
        q = self.names.queue
        keys = (q.delay_list, q.timeout_set)
        return Eval(load("checks/timeout_set_only"), keys, (action, *members), list)

    def delay_list_only(self, now_ms: int, members: Sequence[bytes]) -> Eval[list[bytes]]:
        """Let members be due now that the list has alone; which were?"""
        q = self.names.queue
        keys = (q.delay_list, q.timeout_set, q.channel)
        return Eval(load("checks/delay_list_only"), keys, (now_ms, *members), list)

    def twice(self, action: str, members: Sequence[bytes]) -> Eval[list[bytes]]:
        """Look for members that the list has several times, or leave one of each; which were?"""
        keys = (self.names.queue.delay_list,)
        return Eval(load("checks/twice"), keys, (action, *members), list)

    def poison(self, members: Sequence[bytes]) -> Eval[list[bytes]]:
        """Move members to the poison list; which were pending?"""
        q = self.names.queue
        keys = (q.delay_list, q.timeout_set, q.poison)
        return Eval(load("checks/poison"), keys, tuple(members), list)

    def unpaired(
        self, action: str, pair: Pair, names: Sequence[bytes]
    ) -> Eval[tuple[list[bytes], list[bytes]]]:
        """Look for, or repair, times without a record and records without a time."""
        keys = (pair.times, pair.records)
        args: tuple[Arg, ...] = (action, pair.least, *names)
        return Eval(load("checks/unpaired"), keys, args, lambda reply: (reply[0], reply[1]))

    def heads(self, cursor: int) -> Command[tuple[int, dict[bytes, bytes]]]:
        """HSCAN: the next cursor (0: no more), and some groups: what names them, and their heads.

        The fields of their values are longer than that name, a SHA1.
        """
        key = self.window.groups

        def page(reply: Any) -> tuple[int, dict[bytes, bytes]]:
            found = reply[1]
            return int(reply[0]), dict(zip(found[::2], found[1::2], strict=True))

        words = ("HSCAN", key, cursor, "MATCH", "?" * 40, "COUNT", PAGE)
        return Command(words, page, key, safe=True)

    @property
    def kept_in(self) -> tuple[str, ...]:
        """The keys of groups, and all in which the text of one may be."""
        n, q, w = self.names, self.names.queue, self.window
        pending = (w.groups, w.begun, q.timeout_set, q.delay_list)
        return (*pending, q.name, n.arriving, q.poison, n.retried, n.taken, n.letters, n.dead)

    def groups(
        self, action: str, since_ms: int | None, texts: Sequence[bytes]
    ) -> Eval[dict[bytes, bytes]]:
        """Look for, or deliver, groups whose text is nowhere; those texts, and their keys.

        It reads dead letters that have failed since then, None: none; the others are to be known.
        """
        args: tuple[Arg, ...] = (action, "inf" if since_ms is None else since_ms, *texts)

        def found(reply: Any) -> dict[bytes, bytes]:
            return dict(zip(reply[::2], reply[1::2], strict=True))

        return Eval(load("checks/groups"), self.kept_in, args, found)

    def waiting(self, page: int) -> Command[list[bytes]]:
        """LRANGE: a page of the queue, counted from its tail, where no taker moves anything."""
        key = self.names.queue.name
        words = ("LRANGE", key, -(page + 1) * PAGE, -page * PAGE - 1)
        return Command(words, list, key, safe=True)

    def arriving(self) -> Command[list[bytes]]:
        """LRANGE of what has ended a wait."""
        key = self.names.arriving
        return Command(("LRANGE", key, 0, PAGE - 1), list, key, safe=True)
