"""More elements than Lua can pass to one command are returned to a key, without memory."""

from typing import Any

import pytest

from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.give_back import without_memory

MANY = [b"%d" % number for number in range(12_001)]
PAIRS = [word for at, value in enumerate(MANY) for word in (str(at), value)]


@pytest.mark.parametrize(
    ("words", "read", "expected"),
    [
        (("RPUSH", "k", *MANY), ("LRANGE", "k", 0, -1), [b"there", *MANY]),
        (("LPUSH", "k", *MANY), ("LRANGE", "k", 0, -1), [*reversed(MANY), b"there"]),
        (("SADD", "k", b"there", *MANY), ("SMEMBERS", "k"), {b"there", *MANY}),
        (("ZADD", "k", "NX", "-1", b"there", *PAIRS), ("ZRANGE", "k", 0, -1), [b"there", *MANY]),
    ],
)
def test_12001_elements_are_returned_without_memory(
    raw: Any, words: tuple[Any, ...], read: tuple[Any, ...], expected: Any
) -> None:
    if words[0].endswith("PUSH"):
        raw.rpush("k", b"there")
    raw.config_set("maxmemory", 1)
    try:
        raw.execute_command(*without_memory(Command(words, len, "k")).fallback())
    finally:
        raw.config_set("maxmemory", 0)
    assert raw.execute_command(*read) == expected


def test_returned_member_keeps_the_score_of_another_client(raw: Any) -> None:
    raw.zadd("k", {"a": 5})
    command = Command(("ZADD", "k", "NX", "1", b"a", "2", b"b"), len, "k")
    raw.execute_command(*without_memory(command).fallback())
    assert raw.zrange("k", 0, -1, withscores=True) == [(b"b", 2.0), (b"a", 5.0)]
