"""`pyredisson schema JAR CLASS`: writes Python classes from Java's class files."""

from __future__ import annotations

import argparse

from pyredisson import schema_command

__all__ = ["REFUSALS", "add_parser", "run"]

REFUSALS = (ValueError, OSError)
"""Errors that the command reports in one line, without a traceback."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its arguments."""
    schema_command.add_parser(commands)


def run(arguments: argparse.Namespace) -> int:
    """Write the classes, or compare them with a file."""
    return schema_command.run(arguments)
