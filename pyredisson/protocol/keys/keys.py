"""RKeys as commands: `RedissonKeys` of 3.19.3 to 4.7.0.

KEYS is never sent, because it blocks the server.  SCAN reads in pages instead.  Keys are bytes in
Redis.  In a name, each byte that is not UTF-8 is a surrogate, as in Python's file names.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Arg, Command
from pyredisson.protocol.kernel.replies import number, text, truth

__all__ = [
    "BATCH",
    "Page",
    "count",
    "of_key",
    "of_keys",
    "random_key",
    "scan",
    "ttl_ms",
    "type_of",
]

BATCH = 500
"""The maximum number of keys in one command, and the COUNT of SCAN for a deletion by pattern."""

_SAFE = {"EXISTS", "TOUCH"}


class Page(NamedTuple):
    """A page of SCAN: the cursor of the next page (0 after the last page), and the keys."""

    cursor: int
    names: list[str]


def _name_of(key: bytes) -> str:
    """Return a key as text."""
    return bytes(key).decode("utf-8", "surrogateescape")


def _page(reply: Any) -> Page:
    cursor, keys = reply
    return Page(int(cursor), [_name_of(key) for key in keys])


def _random(reply: Any) -> str | None:
    return None if reply is None else _name_of(reply)


def _type(reply: Any) -> str | None:
    found = text(reply)
    return None if found == "none" else found


def _word(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def scan(cursor: int, pattern: str | None, page: int | None) -> Command[Page]:
    """SCAN of one server; if `page` (COUNT) is None, Redis uses its default of 10."""
    words: tuple[Arg, ...] = () if pattern is None else ("MATCH", _word(pattern))
    words += () if page is None else ("COUNT", page)
    return Command(("SCAN", cursor, *words), _page, "", safe=True)


def count() -> Command[int]:
    """DBSIZE of one server."""
    return Command(("DBSIZE",), number, "", safe=True)


def random_key() -> Command[str | None]:
    """RANDOMKEY of one server; return None if the server has no keys."""
    return Command(("RANDOMKEY",), _random, "", safe=True)


def type_of(name: str) -> Command[str | None]:
    """TYPE; return None if the key does not exist."""
    return Command(("TYPE", _word(name)), _type, name, safe=True)


def of_keys(word: str, names: Sequence[str]) -> Command[int]:
    """DEL, UNLINK, EXISTS or TOUCH of several keys in one slot; return how many existed."""
    return _command(word, names[0], *map(_word, names), read=number)


def ttl_ms(name: str) -> Command[int]:
    """PTTL; return -1 if the key has no time to live, -2 if the key does not exist."""
    return Command(("PTTL", _word(name)), number, name, safe=True)


def of_key(word: str, name: str, *args: Arg) -> Command[bool]:
    """PEXPIRE, RENAME or another command whose first argument is the key."""
    return _command(word, name, _word(name), *args, read=truth)


def _command(word: str, key: str, *args: Arg, read: Any) -> Command[Any]:
    if word in _SAFE:
        return Command((word, *args), read, key, safe=True)
    return Command((word, *args), read, key, lost=partial(UncertainError, word, key))
