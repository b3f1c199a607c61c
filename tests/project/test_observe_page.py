"""docs/observe-in-ten-minutes.md, as a reader follows it: the service, its probes, Prometheus."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx2
import yaml

from tests.support.ports import free_port
from tests.support.prometheus import FILES, program
from tests.support.server import RedisServer
from tests.support.source_tree import ROOT
from tests.support.twins import until

PAGE = (ROOT / "docs" / "observe-in-ten-minutes.md").read_text("utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_service_does_what_the_page_shows(own_server: RedisServer, tmp_path: Path) -> None:
    [service] = blocks("py")
    (tmp_path / "shop.py").write_text(service.replace("delay=5", "delay=0.2"), "utf-8")
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "shop:app", "--port", str(port)]
    environment = {**os.environ, "REDIS_URL": own_server.url, "PYTHONUNBUFFERED": "1"}
    out = tmp_path / "out"
    with (
        out.open("wb") as stdout,
        httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client,
        subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=stdout) as process,
    ):

        def status(path: str) -> int:
            try:
                return client.get(path).status_code
            except httpx2.TransportError:
                return 0

        try:
            until(lambda: status("/readyz") == 200, "it is ready")
            for order in ("1", "broken"):
                assert client.post(f"/orders/{order}").status_code == 200
            until(lambda: "cancelled: 1" in out.read_text("utf-8"), "an order is cancelled")
            acked = 'pyredisson_deliveries_total{outcome="acked",queue="orders"} 1.0'
            until(lambda: acked in client.get("/metrics/").text, "the metrics show it")
            dead = 'pyredisson_dead{queue="orders"} 1.0'
            until(lambda: dead in client.get("/metrics/").text, "the other order is dead")
            assert client.get("/queues/").headers["content-type"].startswith("text/html")
            own_server.kill()
            until(lambda: status("/readyz") == 503, "it is not ready")
            assert client.get("/livez").json() == {"status": "ok"}
            own_server.start()
            until(lambda: status("/readyz") == 200, "it is ready again")
        finally:
            process.terminate()


def test_the_files_are_what_prometheus_and_kubernetes_read(tmp_path: Path) -> None:
    config, probes = blocks("yaml")
    (tmp_path / "prometheus.yml").write_text(config, "utf-8")
    shutil.copy(FILES / "alerts.yml", tmp_path)
    done = subprocess.run(
        [program("promtool"), "check", "config", tmp_path / "prometheus.yml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    paths = {name: probe["httpGet"]["path"] for name, probe in yaml.safe_load(probes).items()}
    assert paths == {"livenessProbe": "/livez", "readinessProbe": "/readyz"}
