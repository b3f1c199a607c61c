"""One call on a delayed queue, in Java and in Python, from the same bytes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import redis

from interop.peer.redisson import JavaClient, JavaObject
from interop.tests.support.expected import Expected
from interop.tests.support.results import of_java, of_python
from interop.tests.support.state import Item, lay
from interop.tests.support.trace import (
    CONNECTION,
    ENVELOPE,
    PROBES,
    Run,
    Spelling,
    calls_of,
    record,
    until_called,
)
from pyredisson import DelayedQueue, Redisson, WireFormat
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer

RELEASES = ("4.7.0", "3.19.3")
"""One release for each wire format."""

AT = 4_102_444_800_000
"""The year 2100, in epoch milliseconds: nothing of a state is due."""

DUE = {"A": AT + 2000, "B": AT + 1000, "C": AT + 3000}
"""The due times of the values: the set's order is B, A, C."""

Call = Callable[[DelayedQueue[str]], Any]


@dataclass(frozen=True)
class Case(Expected):
    """One call, in Java and in Python, on a queue with the ``pending`` values."""

    id: str
    pending: str
    java: tuple[Any, ...]
    python: Call
    target: tuple[bytes, ...] = ()
    others: dict[str, str] = field(default_factory=dict)
    """Lists besides the queue: the name and the only element."""
    expiring: bool = False
    copies: int = 1
    """Copies of an entry in the delay list; Redisson writes one, a repeated offer may leave two."""
    releases: tuple[str, ...] = RELEASES

    def __str__(self) -> str:
        return self.id


class Pair:
    """The queue q in both languages, on the session's server; Python does not transfer."""

    def __init__(self, server: RedisServer, client: JavaClient, release: str) -> None:
        self.server = server
        self.client = client
        self.release = release
        self.wire_format = WireFormat.of(release)
        self._opened = 0

    def items(self, case: Case) -> list[Item]:
        return [
            Item(
                value.encode(),
                DUE[value] + number,
                bytes([number + 1]) * 8,
                self.wire_format,
                case.copies,
            )
            for number, value in enumerate(case.pending)
        ]

    def java(self, case: Case) -> Run:
        # A rename changes the queue of a handle, so each case has its own handle.
        self._opened += 1
        handle: JavaObject = self.client.delayed_queue("q", handle=str(self._opened))
        with redis.Redis(port=self.server.port) as raw:
            before = calls_of(raw, "zrangebyscore")
            handle.open()
            if self._opened == 1:
                until_called(raw, "zrangebyscore", before)  # its first transfer is over
        return self._run(case, lambda: of_java(lambda: handle.call(*case.java)), frozenset())

    def python(self, case: Case) -> Run:
        with Redisson.from_url(
            self.server.url, codec=StringCodec(), wire_format=self.release
        ) as redisson:
            queue = redisson.get_queue("q", codec=StringCodec())
            delayed = redisson.get_delayed_queue(queue, transfer=False)
            return self._run(case, lambda: of_python(lambda: case.python(delayed)), PROBES)

    def _run(self, case: Case, call: Callable[[], Any], dropped: frozenset[str]) -> Run:
        items = self.items(case)
        with redis.Redis(port=self.server.port) as raw:
            raw.flushall()
            names = lay(raw, "q", items, case.target)
            for name, element in case.others.items():
                raw.rpush(name, element)
            if case.expiring:
                raw.pexpire(names.delay_list, 50_000)
                raw.pexpire(names.timeout_set, 50_000)
        chosen = frozenset(b"%d" % moment for moment in [AT, *(item.due for item in items)])
        spelling = Spelling(names, items, self.wire_format, chosen)
        return record(self.server, spelling, call, ENVELOPE | CONNECTION | dropped)
