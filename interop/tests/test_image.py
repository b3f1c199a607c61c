"""The image of deploy/Dockerfile is small, has no root, transfers, and reports its health."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from interop.peer.engine import Engine, find_engine
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from tests.support.machine import locked
from tests.support.services import unavailable
from tests.support.twins import until

ROOT = Path(__file__).resolve().parents[2]
WHEELS = ["redis", "hiredis", "msgpack", "click", "rich", "cramjam", "prometheus-client"]
WHEELS += ["hatchling", "hatch-fancy-pypi-readme", "setuptools"]
WHEELS += ["async-timeout", "typing-extensions"]


@pytest.fixture(scope="session")
def engine() -> Engine:
    found = find_engine()
    return found or unavailable("no container engine answers")


@pytest.fixture(scope="session")
def image(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the image without a network, from wheels that are fetched before.

    Its health check asks port 8080 of the host, so one run at a time tests it.
    """
    context = tmp_path_factory.mktemp("context")
    shutil.copytree(ROOT / "pyredisson", context / "pyredisson")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, context)
    fetch = [sys.executable, "-m", "pip", "download", "-q", "--only-binary=:all:"]
    debian = ["--python-version=3.11", "-d", str(context / "wheels")]
    subprocess.run([*fetch, *debian, *WHEELS], check=True)
    options = ["--build-arg", "PIP_OPTIONS=--no-index --find-links=/src/wheels"]
    base = ["--build-arg", "BASE=debian:bookworm-slim", "--network=none"]
    file = ["-f", str(ROOT / "deploy" / "Dockerfile"), "-t", "pyredisson-image-test"]
    with locked("image"):
        engine.run("build", *file, *base, *options, str(context))
        yield "pyredisson-image-test"
        engine.run("image", "rm", "-f", "pyredisson-image-test")


def test_image_runs_as_a_sidecar(engine: Engine, image: str, url: str) -> None:
    run = ["run", "-d", "--network=host", "--read-only", "--cap-drop=ALL"]
    options = ["--health-interval=1s", "-e", f"PYREDISSON_URL={url}"]
    name = engine.run(*run, *options, image, "transfer", "q", "--health", "8080")
    try:
        with Redisson.from_url(url, codec=StringCodec()) as redisson:
            queue = redisson.get_blocking_queue("q")
            redisson.get_delayed_queue(queue, transfer=False).offer("a", delay=0.1)
            assert queue.poll(timeout=30) == "a"
        state = ["inspect", "--format", "{{.State.Health.Status}}", name]
        until(lambda: engine.run(*state) == "healthy", "the health of the container")
        assert engine.run("exec", name, "id", "-u") == "65532"
        started = time.monotonic()
        engine.run("stop", "--time=60", name)
        assert time.monotonic() - started < 30
        assert engine.run("inspect", "--format", "{{.State.ExitCode}}", name) == "0"
    finally:
        engine.run("rm", "-f", name)


def test_image_is_small_without_its_base(engine: Engine, image: str) -> None:
    layers = engine.run("history", "--format", "{{.Size}} {{.CreatedBy}}", "--human=false", image)
    assert 0 < sum(int(line.split()[0]) for line in layers.splitlines() if "COPY" in line) < 80e6
