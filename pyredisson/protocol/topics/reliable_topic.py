"""RReliableTopic as scripts: `RedissonReliableTopic` of 3.21.1 to 4.7.0.

The topic is a stream whose entries have one field, `m`. A subscriber is a consumer group. A sorted
set has the time at which each subscriber expires. Java reads with XREADGROUP, which moves the
position of the group before a message is handled. Here the position moves after a message was
handled, so a crash loses no message before the subscriber expires. Both sides remove a message
after the positions of all groups have passed it. But pyredisson keeps messages that a group of Java
has read and not yet acknowledged (XACK).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import RedissonError, UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import suffix_name
from pyredisson.protocol.kernel.replies import number, truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["START", "Entry", "ReliableTopicProtocol", "require_subscriber"]

V = TypeVar("V")

START = "0-0"
"""The id before all messages."""
_MANY = 100
"""The maximum number of messages that one command reads."""


class Entry(NamedTuple):
    """A message in the stream: its id and its bytes."""

    id: str
    data: bytes


def require_subscriber(name: object) -> str | None:
    """Check the name of a subscriber, or None, and return it.

    Raises:
        TypeError: the name is neither None nor a str, or it is empty.
    """
    if name is None or (isinstance(name, str) and name):
        return name
    raise TypeError(f"subscriber must be a name or None, not {name!r}")


def _entries(reply: Any) -> list[Entry] | None:
    found: list[Entry] = []
    for _, entries in reply or ():
        for name, fields in entries:
            values = dict(zip(fields[::2], fields[1::2], strict=True))
            found.append(Entry(bytes(name).decode(), values.get(b"m", b"")))
    return found


@dataclass(frozen=True, slots=True)
class ReliableTopicProtocol(Generic[V]):
    """The operations of one reliable topic; `name` is the mapped name."""

    name: str
    codec: Codec[V]

    @property
    def timeouts(self) -> str:
        """The key of the times at which subscribers expire."""
        return suffix_name(self.name, "timeout")

    @property
    def _older(self) -> str:
        return suffix_name(self.name, "subscribers")

    def _script(self, operation: str, args: Sequence[Arg], read: Any) -> Eval[Any]:
        keys = (self.name, self.timeouts)
        return Eval(load(f"topics/{operation}"), keys, tuple(args), read, safe=True)

    def _require(self, reply: Any) -> Any:
        if reply is None:
            raise RedissonError(
                f"reliable topic {self.name!r} has subscribers of Redisson 3.21.0 or older (key "
                f"{self._older!r}), which would lose messages beside newer ones; update them, then "
                "delete that key"
            )
        return reply

    def publish(self, message: V) -> Eval[int]:
        """Add a message; return the number of subscribers.

        Raises:
            RedissonError: the topic has subscribers of Redisson 3.21.0 or older; raised when the
                reply is read.
        """
        lost = partial(UncertainError, "publish", self.name)
        keys, args = (self.name, self._older), (self.codec.encode(message),)
        return Eval(load("topics/publish"), keys, args, self._require, lost=lost)

    def subscribe(self, subscriber: str, ttl_ms: int, start: str = START) -> Eval[str]:
        """Create a subscriber, or renew the time to live of the subscriber with this name.

        Return the id of the last message that the subscriber has handled; `start` if it is new.

        Raises:
            RedissonError: as for `publish`.
        """
        keys, args = (self.name, self.timeouts, self._older), (subscriber, ttl_ms, start)

        def last(reply: Any) -> str:
            return bytes(self._require(reply)).decode()

        return Eval(load("topics/subscribe"), keys, args, last, safe=True)

    def read(self, after: str, seconds: float) -> Command[list[Entry] | None]:
        """XREAD: wait up to `seconds` for messages after an id; the list is empty if none came."""
        block = max(int(seconds * 1000), 1)
        words: tuple[Arg, ...] = ("XREAD", "COUNT", _MANY, "BLOCK", block, "STREAMS")
        return Command((*words, self.name, after), _entries, self.name, safe=True, waits=seconds)

    def advance(self, subscriber: str, message_id: str) -> Eval[bool]:
        """Note that a message and all before it are handled; False if no such subscriber exists."""
        return self._script("advance", (subscriber, message_id), truth)

    def renew(self, subscriber: str, ttl_ms: int) -> Eval[bool]:
        """Renew a subscriber's time to live; return False if the subscriber does not exist."""
        script, args = load("topics/renew"), (subscriber, ttl_ms)
        return Eval(script, (self.timeouts,), args, truth, safe=True)

    def unsubscribe(self, subscriber: str) -> Eval[bool]:
        """Remove a subscriber; return whether it existed."""
        return self._script("unsubscribe", (subscriber,), truth)

    def count_subscribers(self) -> Eval[int]:
        """Count the subscribers, also the expired ones that are not yet removed."""
        return Eval(load("topics/count_subscribers"), (self.name,), (), number, safe=True)

    def size(self) -> Command[int]:
        """XLEN: the number of messages that are stored and not yet removed by `advance`."""
        return Command(("XLEN", self.name), number, self.name, safe=True)
