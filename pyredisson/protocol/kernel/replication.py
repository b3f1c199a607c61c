"""Detects whether a server has become a replica, or another server answers at its address.

The rule: if a proxy leaves out the role, the server counts as a master. If all replies are without
a replication ID, the server counts as the same master.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

__all__ = ["QUESTION", "Replication"]

QUESTION = ("INFO", "replication")
"""The command whose reply has the role; ROLE and HELLO are rejected more often."""

_ROLE = re.compile(rb"^role:(?:slave|replica)\r?$", re.MULTILINE)
_HISTORY = re.compile(rb"^master_replid:(\w+)\r?$", re.MULTILINE)


class Replication(NamedTuple):
    """The fields of a server's reply to `QUESTION`.

    Attributes:
        replica: whether the server is a replica; False if the reply has no role.
        history: the replication ID, which changes when a replica becomes the master; b"" if the
            reply has none.
    """

    replica: bool
    history: bytes

    @classmethod
    def parse(cls, reply: Any) -> Replication:
        """Read a reply; one that is not bytes counts as a reply without the two fields."""
        if not isinstance(reply, bytes):
            return cls(replica=False, history=b"")
        found = _HISTORY.search(reply)
        return cls(_ROLE.search(reply) is not None, found.group(1) if found else b"")
