"""What has messages and is not one queue: it makes its own consumers and dead letters.

The rule: whoever asks for a consumer, a worker as well, need not know which kind it is.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from pyredisson.protocol.consumers.options import ConsumerOptions

C = TypeVar("C")
D = TypeVar("D")


class AsyncMessageSource(Generic[C, D]):
    """Something whose messages `get_consumer` and `get_dead_letters` are asked for.

    `C` is the class of its consumers, and `D` that of its dead letters.
    """

    def _consumer(self, options: ConsumerOptions) -> C:
        """Return a consumer of its messages."""
        raise NotImplementedError

    def _dead_letters(self) -> D:
        """Return those of its messages that are dead letters."""
        raise NotImplementedError
