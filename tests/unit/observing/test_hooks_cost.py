"""The cost of the metrics hooks, counted in calls, and the packages that they need."""

import subprocess
import sys
from types import FrameType
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from prometheus_client import CollectorRegistry

from pyredisson import Hooks, Receipt
from pyredisson._observing.labels import MAX_LABELS, OTHER, Labels
from pyredisson._runtime.user_code import HookDispatcher
from pyredisson.metrics import PrometheusHooks
from pyredisson.telemetry import OpenTelemetryHooks
from tests.support.source_tree import ROOT


def prometheus() -> Hooks:
    return PrometheusHooks(CollectorRegistry())


def telemetry() -> Hooks:
    return OpenTelemetryHooks(meter_provider=MeterProvider())


@pytest.mark.parametrize("make", [prometheus, telemetry])
def test_an_offer_costs_few_calls(make: Any) -> None:
    """A call takes about 0.2 us, so that an offer costs less than 3 us."""
    emit, receipt = HookDispatcher(make()), Receipt("q", 5, bytes(8), b"v")
    emit("on_offer", "q", receipt)
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        emit("on_offer", "q", receipt)
    finally:
        sys.setprofile(None)
    assert 3 < calls <= 14


def test_labels_are_bounded() -> None:
    labels = Labels()
    assert [labels(f"q{number}") for number in range(MAX_LABELS)] == [
        f"q{n}" for n in range(MAX_LABELS)
    ]
    assert labels("one more") == OTHER
    assert labels("q5") == "q5"


@pytest.mark.parametrize(
    ("module", "missing", "extra"),
    [
        ("metrics", "prometheus_client", "prometheus-client"),
        ("telemetry", "opentelemetry", "opentelemetry-api"),
    ],
)
def test_a_missing_package_is_named_with_the_command(module: str, missing: str, extra: str) -> None:
    program = f"import sys\nsys.modules[{missing!r}] = None\nimport pyredisson.{module}"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert f"pyredisson.{module} needs {extra}: pip install {extra}" in done.stderr
