"""A real Prometheus with the alert rules of docs/monitoring; their minutes are half a second."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.support.ports import free_port
from tests.support.services import unavailable
from tests.support.source_tree import ROOT
from tests.support.twins import until

FILES = ROOT / "docs" / "monitoring"

_CONFIG = """
global: {{scrape_interval: 500ms, scrape_timeout: 500ms, evaluation_interval: 250ms}}
rule_files: [alerts.yml]
scrape_configs:
  - job_name: pyredisson
    static_configs: [{{targets: [{targets}]}}]
"""


def program(name: str) -> str:
    """Path of prometheus or promtool."""
    return shutil.which(name) or unavailable(f"no {name}: Debian's package is prometheus")


def hastened(rules: str) -> str:
    """Return rules with half a second for each minute."""
    rules = re.sub(r"\b(\d+)m\b", lambda found: f"{int(found[1]) * 500}ms", rules)
    return re.sub(r"(_seconds\) > )(\d+)", lambda found: f"{found[1]}{int(found[2]) / 120}", rules)


class Prometheus:
    """A Prometheus that scrapes ports of 127.0.0.1, until the end of the block."""

    def __init__(self, directory: Path, *ports: int) -> None:
        binary, self._port, self._targets = program("prometheus"), free_port(), len(ports)
        rules = (FILES / "alerts.yml").read_text("utf-8")
        (directory / "alerts.yml").write_text(hastened(rules), "utf-8")
        targets = ", ".join(f'"127.0.0.1:{port}"' for port in ports)
        (directory / "prometheus.yml").write_text(_CONFIG.format(targets=targets), "utf-8")
        self._process = subprocess.Popen(
            [
                binary,
                f"--config.file={directory / 'prometheus.yml'}",
                f"--storage.tsdb.path={directory / 'data'}",
                f"--web.listen-address=127.0.0.1:{self._port}",
                "--log.level=error",
            ]
        )

    def _ask(self, path: str, **arguments: str) -> Any:
        url = f"http://127.0.0.1:{self._port}/api/v1/{path}?{urlencode(arguments)}"
        with urlopen(url, timeout=20) as answer:
            return json.loads(answer.read())["data"]

    def firing(self) -> set[str]:
        """Return the alerts that fire; none while Prometheus starts."""
        try:
            alerts = self._ask("alerts")["alerts"]
        except (URLError, OSError):
            return set()
        return {each["labels"]["alertname"] for each in alerts if each["state"] == "firing"}

    def until_all_answer(self) -> None:
        """Wait until all targets are scraped."""

        def are_up() -> bool:
            try:
                targets = self._ask("targets")["activeTargets"]
            except (URLError, OSError):
                return False
            return [each["health"] for each in targets] == ["up"] * self._targets

        until(are_up, "all targets answer")

    def query(self, expression: str) -> list[dict[str, Any]]:
        """Return the series that an expression has now."""
        found: list[dict[str, Any]] = self._ask("query", query=expression)["result"]
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait()
