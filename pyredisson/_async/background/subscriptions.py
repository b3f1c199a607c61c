"""The channels of a client, and the listeners that receive their messages.

The rule: a channel is subscribed once for any number of listeners, until the last one is removed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING

from pyredisson._async.background.channels import AsyncChannels
from pyredisson._async.background.interfaces import AsyncChannelListener
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import AsyncTask, StateLock, can_spawn_async, monotonic

if TYPE_CHECKING:
    from pyredisson._async.background.pattern_channels import AsyncPatternChannels
    from pyredisson._async.background.sharded_channels import AsyncShardedChannels

log = logging.getLogger("pyredisson")

_Listeners = dict[str, dict[AsyncChannelListener, None]]
"""The listeners of each channel, in the order in which they came."""


class AsyncSubscriptions:
    """The listeners of one client, and the connections of their subscriptions.

    Args:
        link: its topology finds the servers.
        silence: seconds without a message after which a connection is checked with PING.
        notified: called with each listener after it has received an event of a connection.
    """

    def __init__(
        self, link: AsyncLink, silence: float, notified: Callable[[AsyncChannelListener], None]
    ) -> None:
        self._link = link
        self._silence = silence
        self._notified = notified
        self._ordinary: _Listeners = {}
        self._sharded: _Listeners = {}
        self._matching: _Listeners = {}
        self._shards = link.topology.clustered
        """Whether to use sharded channels: in a cluster, until a node has no SSUBSCRIBE."""
        self._lock = StateLock()
        self._main: AsyncChannels | None = None
        self._patterns: AsyncPatternChannels | None = None
        self._nodes: dict[Hashable, AsyncShardedChannels] = {}
        self._placed: dict[str, AsyncShardedChannels] = {}
        self._closing = False

    def is_subscribed(self, channel: str, *, sharded: bool = False) -> bool:
        """Return whether the server has confirmed a channel, and the task of its connection runs.

        With `sharded`, a channel of a cluster is the sharded channel of this name.
        """
        # fewer calls than `_confirms`, because each read of a local copy calls this method
        home = self._placed.get(channel) if sharded and self._shards else self._main
        if home is None or channel not in home.confirmed:
            return False
        return (task := home.task) is not None and task.alive

    def _confirms(self, channel: str, listeners: _Listeners) -> bool:
        home = self._connection_of(channel, listeners)
        return home is not None and home.alive and channel in home.confirmed

    def _connection_of(self, channel: str, listeners: _Listeners) -> AsyncChannels | None:
        """Return the connection of a channel; None if no connection was opened for it."""
        if listeners is self._sharded:
            return self._placed.get(channel)
        return self._main if listeners is self._ordinary else self._patterns

    def failure(self, listener: AsyncChannelListener) -> Exception | None:
        """Return why the first channel of a listener is not subscribed; None if not known."""
        home = self._connection_of(listener.channels[0], self._of(listener))
        return None if home is None else home.failure_of(listener.channels[0])

    def _connections(self) -> list[AsyncChannels]:
        found = (self._main, self._patterns, *list(self._nodes.values()))
        return [each for each in found if each is not None]

    # -------------------------------------------------------------- listeners

    def add(self, listener: AsyncChannelListener) -> None:
        """Add a listener; `settle` subscribes to its channels."""
        subscribed: list[str] = []  # channels that the server has already confirmed
        with self._lock.held:
            listeners = self._of(listener)
            for channel in listener.channels:
                if channel not in listeners and (home := self._home(channel, listeners)):
                    home.want(channel)
                if self._confirms(channel, listeners):
                    subscribed.append(channel)
                listeners.setdefault(channel, {})[listener] = None
        for channel in subscribed:
            listener.on_subscribed(channel)

    def remove(self, listener: AsyncChannelListener) -> None:
        """Remove a listener; `settle` unsubscribes from channels without another listener."""
        with self._lock.held:
            listeners = self._of(listener)
            for channel in listener.channels:
                if (left := listeners.get(channel)) is None:
                    continue
                left.pop(listener, None)
                if not left:
                    if home := self._home(channel, listeners):
                        home.unwant(channel)
                        if listeners is self._sharded:
                            self._placed.pop(channel, None)
                    del listeners[channel]  # last: after Ctrl-C, another `remove` must find it

    def _of(self, listener: AsyncChannelListener) -> _Listeners:
        if listener.patterns:
            return self._matching
        sharded = listener.sharded and (self._shards or listener.only_sharded)
        return self._sharded if sharded else self._ordinary

    def _on_subscribed(self, listeners: _Listeners, channel: str) -> None:
        self._notify(listeners, channel, lambda listener: listener.on_subscribed(channel))

    def _on_message(self, listeners: _Listeners, name: str, channel: str, payload: bytes) -> None:
        self._notify(listeners, name, lambda listener: listener.on_message(channel, payload))

    def _notify(
        self, listeners: _Listeners, channel: str, event: Callable[[AsyncChannelListener], None]
    ) -> None:
        """Notify all listeners of a channel; an error of one listener does not affect others."""
        with self._lock.held:
            found = tuple(listeners.get(channel, ()))
        for listener in found:
            try:
                event(listener)
                self._notified(listener)
            except Exception:
                log.exception("a listener of channel %r failed", channel)

    # -------------------------------------------------------------- connections

    def start(self) -> AsyncTask:
        """Open new connections; return the task of the connection for ordinary channels.

        Connections of this process and event loop to cluster nodes stay open.
        """
        with self._lock.held:
            self._nodes = {home: each for home, each in self._nodes.items() if each.alive}
            alive = set(self._nodes.values())
            self._placed = {name: at for name, at in self._placed.items() if at in alive}
            self._main = AsyncChannels(self._link.topology, *self._arguments(self._ordinary))
            for channel in self._ordinary:
                self._main.want(channel)
            task = self._main.start(self._link.life)
            self._patterns = None
            for pattern in self._matching:
                if home := self._home(pattern, self._matching):
                    home.want(pattern)
            self._place()
            return task

    def _arguments(
        self, listeners: _Listeners
    ) -> tuple[Callable[[str], None], Callable[[str, str, bytes], None], float, float]:
        return (
            partial(self._on_subscribed, listeners),
            partial(self._on_message, listeners),
            self._silence,
            min(self._silence, self._link.timeout),
        )

    def _home(self, channel: str, listeners: _Listeners) -> AsyncChannels | None:
        """Return the connection of a channel, opened if necessary, or None if none can be opened.

        Call this under the lock.
        """
        if listeners is self._ordinary or self._main is None:
            return self._main
        if listeners is self._matching:
            return self._patterns or self._start_patterns()
        place = self._placed.get(channel)
        if place is None and can_spawn_async() and not self._closing:
            place = self._placed[channel] = self._node(self._link.topology.home(channel))
        return place

    def _start_patterns(self) -> AsyncPatternChannels | None:
        if can_spawn_async() and not self._closing:
            from pyredisson._async.background.pattern_channels import AsyncPatternChannels  # noqa: PLC0415 - seldom

            arguments = self._arguments(self._matching)
            self._patterns = AsyncPatternChannels(self._link.topology, *arguments)
            self._patterns.start(self._link.life)
        return self._patterns

    def _node(self, home: Hashable) -> AsyncShardedChannels:
        node = self._nodes.get(home)
        if node is None:
            from pyredisson._async.background.sharded_channels import AsyncShardedChannels  # noqa: PLC0415 - seldom

            node = self._nodes[home] = AsyncShardedChannels(
                self._link.topology,
                *self._arguments(self._sharded),
                place=self._place_again,
                not_known=self._without_shards,
            )
            node.start(self._link.life)
        return node

    def _place(self) -> None:
        """Move each sharded channel to the connection of its node. Call this under the lock."""
        if self._closing:
            return
        for channel in self._sharded:
            before, node = self._placed.get(channel), self._node(self._link.topology.home(channel))
            if before is not node:
                if before is not None:
                    before.unwant(channel)
                self._placed[channel] = node
                node.want(channel)

    async def _place_again(self) -> None:
        with self._lock.held:
            self._place()
        await self.settle()

    async def _without_shards(self) -> None:
        """Replace sharded channels by ordinary ones, except for `only_sharded` listeners.

        Redisson publishes to ordinary channels if the server is older than Redis 7.
        """
        log.debug("the server has no SSUBSCRIBE: sharded channels become ordinary ones")
        with self._lock.held:
            self._shards = False
            for channel, listeners in tuple(self._sharded.items()):
                others = {each: None for each in listeners if not each.only_sharded}
                if others:
                    self._ordinary.setdefault(channel, {}).update(others)
                    if self._main is not None:
                        self._main.want(channel)
                for each in others:
                    del listeners[each]
                if not listeners:
                    del self._sharded[channel]
                    self._placed.pop(channel).unwant(channel)
        await self.settle()

    async def settle(self) -> None:
        """Subscribe to the channels that have listeners, and unsubscribe from the others."""
        for each in self._connections():
            try:
                await each.settle()
            except Exception as error:
                log.debug("the subscription could not be changed: %r", error)

    async def close(self) -> None:
        """Make all connections end soon."""
        with self._lock.held:
            self._closing = True
        for each in self._connections():
            await each.close()

    async def stop(self, deadline: float) -> None:
        """Wait until `deadline` for the end of all connections; see `AsyncTask.stop`."""
        for each in self._connections():
            await each.stop(max(deadline - monotonic(), 0.0))
