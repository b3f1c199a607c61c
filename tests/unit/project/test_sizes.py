"""Limits of the length of modules, classes and functions, and the form of exemptions."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.support.source_tree import ALL, BY_HAND, PACKAGE, each, label, nodes

LONG = {
    "pyredisson/errors.py": "the tree of errors, which one page shows",
}
"""Modules of more than 400 lines, each with the reason why it is not split."""


@each(BY_HAND)
def test_a_long_module_says_why(path: Path) -> None:
    assert (len(path.read_text("utf-8").splitlines()) > 400) == (label(path) in LONG)


@each([path for path in BY_HAND if path.is_relative_to(PACKAGE)])
def test_functions_and_classes_stay_short(path: Path) -> None:
    for node in nodes(path):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= 60, f"{node.name}: {length} lines"
        elif isinstance(node, ast.ClassDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            assert length <= 300, f"{node.name}: {length} lines"


@each(ALL)
def test_an_exemption_names_what_and_why(path: Path) -> None:
    """Each `type: ignore` or `noqa` has a code, in brackets or after a colon, and a reason."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        for word, opening in (("# type: " + "ignore", "["), ("# no" + "qa", ":")):
            _, found, rest = line.partition(word)
            if found:
                assert rest.startswith(opening), f"line {number}"
                assert "#" in rest or " - " in rest, f"line {number}: no reason"
