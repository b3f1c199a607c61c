"""Nodes that do not answer: each one is skipped until it answers a probe.

The marks of skipped nodes belong to the client, not to the caller that found the failure. So a mark
also ends if this caller has ended before. The rule: a node is skipped only while a task probes it.
A forked child, or another event loop, has no such task and skips no node.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.one_of_many import NODE_TIMEOUT
from pyredisson._async.waits.slices import is_transient
from pyredisson._runtime.concurrency import monotonic, sleep_async
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import ServerError

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0
_FIRST_NODE_TIMEOUT = 2.0
"""Seconds for the first connection to a node: a handshake takes several round trips."""


def rests(link: AsyncLink, home: Address | None) -> bool:
    """Return whether a node is skipped: a task probes it, and has no answer yet."""
    probe = link.probes.get(home)
    if probe is None or probe.alive:
        return probe is not None
    link.probes.pop(home, None)  # the task ended before it was stored
    return False


async def awake_async(link: AsyncLink, ask: Operation[Any]) -> bool:
    """Return whether the node of an operation's key may be asked now.

    A connection to a cluster node is opened in a background task, since the opening may take long.
    """
    topology = link.topology
    home = topology.home(ask.key)
    if not rests(link, home):
        server = topology.known(ask.key)
        if not topology.clustered or (server is not None and server.can_wait_now()):
            return True
        reply_timeout = NODE_TIMEOUT if home in link.met else _FIRST_NODE_TIMEOUT
        link.opening[home] = monotonic() + reply_timeout
        _begin(link, home, ask)
    return not await still_rests_async(link, home)


async def still_rests_async(link: AsyncLink, home: Address | None) -> bool:
    """Return whether a node is skipped, after waiting a while for an opening connection."""
    pauses = Pauses(0.0005, 0.05)
    while rests(link, home) and monotonic() < link.opening.get(home, 0.0):
        await sleep_async(pauses.pause())
    return rests(link, home)


def let_rest(link: AsyncLink, ask: Operation[Any], error: Exception) -> None:
    """Skip a node that failed with `error`, and probe it with `ask`, whose key is on this node."""
    home = link.topology.home(ask.key)
    if not rests(link, home):
        link.wait_failed(ask.key, error)
        link.opening.pop(home, None)
        _begin(link, home, ask)


def _begin(link: AsyncLink, home: Address | None, ask: Operation[Any]) -> None:
    # sent once, on a connection that the next wait can use
    alone = replace(ask, waits=0.0, safe=False)
    link.probes[home] = link.life.begin(partial(_probe, link, home, alone), "pyredisson probe")


async def _probe(link: AsyncLink, home: Address | None, ask: Operation[Any]) -> None:
    """Send `ask` to the node that has the key at that time, until a node answers."""
    backoff = Pauses(_FIRST_PAUSE, _LONGEST_PAUSE)
    try:
        while not link.closed:
            try:
                await link.request(ask)
            except (ServerError, OSError) as error:
                if not (link.reached and is_transient(error)):  # the next caller gets the error
                    return
                link.wait_failed(ask.key, error)
            else:
                link.met.add(home)
                link.wait_served(ask.key)
                return
            await link.life.pause(backoff.pause())
    finally:
        link.probes.pop(home, None)
