"""Keepalive of connections: the settings of the user, and the defaults."""

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from pyredisson._transport import settings
from pyredisson._transport.settings import (
    PING_AFTER,
    keepalive_options,
    ping_after_of,
    settings_for,
)


@pytest.mark.parametrize(
    "first", ["TCP_KEEPIDLE", "TCP_KEEPALIVE"], ids=["Linux, Windows", "macOS"]
)
def test_names_of_systems(first: str) -> None:
    names = SimpleNamespace(**{first: 4, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 6})
    assert keepalive_options(names) == {4: 30, 5: 5, 6: 3}


def test_a_system_without_them() -> None:
    assert keepalive_options(SimpleNamespace()) == {}


OURS = keepalive_options(socket)
ON = {"socket_keepalive": True, "socket_keepalive_options": OURS}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, ON),
        ({"socket_keepalive": None, "socket_keepalive_options": None}, ON),
        ({"socket_keepalive": False}, ON | {"socket_keepalive": False}),
        ({"socket_keepalive_options": {1: 2}}, ON | {"socket_keepalive_options": {1: 2}}),
        ({"socket_keepalive_options": {}}, ON | {"socket_keepalive_options": {}}),
        ({"path": "/socket"}, {}),
    ],
)
def test_keepalive_settings_of_the_user_are_kept(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Any], expected: dict[str, Any]
) -> None:
    monkeypatch.setattr(settings, "OWN_KEEPALIVE", True)
    found = settings_for(given, 1.0, 1.0)
    assert {key: value for key, value in found.items() if "keepalive" in key} == expected


def test_keepalive_of_newer_redis_py_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "OWN_KEEPALIVE", False)
    assert settings_for({}, 1.0, 1.0)["socket_keepalive"] is True
    assert "socket_keepalive_options" not in settings_for({}, 1.0, 1.0)
    unset = object()
    given = {"socket_keepalive": False, "socket_keepalive_options": unset}
    found = settings_for(given, 1.0, 1.0)
    assert (found["socket_keepalive"], found["socket_keepalive_options"]) == (False, unset)


@pytest.mark.parametrize(("given", "rest"), [({}, PING_AFTER), ({"health_check_interval": 7}, 7.0)])
def test_health_check_interval_of_the_user_is_kept(given: dict[str, Any], rest: float) -> None:
    assert ping_after_of(given) == rest
    assert settings_for(given, 1.0, 1.0)["health_check_interval"] == 0
