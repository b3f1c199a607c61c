"""The command line: one module a command, each with `add_parser`, `run` and `REFUSALS`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pyredisson import __version__
from pyredisson.cli import check, schema, transfer

__all__ = ["main"]

_COMMANDS = {"transfer": transfer, "check": check, "schema": schema}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pyredisson", description="Redisson's delayed queues without a JVM."
    )
    parser.add_argument("--version", action="version", version=f"pyredisson {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for module in _COMMANDS.values():
        module.add_parser(commands)
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; 0 when it ended well, 1 when the server, a queue or a file refused."""
    arguments = _parser().parse_args(words)
    command = _COMMANDS[arguments.command]
    try:
        status: int = command.run(arguments)
    except command.REFUSALS as error:
        print(f"pyredisson: {error}", file=sys.stderr)
        return 1
    return status
