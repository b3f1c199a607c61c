"""Java's transfer script, as the server received it, and pyredisson's, with the same arguments.

Java's text is taken from MONITOR while a test runs; it is stored nowhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import redis

from interop.peer.redisson import JavaClient
from interop.tests.support.trace import calls_of, until_called
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load
from tests.support.monitor import Monitor
from tests.support.server import RedisServer

SCRIPT = "delayed/transfer"
Transfer = Callable[[redis.Redis, str, int, int], Any]
"""Transfers at most `limit` items that are due at a moment (epoch ms); returns the reply."""


@dataclass(frozen=True)
class Sent:
    """A script as Java sent it: its text, its keys and its arguments."""

    text: bytes
    keys: tuple[bytes, ...]
    arguments: tuple[bytes, ...]


def sent_by_java(server: RedisServer, client: JavaClient, name: str) -> Sent:
    """Open a delayed queue in Java and return the script of its first transfer."""
    with redis.Redis(port=server.port) as raw:
        raw.script_flush()
        before = calls_of(raw, "zrangebyscore")
        with Monitor(server) as monitor:
            client.delayed_queue(name).open()
            until_called(raw, "zrangebyscore", before)
    loaded = [each.arguments[2] for each in monitor.commands if each.arguments[1:2] == (b"LOAD",)]
    for command in monitor.commands:
        words = command.arguments
        if command.name == "EVAL" and b"zrangebyscore" in words[1]:
            text = words[1]
        elif command.name == "EVALSHA" and loaded:
            text = loaded[0]
        else:
            continue
        count = int(words[2])
        return Sent(text, words[3 : 3 + count], words[3 + count :])
    raise AssertionError("Java sent no transfer script")


def java_transfer(sent: Sent) -> Transfer:
    """Return Java's script as a function."""

    def transfer(raw: redis.Redis, name: str, now: int, limit: int) -> Any:
        names = QueueNames.of(name)
        keys = (name, names.timeout_set, names.delay_list)
        execute: Any = raw.execute_command
        return execute("EVAL", sent.text, len(keys), *keys, now, limit)

    return transfer


def our_transfer(
    raw: redis.Redis, name: str, now: int, limit: int, text: str = load(SCRIPT).text
) -> Any:
    """Run pyredisson's script, or another text of it."""
    names = QueueNames.of(name)
    keys = (name, names.timeout_set, names.delay_list, names.poison)
    execute: Any = raw.execute_command
    return execute("EVAL", text, len(keys), *keys, now, limit)
