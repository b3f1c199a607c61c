"""scripts/container-engine and its users, with a daemon that only listens."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interop.peer.engine import find_engine
from tests.support.processes import has_ended
from tests.support.services import unavailable
from tests.support.twins import until

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "container-engine"
DOCKER = """\
#!{python} -IS
import os, socket, sys
if sys.argv[1] != "image": # it has every image
    host = os.environ.get("DOCKER_HOST") or sys.exit("it has no default engine")
    socket.socket(socket.AF_UNIX).connect(host.removeprefix("unix://"))
    print("1.0")
"""
DOCKERD = """\
#!{python} -IS
import os, pathlib, signal, socket, sys
options = dict(zip(sys.argv[1::2], sys.argv[2::2]))
here = pathlib.Path(options["-H"].removeprefix("unix://"))
signal.signal(signal.SIGTERM, lambda *_: here.unlink() or os._exit(0))
listener = socket.socket(socket.AF_UNIX)
listener.bind(str(here))
listener.listen()
pathlib.Path(options["-p"]).write_text(str(os.getpid()))
signal.pause()
"""


class Engine:
    """The script, and the daemon that it starts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "e"
        programs = folder / "programs"
        programs.mkdir()
        texts = {"docker": DOCKER, "dockerd": DOCKERD}
        texts |= {"iptables": "#!/bin/sh\n", "podman": "#!/bin/sh\nexit 1\n"}
        for name, text in texts.items():
            (programs / name).write_text(text.replace("{python}", sys.executable))
            (programs / name).chmod(0o755)
        self.environment = os.environ | {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "PYREDISSON_ENGINE_DIR": str(self.folder),
        }
        self.environment.pop("DOCKER_HOST", None)

    def __call__(self, *words: object) -> str:
        return subprocess.run(
            [str(SCRIPT), *map(str, words)],
            env=self.environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout

    @property
    def pid(self) -> int | None:
        """The process id of the daemon, or None if it does not run."""
        try:
            pid = int((self.folder / "dockerd.pid").read_text())
        except FileNotFoundError:
            return None
        return None if has_ended(pid) else pid


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    if sys.platform != "linux" or shutil.which("setsid") is None:
        unavailable("a private dockerd needs Linux")
    sudo = ["sudo", "-n", "true"]
    if os.getuid() and (not shutil.which("sudo") or subprocess.run(sudo, check=False).returncode):
        unavailable("a private dockerd needs root, or sudo without a password")
    engine = Engine(tmp_path)
    yield engine
    engine("stop")
    assert engine.pid is None


@pytest.fixture
def run() -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    """Starts something that may use the engine."""
    runs: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        runs.append(subprocess.Popen(["sleep", "600"]))
        return runs[-1]

    yield start
    for each in runs:
        each.kill()
        each.wait()


Run = Callable[[], subprocess.Popen[bytes]]


def end(pid: int) -> None:
    """Kill a process, and wait until it has died."""
    os.kill(pid, signal.SIGKILL)
    until(lambda: has_ended(pid), "it has died")


def test_the_last_of_two_runs_stops_the_engine(engine: Engine, run: Run) -> None:
    first, second = run().pid, run().pid
    host = engine("start", first)
    pid = engine.pid
    assert pid is not None
    assert engine("start", second) == host == engine("status")
    engine("stop", first)
    assert engine.pid == pid
    engine("stop", second)
    assert engine.pid is None


def test_a_killed_run_does_not_count(engine: Engine, run: Run) -> None:
    killed, other = run(), run()
    engine("start", killed.pid)
    killed.kill()
    killed.wait()
    engine("start", other.pid)
    engine("stop", other.pid)
    assert engine.pid is None


def test_another_process_with_the_number_of_a_killed_run(engine: Engine, run: Run) -> None:
    number, other = run().pid, run().pid
    engine("start", number)
    (engine.folder / "users" / f"{number}").write_text("1\n")  # it started long ago
    engine("stop", other)
    assert engine.pid is None


def test_engine_that_died_is_started_again(engine: Engine, run: Run) -> None:
    user = run().pid
    engine("start", user)
    died = engine.pid
    assert died is not None
    end(died)
    engine("start", user)
    assert engine.pid not in {None, died}


def test_tests_restart_an_engine_that_died(
    engine: Engine, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only tests of a run of scripts/test start an engine; others only find one."""
    user = run().pid
    for name in ("PATH", "PYREDISSON_ENGINE_DIR"):
        monkeypatch.setenv(name, engine.environment[name])
    for name in ("DOCKER_HOST", "PYREDISSON_ENGINE_USER"):
        monkeypatch.delenv(name, raising=False)
    assert find_engine() is None
    monkeypatch.setenv("PYREDISSON_ENGINE_USER", f"{user}")
    for _ in range(2):
        found = find_engine()
        assert found is not None
        assert f"DOCKER_HOST={found.docker_host}\n" == engine("status")
        assert engine.pid is not None
        end(engine.pid)
    assert find_engine() is not None
    engine("stop", user)
    assert engine.pid is None


def test_run_does_not_stop_an_engine_started_by_a_person(engine: Engine, run: Run) -> None:
    user = run().pid
    engine("start")
    pid = engine.pid
    engine("start", user)
    engine("stop", user)
    assert engine.pid == pid is not None
    engine("stop")
    assert engine.pid is None


def test_killed_start_leaves_no_engine(engine: Engine, run: Run) -> None:
    """The daemon may run or not. The next start gets one, and its end leaves none."""
    killed, user = run(), run().pid
    start = subprocess.Popen([str(SCRIPT), "start", f"{killed.pid}"], env=engine.environment)
    until((engine.folder / "users" / f"{killed.pid}").exists, "it has begun")
    start.kill()
    start.wait()
    killed.kill()
    killed.wait()
    engine("start", user)
    assert engine.pid is not None
    engine("stop", user)
    assert engine.pid is None
