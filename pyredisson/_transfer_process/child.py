"""The program of the transfer process: a client that transfers the due items of its queues.

The parent sends commands, such as the names of the queues, as pickles on standard input. This
process exits after its standard input has ended. It writes log records, hook events and statistics
to standard output.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import sys
import threading
from functools import partial
from typing import Any

from pyredisson import DelayedQueue, Hooks, Redisson
from pyredisson._transport.connections import Redis, RedisCluster
from pyredisson._transport.portable import client_from
from pyredisson._transport.urls import translating
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.kernel.log_fields import FIELDS
from pyredisson.server_errors import ServerError

__all__ = ["main"]


class _LogSender(logging.Handler):
    """Sends log records to the parent."""

    def __init__(self, send: Any) -> None:
        super().__init__()
        self._send = send

    def emit(self, record: logging.LogRecord) -> None:
        fields = {"name": record.name, "levelno": record.levelno, "levelname": record.levelname}
        more = {name: each for name, each in vars(record).items() if name in FIELDS}
        self._send("log", fields | more | {"msg": self.format(record)})


def main() -> None:
    """Transfer until standard input ends."""
    commands = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # so that no library prints to `answers`
    lock = threading.Lock()

    def send(word: str, value: Any) -> None:
        with lock:
            pickle.dump((word, value), answers)
            answers.flush()

    settings = pickle.load(commands)  # noqa: S301 - from the parent
    log = logging.getLogger("pyredisson")
    log.setLevel(settings["level"])
    log.addHandler(_LogSender(send))
    log.propagate = False
    try:
        _transfer(settings, commands, send)
    except (EOFError, pickle.UnpicklingError, BrokenPipeError):
        os._exit(0)  # the parent's client or process has ended; other tasks transfer the rest


def _client(found: dict[str, Any]) -> Redis | RedisCluster:
    """Make the client; exit with the error's text if a cluster client cannot connect."""
    try:
        with translating():
            return client_from(found)
    except ServerError as error:
        sys.exit(f"pyredisson: {error}")


_LOCAL = ("on_open", "on_close", "on_queue")
"""Hooks that are not forwarded, because the parent's client calls them itself."""


class _Hooks(Hooks):
    """Sends the events of hooks to the parent."""

    def __init__(self, send: Any) -> None:
        self._send = send

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("on_") or name in _LOCAL:
            return super().__getattribute__(name)
        return partial(self._forward, name)

    def _forward(self, name: str, *facts: Any) -> None:
        """Send one event; ignore a parent that has ended."""
        with contextlib.suppress(OSError):
            self._send("hook", (name, *facts))


def _transfer(settings: dict[str, Any], commands: Any, send: Any) -> None:
    queues: dict[str, DelayedQueue[bytes]] = {}
    options: dict[str, Any] = dict(settings["options"])
    if settings["hooks"]:
        options["hooks"] = _Hooks(send)
    with _client(settings["client"]) as client, Redisson(client, **options) as redisson:

        def acquire(name: str) -> None:
            if name not in queues:
                queue = redisson.get_queue(name, ByteArrayCodec())
                queues[name] = redisson.get_delayed_queue(queue)

        for name in settings["queues"]:
            acquire(name)
        send("ready", None)
        while True:
            word, name = pickle.load(commands)  # noqa: S301 - from the parent
            if word == "acquire":
                acquire(name)
            elif word == "release":
                delayed = queues.pop(name, None)
                if delayed is not None:
                    delayed.destroy()
            else:
                health = redisson._context.transfers.health()
                send("stats", (redisson.transfer_stats(), health))
