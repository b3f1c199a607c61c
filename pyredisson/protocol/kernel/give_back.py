"""Returns elements that a command removed, also if the server's memory is full.

A server that has reached `maxmemory` still pops, but rejects the push that returns the element. The
rule: no element is lost for this reason. So a script adds the element: such a server rejects only
the first write of a script, and the first write of this script removes.
"""

from __future__ import annotations

from typing import Any

from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.replies import nothing
from pyredisson.protocol.kernel.scripts import load

__all__ = ["without_memory"]


def without_memory(command: Command[Any]) -> Eval[None]:
    """Return the script for a RPUSH, LPUSH, SADD or ZADD NX that was rejected with OOM."""
    name, key, *words = command.args
    return Eval(load("kernel/give_back"), (str(key),), (name, *words), nothing)
