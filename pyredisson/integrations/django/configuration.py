"""Reads `PYREDISSON` of the settings.

The rule: an error names the setting and says what to write; nothing connects.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from pyredisson.admin.codecs import codec_named
from pyredisson.cli.clients import Place
from pyredisson.codecs.base import Codec
from pyredisson.codecs.default import default_codec
from pyredisson.releases import parse_service

__all__ = ["Configuration"]

_KEYS = ("URL", "CLUSTER", "SENTINELS", "RELEASE", "CODEC", "OPTIONS", "WORKERS")


@dataclass(frozen=True, slots=True)
class Configuration:
    """The settings, checked.

    Attributes:
        place: the server, the cluster or the Sentinels.
        release: the Redisson release of the Java services; None without Java.
        codec_name: the codec's short name; None for an object or the default.
        codec: the codec of queues that are made without one.
        options: further arguments of `Redisson`.
        workers: what the settings say of the worker of each queue; `worker` checks it.
    """

    place: Place
    release: str | None
    codec_name: str | None
    codec: Codec[Any]
    options: Mapping[str, Any]
    workers: Mapping[str, Any]

    @classmethod
    def read(cls) -> Configuration:
        """Return the settings.

        Raises:
            ImproperlyConfigured: a setting is missing or wrong.
        """
        given = getattr(settings, "PYREDISSON", None)
        if not isinstance(given, Mapping) or not given.get("URL"):
            raise ImproperlyConfigured(
                'PYREDISSON must be a dict with URL, such as {"URL": "redis://127.0.0.1:6379/0"}'
            )
        for key in given:
            if key not in _KEYS:
                near = get_close_matches(str(key).upper(), _KEYS, 1) or _KEYS
                raise ImproperlyConfigured(f"PYREDISSON has no {key!r}: use {', '.join(near)}")
        release, codec = given.get("RELEASE"), given.get("CODEC")
        try:
            if release is not None:
                parse_service(release)
            place = Place.of(
                {
                    "url": given["URL"],
                    "cluster": given.get("CLUSTER", False),
                    "sentinel": given.get("SENTINELS", []),
                },
                {"url": "URL", "sentinel": "SENTINELS"},
            )
            found = codec_named(codec, release=release) if isinstance(codec, str) else codec
        except (ValueError, TypeError) as error:
            raise ImproperlyConfigured(f"PYREDISSON: {error}") from error
        return cls(
            place,
            release,
            codec if isinstance(codec, str) else None,
            default_codec(release) if found is None else found,
            given.get("OPTIONS", {}),
            given.get("WORKERS", {}),
        )

    def worker(self, name: str) -> tuple[Callable[[Any], Any], dict[str, Any]]:
        """Import the handler of a queue; return it, and the other arguments of its `Worker`.

        Raises:
            ImproperlyConfigured: there is no such queue or handler.
        """
        given = self.workers.get(name)
        if given is None:
            known = ", ".join(self.workers) or "nothing"
            raise ImproperlyConfigured(f"PYREDISSON['WORKERS'] has no {name!r}, only: {known}")
        options = dict(given) if isinstance(given, Mapping) else {"handler": given}
        handler = options.pop("handler", None)
        where = f"PYREDISSON['WORKERS'][{name!r}]"
        try:
            function = import_string(handler) if isinstance(handler, str) else handler
        except ImportError as error:
            raise ImproperlyConfigured(f"{where}: {error}") from error
        if not callable(function):
            raise ImproperlyConfigured(
                f"{where} must be a handler such as 'shop.tasks.cancel_unpaid', or a dict with "
                f"'handler' and arguments of Worker, not {given!r}"
            )
        return function, options
