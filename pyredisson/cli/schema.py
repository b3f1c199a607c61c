"""`pyredisson schema JAR CLASS`: writes Python classes from Java's class files."""

from __future__ import annotations

import argparse

from pyredisson import schema_command

__all__ = ["REFUSALS", "add_parser", "run"]

REFUSALS = (ValueError, OSError)
"""What ends the command with a line instead of a traceback."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's words."""
    schema_command.add_parser(commands)


def run(arguments: argparse.Namespace) -> int:
    """Write, or compare."""
    return schema_command.run(arguments)
