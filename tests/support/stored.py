"""Keys that are there before a test."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.support.groups import Fields
from tests.support.streams import Stream


def store(root: Any, stored: Iterable[tuple[str, Any]]) -> None:
    """Empty a server, and store values: lists, `Fields`, scores in a dict, sets, or strings."""
    root.flushall()
    for key, value in stored:
        if isinstance(value, list):
            root.rpush(key, *value)
        elif isinstance(value, Fields):
            root.hset(key, mapping=value)
        elif isinstance(value, dict):
            root.zadd(key, value)
        elif isinstance(value, frozenset):
            root.sadd(key, *value)
        elif isinstance(value, Stream):
            value.store(root, key)
        else:
            root.set(key, value)
