"""RIdGenerator as scripts, `RedissonIdGenerator` of 3.19.3 to 4.7.0: blocks of ids.

The main key has the first id of the next block.  The size of a block is in `{n}:allocation`.  An
allocation may be sent again after a lost reply: then only the ids of one block stay unused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from pyredisson.errors import UncertainError
from pyredisson.protocol.counters.atomic_long import long_of
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import suffix_name
from pyredisson.protocol.kernel.replies import truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["IdGeneratorProtocol"]

_DEFAULT_SIZE = 5000


def _block(reply: Any) -> range:
    start, size = map(int, reply)
    return range(start, start + size)


@dataclass(frozen=True, slots=True)
class IdGeneratorProtocol:
    """The operations of one generator; `name` is the mapped name."""

    name: str

    @property
    def keys(self) -> tuple[str, str]:
        """The key with the first id of the next block, and the key with the size of blocks."""
        return (self.name, suffix_name(self.name, "allocation"))

    def try_init(self, value: int, allocation_size: int) -> Eval[bool]:
        """Set the first id and the size of blocks, each only if it is not set.

        The result is whether the size was set.

        Raises:
            TypeError, ValueError: an argument is not a Java long, or the size is below 1.
        """
        if long_of(allocation_size, "allocation_size") < 1:
            raise ValueError(f"allocation_size must be at least 1, not {allocation_size}")
        args = (long_of(value, "value"), allocation_size)
        lost = partial(UncertainError, "try_init", self.name)
        return Eval(load("counters/init_ids"), self.keys, args, truth, lost=lost)

    def allocate(self) -> Eval[range]:
        """Take the next block of ids; a missing size becomes 5000, a missing first id 1."""
        args = (_DEFAULT_SIZE,)
        return Eval(load("counters/allocate_ids"), self.keys, args, _block, safe=True)
