"""RKeys: the words of each call, and the value of each reply."""

from __future__ import annotations

from typing import Any

from pyredisson import UncertainError
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.keys.keys import (
    count,
    of_key,
    of_keys,
    random_key,
    scan,
    ttl_ms,
    type_of,
)
from tests.support.rows import each_row

READS: list[tuple[Command[Any], tuple[Any, ...], Any, Any]] = [
    (scan(0, None, None), ("SCAN", 0), [b"7", [b"a", b"\xff"]], (7, ["a", "\udcff"])),
    (scan(7, "a*", 500), ("SCAN", 7, "MATCH", b"a*", "COUNT", 500), [b"0", []], (0, [])),
    (count(), ("DBSIZE",), 5, 5),
    (random_key(), ("RANDOMKEY",), b"a", "a"),
    (random_key(), ("RANDOMKEY",), None, None),
    (type_of("a"), ("TYPE", b"a"), b"list", "list"),
    (type_of("a"), ("TYPE", b"a"), b"none", None),
    (ttl_ms("a"), ("PTTL", b"a"), -1, -1),
    (of_keys("EXISTS", ["a", "b"]), ("EXISTS", b"a", b"b"), 1, 1),
    (of_keys("TOUCH", ["a"]), ("TOUCH", b"a"), 1, 1),
]
WRITES: list[tuple[Command[Any], tuple[Any, ...], Any, Any]] = [
    (of_keys("DEL", ["\udcff", "b"]), ("DEL", b"\xff", b"b"), 2, 2),
    (of_key("PEXPIRE", "a", 5), ("PEXPIRE", b"a", 5), 1, True),
    (of_key("RENAME", "a", "b"), ("RENAME", b"a", "b"), b"OK", True),
]


@each_row("case", [*READS, *WRITES], ids=lambda case: " ".join(map(str, case[1])))
def test_words_and_replies(case: tuple[Command[Any], tuple[Any, ...], Any, Any]) -> None:
    command, expected, reply, value = case
    assert command.args == expected
    assert command.decode(reply) == value
    assert command.safe is (case in READS)
    if case in WRITES:
        assert command.lost is not None
        assert isinstance(command.lost(OSError("gone")), UncertainError)
