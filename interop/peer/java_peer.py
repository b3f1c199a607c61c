"""A real Java Redisson for the tests: a container where an engine answers, else a local JVM.

Rule: the peer's standard input is a pipe of this process, and the peer ends when that ends. So it
never outlives this process.

>>> with JavaPeer("4.7.0") as peer, peer.client("redis://127.0.0.1:6379/0") as java:
...     delayed = java.delayed_queue("orders", codec="String")
...     delayed.call("offer", "order-1", 500, "MILLISECONDS")
...     java.blocking_queue("orders", codec="String").call("poll", 5, "SECONDS")
"""

import base64
import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import uuid
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from interop.peer.build import OPTIONS, UnavailableError, jars
from interop.peer.engine import Engine, find_engine, peer_image
from interop.peer.redisson import JavaClient
from interop.peer.values import Java, to_json
from interop.peer.wire import JavaError, Pending, Reply, Wire

__all__ = [
    "Java",
    "JavaClient",
    "JavaError",
    "JavaPeer",
    "Pending",
    "Reply",
    "UnavailableError",
    "how",
]

_MAIN = "pyredisson.interop.Peer"


def _engine(*, local: bool = False) -> Engine | None:
    """Return the engine, or None for a local JVM; PYREDISSON_JAVA=container or =jvm decides."""
    forced = "jvm" if local else os.environ.get("PYREDISSON_JAVA", "")
    if forced not in {"", "container", "jvm"}:
        raise ValueError(f"PYREDISSON_JAVA is {forced!r}, not container or jvm")
    # Elsewhere than on Linux the host's network is not the container's.
    engine = find_engine() if forced != "jvm" and sys.platform == "linux" else None
    if engine is None and forced == "container":
        raise UnavailableError("no container engine answers (scripts/container-engine starts one)")
    if engine is None and shutil.which("java") is None:
        raise UnavailableError("neither a container engine nor a JDK is here")
    return engine


def how() -> str:
    """Say how a peer would run on this machine, in a few words; nothing is started or built."""
    try:
        engine = _engine()
    except UnavailableError as error:
        return f"none: {error}"
    return "local JVM" if engine is None else f"container ({engine.program} {engine.version})"


class JavaPeer:
    """One process with one release of Redisson in it.

    ``java_options`` are added to the JVM's (a quick start is their aim; ``quick=False`` leaves it
    to the JVM's defaults, for measurements). With an ``environment``, variables that are added to
    those of this process, it is a local JVM. ``runs_as`` says "container" or "jvm", ``info`` which
    versions of Java, Redisson and Jackson answered.
    """

    def __init__(
        self,
        release: str = "4.7.0",
        *,
        java_options: Iterable[str] = (),
        quick: bool = True,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.release = release
        self._environment = environment
        options = OPTIONS if quick else [each for each in OPTIONS if not each.startswith("-XX")]
        self._options = [*options, *java_options]
        self._name = f"pyredisson-peer-{uuid.uuid4().hex[:12]}"
        # No name, so nothing is left behind; readable while this object exists.
        self._log, path = tempfile.mkstemp()
        Path(path).unlink()
        weakref.finalize(self, os.close, self._log)
        self._process: subprocess.Popen[bytes] | None = None
        self._wire: Wire | None = None
        self._engine: Engine | None = None
        self.runs_as = "not started"
        self.info: dict[str, Any] = {}

    def __repr__(self) -> str:
        return f"<JavaPeer Redisson {self.release}, {self.runs_as}>"

    def start(self) -> Self:
        """Build what is missing, start the process, and wait until it answers."""
        self._engine = _engine(local=self._environment is not None)
        self.runs_as = "container" if self._engine else "jvm"
        command, environment = self._command()
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,  # Ctrl-C is for Python; the peer ends with its standard input
        )
        self.info = self._hello(self._process)
        self._wire = Wire(self.info["port"])
        return self

    def _command(self) -> tuple[list[str], dict[str, str]]:
        if self._engine is None:
            classes = str(jars(self.release) / "*")
            return ["java", *self._options, "-cp", classes, _MAIN], {
                **os.environ,
                **(self._environment or {}),
            }
        image = peer_image(self._engine, self.release)
        run = ["run", "--rm", "-i", "--name", self._name, "--network=host"]
        settings = {"REDISSON_VERSION": self.release, "PEER_JAVA_OPTIONS": " ".join(self._options)}
        for name, value in settings.items():
            run += ["-e", f"{name}={value}"]
        return [*self._engine.command, *run, image], self._engine.environment()

    def _hello(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Return the first line, which has the port; end a process that stays silent."""
        assert process.stdout is not None
        guard = threading.Timer(90, process.kill)
        guard.start()
        line = process.stdout.readline()
        guard.cancel()
        if not line:
            self.stop()
            raise UnavailableError(f"{self!r} did not start:\n{self.log[-3000:]}")
        hello: dict[str, Any] = json.loads(line)
        return hello

    @property
    def log(self) -> str:
        """Return what the peer wrote on standard error: Redisson's warnings and errors."""
        # pread: the process writes where the shared file position stands.
        return os.pread(self._log, os.fstat(self._log).st_size, 0).decode(errors="replace")

    @property
    def ended(self) -> bool:
        """Whether the process has ended, also by itself."""
        return self._process is None or self._process.poll() is not None

    @property
    def wire(self) -> Wire:
        """The connections, for requests that no method here makes."""
        if self._wire is None:
            raise RuntimeError(f"{self!r} is not running")
        return self._wire

    def client(self, *urls: str, **options: Any) -> JavaClient:
        """A new RedissonClient; the arguments are those of ``JavaClient``."""
        return JavaClient(self.wire, urls, **options)

    def encode(self, codec: str, values: Sequence[Any]) -> list[bytes]:
        """Return what the codec makes of the values; no server is asked."""
        request = {"cmd": "encode", "codec": codec, "values": [to_json(each) for each in values]}
        return [base64.b64decode(each) for each in self.wire.request(request).result]

    def decode(self, codec: str, data: Sequence[bytes]) -> list[Java]:
        """Return what the codec reads from the bytes; no server is asked."""
        encoded = [base64.b64encode(each).decode() for each in data]
        request = {"cmd": "decode", "codec": codec, "data": encoded}
        return [Java.from_json(each) for each in self.wire.request(request).result]

    def now(self) -> int:
        """Return the Java side's clock, in epoch ms."""
        return int(self.wire.request({"cmd": "info"}).result["now"])

    def stop(self) -> None:
        """End the process, its clients with it; may be called twice."""
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            assert process.stdin is not None
            process.stdin.close()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self.kill_container()
            process.kill()
            process.wait()
        assert process.stdout is not None
        process.stdout.close()

    def kill_container(self) -> None:
        """Send SIGKILL to the container, if there is one that still runs."""
        if self._engine is not None:
            with contextlib.suppress(UnavailableError):
                self._engine.run("kill", self._name, timeout=30)

    def kill(self) -> None:
        """End the peer as a crash does (SIGKILL)."""
        self.kill_container()
        if self._process is not None and self._engine is None:
            self._process.kill()
        self.stop()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
