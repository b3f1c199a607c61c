"""The members of a `BaseStreamWriter` that the class-data writers use."""

from __future__ import annotations

from typing import Protocol

from pyredisson.limits import Limits

__all__ = ["Sink"]


class Sink(Protocol):
    """A stream that is being written."""

    named: bool
    """The stream's reader reads a value's class before the value."""
    limits: Limits

    def text(self, text: str) -> bytes:
        """Encode a string as the stream does."""
