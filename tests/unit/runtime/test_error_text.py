"""Texts of exceptions that cannot say what is wrong, or say too much."""

from typing import Any

import pytest

from pyredisson._support.error_text import MOST, described, shortened, text_of, traceback_of
from tests.support.rows import each_row


class OddError(Exception):
    """An exception whose methods do as the test says."""

    def __init__(self, does: Any) -> None:
        super().__init__("odd")
        self.does = does

    def __str__(self) -> str:
        if isinstance(self.does, BaseException):
            raise self.does
        text: str = self.does
        return text

    __repr__ = __str__


@each_row(
    ("does", "expected"),
    [
        ("text", "text"),
        ("", ""),
        (None, "<the text of the error is not available: it raised TypeError>"),
        (ValueError("v"), "<the text of the error is not available: it raised ValueError>"),
        (SystemExit(1), "<the text of the error is not available: it raised SystemExit>"),
    ],
)
def test_texts(does: Any, expected: str) -> None:
    assert text_of(OddError(does)) == text_of(OddError(does), repr) == expected
    assert described(OddError(does)) == f"OddError: {expected}"
    assert "OddError" in traceback_of(OddError(does)) or isinstance(does, SystemExit)


def test_a_class_without_a_name() -> None:
    """Its metaclass raises where others have the name."""

    def raises(_kind: type) -> str:
        raise ValueError("no name")

    odd: Any = type("OddName", (type,), {"__name__": property(raises)})
    nameless = odd("NamelessError", (Exception,), {})
    expected = "<the class of the error is not available: it raised ValueError>: odd"
    assert described(nameless("odd")) == expected


def test_ctrl_c_goes_through() -> None:
    with pytest.raises(KeyboardInterrupt):
        text_of(OddError(KeyboardInterrupt()))


@pytest.mark.parametrize("letter", ["a", "é", "😀", "\ud800"])
def test_the_middle_of_a_long_text_is_cut(letter: str) -> None:
    size = len(letter.encode("utf-8", "replace"))
    fits = "<" + letter * ((MOST - 2) // size) + ">"
    assert shortened(fits) == fits
    for count in (MOST // size, 10 * MOST):
        short = shortened("<" + letter * count + ">")
        cut = 2 + count * size - MOST
        assert f"\n... {cut} bytes are cut here ...\n" in short
        assert short[0] + short[-1] == "<>"
        assert MOST - 8 <= len(short.encode("utf-8", "replace")) <= MOST
    assert len(text_of(ValueError(letter * MOST)).encode("utf-8", "replace")) <= MOST


def test_a_traceback_has_causes_notes_and_groups() -> None:
    error = ExceptionGroup("group", [OddError(ValueError()), KeyError("inner")])
    error.__cause__ = OddError(None)
    error.add_note("the note")
    found = traceback_of(error)
    for word in ("group", "inner", "the note", "direct cause", "OddError"):
        assert word in found
