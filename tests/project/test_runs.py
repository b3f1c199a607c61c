"""Test runs do not harm each other: those side by side, and those after one that was killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_the_next_run_ends_what_a_killed_run_has_left() -> None:
    """All processes of a run of scripts/test name it in their environment."""
    script = ROOT / "scripts" / "lib.sh"

    def started(pid: int) -> str:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]

    alive = f"{os.getpid()} {started(os.getpid())}"
    runs = {"alive": alive, "killed": "1 7", "number used again": f"{os.getpid()} 7", "none": ""}
    left = {
        name: subprocess.Popen(["sleep", "60"], env=os.environ | {"PYREDISSON_RUN": run})
        for name, run in runs.items()
    }
    try:
        command = f'set -euo pipefail; . "{script}"; end_left_behind'
        environment = {key: text for key, text in os.environ.items() if key != "PYREDISSON_RUN"}
        subprocess.run(["bash", "-c", command], env=environment, check=True)
        for name in ("killed", "number used again"):
            assert left[name].wait(timeout=20) == -signal.SIGKILL
        assert [left[name].poll() for name in ("alive", "none")] == [None, None]
    finally:
        for process in left.values():
            process.kill()
            process.wait()


PASSES = "def test_passes(): pass\n"
BY_FILE = ["--dist", "loadfile", "--no-loadscope-reorder"]
DIES = "import os\ndef test_dies(): os._exit(1)\n"


@pytest.mark.parametrize(
    ("workers", "files"),
    [
        (1, [PASSES, DIES + PASSES]),
        (1, [DIES, DIES, PASSES]),
        (2, [PASSES, PASSES, DIES, PASSES, PASSES]),
    ],
)
def test_the_other_tests_run_if_a_worker_dies(
    tmp_path: Path, workers: int, files: list[str]
) -> None:
    for number, text in enumerate(files):
        (tmp_path / f"test_{number}.py").write_text(text)
    plugins = ["-p", "xdist.plugin", "-p", "tests.support.by_file"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, *BY_FILE, f"-n{workers}"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    text = "".join(files)
    last = done.stdout.splitlines()[-1]
    assert last.startswith(f"{text.count('exit')} failed, {text.count('passes')} passed")


def test_processes_have_ports_of_their_own() -> None:
    """This also holds for processes of several runs, which know nothing of each other."""
    program = (
        "import sys\n"
        "from tests.support.ports import free_port\n"
        "print(*(free_port() for _ in range(100)), flush=True)\n"
        "sys.stdin.read()\n"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    try:
        ports: list[str] = []
        for process in processes:
            assert process.stdout is not None
            ports += process.stdout.readline().split()
    finally:
        for process in processes:
            process.communicate()
    assert len(ports) == len(set(ports)) == 400
