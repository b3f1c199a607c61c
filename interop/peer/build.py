"""Builds the Java peer: one directory of jars for each Redisson release.

Rule: Maven runs only when the program or its project file changed, or a release is new; then first
offline. ``python -m interop.peer.build RELEASE...`` builds by hand.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.support.machine import locked

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT / "interop" / "peer" / "java"
CACHE = ROOT / ".cache" / "interop"
CONTEXT = CACHE / "image"
"""The folder from which the image is built: lib/RELEASE/*.jar."""

MATRIX = ("4.7.0", "3.21.1", "3.21.0", "3.19.3")
"""The releases that the interop tests run with; 3.21.0 and 3.19.3 write the older entry format."""

_KRYO = {"3.12.5": "5.0.0-RC4", "3.17.7": "5.0.0-RC4", "3.18.1": "5.3.0"}
"""Releases whose Kryo is optional, and the version that their project file names."""

RELEASES = (*MATRIX, "3.27.2", "3.52.0", *_KRYO)
"""All releases that some interop test runs with."""

_ALL_CODECS = "4.7.0"
"""The release whose peer has the libraries of all codecs."""

_OPENED = ("lang", "util", "util.concurrent", "math", "text", "net", "time")
QUICK = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""With these options a JVM that lives for seconds needs half the CPU time."""
OPTIONS = [
    *QUICK,
    "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
    *(f"--add-opens=java.base/java.{package}=ALL-UNNAMED" for package in _OPENED),
    "--add-opens=java.sql/java.sql=ALL-UNNAMED",
]
"""Options of the JVM: a quick start, and what FstCodec (to 3.18) and Kryo need on JDK 17."""


class UnavailableError(Exception):
    """This machine cannot run the Java peer; the message says what is missing."""


def source_digest() -> str:
    """Return a digest that changes when the peer's sources or its project file change."""
    digest = hashlib.sha256()
    for path in sorted([PROJECT / "pom.xml", *PROJECT.glob("src/**/*.java")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def jars(release: str) -> Path:
    """Return the directory with the peer's jars for ``release``; build it if needed."""
    lib = CONTEXT / "lib" / release
    stamp = CACHE / "stamps" / release
    digest = source_digest()
    with locked("build"):  # several processes must not use Maven's repository at once
        if lib.is_dir() and stamp.is_file() and stamp.read_text() == digest:
            return lib
        _package(release, lib)
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(digest)
    return lib


def _package(release: str, lib: Path) -> None:
    work = CACHE / "build" / release
    shutil.rmtree(work, ignore_errors=True)
    kryo = {"kryo.version": _KRYO[release]} if release in _KRYO else {}
    codecs = {"codecs": ""} if release == _ALL_CODECS else {}
    named = {"redisson.version": release, "peer.target": str(work)}
    package(PROJECT, named | kryo | codecs)
    shutil.rmtree(lib, ignore_errors=True)
    lib.parent.mkdir(parents=True, exist_ok=True)
    (work / "lib").rename(lib)
    shutil.rmtree(work, ignore_errors=True)


def quick_maven() -> dict[str, str]:
    """Return the environment in which Maven starts as a JVM that lives for seconds."""
    return os.environ | {"MAVEN_OPTS": " ".join([*QUICK, os.environ.get("MAVEN_OPTS", "")])}


def package(project: Path, properties: dict[str, str]) -> None:
    """Run Maven's ``package`` on a project with these properties.

    Raises:
        UnavailableError: with the end of what Maven wrote.
    """
    given = [f"-D{name}={value}".rstrip("=") for name, value in properties.items()]
    command = [*_maven(), "-q", "-B", *given, "-f", str(project / "pom.xml"), "package"]
    run = partial(subprocess.run, capture_output=True, text=True, check=False, env=quick_maven())
    # Offline first: a machine that has the artefacts needs no network, and waits for none.
    done = run([*command, "--offline"])
    if done.returncode != 0:
        done = run(command)
    if done.returncode != 0:
        raise UnavailableError(
            f"Maven failed for {project.name}, {' '.join(given)}:\n"
            f"{(done.stdout + done.stderr)[-3000:]}"
        )


def _maven() -> list[str]:
    if shutil.which("mvn") and shutil.which("javac"):
        return ["mvn"]
    from interop.peer.engine import find_engine

    engine = find_engine()
    if engine is None:
        raise UnavailableError("the Java peer is built with Maven and a JDK, or a container engine")
    home = CACHE / "maven"
    home.mkdir(parents=True, exist_ok=True)
    mounts = ["-v", f"{ROOT}:{ROOT}", "-w", str(ROOT)]
    user = ["--user", f"{os.getuid()}:{os.getgid()}", "-e", f"MAVEN_OPTS=-Duser.home={home}"]
    run = [*engine.command, "run", "--rm", "--network=host", *mounts, *user]
    return ["env", *engine.variables(), *run, "docker.io/library/maven:3-eclipse-temurin-17", "mvn"]


if __name__ == "__main__":
    for wanted in sys.argv[1:] or MATRIX:
        print(jars(wanted))
