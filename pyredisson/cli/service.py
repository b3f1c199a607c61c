"""What `pyredisson check` reports besides damage: whether a queue exists, is served, is paused.

The library's `check()` does not report these: no repair changes them, and a program knows which
queues it pauses and transfers. The rule: read only first elements and counts, so that the cost does
not depend on the length of a queue. A note names the command that shows more.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple

from pyredisson import Redisson
from pyredisson._sync.link.link import Link
from pyredisson._transport.connections import Redis, RedisCluster
from pyredisson._transport.urls import subscribers
from pyredisson.admin.doctor.servers import memory
from pyredisson.admin.watch import OVERDUE, STUCK
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.checks.stats import stats_of
from pyredisson.protocol.consumers.in_flight import held_by_consumers
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.replies import number
from pyredisson.protocol.objects.pages import START
from pyredisson.protocol.queues.pause import paused
from pyredisson.server_errors import ReplyError, ServerError

__all__ = ["Service", "service_of"]

_OWN_KEY = re.compile(r"(?:redisson_delay_queue\w*|pyredisson_\w+):(?:\{(.+)\}|(.*\{.*))")


_LONG = 600.0
"""Seconds of one delivery from which on its handler may hang."""
_LOOKED_AT = 100


class Service(NamedTuple):
    """Whether a queue exists, its problems, and notes that are no problems."""

    exists: bool
    wrong: tuple[str, ...]
    notes: tuple[str, ...]


def service_of(redisson: Redisson, client: Redis | RedisCluster, name: str) -> Service:
    """Return the present state of a queue."""
    names, link = ConsumerNames.of(name), redisson._context.link
    listening, wrong, notes = _listening(client, names.queue), list[str](), list[str]()
    if not (exists := _exists(link, names)) and not listening:
        searched = "it has no key" + ("" if listening is None else " and no transfer task")
        notes.append(f"no such queue: {searched}; an empty queue that nobody uses looks the same")
    if key := _OWN_KEY.fullmatch(name):
        notes.append(f"this is the name of a key beside the queue {key[1] or key[2]!r}")
    try:
        if late := _overdue(link, names.queue, listening):
            wrong.append(late)
        if link.request(paused(names)):
            notes.append(
                "paused: consumers and workers take nothing until queue.resume() is called"
            )
    except ReplyError as error:
        notes.append(f"cannot check whether it is overdue or paused: {error}")
    try:
        notes += _worth_knowing(redisson, names)
    except ReplyError as error:
        notes.append(f"cannot count what is ready, in progress or dead: {error}")
    return Service(exists or bool(listening), tuple(wrong), tuple(notes))


def _worth_knowing(redisson: Redisson, names: ConsumerNames) -> Iterator[str]:
    """Yield the notes: states that are no damage, each with the command that shows more."""
    link, name, key = redisson._context.link, shlex.quote(names.queue.name), names.queue.name
    stats = link.request(stats_of(names))
    if stats.dead > 0:
        yield f"dead letters: {stats.dead}; `pyredisson dead {name} list` shows why"
    if stats.poison > 0:
        yield f"in the poison list: {stats.poison}; `pyredisson poison {name} list` shows them"
    if stats.ready > 0 and not stats.in_progress:
        yield (
            f"ready: {stats.ready}, and no consumer of pyredisson holds a message; `pyredisson "
            f"items {name} --state ready` shows them, `pyredisson top` whether they become fewer"
        )
    held, _ = link.request(held_by_consumers(names, START, _LOOKED_AT))
    now = link.clock(key).earliest_ms(monotonic())
    longest = max(((now - each.delivery.taken_ms) / 1000 for each in held), default=0.0)
    if longest > _LONG:
        yield (
            f"in progress: {stats.in_progress}, one of them for {longest:.0f} s; `pyredisson items "
            f"{name} --state in-progress` shows who has it"
        )
    for each in memory(link.request(Command(("INFO", "memory"), bytes, key, safe=True))):
        yield f"{each.text}; `redis-cli INFO memory` shows more"


def _listening(client: Redis | RedisCluster, names: QueueNames) -> int | None:
    """Return the number of subscribed transfer tasks, Java's and Python's; None if unknown."""
    try:
        return subscribers(client, names.channel)
    except (ServerError, OSError):
        return None


def _exists(link: Link, names: ConsumerNames) -> bool:
    keys = tuple(CheckProtocol(names).types())
    try:
        return link.request(Command(("EXISTS", *keys), number, keys[0], safe=True)) > 0
    except ReplyError:
        return True  # a missing permission: assume that it exists


def _overdue(link: Link, names: QueueNames, listening: int | None) -> str | None:
    key, allowed = names.timeout_set, STUCK if listening is None or listening else OVERDUE
    now = link.clock(key).earliest_ms(monotonic())
    first = link.request(Command(("ZRANGE", key, 0, 0, "WITHSCORES"), list, key, safe=True))
    if not first or (late := now - float(first[1])) <= allowed * 1000:
        return None
    words = ("ZCOUNT", key, "-inf", int(now - allowed * 1000))
    count = link.request(Command(words, number, key, safe=True))
    reason = f"{listening} subscribed transfer tasks do not move them: check their logs"
    if listening is None:
        reason = "no transfer task moves them: check the logs of the transfer tasks"
    elif not listening:
        reason = f"no transfer task is subscribed: run `pyredisson transfer {names.name}`"
    return f"overdue of {key}: {count}; due up to {late / 1000:.0f} s ago, and {reason}"
