"""Values and items in JSON lines, as bytes and due times.

The rule: an object with the key `value` is an item, as in the output of `items --json`. A page of
that output is a list of items. Any other JSON is a value. A wrong line ends the reading: the items
before this line are offered, and no others.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from pyredisson.admin.times import duration_of, moment_of
from pyredisson.codecs import ByteArrayCodec, StringCodec
from pyredisson.codecs.base import Codec

__all__ = ["Lines", "Read", "reader"]

Due = timedelta | datetime

_LISTED = {"value", "bytes", "text", "id", "receipt", "error", "attempts", "consumer"}
_LISTED |= {"lease_ends_at", "reason", "failed_at", "traceback"}
_TIMES = {"due_at", "at", "delay"}
_PAGE = {"queue", "state", "items", "next"}

Read = Callable[[str], Any]


def reader(codec: Codec[Any], *, text: bool = False) -> Read:
    """Return a function that converts an argument of the command line to a value.

    Args:
        codec: encodes the value. `ByteArrayCodec` needs hexadecimal digits: for other arguments
            the function raises ValueError. `StringCodec` gets the argument as it is. Other codecs
            get its JSON value, or the argument as it is if it is not JSON.
        text: whether other codecs, too, get the argument as it is.
    """

    def read(word: str) -> Any:
        if isinstance(codec, ByteArrayCodec):
            return _from_hex(word)
        if text or isinstance(codec, StringCodec):
            return word
        try:
            return json.loads(word)
        except ValueError:
            return word

    return read


class Lines:
    """The items in JSON lines: iterates over pairs of a value's bytes and its delay or due time.

    Args:
        lines: the lines; blank ones are skipped.
        codec: encodes the values.
        due: the delay or the due time of items that have none.
        text: whether each line is a text, and not JSON.

    Attributes:
        count: how many items were read.
        line: the number of the last line that was read, from 1.
        wrong: why the last line ended the reading; None if it did not.
    """

    def __init__(
        self, lines: Iterable[bytes], codec: Codec[Any], due: Due, *, text: bool = False
    ) -> None:
        self._lines = lines
        self._codec = codec
        self._due = due
        self._text = text
        self.count = self.line = 0
        self.wrong: str | None = None

    def __iter__(self) -> Iterator[tuple[bytes, Due]]:
        """Iterate until the end, or until a wrong line."""
        for line in self._lines:
            self.line += 1
            try:
                found = list(self._items(line))
            except (ValueError, RecursionError) as error:
                self.wrong = f"line {self.line}: {error}"
                return
            for each in found:
                self.count += 1
                yield each

    def _items(self, line: bytes) -> Iterator[tuple[bytes, Due]]:
        try:
            words = line.decode().rstrip("\r\n")
        except UnicodeDecodeError:
            raise ValueError("not UTF-8") from None
        if not words.strip():
            return
        if self._text:
            yield self._codec.encode(words), self._due
            return
        try:
            row = json.loads(words)
        except json.JSONDecodeError as error:
            what = f"not JSON ({error.msg}, column {error.colno})"
            raise ValueError(f"{what}; --text takes lines as they are") from None
        rows = row["items"] if isinstance(row, dict) and row.keys() == _PAGE else [row]
        for each in rows:
            is_item = isinstance(each, dict) and "value" in each
            yield self._item(each) if is_item else (self._encoded(each), self._due)

    def _item(self, row: dict[str, Any]) -> tuple[bytes, Due]:
        if unknown := row.keys() - _LISTED - _TIMES:
            raise ValueError(
                f"unknown key {min(unknown)!r}: an object with the key `value` is an item; write a "
                'value that has this key itself as {"value": {...}}'
            )
        given = [(key, row[key]) for key in sorted(_TIMES) if row.get(key) is not None]
        if len(given) > 1:
            raise ValueError(f"both {given[0][0]!r} and {given[1][0]!r}: give one of them")
        due = _due(*given[0]) if given else self._due
        if isinstance(self._codec, ByteArrayCodec):
            return self._encoded(row.get("bytes", row["value"])), due
        if row["value"] is None and row.get("text", "null") != "null":
            raise ValueError("JSON has no such value; --codec bytes offers the `bytes` of an item")
        return self._encoded(row["value"]), due

    def _encoded(self, value: Any) -> bytes:
        raw = isinstance(self._codec, ByteArrayCodec)
        return self._codec.encode(_from_hex(value) if raw else value)


def _from_hex(value: Any) -> bytes:
    try:
        return bytes.fromhex(value)
    except (TypeError, ValueError):
        raise ValueError(f"{value!r:.40} is no hexadecimal text, as codec `bytes` needs") from None


def _due(key: str, value: Any) -> Due:
    return duration_of(str(value)) if key == "delay" else moment_of(str(value))
