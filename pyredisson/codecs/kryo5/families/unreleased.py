"""Rejects to write classes that older releases cannot read, in a codec without a release."""

from __future__ import annotations

from typing import Any

from pyredisson.codecs.kryo5.kernel.generics import Arguments
from pyredisson.codecs.kryo5.kernel.reader import Reader
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.writer import Writer
from pyredisson.codecs.released import reject_unreleased

__all__ = ["Unreleased"]


class Unreleased(Serializer):
    """A serializer that reads, and rejects every value to write.

    Args:
        inner: the serializer that reads.
        since: the first release that reads what `inner` would write.
    """

    def __init__(self, inner: Serializer, since: str) -> None:
        super().__init__(inner.class_name)
        self.inner = inner
        self.smallest = inner.smallest
        self._since = since

    def read(self, source: Reader, arguments: Arguments = None) -> Any:
        return self.inner.read(source, arguments)

    def read_or_null(self, source: Reader, arguments: Arguments = None) -> Any:
        return self.inner.read_or_null(source, arguments)

    def write(self, sink: Writer, value: Any, arguments: Arguments = None) -> None:
        """Reject the value."""
        raise reject_unreleased(f"a {self.class_name}", self._since)
