"""Parses JSON text to a tree, with a strict variant of the standard library's parser.

The tree consists of None, bool, int, str, list, `Real` (a number with a point or an exponent, as
text, so that no decimal loses digits) and `Members` (an object's members in order, with
duplicates). NaN, huge numbers and text after the value are rejected.
"""

from __future__ import annotations

import json
from typing import Any

from pyredisson.rejection import Rejection

from .lexical import MAX_DIGITS_READ

__all__ = ["IonSymbol", "IonTimestamp", "Members", "Nothing", "Real", "parse", "parse_quickly"]


class Real(str):
    """The text of a number that is not a whole number."""

    __slots__ = ()


class IonSymbol(str):
    """An Ion symbol as a value: the name of an enum's constant."""

    __slots__ = ()


class IonTimestamp(str):
    """Ion's timestamp, as its text."""

    __slots__ = ()


class Members(list[tuple[str, Any]]):
    """The members of an object."""

    __slots__ = ()


class Nothing(Members):
    """An object without members, if the format distinguishes it from an empty map."""

    __slots__ = ()


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS_READ:
        raise Rejection(f"a number of more than {MAX_DIGITS_READ} digits")
    return int(text)


def _real(text: str) -> Real:
    if len(text) > MAX_DIGITS_READ:
        raise Rejection(f"a number of more than {MAX_DIGITS_READ} digits")
    return Real(text)


def _constant(text: str) -> Any:
    raise Rejection(f"{text} is not JSON")


_DECODER = json.JSONDecoder(
    parse_int=_integer,
    parse_float=_real,
    parse_constant=_constant,
    object_pairs_hook=Members,
)


_QUICK = json.JSONDecoder(parse_constant=_constant)

_SCAN: Any = vars(_QUICK)["scan_once"]


def parse_quickly(data: bytes) -> Any:
    """Return the tree of a short message as dicts, ints and floats; None if that fails.

    In a short message, no number can exceed Python's limit of digits.
    """
    if len(data) > MAX_DIGITS_READ:
        return None
    try:
        text = data.decode("utf-8")
        tree, end = _SCAN(text, 0)
    except (ValueError, StopIteration, Rejection):
        return None
    return tree if end == len(text) else None


def parse(data: bytes) -> Any:
    """Return the tree of a message.

    Raises:
        Rejection: the message is not UTF-8, or not one JSON value.
    """
    try:
        return _DECODER.decode(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Rejection(f"not UTF-8: {error.reason} at byte {error.start}") from None
    except json.JSONDecodeError as error:
        raise Rejection(f"not JSON: {error}") from None
