"""The container engine that answers, and the image of the peer.

Rule: ``scripts/container-engine`` starts engines. This module starts only one that has died during
a run of ``scripts/test``, which names itself as $PYREDISSON_ENGINE_USER.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass

from interop.peer.build import CONTEXT, MATRIX, ROOT, UnavailableError, jars
from tests.support.machine import locked

_CONTAINERFILE = ROOT / "interop" / "peer" / "Containerfile"


@dataclass(frozen=True)
class Engine:
    """A docker or podman command line, and where its daemon listens if not at the default place."""

    program: str
    version: str
    docker_host: str | None = None

    @property
    def command(self) -> list[str]:
        """The words with which every command begins."""
        return [self.program]

    def variables(self) -> list[str]:
        """``NAME=value`` for the environment of its commands."""
        # The plain builder is in every release; the newer one is a plug-in that may be missing.
        host = [f"DOCKER_HOST={self.docker_host}"] if self.docker_host else []
        return [*host, "DOCKER_BUILDKIT=0"]

    def environment(self) -> dict[str, str]:
        """Return the environment of its commands."""
        return os.environ | dict(each.split("=", 1) for each in self.variables())

    def run(self, *arguments: str, timeout: float = 600) -> str:
        """Run a command of the engine; return its output, or raise UnavailableError with it."""
        try:
            done = subprocess.run(
                [*self.command, *arguments],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=timeout,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise UnavailableError(str(error)) from error
        if done.returncode != 0:
            raise UnavailableError((done.stdout + done.stderr)[-3000:])
        return done.stdout.strip()


def find_engine() -> Engine | None:
    """Return the engine that answers now, or None."""
    user = os.environ.get("PYREDISSON_ENGINE_USER")
    found = subprocess.run(
        [ROOT / "scripts" / "container-engine", *(["start", user] if user else ["status"])],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode != 0:
        return None
    host = found.stdout.strip().removeprefix("DOCKER_HOST=") or None
    for program, part in (("docker", "Server"), ("podman", "Client")):
        if shutil.which(program):
            engine = Engine(program, "", host)
            try:
                version = engine.run("version", "--format", f"{{{{.{part}.Version}}}}", timeout=20)
            except UnavailableError:
                continue
            return Engine(program, version, host)
    return None


def peer_image(engine: Engine, release: str) -> str:
    """Return the name of an image that runs ``release``; build it if needed.

    One image holds all releases built so far; its tag depends on its files.
    """
    for each in MATRIX if release in MATRIX else (release,):
        jars(each)
    with locked("build"):
        name = f"pyredisson-peer:{_content()}"
        try:
            engine.run("image", "inspect", name)
        except UnavailableError:
            file = ["-f", str(_CONTAINERFILE)]
            target = ["--target", "peer", "-t", name, "--network=host"]
            engine.run("build", *file, *target, str(CONTEXT))
            old = ["--filter", "label=pyredisson=peer", "--filter", "until=24h"]
            with contextlib.suppress(UnavailableError):  # another prune is under way
                engine.run("image", "prune", "-a", "-f", *old)
    return name


def _content() -> str:
    digest = hashlib.sha256(_CONTAINERFILE.read_bytes())
    for path in sorted(CONTEXT.glob("lib/*/*.jar")):
        digest.update(f"{path.relative_to(CONTEXT)} {path.stat().st_size}\n".encode())
        if path.name == "interop-peer.jar":
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
