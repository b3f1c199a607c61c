"""The texts of exceptions of user code: their methods may fail, and the texts may be very long.

The rule: an exception that a method of an exception raises is not passed on, except Ctrl-C and the
end of a coroutine. Each text has a maximum length.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable

__all__ = [
    "END_OF_PROGRAM",
    "MAX_REASON",
    "MAX_TEXT",
    "MAX_TRACEBACK",
    "described",
    "shortened",
    "text_of",
    "traceback_of",
]

END_OF_PROGRAM = (KeyboardInterrupt, GeneratorExit)
"""Exceptions that are not handled as errors of user code: Ctrl-C, the end of a coroutine."""
MAX_TEXT = 65_536
"""The maximum length of a text, in bytes of UTF-8."""
MAX_REASON, MAX_TRACEBACK = MAX_TEXT // 4, MAX_TEXT * 3 // 4
"""The maximum lengths of the two texts of a dead letter, in bytes of UTF-8."""


def text_of(error: BaseException, show: Callable[[object], str] = str) -> str:
    """Return `str` (or another `show`) of an exception; a replacement text if that fails."""
    return shortened(_whatever(lambda: show(error), "text"))


def described(error: BaseException, most: int = MAX_TEXT) -> str:
    """Return the class and the text of an exception, with at most `most` bytes of UTF-8."""
    name = _whatever(lambda: type(error).__name__, "class")  # a metaclass may raise
    text = _whatever(lambda: str(error), "text")
    return shortened(f"{name}: {text}", most)  # only once, so that one note counts all cut bytes


def traceback_of(error: BaseException, most: int = MAX_TEXT) -> str:
    """Return the traceback of an exception, with its causes, notes and groups."""
    return shortened(
        _whatever(lambda: "".join(traceback.format_exception(error)), "traceback"), most
    )


def _whatever(text: Callable[[], str], what: str) -> str:
    try:
        return text()
    except END_OF_PROGRAM:
        raise
    except BaseException as raised:
        return f"<the {what} of the error is not available: it raised {type(raised).__name__}>"


def shortened(text: str, most: int = MAX_TEXT) -> str:
    """Return a text; if it has more than `most` bytes of UTF-8, a note replaces its middle."""
    if len(text) * 4 <= most:
        return text
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return text
    cut = len(data) - most
    note = f"\n... {cut} bytes are cut here ...\n"
    left = most - len(note)
    head, tail = data[: left // 2], data[len(data) - (left - left // 2) :]
    return head.decode("utf-8", "ignore") + note + tail.decode("utf-8", "ignore")
