"""Reads the bytes that the hooks of producers stored for the messages of a worker.

The rule: a message is handled even if these bytes cannot be read.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from pyredisson._async.consumers.message import AsyncMessage, by_consumer
from pyredisson._async.link.link import AsyncLink
from pyredisson.protocol.delayed.carried import read_carried
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.server_errors import ServerError

log = logging.getLogger("pyredisson")


async def read_all_carried(link: AsyncLink, messages: Sequence[AsyncMessage[Any]]) -> None:
    """Set `carried` of messages, with one request for each queue; ignore errors of servers."""
    for consumer, some in by_consumer(messages).items():
        try:
            found = await link.request(read_carried(consumer.key, [each.raw for each in some]))
        except (ServerError, OSError) as error:
            log.debug(
                "%r: what was carried is not read: %s",
                consumer.key,
                error,
                extra=about(consumer.key),
            )
            continue
        for message, carried in zip(some, found, strict=True):
            message._carried = carried
