"""Sharded pub/sub: in a cluster, only the nodes of a channel's slot have its messages.

The rule: if a node rejects a channel because of its slot, the client asks for the slots again. Then
each channel moves to the connection of its new node.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from pyredisson._async.background.channels import AsyncChannels
from pyredisson._async.link.capabilities import refused
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._transport.errors import connection_error
from pyredisson.protocol.kernel.names import slot
from pyredisson.server_errors import LOST, AskError, ClusterDownError, NoPermissionError, ReplyError

log = logging.getLogger("pyredisson")


class AsyncShardedChannels(AsyncChannels):
    """Keeps channels subscribed at the node that serves their slots.

    Args:
        topology: finds the node.
        on_subscribed: called with a channel each time the node confirms its subscription.
        on_message: called with the subscribed channel, the message's channel, and the payload.
        ping_after: seconds of silence after which a PING is sent.
        answer_within: seconds that the reply to the PING may take.
        place: called before each connection; moves channels to the nodes that serve their slots.
        not_known: called if the server has no SSUBSCRIBE; makes the channels ordinary ones, except
            for listeners with `only_sharded`.
    """

    word = "SSUBSCRIBE"

    def __init__(
        self,
        topology: AsyncTopology,
        on_subscribed: Callable[[str], None],
        on_message: Callable[[str, str, bytes], None],
        ping_after: float,
        answer_within: float,
        *,
        place: Callable[[], Any],
        not_known: Callable[[], Any],
    ) -> None:
        super().__init__(topology, on_subscribed, on_message, ping_after, answer_within)
        self._place = place
        self._not_known = not_known

    def _sent_together(self, channels: list[str]) -> Iterator[list[str]]:
        """Split channels by slot: one command may name channels of one slot only."""
        for _, some in groupby(sorted(channels, key=slot), slot):
            yield from super()._sent_together(list(some))

    def _any_wanted(self) -> str | None:
        return min(tuple(self._wanted), default=None)

    async def _session(self) -> None:
        if (channel := self._any_wanted()) is not None:
            await self._topology.server(channel)  # asks for the slots, if they may have changed
        await self._place()
        if (channel := self._any_wanted()) is None:
            return
        server = await self._topology.server(channel)
        try:
            await self._serve(server)
        except ReplyError as error:
            if isinstance(error, (AskError, ClusterDownError)):
                await self._topology.lost(server)
            elif refused(error) and not isinstance(error, NoPermissionError):
                await self._not_known()
                if self._any_wanted() is None:
                    return
            raise
        except LOST:
            await self._topology.lost(server)
            raise

    def _log_rejected(self, level: int, error: ReplyError, permissions: str) -> None:
        log.log(
            level,
            "SSUBSCRIBE is rejected (%s): its listeners receive nothing%s",
            error,
            permissions,
        )

    def _on_unsubscribed(self, channel: str) -> None:
        raise connection_error(f"the node no longer serves the slot of channel {channel!r}")
