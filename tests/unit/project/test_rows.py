"""The failure of a test for many rows names each row that is wrong."""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.rows import check_all, each_row
from tests.support.source_tree import PACKAGE, ROOT, each


def even(number: int) -> None:
    if number > 3:
        with pytest.raises(ValueError, match="never"):
            pass
    assert number % 2 == 0, f"{number} is odd"


def test_each_wrong_row_is_named() -> None:
    with pytest.raises(BaseExceptionGroup) as caught:
        check_all([("one", 1), ("two", 2), ("three", 3), ("four", 4)], even)
    assert len(caught.value.exceptions) == 3
    text = "".join(traceback.format_exception(caught.value))
    assert [name in text for name in ("row: one", "row: two", "row: three", "row: four")] == [
        *(True, False, True, True)
    ]
    assert "3 is odd" in text


def test_no_row_is_wrong() -> None:
    check_all([("two", 2)], even)


def test_each_wrong_file_is_named() -> None:
    @each([PACKAGE / "errors.py", ROOT / "README.md"])
    def test_python(path: Path) -> None:
        assert path.suffix == ".py"

    assert test_python.__name__ == "test_python"
    with pytest.raises(BaseExceptionGroup) as caught:
        test_python()
    assert "".join(traceback.format_exception(caught.value)).count("row: README.md") == 1


def notes(test: Callable[..., None], **fixtures: object) -> list[str]:
    """Return the names of the rows that fail."""
    with pytest.raises(BaseExceptionGroup, match="rows are wrong, the first is ") as caught:
        test(**fixtures)
    return [error.__notes__[-1] for error in caught.value.exceptions]


def test_rows_are_named_after_their_values_or_by_the_table() -> None:
    def test(a: int, b: object) -> None:
        raise ValueError(a, b)

    class Mute:
        def __repr__(self) -> str:
            raise ValueError

    table = [(1, "x"), pytest.param(2, 3, id="two"), (4, Mute())]
    assert notes(each_row(("a", "b"), table)(test)) == ["row: 1-'x'", "row: two", "row: number 2"]
    assert notes(each_row(("a", "b"), table, ids="xyz")(test)) == ["row: x", "row: two", "row: z"]
    assert notes(each_row(("a", "b"), table[:1], ids=lambda value: f"<{value}>")(test)) == [
        "row: <1>-<x>"
    ]


def test_tables_multiply_and_fixtures_stay() -> None:
    seen = []

    @each_row("a", [1, 2])
    @each_row("b", [3, 4])
    def test(a: int, b: int, fixture: str) -> None:
        seen.append((a, b, fixture))

    assert list(inspect.signature(test).parameters) == ["fixture"]
    test(fixture="f")
    assert seen == [(1, 3, "f"), (1, 4, "f"), (2, 3, "f"), (2, 4, "f")]


@pytest.mark.parametrize(("names", "table"), [("a", []), ("other", [1]), (("a", "b"), [(1,)])])
def test_invalid_tables_are_rejected(names: str, table: list[object]) -> None:
    with pytest.raises((AssertionError, ValueError)):
        each_row(names, table)(lambda a: None)
