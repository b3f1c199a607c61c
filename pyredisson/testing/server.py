"""A server for tests, with a clock that the test moves.

The embedded server has a proxy (`_proxy`) in front. The proxy shows the moved time to all clients
of the URL, also to those of programs that a test starts. The rule: scripts read in Redis how far
the clock was moved. Clients of this process read the server's time again after each move. Clients
of other processes do so up to 10 seconds later.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, cast

from pyredisson import Redisson
from pyredisson._runtime.concurrency import monotonic, sleep_async
from pyredisson._support.die_with_parent import __file__ as die_with_parent
from pyredisson.admin.find import find_queues
from pyredisson.admin.nodes import ask_all
from pyredisson.embedded import EmbeddedServer
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.kernel.replies import number
from pyredisson.testing.arrivals import transferred_queues
from pyredisson.testing.clock import Clock

__all__ = ["RedissonServer"]

_CHECK = 0.005
"""Seconds between two reads of the counts."""


def _command() -> list[str]:
    python = [sys.executable, "-IS"]
    program = str(Path(__file__).with_name("_proxy.py"))
    return [*python, die_with_parent, str(os.getpid()), *python, program]


class RedissonServer:
    """A server for tests, which starts without keys; a context manager.

    It ends with this process. On Linux, it also ends with the thread that starts it.

    Args:
        binary: the path of the binary of Valkey, or of Redis 7.0 or newer. None for the binary of
            the extra `server`.

    Raises:
        ModuleNotFoundError: `binary` is None, and the extra is not installed.
    """

    def __init__(self, binary: str | None = None) -> None:
        self._server = EmbeddedServer(binary)
        self._proxy: subprocess.Popen[bytes] | None = None
        self._clock: Clock | None = None
        self.port = 0
        """The port of the proxy on 127.0.0.1; 0 before the start."""

    @property
    def url(self) -> str:
        """The URL of database 0 of the server."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def clock(self) -> Clock:
        """The clock that a test moves.

        Raises:
            RuntimeError: the server is not running.
        """
        if self._clock is None:
            raise RuntimeError("the server is not running: use it in a `with` statement")
        return self._clock

    def __enter__(self) -> RedissonServer:
        """Start the server and wait until it replies.

        Raises:
            RuntimeError: the server or its proxy did not start. The text has the server's output;
                the output of the proxy is on stderr.
        """
        self._server.__enter__()
        try:
            self.port = self._start_proxy()
            self._clock = Clock(self.url, self._server.port)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def _start_proxy(self) -> int:
        self._proxy = subprocess.Popen(
            [*_command(), str(self._server.port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that Ctrl-C does not reach it
        )
        with cast("IO[bytes]", self._proxy.stdout) as answer:
            port = answer.readline()
        if not port:
            raise RuntimeError("the program before the server did not start; its error is above")
        return int(port)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server. Its data is lost."""
        if self._clock is not None:
            self._clock._close()
            self._clock = None
        if self._proxy is not None:
            self._proxy.kill()
            self._proxy.wait()
            self._proxy = None
        self._server.__exit__(None, None, None)

    def reset(self) -> None:
        """Delete all keys of all databases, and set the clock to this machine's time."""
        self.clock._begin_anew()

    def wait_handled(self, *queues: str, timeout: Seconds = 5) -> None:
        """Wait until workers have handled all transferred items: no item is ready or leased.

        With asyncio, use `wait_handled_async`: this call would block the event loop.

        Args:
            queues: names of queues in Redis. By default these are the queues that this process
                transfers, and all delayed queues of database 0 with a key or a transfer task.
            timeout: seconds or a timedelta, by this machine's clock.

        Raises:
            TimeoutError: items are ready or leased after `timeout`. The text has their queues.
        """
        deadline = monotonic() + seconds(timeout)
        while self._unhandled(queues, deadline):
            time.sleep(_CHECK)

    async def wait_handled_async(self, *queues: str, timeout: Seconds = 5) -> None:
        """Do the same as `wait_handled`, but let other tasks of the event loop run meanwhile."""
        deadline = monotonic() + seconds(timeout)
        while self._unhandled(queues, deadline):
            await sleep_async(_CHECK)

    def _unhandled(self, queues: Sequence[str], deadline: float) -> bool:
        redisson = self.clock._redisson
        left = {
            name: count
            for name in queues or {*find_queues(redisson), *transferred_queues()}
            if (count := _left(redisson, name))
        }
        if left and monotonic() >= deadline:
            raise TimeoutError(f"items are not handled yet, by their queues: {left}")
        return bool(left)


def _left(redisson: Redisson, name: str) -> int:
    names = ConsumerNames.of(name)
    counts = [("LLEN", names.queue.name), ("LLEN", names.arriving), ("ZCARD", names.leases)]
    found = ask_all(redisson, (Command(words, number, name, safe=True) for words in counts))
    return sum(each for each in found if isinstance(each, int))
