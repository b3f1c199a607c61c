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
"""Maps an address that nodes name to the one that this process can reach."""


def address_in(node: Sequence[Any]) -> Address:
    """Return the address of a node in a reply of CLUSTER SLOTS; an unknown host is ""."""
    return bytes(node[0] or b"").decode(), int(node[1])


def reachable(address: Address, asked: Address, remap: Remap | None) -> Address:
    """Return the address of a node to connect to.

    Args:
        address: the address in a reply. Without a host, or with "?", it has the host of the node
            that replied.
        asked: the address of the node that replied.
        remap: the client's `address_remap`, which gets an address with a host, as in redis-py.
    """
    host, port = address
    found = (asked[0] if host in ("", "?") else host, port)
    return remap(found) if remap else found


class Redirection(NamedTuple):
    """The target of a MOVED reply (`moved`: from now on) or an ASK reply (for one command)."""

    moved: bool
    slot: int
    address: Address

    @classmethod
    def parse(cls, text: str) -> Redirection | None:
        """Read an error reply such as ``MOVED 3999 127.0.0.1:6381``; for others return None."""
        words = text.split()
        if len(words) != 3 or words[0] not in ("MOVED", "ASK"):
            return None
        host, _, port = words[2].rpartition(":")
        return cls(words[0] == "MOVED", int(words[1]), (host, int(port)))


@dataclass(slots=True)
class SlotMap:
    """Masters by slot range; a later MOVED reply takes precedence."""

    _starts: list[int] = field(default_factory=list)
    _ranges: list[tuple[int, Address]] = field(default_factory=list)
    _moved: dict[int, Address] = field(default_factory=dict)

    @classmethod
    def parse(cls, reply: Iterable[Any], asked: Address, remap: Remap | None = None) -> SlotMap:
        """Read a reply of the node at `asked`; addresses are mapped as `reachable` does."""
        rows = sorted(
            (int(start), int(stop), reachable(address_in(master), asked, remap))
            for start, stop, master, *_replicas in reply
        )
        return cls([row[0] for row in rows], [(row[1], row[2]) for row in rows])

    def find(self, key: str) -> Address | None:
        """Return the master of a key's slot, or None if it is unknown."""
        number = slot(key)
        if number in self._moved:
            return self._moved[number]
        place = bisect_right(self._starts, number) - 1
        if place < 0 or number > self._ranges[place][0]:
            return None
        return self._ranges[place][1]

    def moved(self, number: int, address: Address) -> None:
        """Record a MOVED reply."""
        self._moved[number] = address

    def masters(self) -> list[Address]:
        """Return all masters, each once."""
        return list(dict.fromkeys(address for _stop, address in self._ranges))
