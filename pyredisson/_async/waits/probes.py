"""Nodes that do not answer: each rests until a probe of it is answered.

The mark belongs to the client and not to whoever found out, so it ends whatever becomes of the
finder. The rule: a node rests only while a task asks it. In the child of a fork, or in another
event loop, there is no such task, and nothing rests.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.one_of_many import PATIENCE
from pyredisson._async.waits.slices import passes
from pyredisson._runtime.concurrency import monotonic, sleep_async
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import ServerError

_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 1.0
_FIRST_PATIENCE = 2.0
"""Seconds for the first connection to a node: a handshake takes several journeys."""


def rests(link: AsyncLink, home: Address | None) -> bool:
    """Tell whether a node has not answered, and is being asked until it does."""
    probe = link.probes.get(home)
    if probe is None or probe.alive:
        return probe is not None
    link.probes.pop(home, None)  # it ended before it was noted
    return False


async def awake_async(link: AsyncLink, ask: Operation[Any]) -> bool:
    """Tell whether the node of an operation's key may be asked at once.

    A connection to a node of several is opened beside the caller, for that may take long.
    """
    topology = link.topology
    home = topology.home(ask.key)
    if not rests(link, home):
        server = topology.known(ask.key)
        if not topology.clustered or (server is not None and server.at_hand()):
            return True
        patience = PATIENCE if home in link.met else _FIRST_PATIENCE
        link.opening[home] = monotonic() + patience
        _begin(link, home, ask)
    return not await still_rests_async(link, home)


async def still_rests_async(link: AsyncLink, home: Address | None) -> bool:
    """Tell whether a node rests; wait a while where a connection to it is being opened."""
    pauses = Backoff(0.0005, 0.05)
    while rests(link, home) and monotonic() < link.opening.get(home, 0.0):
        await sleep_async(pauses.pause())
    return rests(link, home)


def let_rest(link: AsyncLink, ask: Operation[Any], error: Exception) -> None:
    """Let a node rest that did not answer; `ask` is about a key of it, and `error` what came."""
    home = link.topology.home(ask.key)
    if not rests(link, home):
        link.wait_failed(ask.key, error)
        link.opening.pop(home, None)
        _begin(link, home, ask)


def _begin(link: AsyncLink, home: Address | None, ask: Operation[Any]) -> None:
    alone = replace(ask, waits=0.0, safe=False)  # once, on the connection of the wait to come
    link.probes[home] = link.life.begin(partial(_probe, link, home, alone), "pyredisson probe")


async def _probe(link: AsyncLink, home: Address | None, ask: Operation[Any]) -> None:
    """Ask until there is an answer, wherever the key lives by then."""
    backoff = Backoff(_FIRST_PAUSE, _LONGEST_PAUSE)
    try:
        while not link.closed:
            try:
                await link.request(ask)
            except (ServerError, OSError) as error:
                if not (link.reached and passes(error)):  # whoever asks next is told
                    return
                link.wait_failed(ask.key, error)
            else:
                link.met.add(home)
                link.wait_served(ask.key)
                return
            await link.life.pause(backoff.pause())
    finally:
        link.probes.pop(home, None)
