"""Finds the problems of a queue, and repairs them.

The rule: a first read finds only suspects, because other clients can change the queue at the same
time. Then one script checks a suspect again, and reports or repairs it in the same step.

A script gets an action: "look" only reports, other actions also repair.
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
from pyredisson.protocol.kernel.eviction import QUESTION, evicting
from pyredisson.protocol.kernel.names import (
    ConsumerNames,
    MigrationNames,
    ScheduleNames,
    WindowNames,
)
from pyredisson.protocol.kernel.replies import number
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.objects.pages import Page, in_parts

__all__ = ["ENDED_MS", "UNSEEN_MS", "CheckProtocol", "Pair", "chunks", "format_of", "value_in"]

ENDED_MS = 1
"""The end (epoch ms) of the lease that a repair gives to a message without a lease."""

UNSEEN_MS = 15_000
"""The time (ms) after the end of a lease within which its message is normally redelivered.

A consumer or a transfer task redelivers it. A check that only reports ignores leases that ended
less than this time ago.
"""

_PASSED = 200_000
_MOST = 100


def format_of(entry: bytes) -> WireFormat | None:
    """Return the format of a pending entry, or None if it has neither format."""
    try:
        return unpack(entry).wire_format
    except WireFormatError:
        return None


def value_in(entry: bytes) -> bytes | None:
    """Return the value of a pending entry, or None if it has neither format."""
    try:
        return unpack(entry).value
    except WireFormatError:
        return None


def chunks(entries: Sequence[bytes], listed: int) -> Iterator[Sequence[bytes]]:
    """Split entries into parts, so that no script runs for long.

    For each entry of a part, a script searches a list of `listed` elements. A part has at most 100
    entries, and fewer if the list or the entries are long.
    """
    return in_parts(entries, len, max(1, min(_MOST, _PASSED // (listed + 1))))


def _page(reply: Any) -> tuple[int, list[bytes]]:
    cursor, found = reply
    return int(cursor), found[::2]


@dataclass(frozen=True, slots=True)
class Pair:
    """A sorted set of times and a hash of records: each name must be in both, or in neither.

    Attributes:
        times, records: the keys of the sorted set and of the hash.
        least: the minimum length of a record, in bytes.
        headed: whether a length (4 bytes) and that many bytes precede the record.
        kinds: the kind of finding for a name with only a time, and for a name with only a record.
    """

    times: str
    records: str
    least: int
    headed: bool
    kinds: tuple[FindingKind, FindingKind]


@dataclass(frozen=True, slots=True)
class CheckProtocol:
    """The operations on one queue, its pending items, and its companion keys."""

    names: ConsumerNames

    @property
    def window(self) -> WindowNames:
        """The keys of the group window, if the queue belongs to one."""
        return WindowNames.of(self.names.queue.name)

    def types(self) -> dict[str, str]:
        """Return the keys of the queue that a check reads, each with its correct type."""
        q, w, n = self.names.queue, self.window, self.names
        s = ScheduleNames.of(q.name)
        pending = {q.name: "list", q.delay_list: "list", q.timeout_set: "zset", q.poison: "list"}
        flow = {n.paused: "string", n.resumed: "list", n.expiring: "zset", n.expiries: "zset"}
        flow |= {n.consumers: "zset", self.migration: "hash"}
        others = {w.started: "hash", w.groups: "hash", s.entries: "hash", s.times: "zset"}
        return pending | {q.dedup: "hash", q.due: "hash"} | n.types() | flow | others

    @property
    def migration(self) -> str:
        """The key that exists during a migration of the queue."""
        return MigrationNames.of(self.names.queue.name).state

    def fleeting(self) -> tuple[str, ...]:
        """Return the keys for which a time to live is no problem, because they have no items."""
        n = self.names
        return n.paused, n.resumed, n.consumers, n.queue.due

    def pairs(self) -> tuple[Pair, Pair, Pair]:
        """Return the pairs of the messages in flight, of recurring work, and of dead letters."""
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
        """Read each key's type and time to live in ms.

        If a key does not exist, its type is `none` and its time is -2. If a key has no time to
        live, its time is -1.
        """
        keys = tuple(self.types())

        def read(reply: Any) -> list[tuple[str, str, int]]:
            kinds = [bytes(kind).decode() for kind in reply[::2]]
            return list(zip(keys, kinds, reply[1::2], strict=True))

        return Eval(load("checks/keys"), keys, (), read, safe=True)

    def eviction(self) -> Command[str | None]:
        """INFO: the policy by which the server drops keys without a time to live, or None."""
        return Command(QUESTION, evicting, self.names.queue.name, safe=True)

    def scan(self, key: str, cursor: int, limit: int = PAGE) -> Command[tuple[int, list[bytes]]]:
        """ZSCAN or HSCAN: the next cursor (0: the end), and about `limit` entries or fields."""
        name = "HSCAN" if self.types()[key] == "hash" else "ZSCAN"
        return Command((name, key, cursor, "COUNT", limit), _page, key, safe=True)

    def listed(self, start: int, limit: int = PAGE) -> Eval[tuple[Page[bytes], list[bytes]]]:
        """Read a page of the delay list; also return its entries without a due time."""
        q = self.names.queue
        keys, args = (q.delay_list, q.timeout_set), (start, limit)

        def read(reply: Any) -> tuple[Page[bytes], list[bytes]]:
            return Page(reply[1], more=reply[0] == 1), reply[2]

        return Eval(load("checks/listed"), keys, args, read, safe=True)

    def size(self, key: str) -> Command[int]:
        """LLEN."""
        return Command(("LLEN", key), number, key, safe=True)

    def timeout_set_only(self, action: str, entries: Sequence[bytes]) -> Eval[list[bytes]]:
        """Find the given entries that are in the timeout set only; return them.

        The action "deliver" adds them to the delay list, "drop" deletes them.
        """
        q = self.names.queue
        keys = (q.delay_list, q.timeout_set)
        return Eval(load("checks/timeout_set_only"), keys, (action, *entries), list)

    def delay_list_only(self, now_ms: int, entries: Sequence[bytes]) -> Eval[list[bytes]]:
        """Find entries that only the delay list has; make them due at `now_ms`, and return them."""
        q = self.names.queue
        keys = (q.delay_list, q.timeout_set, q.channel)
        return Eval(load("checks/delay_list_only"), keys, (now_ms, *entries), list)

    def twice(self, action: str, entries: Sequence[bytes]) -> Eval[list[bytes]]:
        """Find the given entries that are in the delay list several times; return them.

        The action "repair" leaves only the first of equal elements.
        """
        keys = (self.names.queue.delay_list,)
        return Eval(load("checks/twice"), keys, (action, *entries), list)

    def poison(self, entries: Sequence[bytes]) -> Eval[list[bytes]]:
        """Move the given entries that are pending to the poison list; return them."""
        q = self.names.queue
        keys = (q.delay_list, q.timeout_set, q.poison)
        return Eval(load("checks/poison"), keys, tuple(entries), list)

    def unpaired(
        self, action: str, pair: Pair, names: Sequence[bytes]
    ) -> Eval[tuple[list[bytes], list[bytes]]]:
        """Find names with only a time, and names with only a record; return both.

        The action "repair" deletes such a time, and gives such a record a time.
        """
        keys = (pair.times, pair.records)
        args: tuple[Arg, ...] = (action, pair.least, *names)
        return Eval(load("checks/unpaired"), keys, args, lambda reply: (reply[0], reply[1]))

    def lease_count(self) -> Command[int]:
        """ZCARD."""
        key = self.names.leases
        return Command(("ZCARD", key), number, key, safe=True)

    def ended(self, until_ms: int, start: int) -> Command[list[bytes]]:
        """ZRANGEBYSCORE: leases that ended until `until_ms`, earliest first; none from a repair."""
        key = self.names.leases
        words = ("ZRANGEBYSCORE", key, f"({ENDED_MS}", until_ms, "LIMIT", start, PAGE)
        return Command(words, list, key, safe=True)

    def heads(self, cursor: int, limit: int = PAGE) -> Eval[tuple[int, dict[bytes, bytes]]]:
        """Read some groups of a window: the next cursor (0: the end), and the groups' heads.

        A head has the size, the id and the key of a group. The dict maps the SHA1 of each group's
        token to the head.
        """

        def page(reply: Any) -> tuple[int, dict[bytes, bytes]]:
            found = reply[1]
            return int(reply[0]), dict(zip(found[::2], found[1::2], strict=True))

        keys = (self.window.groups,)
        return Eval(load("checks/heads"), keys, (cursor, limit), page, safe=True)

    @property
    def kept_in(self) -> tuple[str, ...]:
        """The keys of groups, and all keys that can have the token of a group."""
        n, q, w = self.names, self.names.queue, self.window
        pending = (w.groups, w.started, q.timeout_set, q.delay_list)
        return (*pending, q.name, n.arriving, q.poison, n.retried, n.taken, n.letters, n.dead)

    def groups(
        self, action: str, since_ms: int | None, texts: Sequence[bytes]
    ) -> Eval[dict[bytes, bytes]]:
        """Find groups whose token is in no key; return each token with the key of its group.

        The action "repair" adds the token to the end of the queue. The script reads only the dead
        letters that failed at `since_ms` or later, and none if `since_ms` is None. The caller must
        have checked the other dead letters.
        """
        args: tuple[Arg, ...] = (action, "inf" if since_ms is None else since_ms, *texts)

        def found(reply: Any) -> dict[bytes, bytes]:
            return dict(zip(reply[::2], reply[1::2], strict=True))

        return Eval(load("checks/groups"), self.kept_in, args, found)

    def waiting(self, passed: int, limit: int) -> Command[list[bytes]]:
        """LRANGE: a page of the queue, counted from the end, because consumers take from the start.

        `passed` is the number of elements after the page.
        """
        key = self.names.queue.name
        words = ("LRANGE", key, -(passed + limit), -(passed + 1))
        return Command(words, list, key, safe=True)

    def arriving(self) -> Command[list[bytes]]:
        """LRANGE: the first page of the in-transit list, `arriving`."""
        key = self.names.arriving
        return Command(("LRANGE", key, 0, PAGE - 1), list, key, safe=True)
