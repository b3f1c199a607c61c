"""Commands as MONITOR shows them, written so that Java's and Python's can be compared.

What depends on the run is replaced: an entry of the state by ``<value>``, one that was added by
``<+value>``, a moment by ``<t1>``, ``<t2>``... in the order in which they appear, a blocking
timeout of Python by ``<seconds>``, the four names of the queue by ``q``, LIST, SET and CHANNEL. All
the rest stays as it was sent.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import redis

from interop.tests.support.state import Item
from pyredisson.errors import WireFormatError
from pyredisson.protocol.delayed.entry import WireFormat, unpack
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.dump import dump
from tests.support.monitor import Executed, Monitor
from tests.support.server import RedisServer

ENVELOPE = frozenset({"EVAL", "EVALSHA", "EVALSHA_RO", "SCRIPT"})
"""Commands that send a script, by its text or its SHA1; only what the script calls is compared."""

CONNECTION = frozenset({"PING", "HELLO", "CLIENT", "SELECT"})
"""Commands that are not about any queue."""

PROBES = frozenset({"TYPE", "TIME", "INFO"})
"""Python's own questions before a call: the types of keys, the time, whether it drops keys."""

_CONTAINERS = frozenset({"MEMORY", "OBJECT"})  # commands whose first argument is a command, too
_OVERHEAD = {WireFormat.CURRENT: (1 + 8 + 8, 1 + 16 + 8), WireFormat.LEGACY: (8 + 8,)}
"""Bytes of the id, of Java or of pyredisson, and of the length."""
_SECONDS = re.compile(rb"\d+\.\d{3}")
_MOMENTS = 10**12  # epoch milliseconds are larger; no other number of these tests is


@dataclass
class Spelling:
    """Replaces what differs from run to run; one object for each run."""

    names: QueueNames
    items: Sequence[Item]
    wire_format: WireFormat
    literal: frozenset[bytes] = frozenset()
    """Moments that the test chose itself: they are not replaced."""
    moments: list[int] = field(default_factory=list)
    """The moments that were replaced; ``<t1>`` is the first."""
    _known: dict[bytes, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = self.names
        self._known = {
            names.delay_list.encode(): "LIST",
            names.timeout_set.encode(): "SET",
            names.channel.encode(): "CHANNEL",
        }
        seen: Counter[bytes] = Counter()
        for item in self.items:
            seen[item.value] += 1
            number = f"#{seen[item.value]}" if seen[item.value] > 1 else ""
            self._known[item.entry] = f"<{item.value.decode()}{number}>"

    def word(self, data: bytes) -> str:
        """Write one argument, or one element of a key, as text."""
        if data in self._known:
            return self._known[data]
        if data.isdigit() and int(data) > _MOMENTS and data not in self.literal:
            return self._moment(int(data))
        if _SECONDS.fullmatch(data):
            return "<seconds>"
        try:
            entry = unpack(data)
        except WireFormatError:
            return repr(data)[2:-1]
        assert len(data) - len(entry.value) in _OVERHEAD[self.wire_format]
        return f"<+{entry.value.decode()}>"

    def _moment(self, moment: int) -> str:
        if moment not in self.moments:
            self.moments.append(moment)
        return f"<t{self.moments.index(moment) + 1}>"

    def commands(self, executed: Iterable[Executed], dropped: frozenset[str]) -> list[str]:
        """Write commands as one string each, without those of the names in `dropped`."""
        return [
            " ".join([each.name.lower(), *map(self.word, _plain(each))])
            for each in executed
            if each.name not in dropped
        ]

    def keys(self, client: redis.Redis) -> dict[str, Any]:
        """Write each key of the server as text: type, content, and if it has a time to live."""
        return {
            self.word(key): (found.type, self._content(found.value), found.expires)
            for key, found in dump(client).items()
        }

    def _content(self, value: Any) -> Any:
        if isinstance(value, bytes):
            return self.word(value)
        if isinstance(value, float):
            return self.word(b"%d" % value) if value.is_integer() else value
        return [self._content(each) for each in value]


@dataclass(frozen=True)
class Run:
    """The record of one call: its commands, the keys after it, its result, the moments in it."""

    commands: list[str]
    keys: dict[str, Any]
    result: Any
    moments: list[int]


def _plain(command: Executed) -> tuple[bytes, ...]:
    """Return the arguments; the second half of a name such as MEMORY USAGE in small letters."""
    first, *rest = command.arguments[1:] or (b"",)
    if command.name in _CONTAINERS:
        first = first.lower()
    return (first, *rest) if command.arguments[1:] else ()


def record(
    server: RedisServer,
    spelling: Spelling,
    call: Callable[[], Any],
    dropped: frozenset[str] = ENVELOPE | CONNECTION,
) -> Run:
    """Run ``call`` under MONITOR; its return value is the result."""
    with Monitor(server) as monitor:
        result = call()
    commands = spelling.commands(monitor.commands, dropped)
    with redis.Redis(port=server.port) as client:
        keys = spelling.keys(client)
    return Run(commands, keys, result, spelling.moments)


def calls_of(client: redis.Redis, command: str) -> int:
    """Return how often the server has executed a command so far."""
    run: Any = client.execute_command
    stats: dict[str, dict[str, int]] = run("INFO", "commandstats")
    return stats.get(f"cmdstat_{command}", {}).get("calls", 0)


def until_called(client: redis.Redis, command: str, more_than: int) -> None:
    """Wait until the server has executed a command more than `more_than` times."""
    deadline = time.monotonic() + 20
    while calls_of(client, command) <= more_than:
        assert time.monotonic() < deadline, f"no {command} came"
        time.sleep(0.005)
