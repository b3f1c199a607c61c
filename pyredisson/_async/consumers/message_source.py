"""Objects other than queues that have messages: each has classes for consumers and dead letters.

The rule: a caller of `get_consumer`, such as a worker, does not know these classes.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson.protocol.consumers.options import ConsumerOptions

C = TypeVar("C")
D = TypeVar("D")


class AsyncMessageSource(Generic[C, D]):
    """The base of objects that `get_consumer` and `get_dead_letters` accept in addition to queues.

    `C` is the class that `_consumer` returns, and `D` the class that `_dead_letters` returns.
    """

    _context: AsyncContext

    def _consumer(self, options: ConsumerOptions) -> C:
        """Return a consumer of the object's messages."""
        raise NotImplementedError

    def _dead_letters(self) -> D:
        """Return an object that reads the dead letters of this object."""
        raise NotImplementedError
