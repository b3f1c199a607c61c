"""Requests of a migration, and the values of their replies."""

from typing import Any

from pyredisson.protocol.kernel.names import MigrationNames
from pyredisson.protocol.migration.migration import Added, MigrationProtocol, Staged
from tests.support.rows import each_row

N = MigrationNames.of("q")
M = MigrationProtocol(N)


def stage(**flags: bool) -> Any:
    return M.stage("id", "run", "options", only_pending=True, **flags)


def test_only_pending_items_leave_ready_ones_and_messages_alone() -> None:
    few, all_of_them = stage(), M.stage("id", "run", "options", only_pending=False)
    assert "q" not in few.keys
    assert {"q", N.ready, N.consumer.leases} <= {*all_of_them.keys}
    assert few.args == ("id", "run", "options", 3, 0, "list zset hash")
    assert stage(again=True).args[4] == 1


@each_row(
    ("call", "reply", "result"),
    [
        (stage(), [b"id", b"options", b"7"], Staged(b"id", b"options", 7)),
        (stage(), None, None),
        (stage(), b"key", "key"),
        (stage(), 1, 1),
        (M.fence(Staged(b"id", b"o", 0), "run"), [b"7", b"3", b"1 3"], Added(7, 3, (1, 3))),
        (M.fence(Staged(b"id", b"o", 0), "run"), [None, None, None], Added(-1, 0, ())),
        (M.fence(Staged(b"id", b"o", 7), "run"), 1, 1),
        (M.read("ready", 0, 5, staged=True), [[b"v"]], [[b"v"]]),
        (M.size("dead", staged=False), 3, 3),
        (M.exists("k"), 1, True),
        (M.dedup(0), [b"0", [b"k", b"entry"]], (0, {b"k": b"entry"})),
        (M.add("run", "ready", Added(1, 1, ()), [(b"v", b"", b"")]), [], []),
        (M.advance("run", "ready", Added(1, 2, (1, 2)), {1: b"k"}), 1, 1),
        (M.forget(), 1, 1),
        (M.finish("run", once=True), 0, 0),
    ],
)
def test_replies(call: Any, reply: Any, result: Any) -> None:
    assert call.decode(reply) == result


def test_requests() -> None:
    assert M.size("dead", staged=True).args == ("ZCARD", N.dead)
    assert M.size("pending", staged=False).args == ("LLEN", N.consumer.queue.delay_list)
    assert M.advance("run", "ready", Added(1, 2, (1, 2)), {1: b"k"}).args[4:] == (1, b"k", 2, b"")
    add = M.add("run", "dead", Added(4, 2, (2,)), [(b"i", b"5", b"letter")])
    assert add.args == ("run", 4, 2, "2", "dead", b"i", b"5", b"letter")
    assert M.finish("run", once=False).args == ("run", 0)
