"""The subcommand's arguments; other modules are imported only when it runs."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["add_parser", "run"]

_EXAMPLE = """\
examples:
  pyredisson schema app.jar com.example.OrderTask -o tasks.py
  pyredisson schema build/classes lib/*.jar 'com.example.tasks.*' -o tasks.py
  pyredisson schema app.jar com.example.OrderTask -o tasks.py --check
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``schema`` to the command line."""
    parser = commands.add_parser(
        "schema",
        help="write Python schemas of Java classes from jars or .class files",
        description="Write Python classes for Java classes and for all classes to which these "
        "refer, from jars and .class files. No JVM is needed.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "words",
        nargs="+",
        metavar="JAR|DIRECTORY|CLASS",
        help="the jars and directories, and the classes: a.b.C, a.b.Outer$Inner, 'a.b.*' (a "
        "package), 'a.b.**' (a package and all below it)",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="default: stdout")
    parser.add_argument(
        "--subclasses",
        action=argparse.BooleanOptionalAction,
        help="also write all subclasses in the jars, or none. By default, write the subclasses of "
        "interfaces and abstract classes that a class declares as types; of those of a library "
        "only the application's, Serializable ones, records and enums",
    )
    parser.add_argument(
        "--no-json",
        dest="json",
        action="store_false",
        help="leave out what only the JSON codecs need: getters and Jackson's annotations",
    )
    parser.add_argument(
        "--strict", action="store_true", help="write nothing if a class is missing or left out"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; fail if the content of FILE differs from what would be written",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand; see `command.run`."""
    from .command import run as run_now  # noqa: PLC0415 - the other commands do not need it

    return run_now(arguments)
