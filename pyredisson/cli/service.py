"""What `pyredisson check` tells beside damage: is there a queue, is it served, is it paused?

No finding of the library's `check()`: there nothing is broken that a repair could fix, and who
calls `check()` in a program knows what it pauses, and what transfers.  The rule: nothing here is
read but heads and counts, so a look costs the same whatever waits.
"""

from __future__ import annotations

import re
from time import monotonic
from typing import NamedTuple

from pyredisson import Redisson
from pyredisson._sync.link.link import Link
from pyredisson._transport.connections import Redis, RedisCluster
from pyredisson._transport.urls import subscribers
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.replies import number
from pyredisson.protocol.queues.pause import paused
from pyredisson.server_errors import ReplyError, ServerError

__all__ = ["Service", "look_at"]

OVERDUE = 10.0
"""Seconds after which a pending item is overdue where no transfer task listens: that is twice
the time after which each of them looks by itself."""
STUCK = 60.0
"""The same where one listens, which may have much to do."""

_COMPANION = re.compile(r"(?:redisson_delay_queue\w*|pyredisson_\w+):(?:\{(.+)\}|(.*\{.*))")


class Service(NamedTuple):
    """What was seen of a queue: what is wrong, and what is worth knowing."""

    there: bool
    wrong: tuple[str, ...]
    notes: tuple[str, ...]


def look_at(redisson: Redisson, client: Redis | RedisCluster, name: str) -> Service:
    """Look at a queue as it is now."""
    names, link = ConsumerNames.of(name), redisson._context.link
    listening, wrong, notes = _listening(client, names.queue), list[str](), list[str]()
    if not (there := _exists(link, names)) and not listening:
        looked = "no key of it is there" + ("" if listening is None else " and no transfer task")
        notes.append(f"no such queue: {looked}; an empty queue that nobody uses looks the same")
    if key := _COMPANION.fullmatch(name):
        notes.append(f"this is the name of a key beside the queue {key[1] or key[2]!r}")
    try:
        if late := _overdue(link, names.queue, listening):
            wrong.append(late)
        if link.request(paused(names)):
            notes.append("paused: consumers and workers take nothing until somebody resumes it")
    except ReplyError as error:
        notes.append(f"whether it is overdue or paused cannot be seen: {error}")
    return Service(there or bool(listening), tuple(wrong), tuple(notes))


def _listening(client: Redis | RedisCluster, names: QueueNames) -> int | None:
    """Count the transfer tasks, of Java and of ours; None where a server does not tell it."""
    try:
        return subscribers(client, names.channel)
    except (ServerError, OSError):
        return None


def _exists(link: Link, names: ConsumerNames) -> bool:
    keys = tuple(CheckProtocol(names).types())
    try:
        return link.request(Command(("EXISTS", *keys), number, keys[0], safe=True)) > 0
    except ReplyError:
        return True  # as far as we may know


def _overdue(link: Link, names: QueueNames, listening: int | None) -> str | None:
    key, allowed = names.timeout_set, STUCK if listening is None or listening else OVERDUE
    now = link.clock(key).earliest_ms(monotonic())
    first = link.request(Command(("ZRANGE", key, 0, 0, "WITHSCORES"), list, key, safe=True))
    if not first or (late := now - float(first[1])) <= allowed * 1000:
        return None
    words = ("ZCOUNT", key, "-inf", int(now - allowed * 1000))
    count = link.request(Command(words, number, key, safe=True))
    who = f"transfer tasks listen ({listening}) and do not move them: look at their logs"
    if listening is None:
        who = "nobody moves them: look at the logs of the transfer tasks"
    elif not listening:
        who = f"no transfer task listens: start one, such as `pyredisson transfer {names.name}`"
    return f"overdue of {key}: {count}; due up to {late / 1000:.0f} s ago, and {who}"
