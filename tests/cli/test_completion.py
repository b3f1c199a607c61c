"""Shell completion of verbs, options and codecs."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from click.shell_completion import ShellComplete

from pyredisson.cli.app import app
from pyredisson.cli.verbs import VERBS
from tests.support.shell import shell


def completed(*words: str) -> list[str]:
    """Return the completions of the last word."""
    asked = ShellComplete(app, {}, "pyredisson", "_PYREDISSON_COMPLETE")
    return [each.value for each in asked.get_completions([*words[:-1]], words[-1])]


def test_completion_of_verbs_options_and_codecs() -> None:
    assert {*VERBS, "transfer", "check"} <= set(completed(""))
    assert "--password-file" in completed("items", "orders", "--p")
    assert "in-progress" in completed("items", "orders", "--state", "in")
    assert completed("items", "orders", "--codec", "lz4:ky") == []
    assert completed("items", "orders", "--codec", "js") == ["json", "json3"]
    assert "lz4:kryo5" in completed("items", "orders", "--codec", "lz4:k")
    assert "--safety-interval" in completed("transfer", "orders", "--s")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_each_shell_accepts_its_completion_script(name: str) -> None:
    done = shell("completion", name)
    assert done.code == 0
    assert "_PYREDISSON_COMPLETE" in done.out
    if program := shutil.which(name):
        subprocess.run([program, "-n"], input=done.out, text=True, check=True, timeout=60)


def test_an_unknown_shell_is_rejected() -> None:
    assert shell("completion", "csh").code == 2
