"""The files of deploy/: valid, and with commands that pyredisson accepts."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import click
import kubernetes_validate
import pytest
import yaml

from pyredisson.cli.app import app
from pyredisson.cli.basic import parser_of

ROOT = Path(__file__).resolve().parents[2]
MANIFESTS = sorted((ROOT / "deploy" / "kubernetes").glob("*.yaml"))
UNITS = sorted((ROOT / "deploy" / "systemd").glob("*.service"))


def accept(command: str, *words: str) -> dict[str, Any]:
    """Return the arguments of a command; raise an error if it does not know one."""
    if command == "transfer":
        return vars(parser_of(command).parse_args(["transfer", *words]))
    context = click.Context(app)
    found = app.get_command(context, command)
    assert found is not None
    return found.make_context(command, list(words), parent=context).params


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda path: path.stem)
def test_kubernetes_manifest_is_valid(path: Path) -> None:
    deployment = yaml.safe_load(path.read_text("utf-8"))
    kubernetes_validate.validate(deployment, kubernetes_validate.latest_version(), strict=True)
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    given = accept(*container["args"])
    (port,) = container["ports"]
    assert str(port["containerPort"]) == given["health"] == given["metrics"]
    assert container["livenessProbe"]["httpGet"]["path"] == "/livez"
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    stop = given.get("stop_timeout")  # only a worker has it
    assert stop is None or pod["terminationGracePeriodSeconds"] > stop.total_seconds()


def units() -> dict[str, str]:
    """Return the units of deploy/, and those in the recipes."""
    recipes = (ROOT / "docs" / "recipes.md").read_text("utf-8")
    found = {path.stem: path.read_text("utf-8") for path in UNITS}
    shown = re.findall(r"^```ini\n(.+?)^```", recipes, re.MULTILINE | re.DOTALL)
    return found | {f"recipe {number}": text for number, text in enumerate(shown)}


@pytest.mark.parametrize("name", units())
def test_systemd_unit_restarts_and_runs_a_valid_command(name: str) -> None:
    text = units()[name]
    assert "\nEnvironmentFile=" in text
    assert "\nEnvironment=" not in text, "it drops a URL with a % in it"
    for line in ("Restart=on-failure", "RestartSec=2", "StartLimitIntervalSec=0"):
        assert f"\n{line}\n" in text
    (line,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    program, *words = shlex.split(line)
    assert program == "/opt/pyredisson/bin/pyredisson"
    given = accept(*words)
    stop = given.get("stop_timeout")
    assert stop is None or int(text.split("TimeoutStopSec=")[1].split()[0]) > stop.total_seconds()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
@pytest.mark.parametrize("name", units())
def test_systemd_reads_a_unit(name: str, tmp_path: Path) -> None:
    """It ignores what it cannot read, and reports it on stderr; the program must exist."""
    unit = tmp_path / "pyredisson.service"
    unit.write_text(
        re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", units()[name], flags=re.MULTILINE)
    )
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
