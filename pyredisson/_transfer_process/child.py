"""What the process of `_transfer_process` runs: a client that transfers the queues it is told.

Orders are pickles on standard input, from the process that started us and nobody else; its end
is ours. Standard output has what we log and have done.
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


class _Told(logging.Handler):
    """Sends log lines to who started us."""

    def __init__(self, tell: Any) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        told = {"name": record.name, "levelno": record.levelno, "levelname": record.levelname}
        more = {name: each for name, each in vars(record).items() if name in FIELDS}
        self._tell("log", told | more | {"msg": self.format(record)})


def main() -> None:
    """Transfer until standard input ends."""
    orders = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no answer
    lock = threading.Lock()

    def tell(word: str, value: Any) -> None:
        with lock:
            pickle.dump((word, value), answers)
            answers.flush()

    settings = pickle.load(orders)  # noqa: S301 - from who started us
    log = logging.getLogger("pyredisson")
    log.setLevel(settings["level"])
    log.addHandler(_Told(tell))
    log.propagate = False
    try:
        _transfer(settings, orders, tell)
    except (EOFError, pickle.UnpicklingError, BrokenPipeError):
        os._exit(0)  # who started us has ended: nothing is under way that would not be done again


def _client(found: dict[str, Any]) -> Redis | RedisCluster:
    """Make the client; a cluster is connected to, which may fail."""
    try:
        with translating():
            return client_from(found)
    except ServerError as error:
        sys.exit(f"pyredisson: {error}")


class _Hooks(Hooks):
    """Tells who started us what is done."""

    def __init__(self, tell: Any) -> None:
        self._tell = tell

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("on_"):
            return super().__getattribute__(name)
        return partial(self._pass_on, name)

    def _pass_on(self, name: str, *facts: Any) -> None:
        """Tell; whoever is gone need not know."""
        with contextlib.suppress(OSError):
            self._tell("hook", (name, *facts))


def _transfer(settings: dict[str, Any], orders: Any, tell: Any) -> None:
    handles: dict[str, DelayedQueue[bytes]] = {}
    options: dict[str, Any] = dict(settings["options"])
    if settings["hooks"]:
        options["hooks"] = _Hooks(tell)
    with _client(settings["client"]) as client, Redisson(client, **options) as ours:

        def acquire(name: str) -> None:
            if name not in handles:
                handles[name] = ours.get_delayed_queue(ours.get_queue(name, ByteArrayCodec()))

        for name in settings["queues"]:
            acquire(name)
        tell("ready", None)
        while True:
            word, name = pickle.load(orders)  # noqa: S301 - from who started us
            if word == "acquire":
                acquire(name)
            elif word == "release":
                handle = handles.pop(name, None)
                if handle is not None:
                    handle.destroy()
            else:
                tell("stats", ours.transfer_stats())
