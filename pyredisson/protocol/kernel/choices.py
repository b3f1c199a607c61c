"""Checks an argument that must be one of a few words.

The rule: the error names the argument, the words and the wrong value.
"""

from __future__ import annotations

from typing import Any, TypeVar, get_args

__all__ = ["require_choice"]

V = TypeVar("V")


def require_choice(value: V, choices: Any, what: str) -> V:
    """Return `value` if it is one of the words of the `Literal` in `choices`.

    Raises:
        ValueError: the value is none of these words.
    """
    words = get_args(choices)
    if value not in words:
        raise ValueError(f"{what} must be one of {words}, not {value!r}")
    return value
