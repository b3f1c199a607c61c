"""What a shell completes: verbs, options, codecs."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from click.shell_completion import ShellComplete

from pyredisson.cli.app import app
from pyredisson.cli.verbs import VERBS
from tests.support.shell import shell


def completed(*words: str) -> list[str]:
    """Return what a shell would offer for the last word."""
    asked = ShellComplete(app, {}, "pyredisson", "_PYREDISSON_COMPLETE")
    return [each.value for each in asked.get_completions([*words[:-1]], words[-1])]


def test_verbs_options_and_codecs() -> None:
    assert {*VERBS, "transfer", "check"} <= set(completed(""))
    assert "--password-file" in completed("items", "orders", "--p")
    assert "in-progress" in completed("items", "orders", "--state", "in")
    assert completed("items", "orders", "--codec", "lz4:ky") == []
    assert completed("items", "orders", "--codec", "js") == ["json", "json3"]
    assert "lz4:kryo5" in completed("items", "orders", "--codec", "lz4:k")
    assert "--safety-interval" in completed("transfer", "orders", "--s")


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_the_script_for_each_shell(name: str) -> None:
    done = shell("completion", name)
    assert done.code == 0
    assert "_PYREDISSON_COMPLETE" in done.out
    if program := shutil.which(name):
        subprocess.run([program, "-n"], input=done.out, text=True, check=True, timeout=60)


def test_an_unknown_shell() -> None:
    assert shell("completion", "csh").code == 2
