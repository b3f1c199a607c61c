"""One test for many rows: it checks all of them, and its failure names each wrong row.

For checks that take less time than the overhead of a pytest test (3 ms).
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import pytest

Row = TypeVar("Row")
Ids = Callable[[Any], object] | Iterable[str]
Names = str | Sequence[str]
Decorator = Callable[[Callable[..., None]], Callable[..., None]]
PARAM = type(pytest.param())


def check_all(rows: Iterable[tuple[object, Row]], check: Callable[[Row], None]) -> None:
    """Check named rows; raise all failures as a group. Each has the name of its row as a note."""
    failures: list[BaseException] = []
    for name, row in rows:
        try:
            check(row)
        except (Exception, pytest.fail.Exception) as error:
            error.add_note(f"row: {name}")
            failures.append(error)
    if failures:
        first = failures[0].__notes__[-1].removeprefix("row: ")[:100]
        raise BaseExceptionGroup(f"{len(failures)} rows are wrong, the first is {first}", failures)


def each_row(names: Names, values: Iterable[Any], ids: Ids | None = None) -> Decorator:
    """Make one test that calls a function for each row; ``pytest.mark.parametrize`` makes many.

    All rows share the fixtures.
    """
    arguments = [names] if isinstance(names, str) else list(names)
    named_by = ids if ids is None or callable(ids) else list(ids)
    rows = [_Row.of(arguments, value, place, named_by) for place, value in enumerate(values)]
    assert rows, "a table without rows"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def test_all(**others: Any) -> None:
            check_all(((row, row) for row in rows), lambda row: test(**row.values, **others))

        signature = inspect.signature(test)
        rest = [each for name, each in signature.parameters.items() if name not in arguments]
        assert len(rest) + len(arguments) == len(signature.parameters), arguments
        vars(test_all)["__signature__"] = signature.replace(parameters=rest)
        return test_all

    return decorate


@dataclass
class _Row:
    """A row's values by argument. Its text is its name in the table, or else the values."""

    place: int
    values: dict[str, Any]
    name: object = None
    named_by: Callable[[Any], object] = repr

    @classmethod
    def of(cls, arguments: list[str], value: Any, place: int, named_by: Any) -> _Row:
        name = named_by[place] if isinstance(named_by, list) else None
        if isinstance(value, PARAM):
            name = value.id or name
            value = value.values[0] if len(arguments) == 1 else value.values
        each = (value,) if len(arguments) == 1 else value
        values = dict(zip(arguments, each, strict=True))
        return cls(place, values, name, named_by if callable(named_by) else repr)

    def __str__(self) -> str:
        try:
            return str(self.name or "-".join(map(str, map(self.named_by, self.values.values()))))
        except Exception:
            return f"number {self.place}"  # a value without a text


def rows_of(path: Path) -> list[tuple[str, Any]]:
    """Return the rows of a JSON list, each named after the file and its place."""
    rows = json.loads(path.read_text("utf-8"))
    return [(f"{path.stem}-{number}", row) for number, row in enumerate(rows)]
