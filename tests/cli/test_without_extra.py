"""Without click and rich: the basic commands work; the others name the extra to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

from pyredisson.cli.basic import BASIC
from pyredisson.cli.verbs import VERBS

BLOCKED = """
import sys
from importlib.machinery import PathFinder

class Blocked(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        blocked = name.split(".")[0] in ("click", "rich")
        return None if blocked else super().find_spec(name, path, target)

sys.meta_path[:] = [each for each in sys.meta_path if each is not PathFinder] + [Blocked]
from pyredisson.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that cannot import click and rich."""
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_help_names_all_commands() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert all(name in done.stdout for name in (*BASIC, *VERBS))
    assert "pip install 'pyredisson[cli]'" in done.stdout.replace("\n", " ")


@pytest.mark.parametrize("name", BASIC)
def test_help_of_a_basic_command(name: str) -> None:
    done = run(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["schema", "--help"]])
def test_commands_without_a_server_do_not_import_redis(words: list[str]) -> None:
    """The import of redis-py takes longer than the rest of the command."""
    program = (
        "import sys; from contextlib import suppress\n"
        "from pyredisson.cli.main import main\n"
        f"with suppress(SystemExit): main({words})\n"
        "sys.exit('redis' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.DEVNULL, check=False)
    assert done.returncode == 0


def test_other_commands_name_the_extra_to_install() -> None:
    done = run("stats", "orders")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "pyredisson: `stats` needs click and rich: pip install 'pyredisson[cli]'\n"
    )


def test_a_basic_command_connects_to_the_server() -> None:
    done = run("check", "orders", "--url", "redis://127.0.0.1:1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
