"""The commands that work without `pyredisson[cli]`.

Each is a module with `add_parser`, `run` and `REFUSALS`, the errors that end it with exit code 2;
those of `schema`, which asks no server, end it with 1. The module is loaded when its command is
called.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from pyredisson import __version__
from pyredisson.admin.json_values import printable
from pyredisson.cli.verbs import VERBS

__all__ = [
    "BASIC",
    "DONE",
    "NO",
    "REFUSED",
    "parser_of",
    "run_basic",
    "shown",
    "without_passwords",
]

BASIC = {
    "transfer": "Move due items to their target queues until stopped.",
    "check": "Report problems of queues, and repair them.",
    "schema": "Write Python classes for Java's classes.",
}
"""The commands, each with its line in the help."""

DONE, NO, REFUSED = 0, 1, 2
"""The exit codes: done, the answer is no, and it could not be asked."""


def without_passwords(text: str) -> str:
    """Return a text whose URLs have no user and no password, also URLs in the wrong place."""
    return re.sub(r"(?<=password=)\S+", "...", re.sub("://.*@", "://...@", text))


def shown(error: str) -> str:
    """Return the text of an error as a terminal shows it."""
    return without_passwords(printable(error))


class _Parser(argparse.ArgumentParser):
    """Reports wrong arguments in one line."""

    def error(self, message: str) -> NoReturn:
        """Exit with 2."""
        self.exit(REFUSED, f"{self.prog}: {shown(message)} (see `{self.prog} --help`)\n")


def _module(name: str) -> Any:
    return import_module(f"pyredisson.cli.{name}")


def _parser(names: Iterable[str]) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="pyredisson",
        description="Redisson's delayed queues without a JVM.",
        epilog=f"With `pip install 'pyredisson[cli]'` also: {', '.join(VERBS)}.",
    )
    parser.add_argument("--version", action="version", version=f"pyredisson {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in names:
        _module(name).add_parser(commands)
    return parser


def parser_of(name: str) -> argparse.ArgumentParser:
    """Return the parser of one command."""
    commands = argparse.ArgumentParser(add_help=False).add_subparsers()
    _module(name).add_parser(commands)
    found: argparse.ArgumentParser = commands.choices[name]
    return found


def run_basic(words: Sequence[str]) -> int:
    """Run one of these commands, and return its exit code; wrong arguments exit with 2."""
    if words and words[0] in VERBS:
        print(
            f"pyredisson: `{words[0]}` needs click and rich: pip install 'pyredisson[cli]'",
            file=sys.stderr,
        )
        return REFUSED
    called = words and words[0] in BASIC
    arguments = _parser(words[:1] if called else BASIC).parse_args(words)
    command = _module(arguments.command)
    try:
        status: int = command.run(arguments)
    except command.REFUSALS as error:
        print(f"pyredisson: {shown(str(error))}", file=sys.stderr)
        return NO if arguments.command == "schema" else REFUSED
    return status
