"""Stores the keys that a test needs at its start."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.support.groups import Fields
from tests.support.streams import Stream


def store(root: Any, stored: Iterable[tuple[str, Any]]) -> None:
    """Empty a server, and store values: lists, `Fields`, scores in a dict, sets, or strings."""
    with root.pipeline(transaction=False) as pipeline:
        pipeline.flushall()
        for key, value in stored:
            if isinstance(value, list):
                pipeline.rpush(key, *value)
            elif isinstance(value, Fields):
                pipeline.hset(key, mapping=value)
            elif isinstance(value, dict):
                pipeline.zadd(key, value)
            elif isinstance(value, frozenset):
                pipeline.sadd(key, *value)
            elif isinstance(value, Stream):
                value.store(pipeline, key)
            else:
                pipeline.set(key, value)
        pipeline.execute()
