"""The subcommand itself: its messages and exit codes.

It writes the module to a file or stdout, and messages to stderr. Exit code 0: written, or up to
date with ``--check``; 1: rejected.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sized
from difflib import unified_diff
from itertools import islice
from pathlib import Path

from pyredisson.classfile import ClassPath

from .chains import Chain, heaviest
from .render import render
from .select import Selection, SelectionError, select

__all__ = ["run"]

_SHOWN_LINES = 40  # of a difference
_MANY_CLASSES = 200
_ENDINGS = (".jar", ".war", ".ear", ".zip", ".class")


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand.

    Raises:
        ValueError: a class does not exist, there is no class to write, or a file is damaged.
        OSError: a file cannot be read or written.
    """
    places = [Path(word) for word in arguments.words if _is_place(word)]
    patterns = sorted({word for word in arguments.words if not _is_place(word)})
    if not places:
        raise SelectionError("name the jars or directories that contain the classes")
    if not patterns:
        raise SelectionError("name the classes, such as com.example.OrderTask or 'com.example.*'")
    if arguments.check and arguments.output is None:
        raise SelectionError("--check needs --output")
    found = select(
        ClassPath(places), patterns, json=arguments.json, subclasses=arguments.subclasses
    )
    _report(found)
    if arguments.strict and (found.missing or found.rejected):
        return 1
    if all(each.file.is_interface for each in found.classes.values()):
        raise SelectionError(_nothing(patterns, arguments.subclasses))
    text = render(found, _command(arguments, patterns))
    if arguments.check:
        return _check(arguments.output, text)
    if arguments.output is None:
        sys.stdout.write(text)
        return 0
    arguments.output.write_text(text, encoding="utf-8", newline="\n")
    _print(f"{arguments.output}: {_classes(found.classes)}")
    return 0


def _classes(some: Sized) -> str:
    return f"{len(some)} {'class' if len(some) == 1 else 'classes'}"


def _is_place(word: str) -> bool:
    return word.endswith(_ENDINGS) or "/" in word or "\\" in word or Path(word).is_dir()


def _command(arguments: argparse.Namespace, patterns: list[str]) -> str:
    """Return the command line without paths, because the jar's name may contain its release."""
    chosen = {None: [], True: ["--subclasses"], False: ["--no-subclasses"]}
    options = chosen[arguments.subclasses]
    options += [] if arguments.json else ["--no-json"]
    return f"pyredisson schema JARS {shlex.join([*patterns, *options])}"


def _nothing(patterns: list[str], subclasses: bool | None) -> str:
    left_out = ", or --no-subclasses leaves it out" if subclasses is False else ""
    return (
        f"{' '.join(patterns)}: no class that a value can have: nothing in the given jars and "
        f"directories implements it{left_out}"
    )


def _report(found: Selection) -> None:
    for name, places in sorted(found.missing.items()):
        _print(f"missing: {name} ({', '.join(dict.fromkeys(places))})")
    for name, reason in sorted(found.rejected.items()):
        _print(f"left out: {name}: {reason}")
    if found.passed:
        name, parent = next(iter(found.passed.items()))
        _print(
            f"not included: {_classes(found.passed)} of libraries, neither Serializable nor a "
            f"record or enum, such as {name}, a subtype of {parent}; name those that are sent"
        )
    if len(found.classes) > _MANY_CLASSES:
        _print(
            f"warning: {_classes(found.classes)}{_through(heaviest(found))}; name only classes "
            "that are sent, and make fields that are not sent transient"
        )


def _through(chain: Chain | None) -> str:
    return f", {chain.count} of them through {' -> '.join(chain.places)}" if chain else ""


def _check(path: Path, text: str) -> int:
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if old == text:
        return 0
    for line in islice(_changes(old, text), _SHOWN_LINES if old else 0):
        sys.stderr.write(f"{line}\n")
    _print(f"{path}: differs from the class files; run the command again without --check")
    return 1


def _changes(old: str, new: str) -> Iterator[str]:
    """Yield the lines that differ, each with ``-`` or ``+`` in front."""
    for line in unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""):
        if line[0] in "-+" and line not in {"--- ", "+++ "}:
            yield f"{line[0]} {line[1:]}"


def _print(line: str) -> None:
    sys.stderr.write(f"pyredisson: {line}\n")
