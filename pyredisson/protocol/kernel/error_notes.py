"""Adds to an error which list has its bytes, or which item of a call caused the error."""

from __future__ import annotations

from pyredisson._support.error_text import text_of
from pyredisson.errors import CodecError, DecodeError, WireFormatError

__all__ = ["note_item", "note_not_quarantined", "note_quarantined"]


def note_quarantined(error: DecodeError | WireFormatError, key: str) -> None:
    """Add to an error the key of the poison list that holds its bytes."""
    error.kept_in = key
    error.args = (f"{_text(error)}; kept in the list {key!r}",)


def note_not_quarantined(error: DecodeError | WireFormatError, key: str, cause: Exception) -> None:
    """Add to an error that its bytes could not be quarantined: perhaps only the error has them."""
    error.args = (
        f"{_text(error)}; keeping it in the list {key!r} failed ({cause}): "
        "Redis may no longer have it, so save its bytes, error.raw",
    )


def note_item(error: Exception, place: int) -> None:
    """Add the item's index in a call of `offer_many` to an error."""
    if type(error) in (TypeError, ValueError) or isinstance(error, CodecError):
        error.args = (f"item {place}: {text_of(error)}",)
    else:
        error.add_note(f"item {place} of many offers")


def _text(error: Exception) -> str:
    """Return the text of an error; it is possible that the program defines the error's class."""
    return str(error.args[0]) if error.args else text_of(error)
