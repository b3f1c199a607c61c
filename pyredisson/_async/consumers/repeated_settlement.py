"""Settling messages, also a second time after a reply that did not come.

The server may have done what it was asked to, and then the repetition finds nothing. The rule:
while a lease lasts, nobody removes it but the consumer that has the message; so where it is gone,
the try before has removed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.worker.outcome import Fate
from pyredisson.server_errors import LOST

if TYPE_CHECKING:
    from pyredisson._async.consumers.message import AsyncMessage


def tried(messages: Sequence[AsyncMessage[Any]], fate: Fate, error: BaseException) -> None:
    """Note that nobody knows whether messages were settled, if an error leaves that open."""
    if isinstance(error, LOST) or not isinstance(error, Exception):
        for message in messages:
            message._tried |= {fate}


async def known_async(
    link: AsyncLink, messages: Sequence[AsyncMessage[Any]], fate: Fate, done: list[bool]
) -> list[bool]:
    """Return of each message of one queue whether it was settled, now or by a try before.

    Args:
        link: leads to their server.
        messages: which.
        fate: what they were to become.
        done: of each whether its lease was there, and had not ended.
    """
    became: list[Fate | None] = [fate if held else None for held in done]
    if not all(done):
        await _look_back(link, messages, became)
    for message, found in zip(messages, became, strict=True):
        message._settled = True
        message._became = found or message._became
    return [found is fate for found in became]


async def _look_back(
    link: AsyncLink, messages: Sequence[AsyncMessage[Any]], became: list[Fate | None]
) -> None:
    """Find out what tries before have made of messages that are gone."""
    unsure = [
        (place, message)
        for place, (message, found) in enumerate(zip(messages, became, strict=True))
        if found is None and len(message._tried) == 1
    ]
    if not unsure:
        return
    clock = await link.clock(messages[0].consumer.key)
    now_ms = clock.latest_ms(monotonic())  # it was sooner when they were not found
    for place, message in unsure:
        if now_ms < message._ends_ms:
            (became[place],) = message._tried
