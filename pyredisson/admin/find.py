"""Finds delayed queues by the names of their keys and channels.

The rule: SCAN searches the keys, a page at a time, and never KEYS. A name is returned once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase

from pyredisson import Redisson
from pyredisson.admin.nodes import ask, ask_all, masters, replicas
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import (
    ConsumerNames,
    MigrationNames,
    ScheduleNames,
    WindowNames,
    alias_of,
)
from pyredisson.protocol.kernel.replies import truth
from pyredisson.protocol.keys.keys import scan
from pyredisson.protocol.topics.topic import active_topics
from pyredisson.server_errors import LOST, ReplyError

__all__ = ["find_queues", "queue_of"]

_PREFIXES = {
    key.partition(":")[0]
    for names in (
        *(WindowNames.of("q"), ScheduleNames.of("q"), (MigrationNames.of("q").state,)),
        *(ConsumerNames.of("q"), ConsumerNames.of("q").queue),
    )
    for key in names
    if isinstance(key, str) and ":" in key
}
_NAME = re.compile(r"\{([^{]+)\}|(.*\{.*)", re.DOTALL)
_NO_UTF8 = re.compile("[\ud800-\udfff]")
_ALL = "*redisson_*"
_PAGE = 1000
_CHANNELS = "redisson_delay_queue_channel:*"


def queue_of(key: str) -> str | None:
    """Return the queue that a key belongs to by its name; None for other keys.

    The queues `orders` and `{orders}` have the same companion keys. For these keys the result is
    `orders`.
    """
    prefix, _, rest = key.partition(":")
    found = _NAME.fullmatch(rest) if prefix in _PREFIXES else None
    name = None if found is None else found[1] or found[2]
    return None if name is None or _NO_UTF8.search(name) else name


def find_queues(
    redisson: Redisson, pattern: str = "*", *, note: Callable[[str], None] = lambda _: None
) -> Iterator[str]:
    """Iterate over the delayed queues of all masters, in no particular order.

    A queue is found if it has a companion key, such as pending items, leases, dead letters, poison
    or times of expiry. It is also found if a transfer task is subscribed to its channel. A queue
    that has ready elements and no companion key is a plain list, and is not found.

    Args:
        redisson: the client.
        pattern: a pattern of names with `*`, `?` and `[...]`, as in a shell, or a name.
        note: is called with a sentence if the channels cannot be searched.

    Raises:
        ServerError: the server rejects SCAN, or cannot be reached.
    """
    seen = set[str]()
    for page in _pages(redisson, note):
        names = {name for key in page if (name := queue_of(redisson._context.mapper.unmap(key)))}
        new = sorted(names - seen)
        seen |= names
        for name in _with_aliases(redisson, new):
            if name == pattern or fnmatchcase(name, pattern):
                yield name


def _pages(redisson: Redisson, note: Callable[[str], None]) -> Iterator[list[str]]:
    for server in masters(redisson):
        cursor = -1
        while cursor != 0:
            page = ask(server, scan(max(cursor, 0), _ALL, _PAGE))
            cursor = page.cursor
            yield page.names
    channels = active_topics(_CHANNELS)
    try:
        for server in masters(redisson):
            yield ask(server, channels)
    except ReplyError as error:
        note(f"queues that have only subscribers are not found: {error}")
        return
    for server in replicas(redisson):
        try:
            yield ask(server, channels)
        except (ReplyError, *LOST):
            continue


def _with_aliases(redisson: Redisson, names: Sequence[str]) -> Iterator[str]:
    """Iterate over the names that programs use: `orders`, `{orders}`, or both.

    A name is used if its target list exists. If neither list exists, or if the user has no
    permission to see them, the name without braces is returned.
    """
    pairs = [(name, alias_of(name)) for name in names]
    both = [each for name, alias in pairs if alias for each in (name, alias)]
    lists = [redisson._context.mapper.map(each) for each in both]
    asked = ask_all(redisson, (Command(("EXISTS", k), truth, k, safe=True) for k in lists))
    exists = {name for name, found in zip(both, asked, strict=True) if found is True}
    for name, alias in pairs:
        if alias in exists:
            yield alias
        if alias not in exists or name in exists:
            yield name
