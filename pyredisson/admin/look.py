"""The counts of queues, by one script for each queue.

The rule: it only reads, and long queues cost little more than short ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from pyredisson import InvalidNameError, Redisson, RedissonError
from pyredisson.admin.nodes import ask, ask_all, masters, replicas
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.checks.stats import QueueStats, stats_of
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.server_errors import LOST, ReplyError

__all__ = ["document_of", "look_at", "look_at_all", "subscribers_of"]


def look_at(redisson: Redisson, name: str, *, subscribers: bool = True) -> QueueStats:
    """Return the counts of a queue.

    Args:
        redisson: the client.
        name: the queue's name.
        subscribers: whether to ask the servers for the subscribed clients, too.

    Raises:
        InvalidNameError: no key can have this name.
        ServerError: the server rejects it, or cannot be reached.
    """
    (found,) = look_at_all(redisson, [name], subscribers=subscribers)
    if isinstance(found, RedissonError):
        raise found
    return found


def look_at_all(
    redisson: Redisson, names: Iterable[str], *, subscribers: bool = True
) -> list[QueueStats | RedissonError]:
    """Return the counts of many queues; a round trip to a server reads up to 500 of them.

    Args:
        redisson: the client.
        names: the queues' names.
        subscribers: whether to ask the servers for the subscribed clients, too.

    Returns:
        In the order of the names: the counts, or the error if the server or the naming rules
        reject a name.

    Raises:
        ServerError: the server cannot be reached.
    """
    valid = [_names_of(redisson, name) for name in names]
    asked = [each for each in valid if isinstance(each, ConsumerNames)]
    answers = ask_all(redisson, map(stats_of, asked))
    found: list[QueueStats | RedissonError] = [
        next(answers) if isinstance(each, ConsumerNames) else each for each in valid
    ]
    if not subscribers:
        return found
    counts = iter(_subscribers(redisson, [each.queue.channel for each in asked]))
    listening = [next(counts) if isinstance(each, ConsumerNames) else None for each in valid]
    return [
        replace(each, subscribers=count) if isinstance(each, QueueStats) else each
        for each, count in zip(found, listening, strict=True)
    ]


def _names_of(redisson: Redisson, name: str) -> ConsumerNames | InvalidNameError:
    try:
        redisson.get_queue(name, codec=ByteArrayCodec())  # rejects invalid names
    except InvalidNameError as error:
        return error
    return ConsumerNames.of(redisson._context.mapper.map(name))


def subscribers_of(redisson: Redisson, channel: str) -> int | None:
    """Return how many connections are subscribed to a channel; None if a master rejects PUBSUB."""
    return _subscribers(redisson, [channel])[0]


_CHANNELS = 1000


def _subscribers(redisson: Redisson, channels: Sequence[str]) -> list[int | None]:
    """Return the number of subscribers of each channel, on all masters and on `replicas`."""
    return [
        count
        for start in range(0, len(channels), _CHANNELS)
        for count in _subscribers_of_some(redisson, channels[start : start + _CHANNELS])
    ]


def _subscribers_of_some(redisson: Redisson, channels: Sequence[str]) -> Iterator[int | None]:
    question = Command(("PUBSUB", "NUMSUB", *channels), list, channels[0], safe=True)
    replies = []
    try:
        replies += [ask(server, question) for server in masters(redisson)]
    except ReplyError:  # the server has no PUBSUB, or does not permit it
        return iter([None] * len(channels))
    for server in replicas(redisson):
        try:
            replies.append(ask(server, question))
        except (ReplyError, *LOST):
            continue
    return (sum(int(reply[2 * place + 1]) for reply in replies) for place in range(len(channels)))


def document_of(stats: QueueStats) -> dict[str, Any]:
    """Return counts as a dict for JSON; a count is None if its key has the wrong type."""
    return {name: None if value == -1 else value for name, value in asdict(stats).items()}
