"""Pending items by id or by value, as pages of items show them.

The rule: it reads all pending items in pages. So a long queue takes time, but little memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from pyredisson import DelayedQueue, Receipt
from pyredisson.admin.json_values import jsonable, printable, text_of
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.replies import readable

__all__ = ["with_id", "with_value"]


def with_id(delayed: DelayedQueue[bytes], item_id: str) -> Iterator[Receipt]:
    """Iterate over the receipts of pending items with an id, the earliest first.

    Args:
        delayed: the queue.
        item_id: 16 or 32 hex digits.

    Raises:
        ValueError: `item_id` is empty or not hexadecimal.
    """
    try:
        wanted = bytes.fromhex(item_id)
    except ValueError:
        wanted = b""
    if not wanted:
        raise ValueError(f"an id must have hex digits, as `items` shows it, not {item_id!r}")
    return _matching(delayed, lambda receipt: receipt.item_id == wanted)


def with_value(delayed: DelayedQueue[bytes], codec: Codec[Any], shown: str) -> Iterator[Receipt]:
    """Iterate over the receipts of pending items with a value, the earliest first.

    Args:
        delayed: the queue.
        codec: decodes the values.
        shown: the value as text or as JSON; for values that cannot be decoded, their bytes in hex.
    """
    try:
        as_json = _canonical(json.loads(shown))
    except ValueError:
        as_json = None

    def matches(receipt: Receipt) -> bool:
        value, error = readable(codec, receipt.value)
        if error is not None:
            return receipt.value.hex() == shown
        text = text_of(value)
        if shown in {text, printable(text)}:
            return True
        try:
            return as_json is not None and _canonical(jsonable(value)) == as_json
        except (ValueError, RecursionError):
            return False

    return _matching(delayed, matches)


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _matching(
    delayed: DelayedQueue[bytes], matches: Callable[[Receipt], bool]
) -> Iterator[Receipt]:
    return (item.receipt for item in delayed.items() if matches(item.receipt))
