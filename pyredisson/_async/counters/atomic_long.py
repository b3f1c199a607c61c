"""RAtomicLong: an integer that many programs change."""

from __future__ import annotations

from pyredisson._async.counters.atomic import AsyncAtomicNumber
from pyredisson.protocol.counters.atomic_long import AtomicLongProtocol


class AsyncAtomicLong(AsyncAtomicNumber[int]):
    """An integer of 64 bits that Java sees as RAtomicLong.

    A sum beyond 64 bits raises `ReplyError`. An argument beyond 64 bits raises `ValueError`.
    """

    _kind = "an atomic long"

    @property
    def _protocol(self) -> AtomicLongProtocol:
        return AtomicLongProtocol(self._main_key)
