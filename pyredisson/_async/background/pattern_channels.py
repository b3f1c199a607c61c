"""A connection for patterns of channels.

The rule: patterns have a connection of their own, so that a rejected pattern does not affect the
channels.
"""

from __future__ import annotations

import logging
from typing import Any

from pyredisson._async.background.channels import AsyncChannels

log = logging.getLogger("pyredisson")


class AsyncPatternChannels(AsyncChannels):
    """Keeps the wanted patterns subscribed at one server, and reports matching messages."""

    word = "PSUBSCRIBE"

    def _dispatch(self, message: Any) -> None:
        if isinstance(message, list) and len(message) == 4:
            pattern, channel = (bytes(each).decode("utf-8", "replace") for each in message[1:3])
            self._on_message(pattern, channel, message[3])
        else:
            super()._dispatch(message)

    def _log_rejected(self, level: int, error: Exception, permissions: str) -> None:
        log.log(
            level,
            "PSUBSCRIBE is rejected (%s): its listeners receive nothing%s",
            error,
            permissions,
        )
