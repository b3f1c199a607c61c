"""Texts of exceptions whose `str` raises an error or is too long."""

from typing import Any

import pytest

from pyredisson._support.error_text import MAX_TEXT, described, shortened, text_of, traceback_of
from tests.support.rows import each_row


class OddError(Exception):
    """An exception whose `str` and `repr` return or raise the given value."""

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
    """Its metaclass raises an error when the name is read."""

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
    fits = "<" + letter * ((MAX_TEXT - 2) // size) + ">"
    assert shortened(fits) == fits
    for count in (MAX_TEXT // size, 10 * MAX_TEXT):
        short = shortened("<" + letter * count + ">")
        cut = 2 + count * size - MAX_TEXT
        assert f"\n... {cut} bytes are cut here ...\n" in short
        assert short[0] + short[-1] == "<>"
        assert MAX_TEXT - 8 <= len(short.encode("utf-8", "replace")) <= MAX_TEXT
    assert len(text_of(ValueError(letter * MAX_TEXT)).encode("utf-8", "replace")) <= MAX_TEXT


def test_a_traceback_has_causes_notes_and_groups() -> None:
    error = ExceptionGroup("group", [OddError(ValueError()), KeyError("inner")])
    error.__cause__ = OddError(None)
    error.add_note("the note")
    found = traceback_of(error)
    for word in ("group", "inner", "the note", "direct cause", "OddError"):
        assert word in found
