"""Metrics, traces and the dashboard, as a type checker sees them."""

from typing import assert_type

from prometheus_client import CollectorRegistry

from pyredisson import (
    AsyncMessage,
    AsyncRedisson,
    Health,
    Redisson,
    TransferHealth,
    dashboard,
)
from pyredisson.codecs import StringCodec
from pyredisson.metrics import PrometheusHooks
from pyredisson.telemetry import OpenTelemetryHooks


def metrics() -> None:
    Redisson.from_url("redis://127.0.0.1", hooks=PrometheusHooks())
    AsyncRedisson.from_url("redis://127.0.0.1", hooks=PrometheusHooks(CollectorRegistry()))
    PrometheusHooks(registry="no")  # type: ignore[arg-type]  # not a registry


def traces() -> None:
    Redisson.from_url("redis://127.0.0.1", hooks=OpenTelemetryHooks())
    OpenTelemetryHooks("no")  # type: ignore[arg-type]  # not a provider


def lateness(message: AsyncMessage[str]) -> float | None:
    return message.lateness


def dashboards(redisson: AsyncRedisson) -> None:
    shown = dashboard.app(redisson, actions=True, token="x", allowed_hosts=["ops.example.com"])
    shown.close()
    dashboard.app("redis://127.0.0.1", codec=StringCodec())
    dashboard.app(1)  # type: ignore[arg-type]  # neither a URL nor a client


async def health(redisson: Redisson, asynchronous: AsyncRedisson) -> dict[str, float]:
    found: Health = redisson.health()
    assert_type(await asynchronous.health(), Health)
    assert_type(found.age, float | None)
    TransferHealth(running=True, lag="late")  # type: ignore[arg-type]  # seconds
    return {name: each.lag for name, each in found.transfers.items() if found.ok and found.live}
