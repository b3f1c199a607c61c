"""The dashboard and the alert rules name metrics that are exported, and Prometheus accepts them."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard
from prometheus_client import CollectorRegistry, start_http_server

from pyredisson import DecodeError, Redisson, Worker
from pyredisson.codecs import JsonJacksonCodec, Kryo5Codec, StringCodec
from pyredisson.metrics import PrometheusHooks
from tests.support.ports import free_port
from tests.support.prometheus import FILES, Prometheus, program
from tests.support.server import RedisServer
from tests.support.source_tree import ROOT
from tests.support.twins import until

NOTHING: dict[str, Any] = {}
METRIC = re.compile(r"\bpyredisson_\w+")


def exported() -> set[str]:
    registry = CollectorRegistry()
    PrometheusHooks(registry)
    names = {
        each.name + ("_total" if each.type == "counter" else "") for each in registry.collect()
    }
    return names | {f"{name}_bucket" for name in names if name.endswith("_seconds")}


def rules() -> list[dict[str, Any]]:
    found = yaml.safe_load((FILES / "alerts.yml").read_text("utf-8"))
    return [rule for group in found["groups"] for rule in group["rules"]]


def test_alerts_have_what_they_need() -> None:
    names = set()
    for rule in rules():
        assert set(METRIC.findall(rule["expr"])) <= exported(), rule["alert"]
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert set(rule["annotations"]) == {"summary", "description"}
        names.add(rule["alert"])
    page = (ROOT / "docs" / "monitor.md").read_text("utf-8")
    assert names == set(re.findall(r"^\| `(Pyredisson\w+)`", page, re.MULTILINE))


def test_the_dashboard_shows_each_metric_and_no_other() -> None:
    board = json.loads((FILES / "grafana.json").read_text("utf-8"))
    texts = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    shown = {name for text in texts for name in METRIC.findall(text)}
    assert shown <= exported()
    bare = {name.removesuffix("_bucket") for name in shown}
    assert bare == {name for name in exported() if not name.endswith("_bucket")}
    places = [tuple(panel["gridPos"][axis] for axis in "xy") for panel in board["panels"]]
    assert len(set(places)) == len(places)


def test_the_dashboard_has_the_fields_of_grafana_and_no_other() -> None:
    """Grafana's types drop fields that they do not know."""
    register_default_plugins()
    board = json.loads((FILES / "grafana.json").read_text("utf-8"))
    read = Dashboard.from_json(board)
    written = json.loads(json.dumps(read, cls=JSONEncoder))
    assert list(lost(board, written)) == []
    board["panels"][0]["fieldConfig"]["defaults"]["units"] = "s"
    assert list(lost(board, written)) == [".panels.0.fieldConfig.defaults.units"]


def lost(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield the places that are missing or have changed."""
    if isinstance(before, list):
        before, after = dict(enumerate(before)), dict(enumerate(after))
    if not isinstance(before, dict):
        yield from () if before == after else (path,)
        return
    for name, value in before.items():
        yield from lost(value, after.get(name, NOTHING), f"{path}.{name}")


def test_prometheus_accepts_the_rules_and_their_cases() -> None:
    promtool = program("promtool")
    for words in (("check", "rules", "alerts.yml"), ("test", "rules", "alerts_test.yml")):
        done = subprocess.run(
            [promtool, *words], cwd=FILES, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def sidecar(server: RedisServer, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """`pyredisson transfer` of two queues, with metrics."""
    words = ("transfer", "orders", "emails", "--url", server.url, "--metrics", f"127.0.0.1:{port}")
    command = [sys.executable, "-m", "pyredisson", *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()


def fail(_value: str) -> None:
    raise ValueError


def panels() -> list[str]:
    """Return the queries that the dashboard sends to Prometheus."""
    board = json.loads((FILES / "grafana.json").read_text("utf-8"))
    texts = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return [text.replace("$queue", ".*").replace("$__rate_interval", "5s") for text in texts]


def test_alerts_fire_in_a_real_prometheus(
    server: RedisServer, raw: redis.Redis, tmp_path: Path
) -> None:
    """A handler fails, another codec writes, the transfer stops, and at last everything stops."""
    registry, ports = CollectorRegistry(), (free_port(), free_port())
    hooks, (http, _) = PrometheusHooks(registry), start_http_server(ports[0], "127.0.0.1", registry)
    with http, Prometheus(tmp_path, *ports) as prometheus:

        def fires(name: str) -> None:
            until(lambda: name in prometheus.firing(), f"{name} fires")

        with (
            Redisson.from_url(server.url, codec=StringCodec(), hooks=hooks) as program,
            sidecar(server, ports[1]) as transferring,
        ):
            orders = program.get_blocking_queue("orders")
            delayed = program.get_delayed_queue(orders, transfer=False)
            prometheus.until_all_answer()
            until(lambda: not prometheus.firing(), "nothing is wrong")

            delayed.offer("a", delay=0)
            with Worker(program, orders, fail, max_deliveries=1).running():
                fires("PyredissonDeadLetters")

            assert "PyredissonPoison" not in prometheus.firing()
            raw.rpush("emails", Kryo5Codec().encode("from Java"))
            with pytest.raises(DecodeError):
                program.get_queue("emails", JsonJacksonCodec()).poll()
            fires("PyredissonPoison")

            empty = [each for each in panels() if not prometheus.query(each)]
            assert all("lateness" in each or "undecodable" in each for each in empty)

            assert "PyredissonNoTransfer" not in prometheus.firing()
            transferring.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, transferring.pid, os.WSTOPPED)  # it is stopped now
            delayed.offer("b", delay=0)
            fires("PyredissonNoTransfer")
            fires("PyredissonOverdue")
            transferring.send_signal(signal.SIGCONT)
            late = {"PyredissonNoTransfer", "PyredissonOverdue"}
            until(lambda: not late & prometheus.firing(), "it is transferred")
        fires("PyredissonUnread")
        http.shutdown()
