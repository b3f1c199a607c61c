"""Script calls of migrations: each row has a call, the keys before it, and a label."""

from typing import Any

from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import MigrationNames
from pyredisson.protocol.migration.migration import Added, MigrationProtocol, Staged
from tests.support.groups import Fields, record
from tests.support.state import pack

N = MigrationNames.of("m")
M = MigrationProtocol(N)
Q, C = N.consumer.queue, N.consumer
A, B, D = (pack(value) for value in (b"a", b"b", b"d"))
LETTER = b"\0\0\0\2{}" + record(b"v")
STATE = Fields(id=b"id", run=b"run", options=b"options", batch=b"3")
RECORD = Fields(id=b"id", run=b"run", batch=b"2", size=b"1", stay=b"")

Stored = tuple[tuple[str, Any], ...]
QUEUE: Stored = (
    (Q.delay_list, [A, B]),
    (Q.timeout_set, {A: 1, B: 2}),
    (Q.name, [b"r"]),
    (C.dead, {b"i": 5}),
    (C.letters, Fields(i=LETTER)),
    (Q.dedup, Fields(k=A)),
)
TAKEN: Stored = (
    (N.delay_list, [A, D, A, B]),
    (N.timeout_set, {A: 1, B: 2, D: 3}),
    (N.ready, [b"r", b"s", b"t"]),
    (N.dead, {b"i": 5, b"j": 6}),
    (N.letters, Fields(i=LETTER)),
    (N.state, STATE),
    (N.record, RECORD),
)
STAY = Added(3, 4, (1, 3))


def stage(*, only_pending: bool = False) -> Eval[Any]:
    """Return the call that takes the items out of the queue."""
    return M.stage("id", "run", "options", only_pending=only_pending)


MIGRATION: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (stage(), QUEUE, ""),
    (stage(only_pending=True), QUEUE, " of pending items"),
    (stage(), (*QUEUE, (N.state, STATE)), " again"),
    (M.read("pending", 0, 9, staged=False), QUEUE, " pending"),
    (M.read("ready", 0, 9, staged=True), TAKEN, " ready"),
    (M.read("dead", 0, 9, staged=True), TAKEN, " dead"),
    (M.fence(Staged(b"id", b"options", 3), "run"), TAKEN, ""),
    (M.add("run", "pending", STAY, [(D, b"0", b"new")]), (*QUEUE, *TAKEN), " pending"),
    (M.add("run", "pending", STAY, [(A, b"0", b"")]), (*QUEUE, *TAKEN), " pending again"),
    (M.add("run", "ready", STAY, [(b"r", b"", b"")]), TAKEN, " ready"),
    (M.add("run", "dead", STAY, [(b"k", b"7", LETTER)]), TAKEN, " dead"),
    (M.advance("run", "pending", STAY, {1: b"key"}), TAKEN, " pending"),
    (M.advance("run", "ready", Added(3, 3, (1,)), {}), TAKEN, " ready"),
    (M.advance("run", "dead", Added(3, 2, (1, 2)), {}), TAKEN, " dead"),
    (M.finish("run", once=True), TAKEN, ""),
    (M.finish("run", once=False), TAKEN[5:], " without halves"),
)
KINDS = {
    Q.name: "list",
    Q.channel: "string",
    Q.delay_list: "list",
    Q.timeout_set: "zset",
    Q.dedup: "hash",
    C.dead: "zset",
    C.letters: "hash",
    N.delay_list: "list",
    N.timeout_set: "zset",
    N.ready: "list",
    N.dead: "zset",
    N.letters: "hash",
    N.dedup: "hash",
    N.state: "hash",
    N.record: "hash",
    N.ended: "string",
}
