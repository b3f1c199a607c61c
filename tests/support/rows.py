"""One test for many rows: it checks all of them, and its failure names each row that is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import pytest

Row = TypeVar("Row")


def check_all(rows: Iterable[tuple[str, Row]], check: Callable[[Row], None]) -> None:
    """Check named rows; raise a group of all failures, with the name of its row as a note in each.

    For checks that take less time than pytest needs for a test of its own.
    """
    failures: list[BaseException] = []
    for name, row in rows:
        try:
            check(row)
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"row: {name}")
            failures.append(error)
    if failures:
        raise BaseExceptionGroup(f"{len(failures)} rows are wrong", failures)


def rows_of(path: Path) -> list[tuple[str, Any]]:
    """Return the rows of a JSON list, each named after the file and its place."""
    rows = json.loads(path.read_text("utf-8"))
    return [(f"{path.stem}-{number}", row) for number, row in enumerate(rows)]
