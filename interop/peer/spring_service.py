"""A Spring Boot service on Redisson's starter, as teams have it: built by Maven, run by tests.

Rule: the service is `spring/` beside this file, one jar for each release of the starter. It obeys
the lines of its standard input and ends with that, so it never outlives the tests.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self

from interop.peer.build import CACHE, ROOT, UnavailableError, package
from tests.support.machine import locked

PROJECT = ROOT / "interop" / "peer" / "spring"

SPRING = {"3.27.2": "3.2.2", "4.7.0": "4.1.0"}
"""Redisson's release, and the Spring Boot that its starter was built for."""

_OPTIONS = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dfile.encoding=UTF-8"]
_SECONDS = 120


def service_jar(release: str) -> Path:
    """Return the service's jar with this release of the starter; build it if needed."""
    digest = hashlib.sha256()
    for path in sorted(each for each in PROJECT.rglob("*") if each.is_file()):
        digest.update(path.read_bytes())
    jar = CACHE / "spring" / f"{release}-{digest.hexdigest()[:16]}" / "orders.jar"
    with locked("build"):
        if not jar.is_file():
            work = CACHE / "build" / f"spring-{release}"
            shutil.rmtree(work, ignore_errors=True)
            package(
                PROJECT,
                {
                    "redisson.version": release,
                    "spring.version": SPRING[release],
                    "service.target": str(work),
                },
            )
            jar.parent.mkdir(parents=True, exist_ok=True)
            (work / "orders-1.0.jar").rename(jar)
            shutil.rmtree(work, ignore_errors=True)
    return jar


class SpringService:
    """A running service; `ask` sends it a line and returns its answer."""

    def __init__(self, jar: Path, url: str, profiles: Iterable[str] = ()) -> None:
        if shutil.which("java") is None:
            raise UnavailableError("no JDK is here to run the Spring service")
        self._process = subprocess.Popen(
            [
                "java",
                *_OPTIONS,
                "-jar",
                str(jar),
                f"--spring.profiles.active={','.join(profiles)}",
            ],
            env=os.environ | {"REDIS_URL": url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for us; the service ends with its standard input
        )
        self._answer("ready")

    def ask(self, verb: str, name: str, count: int) -> str:
        """Let the service do something with tasks 0 to `count` of a queue; return its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{verb} {name} {count}\n")
        self._process.stdin.flush()
        return self._answer(verb, "no")

    def _answer(self, *starts: str) -> str:
        """Return the next line that begins like this; the others are Spring's log."""
        assert self._process.stdout is not None
        guard = threading.Timer(_SECONDS, self._process.kill)
        guard.start()
        try:
            for line in self._process.stdout:
                if line.startswith(starts):
                    return line.rstrip("\n")
        finally:
            guard.cancel()
        raise UnavailableError("the Spring service ended; its log is on standard error")

    def close(self) -> None:
        """End the service."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
