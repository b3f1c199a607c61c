"""The failure of a test for many rows names each row that is wrong."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from tests.support.rows import check_all
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
