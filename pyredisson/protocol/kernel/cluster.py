"""The node that serves a slot: the reply of CLUSTER SLOTS as a lookup table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from pyredisson.protocol.kernel.names import slot

__all__ = ["Address", "Redirection", "Remap", "SlotMap", "address_in", "reachable"]

Address = tuple[str, int]


Remap: TypeAlias = Callable[[Address], Address]
"""Maps an address from a reply of a node to an address that this process can reach."""


def address_in(node: Sequence[Any]) -> Address:
    """Return the address of a node in a reply of CLUSTER SLOTS; an unknown host is ""."""
    return bytes(node[0] or b"").decode(), int(node[1])


def reachable(address: Address, asked: Address, remap: Remap | None) -> Address:
    """Return the address of a node to connect to.

    Args:
        address: the address in a reply. The host "" or "?" means the host of the node that replied.
        asked: the address of the node that replied.
        remap: the client's `address_remap`. Its argument always has a host, as in redis-py.
    """
    host, port = address
    found = (asked[0] if host in ("", "?") else host, port)
    return remap(found) if remap else found


class Redirection(NamedTuple):
    """The node to which a MOVED or ASK reply redirects a command.

    `moved` is True for MOVED, which holds for all later commands. ASK holds for this command only.
    """

    moved: bool
    slot: int
    address: Address

    @classmethod
    def parse(cls, text: str) -> Redirection | None:
        """Read an error such as ``MOVED 3999 127.0.0.1:6381``; return None for any other error."""
        words = text.split()
        if len(words) != 3 or words[0] not in ("MOVED", "ASK"):
            return None
        host, _, port = words[2].rpartition(":")
        return cls(words[0] == "MOVED", int(words[1]), (host, int(port)))


@dataclass(slots=True)
class SlotMap:
    """The master of each slot, by a reply to CLUSTER SLOTS and the MOVED replies after it."""

    _starts: list[int] = field(default_factory=list)
    _ranges: list[tuple[int, Address]] = field(default_factory=list)
    _moved: dict[int, Address] = field(default_factory=dict)

    @classmethod
    def parse(cls, reply: Iterable[Any], asked: Address, remap: Remap | None = None) -> SlotMap:
        """Read the reply of the node at `asked` to CLUSTER SLOTS; `reachable` maps each address."""
        rows = sorted(
            (int(start), int(stop), reachable(address_in(master), asked, remap))
            for start, stop, master, *_replicas in reply
        )
        return cls([row[0] for row in rows], [(row[1], row[2]) for row in rows])

    def find(self, key: str) -> Address | None:
        """Return the master of a key's slot, or None if the master is unknown."""
        number = slot(key)
        if number in self._moved:
            return self._moved[number]
        place = bisect_right(self._starts, number) - 1
        if place < 0 or number > self._ranges[place][0]:
            return None
        return self._ranges[place][1]

    def moved(self, number: int, address: Address) -> None:
        """Record the new master of a slot from a MOVED reply."""
        self._moved[number] = address

    def masters(self) -> list[Address]:
        """Return the masters in the reply to CLUSTER SLOTS, each once; MOVED replies add none."""
        return list(dict.fromkeys(address for _stop, address in self._ranges))
