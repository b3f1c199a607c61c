"""The options that specify the server, and what refuses a command.

The rule: nothing here imports redis-py, so that help and completion are fast.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from pyredisson.errors import RedissonError

__all__ = ["MASTER_URL", "OPTIONS", "REFUSALS", "URL", "Option", "add_arguments"]

REFUSALS = (RedissonError, ValueError, OSError)
"""Errors that a command reports in one line, without a traceback."""

URL, MASTER_URL = "redis://127.0.0.1:6379/0", "redis://mymaster/0"
"""The URLs without `--url`, the latter with Sentinels."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option that specifies the server; `kind` is "value", "flag" or "many"."""

    name: str
    kind: str
    metavar: str
    help: str

    @property
    def attribute(self) -> str:
        """Its name in `Place`."""
        return self.name.replace("-", "_")

    @property
    def variable(self) -> str:
        """The environment variable that is used without the option."""
        return f"PYREDISSON_{self.attribute.upper()}"


OPTIONS = (
    Option("url", "value", "URL", f"the server: redis://, rediss:// or unix:// (default: {URL})"),
    Option("cluster", "flag", "", "the server at the URL is a node of a cluster"),
    Option(
        "sentinel",
        "many",
        "HOST:PORT",
        "a Sentinel, also as a redis:// or rediss:// URL; for several use commas, or repeat the "
        f"option. The host of --url is then the name of the master (default: {MASTER_URL})",
    ),
    Option(
        "remap",
        "many",
        "HOST:PORT=HOST:PORT",
        "with --cluster: an address that the nodes name, and the one to connect to instead; for "
        "several use commas, or repeat the option",
    ),
    Option("user", "value", "NAME", "ACL user, instead of the URL's"),
    Option(
        "password-file",
        "value",
        "FILE",
        "file whose first line is the password, instead of the URL's ($PYREDISSON_PASSWORD has "
        "the password itself)",
    ),
    Option("tls-ca", "value", "FILE", "TLS: certificates of the authorities to trust"),
    Option("tls-cert", "value", "FILE", "TLS: certificate of this client"),
    Option("tls-key", "value", "FILE", "TLS: key of this client"),
    Option("tls-insecure", "flag", "", "TLS: accept any certificate"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that specify the server."""
    for each in OPTIONS:
        name, text = f"--{each.name}", f"{each.help} [${each.variable}]"
        if each.kind == "flag":
            parser.add_argument(name, action="store_true", help=text)
        else:
            action = "append" if each.kind == "many" else "store"
            parser.add_argument(name, action=action, metavar=each.metavar, help=text)
