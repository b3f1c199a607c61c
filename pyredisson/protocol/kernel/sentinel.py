"""What Sentinels report about a master, and which of them are up to date.

Sentinels number their agreements on a master (config-epoch). A failover increments the number. A
Sentinel that does not know of the failover yet reports a lower number.  The rule: a report is
ignored if its number is lower than the number in the last report of another Sentinel.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.kernel.cluster import Address

__all__ = ["CHANNELS", "Sighting", "Sightings"]

CHANNELS = ("+switch-master", "+promoted-slave")
"""Channels on which Sentinels publish a new master.

All Sentinels publish on the first channel. On the second channel, only the Sentinel that performs
the failover publishes, and it does so earlier.
"""


@dataclass(frozen=True, slots=True)
class Sighting:
    """The report of one Sentinel.

    Attributes:
        address: the master's address.
        epoch: the number of the agreement on the master; 0 if the Sentinel does not report it.
        others: how many other Sentinels this Sentinel knows; None if it does not report them.
    """

    address: Address
    epoch: int = 0
    others: int | None = None

    @classmethod
    def parse(cls, state: list[bytes], address: list[bytes]) -> Sighting:
        """Read the replies to SENTINEL MASTER (possibly empty) and GET-MASTER-ADDR-BY-NAME."""
        host, port = address
        words: Any = iter(state)
        fields = dict(zip(words, words, strict=True))
        others = fields.get(b"num-other-sentinels")
        return cls(
            (host.decode(), int(port)),
            int(fields.get(b"config-epoch", 0)),
            None if others is None else int(others),
        )


class Sightings:
    """The last report of each Sentinel."""

    def __init__(self) -> None:
        self._epochs: dict[int, int] = {}

    def believes(self, number: int, sighting: Sighting) -> bool:
        """Record a report; return False if another Sentinel has last reported a higher epoch."""
        self._epochs[number] = sighting.epoch
        return sighting.epoch == max(self._epochs.copy().values())

    def forget(self, number: int) -> None:
        """Discard the last report of a Sentinel that does not answer."""
        self._epochs.pop(number, None)
