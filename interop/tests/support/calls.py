"""One call on an object, in Java and in Python, from the same keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import redis

from interop.peer.redisson import JavaClient
from interop.tests.support.expected import Expected
from interop.tests.support.results import of_java, of_python
from interop.tests.support.trace import CONNECTION, ENVELOPE, PROBES, Run, Spelling, record
from pyredisson import Redisson, WireFormat
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.server import RedisServer

RELEASES = ("4.7.0", "3.19.3")


@dataclass(frozen=True)
class Call(Expected):
    """One call on the object ``name``."""

    id: str
    kind: str
    """The name of Redisson's getter."""
    java: tuple[Any, ...]
    python: Callable[[Redisson], Any]
    before: Mapping[str, bytes] = field(default_factory=dict)
    """Strings in Redis before the call."""
    name: str = "n"
    """Empty for an object without a name."""
    codec: str | None = None
    read: Callable[[Any], Any] = lambda result: result
    """Converts Java's result to what Python returns."""
    releases: tuple[str, ...] = RELEASES

    def compare(self, client: JavaClient, server: RedisServer) -> None:
        """Run it in both languages; compare commands, keys and results, also with a recording."""
        java = self.in_java(client, server)
        with Redisson.from_url(server.url) as redisson:
            python = self._run(server, lambda: of_python(lambda: self.python(redisson)), PROBES)
        self.check(java, python)
        self.check_recorded(f"{self.kind} {self.id}", python)

    def in_java(self, client: JavaClient, server: RedisServer) -> Run:
        """Run it in Java."""
        handle = client.get(self.kind, self.name, codec=self.codec, handle=self.id)
        return self._run(server, lambda: self.read(of_java(lambda: handle.call(*self.java))))

    def _run(
        self, server: RedisServer, call: Callable[[], Any], dropped: frozenset[str] = frozenset()
    ) -> Run:
        with redis.Redis(port=server.port) as raw:
            raw.flushall()
            for key, value in self.before.items():
                raw.set(key, value)
        spelling = Spelling(QueueNames.of("q"), [], WireFormat.CURRENT)
        return record(server, spelling, call, ENVELOPE | CONNECTION | dropped)
