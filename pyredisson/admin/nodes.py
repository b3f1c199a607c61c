"""Sends commands to the servers of a client, and many operations in one round trip.

The rule: such an operation changes nothing. So it is sent again if its reply was lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from pyredisson import ClosedError, Redisson
from pyredisson._sync.link.link import Link
from pyredisson._sync.link.server import Server
from pyredisson._sync.topology.sentinel import SentinelMaster
from pyredisson._sync.topology.topology import Cluster
from pyredisson.protocol.kernel.cluster import Address, address_in
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.permissions import explain_missing
from pyredisson.protocol.kernel.replies import text
from pyredisson.server_errors import ERROR_REPLIES, LOST, NoPermissionError, ReplyError, ServerError

__all__ = ["ask", "ask_all", "masters", "replicas"]

T = TypeVar("T")

_REPLICA = re.compile(r"^slave\d+:ip=([^,]+),port=(\d+),state=online", re.MULTILINE)
_BATCH = 500
"""The maximum number of operations that are sent before the first reply is read."""


def masters(redisson: Redisson) -> Sequence[Server]:
    """Return the masters of a cluster, or the only master.

    Raises:
        ClosedError: the client is closed.
    """
    link = redisson._context.link
    if link.closed:
        raise ClosedError("this Redisson client is closed")
    redisson._context.ensure_running()
    return link.topology.masters()


def replicas(redisson: Redisson) -> Iterator[Server]:
    """Iterate over the replicas of a cluster, or of a master that Sentinel monitors.

    The replicas of a single server are left out: this machine may not reach their addresses. The
    iteration ends without an error if the master rejects the question or cannot be reached.

    Raises:
        ClosedError: the client is closed.
    """
    topology = redisson._context.link.topology
    try:
        if isinstance(topology, Cluster):
            node = masters(redisson)[0]
            for address in _replicas_of_cluster(node):
                yield topology.at(topology.reachable(address, node))
        elif isinstance(topology, SentinelMaster):
            for address in _replicas_of(masters(redisson)[0]):
                server = topology._new_server(address)
                try:
                    yield server
                finally:
                    server.end()
    except (ServerError, OSError):
        return


def _replicas_of_cluster(node: Server) -> list[Address]:
    slots = ask(node, Command(("CLUSTER", "SLOTS"), list, "", safe=True))
    return [
        *{address_in(each): None for _start, _stop, _master, *others in slots for each in others}
    ]


def _replicas_of(master: Server) -> list[Address]:
    found = ask(master, Command(("INFO", "replication"), text, "", safe=True))
    return [(host, int(port)) for host, port in _REPLICA.findall(found)]


def ask(server: Server, command: Command[T]) -> T:
    """Return a server's decoded reply.

    Raises:
        ServerError: the server rejects the command, or the replies of two attempts were lost.
    """
    try:
        try:
            reply = server.call(*command.request())
        except LOST:
            reply = server.call(*command.request())
    except NoPermissionError as error:
        error.args = (explain_missing(str(error), command),)
        raise
    return command.decode(reply)


def ask_all(
    redisson: Redisson, operations: Iterable[Command[T] | Eval[T]]
) -> Iterator[T | ReplyError]:
    """Iterate over the results of many operations; a round trip to a server has up to 500.

    Args:
        redisson: the client.
        operations: operations on keys of any slots; each must be safe.

    Yields:
        The results in the order of the operations. The result of an operation that a server
        rejects is the error.

    Raises:
        ServerError: a server cannot be reached.
    """
    redisson._context.ensure_running()
    rest = iter(operations)
    while some := list(islice(rest, _BATCH)):
        yield from _batch(redisson._context.link, some)


def _batch(link: Link, some: Sequence[Command[T] | Eval[T]]) -> list[T | ReplyError]:
    groups: dict[Server, list[int]] = {}
    for place, each in enumerate(some):
        groups.setdefault(link.topology.server(each.key), []).append(place)
    found: dict[int, T | ReplyError] = {}
    for server, places in groups.items():
        results = _at(link, server, [some[place] for place in places])
        found |= zip(places, results, strict=True)
    return [found[place] for place in range(len(some))]


def _at(
    link: Link, server: Server, operations: Sequence[Command[T] | Eval[T]]
) -> list[T | ReplyError]:
    """Run operations of one server, without an error in one round trip.

    The first operation that fails runs again alone, which loads a missing script. The others that
    failed then run again in one round trip, and those that fail again run alone.
    """
    replies = _replies(link, server, operations)
    failed = [place for place, each in enumerate(replies) if isinstance(each, Exception)]
    alone: dict[int, T | ReplyError] = {}
    for place in failed[:1]:
        result = _alone(link, operations[place])
        alone[place] = result
    again = _replies(link, server, [operations[place] for place in failed[1:]])
    for place, reply in zip(failed[1:], again, strict=True):
        replies[place] = reply
        if isinstance(reply, Exception):
            result = _alone(link, operations[place])
            alone[place] = result
    return [
        alone[place] if place in alone else each.decode(replies[place])
        for place, each in enumerate(operations)
    ]


def _alone(link: Link, operation: Command[T] | Eval[T]) -> T | ReplyError:
    try:
        return link.request(operation)
    except ReplyError as error:
        return error


def _replies(
    link: Link, server: Server, operations: Sequence[Command[Any] | Eval[Any]]
) -> list[Any]:
    """Send all operations, and return the reply or the error of each."""
    found: list[Any] = []
    if not operations:
        return found
    try:
        exchange = server.exclusive()
    except LOST as error:
        return [error] * len(operations)
    try:
        exchange.conn.put_all(each.request() for each in operations)
        for _ in operations:
            try:
                found.append(exchange.conn.wait(link.timeout))
            except ERROR_REPLIES as error:
                found.append(error)
    except LOST as error:
        exchange.drop()
        return found + [error] * (len(operations) - len(found))
    except BaseException:
        exchange.drop()
        raise
    exchange.done()
    return found
