"""The Java codecs' times for the same values: `Rates` of the interop peer, in a local JVM.

It needs a JDK 17 and `mvn`, which fetches the jars. The rule: where they are missing, the benchmark
says so and continues without Java.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from interop.peer import build
from interop.vectors import jvm, migration_runs, record_json_vectors

__all__ = ["JavaCodecs", "Rate"]

RELEASE = "4.7.0"
# Without Redisson itself, which `class_path` adds.
LIBRARIES = [
    *record_json_vectors.artifacts(RELEASE)[1:],
    *migration_runs.NEW_LZ4,
    *migration_runs.SNAPPY,
    *migration_runs.ZSTD,
]
PROGRAM = [
    build.PROJECT / "src" / "main" / "java" / path
    for path in (
        "com/example/Order.java",
        "com/example/Basket.java",
        "pyredisson/interop/Rates.java",
    )
]


@dataclass(frozen=True)
class Rate:
    """The bytes that a Java codec makes of a value, and the nanoseconds that it takes."""

    data: bytes
    encode: float
    decode: float


class JavaCodecs:
    """The program, which answers one question at a time."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    @classmethod
    @contextlib.contextmanager
    def started(cls) -> Iterator[JavaCodecs | None]:
        """Compile and start the program; if that is impossible, print why and yield None."""
        missing = [name for name in ("java", "javac", "mvn") if shutil.which(name) is None]
        if missing:
            print(f"without Java: no {missing[0]} is here")
            yield None
            return
        try:
            path = jvm.compile_java(jvm.class_path(RELEASE, LIBRARIES), PROGRAM)
        except subprocess.CalledProcessError as error:
            print(f"without Java: {error.cmd[0]} failed")
            yield None
            return
        command = jvm.java(path, "pyredisson.interop.Rates", options=build.OPTIONS[3:])
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            yield cls(process)
        finally:
            process.communicate()

    def rate(self, codec: str, data: bytes) -> Rate | None:
        """Measure a codec with a value in `Kryo5Codec`'s bytes; None if the codec fails on it."""
        sink: Any = self._process.stdin
        source: Any = self._process.stdout
        sink.write(f"{codec} {data.hex()}\n")
        sink.flush()
        answer = source.readline().split()
        if len(answer) != 3 or answer[0].startswith("!"):
            return None
        return Rate(bytes.fromhex(answer[0]), float(answer[1]), float(answer[2]))
