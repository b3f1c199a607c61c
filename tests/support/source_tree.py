"""The source of the project as syntax trees, for tests of its structure."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.support.rows import Decorator, each_row

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "pyredisson"
TREES = ("pyredisson", "tests", "interop", "benchmarks", "examples", "scripts")
HANDS_OFF = {".venv", ".cache", "__pycache__", "node_modules"}


def files(tree: str) -> list[Path]:
    return sorted(
        path
        for path in (ROOT / tree).rglob("*.py")
        if not HANDS_OFF.intersection(path.relative_to(ROOT).parts)
    )


def label(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def each(paths: list[Path]) -> Decorator:
    """Make one test that calls a function for each path; its failure names each failed path."""
    return each_row("path", paths, ids=label)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(parsed(path)))


@cache
def imports(path: Path) -> set[str]:
    """Return all modules that a file imports, absolute, also inside functions."""
    package = list(path.relative_to(ROOT).with_suffix("").parts[:-1])
    found: set[str] = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            home = ".".join([*above, *([node.module] if node.module else [])])
            found.add(home)
            found.update(f"{home}.{alias.name}" for alias in node.names)
    return found


def reaches(path: Path, *homes: str) -> set[str]:
    """Return the imports of a file that are in one of these packages."""
    return {
        name
        for name in imports(path)
        if any(name == home or name.startswith(f"{home}.") for home in homes)
    }


ALL = [path for tree in TREES for path in files(tree)]
BY_HAND = [path for path in ALL if "_sync" not in path.relative_to(ROOT).parts]
