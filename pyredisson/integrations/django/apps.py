"""The application, and the system check of its settings."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, register
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed

from pyredisson.integrations.django.client import close_redisson
from pyredisson.integrations.django.configuration import Configuration

__all__ = ["PyredissonConfig"]


class PyredissonConfig(AppConfig):
    """Registers the check; changed settings, as in tests, make a new client."""

    name = "pyredisson.integrations.django"
    label = "pyredisson"
    verbose_name = "pyredisson"

    def ready(self) -> None:
        """Connect what is above."""
        register(_check)
        setting_changed.connect(_forget)


def _check(**_: Any) -> list[CheckMessage]:
    try:
        found = Configuration.read()
        for name in found.workers:
            found.worker(name)
    except ImproperlyConfigured as error:
        return [Error(str(error), hint="See docs/django.md.", id="pyredisson.E001")]
    return []


def _forget(*, setting: str, **_: Any) -> None:
    if setting == "PYREDISSON":
        close_redisson()
