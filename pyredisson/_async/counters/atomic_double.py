"""RAtomicDouble: a floating-point number that many programs change."""

from __future__ import annotations

from pyredisson._async.counters.atomic import AsyncAtomicNumber
from pyredisson.protocol.counters.atomic_double import AtomicDoubleProtocol


class AsyncAtomicDouble(AsyncAtomicNumber[float]):
    """A double that Java sees as RAtomicDouble.

    Redis adds decimal numbers with 17 digits, so 0.1 + 0.2 is 0.3. NaN and infinity raise
    `ValueError`.
    """

    _kind = "an atomic double"

    @property
    def _protocol(self) -> AtomicDoubleProtocol:
        return AtomicDoubleProtocol(self._main_key)
