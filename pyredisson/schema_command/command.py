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

_MOST = 40  # lines of a difference
_MANY = 200  # classes
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
        raise SelectionError("name the jars or directories that hold the classes")
    if not patterns:
        raise SelectionError("name the classes: com.example.OrderTask or 'com.example.*'")
    if arguments.check and arguments.output is None:
        raise SelectionError("--check needs --output")
    found = select(
        ClassPath(places), patterns, json=arguments.json, subclasses=arguments.subclasses
    )
    _tell(found)
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
    _say(f"{arguments.output}: {_classes(found.classes)}")
    return 0


def _classes(some: Sized) -> str:
    return f"{len(some)} {'class' if len(some) == 1 else 'classes'}"


def _is_place(word: str) -> bool:
    return word.endswith(_ENDINGS) or "/" in word or "\\" in word or Path(word).is_dir()


def _command(arguments: argparse.Namespace, patterns: list[str]) -> str:
    """Return the command line without paths, because each release's jar has another name."""
    chosen = {None: [], True: ["--subclasses"], False: ["--no-subclasses"]}
    options = chosen[arguments.subclasses]
    options += [] if arguments.json else ["--no-json"]
    return f"pyredisson schema JARS {shlex.join([*patterns, *options])}"


def _nothing(patterns: list[str], subclasses: bool | None) -> str:
    left_out = ", or --no-subclasses leaves it out" if subclasses is False else ""
    return (
        f"{' '.join(patterns)}: no class that values can have: nothing in the given jars and "
        f"directories implements it{left_out}"
    )


def _tell(found: Selection) -> None:
    for name, places in sorted(found.missing.items()):
        _say(f"missing: {name} ({', '.join(dict.fromkeys(places))})")
    for name, reason in sorted(found.rejected.items()):
        _say(f"left out: {name}: {reason}")
    if found.passed:
        name, parent = next(iter(found.passed.items()))
        _say(
            f"not followed: {_classes(found.passed)} of libraries, neither Serializable nor a "
            f"record or enum, as {name} (below {parent}); name those that are sent"
        )
    if len(found.classes) > _MANY:
        _say(
            f"warning: {_classes(found.classes)}{_through(heaviest(found))}; name only classes "
            "that are sent, and let a field that is not sent be transient"
        )


def _through(chain: Chain | None) -> str:
    return f", {chain.count} of them through {' -> '.join(chain.places)}" if chain else ""


def _check(path: Path, text: str) -> int:
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    if old == text:
        return 0
    for line in islice(_changes(old, text), _MOST if old else 0):
        sys.stderr.write(f"{line}\n")
    _say(f"{path}: differs from what the class files give; write it again")
    return 1


def _changes(old: str, new: str) -> Iterator[str]:
    """Yield the lines that differ, after ``-`` and ``+``."""
    for line in unified_diff(old.splitlines(), new.splitlines(), n=0, lineterm=""):
        if line[0] in "-+" and line not in {"--- ", "+++ "}:
            yield f"{line[0]} {line[1:]}"


def _say(line: str) -> None:
    sys.stderr.write(f"pyredisson: {line}\n")
