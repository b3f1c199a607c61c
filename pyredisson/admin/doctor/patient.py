"""A queue under examination: its counts, samples of its elements, and what the server rejects.

The rule: the number of elements that are read is bounded, and so are their bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from shlex import quote
from typing import Any, Literal, TypeVar, get_args

from pyredisson import Redisson
from pyredisson._sync.link.server import Server
from pyredisson.admin.look import look_at
from pyredisson.admin.nodes import ask
from pyredisson.codecs.base import Codec
from pyredisson.protocol.checks.check import CheckProtocol
from pyredisson.protocol.checks.examine import sizes
from pyredisson.protocol.checks.stats import QueueStats
from pyredisson.protocol.kernel.capabilities import is_denied, is_of_command
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.server_errors import LOST, NoPermissionError, ReplyError

__all__ = ["KINDS", "SAMPLE", "Diagnosis", "Kind", "Patient", "Severity"]

T = TypeVar("T")

Severity = Literal["error", "warning", "info"]
Kind = Literal[
    "overdue",
    "no-transfer",
    "paused",
    "poison",
    "mixed-formats",
    "divergence",
    "wrong-type",
    "eviction",
    "ttl",
    "acl",
    "clock-skew",
    "codec",
    "cross-slot",
    "stuck-consumer",
    "lost-leases",
    "memory",
    "restricted-server",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

SAMPLE = 1000
"""The maximum number of elements of a key that are read.

Of a longer key, half of this number is read at each end. Of long elements, fewer are read.
"""
_PAGE = 100
_FEW = 10
_BYTES = 4_000_000


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A problem of a queue or its server.

    Attributes:
        kind: what it is, one of `KINDS`.
        severity: `error` if items do not arrive or may be lost; `warning` if this may happen soon;
            or else `info`.
        text: the problem and its consequence.
        remedy: the command that repairs it; None if no command does.
    """

    kind: Kind
    severity: Severity
    text: str
    remedy: str | None = None

    @property
    def docs(self) -> str:
        """The page and the section of the documentation that explain the problem."""
        return f"docs/troubleshooting.md#{self.kind}"


@dataclass
class Patient:
    """A queue under examination.

    Attributes:
        redisson: the client.
        name: the queue's name, as the program or the shell has given it.
        codec: decodes the values; None for the codec that they look like.
        denied: error texts of questions for which the user has no permission.
        rejected: error texts of questions that the server does not support.
        looked_at: texts that name what was examined.
        notes: texts about the name that are no findings.
    """

    redisson: Redisson
    name: str
    codec: Codec[Any] | None = None
    denied: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)
    looked_at: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @cached_property
    def names(self) -> ConsumerNames:
        """The keys of the queue."""
        return ConsumerNames.of(self.redisson._context.mapper.map(self.name))

    @property
    def quoted(self) -> str:
        """The name, quoted for a shell."""
        return quote(self.name)

    @cached_property
    def server(self) -> Server:
        """The master that has the queue."""
        return self.redisson._context.link.topology.server(self.names.queue.name)

    @cached_property
    def stats(self) -> QueueStats | None:
        """The counts; None if the server rejects the question."""
        try:
            return look_at(self.redisson, self.name)
        except ReplyError as error:
            self.note(error)
            return None

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of elements of each key; empty if the server rejects the question."""
        return self.ask(sizes(tuple(CheckProtocol(self.names).types()))) or {}

    @cached_property
    def pending(self) -> list[tuple[bytes, float]]:
        """Pending entries with their due times (epoch ms): the earliest, and the latest."""
        key = self.names.queue.timeout_set
        return [
            (entry, float(score))
            for page in self._ends("ZRANGE", key, "WITHSCORES")
            for entry, score in zip(page[::2], page[1::2], strict=True)
        ]

    @cached_property
    def listed(self) -> list[bytes]:
        """Pending entries in the order of their offers: the oldest, and the newest."""
        return [each for page in self._ends("LRANGE", self.names.queue.delay_list) for each in page]

    @cached_property
    def ready(self) -> list[bytes]:
        """Elements of the target list: the first, and the last."""
        return [each for page in self._ends("LRANGE", self.names.queue.name) for each in page]

    @cached_property
    def _bytes(self) -> int:
        """The mean length (bytes, at least 1) of the first ready and the first pending elements."""
        some: list[bytes] = []
        for key in (self.names.queue.name, self.names.queue.delay_list):
            some += self.ask(Command(("LRANGE", key, 0, _FEW - 1), list, key, safe=True)) or []
        return sum(map(len, some)) // max(len(some), 1) or 1

    def affordable(self, most: int) -> int:
        """Return how many elements to read: `most`, or fewer (at least 10) if they are long."""
        return max(_FEW, min(most, _BYTES // self._bytes))

    def is_sample(self, key: str) -> bool:
        """Return whether only a part of a key is read."""
        return self.sizes.get(key, 0) > self.affordable(SAMPLE)

    def of_sample(self, key: str) -> str:
        """Return text for a finding that comes from a part of a key; "" if all of it was read."""
        return f" (in a sample of {self.sizes[key]})" if self.is_sample(key) else ""

    def ask(self, operation: Command[T] | Eval[T]) -> T | None:
        """Return the result; if the server rejects the operation, note this and return None.

        Raises:
            ServerError: the server cannot be reached, or is in a state such as loading.
        """
        try:
            return self.redisson._context.link.request(operation)
        except ReplyError as error:
            self.note(error)
            return None

    def ask_server(self, server: Server, *words: str) -> Any:
        """Return a server's reply; if it is rejected or lost, note this and return None."""
        try:
            return ask(server, Command(words, lambda reply: reply, "", safe=True))
        except ReplyError as error:
            self.note(error, words[0])
            return None
        except LOST as error:  # a proxy may close the connection after an unknown command
            self.rejected.append(f"{words[0]}: {error}")
            return None

    def note(self, error: ReplyError, command: str = "") -> None:
        """Note a rejected question. An error about a key's type is not noted: `damage` finds it.

        Raises:
            ReplyError: the given error, if it reports a state of the server such as loading.
        """
        text = str(error)
        if isinstance(error, NoPermissionError) or is_denied(text):
            self.denied.append(text)
        elif is_of_command(text):
            self.rejected.append(f"{command}: {text}" if command else text)
        elif "WRONGTYPE" not in text:
            raise error

    def _ends(self, command: str, key: str, *options: str) -> Iterator[list[bytes]]:
        """Read a key in pages: all of it, or half a sample at each end; fewer if they are long."""
        most, step, read = self.affordable(SAMPLE), min(_PAGE, self.affordable(_PAGE)), 0
        size = self.sizes.get(key, most)
        firsts = range(0, most // 2 if size > most else size, step)
        starts = [(start, start + step - 1) for start in firsts]
        if size > most:
            starts += [(-start - step, -start - 1) for start in reversed(firsts)]
        for start, stop in starts:
            words: tuple[Arg, ...] = (command, key, start, stop, *options)
            page = self.ask(Command(words, list, key, safe=True))
            if page is None or read > _BYTES:
                return
            read += sum(map(len, page))
            yield page
