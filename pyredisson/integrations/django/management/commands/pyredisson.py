"""`manage.py pyredisson worker|transfer|doctor|...`: the command line with the settings' server."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from pyredisson import RedissonError
from pyredisson.cli.main import main
from pyredisson.integrations.django.client import close_redisson
from pyredisson.integrations.django.configuration import Configuration
from pyredisson.integrations.django.workers import run_workers

__all__ = ["Command"]

_ALL = ("stats", "top", "transfer")
"""The commands that without names are about all queues that have workers."""


class Command(BaseCommand):
    """Runs a command of pyredisson; `worker` runs the workers of the settings."""

    help = (
        "Run a command of pyredisson with the server, the codec and the release of the settings: "
        "`worker [NAME...]`, `transfer`, `doctor`, `stats`, `items NAME`, ...; `help` lists all."
    )
    requires_system_checks: list[str] = []  # noqa: RUF012 - as Django declares it

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Take all words as they are."""
        parser.add_argument("command", metavar="COMMAND")
        parser.add_argument("words", nargs=argparse.REMAINDER, metavar="...")

    def handle(self, *_: Any, command: str, words: list[str], **given: Any) -> None:
        """Run the command and exit with its code."""
        try:
            sys.exit(_run(command, words, given["verbosity"]))
        except ImproperlyConfigured as error:
            raise CommandError(str(error), returncode=2) from error
        except (RedissonError, OSError) as error:
            raise CommandError(f"pyredisson: {error}", returncode=2) from error


def _run(command: str, words: list[str], verbosity: int) -> int:
    found = Configuration.read()
    if command == "worker":
        level = logging.DEBUG if verbosity > 1 else logging.INFO
        logging.basicConfig(level=level, format="%(asctime)s %(levelname)s %(message)s")
        try:
            return run_workers(words)
        finally:
            close_redisson()
    if command == "help":
        return main(["--help"])
    settings = {
        "URL": found.place.url,
        "CLUSTER": "1" if found.place.cluster else "",
        "SENTINEL": ",".join(found.place.sentinels),
        "CODEC": found.codec_name or "",
        "RELEASE": found.release or "",
    }
    os.environ |= {f"PYREDISSON_{name}": value for name, value in settings.items() if value}
    if all(each.startswith("-") for each in words):
        if command in _ALL:
            words = [*words, *found.workers]
        elif command == "doctor" and found.workers and "--json" not in words:
            return max(main([command, name, *words]) for name in found.workers)
    return main([command, *words])
