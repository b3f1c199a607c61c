"""What Sentinels say of a master, and which of them to believe.

They number what they agree on (config-epoch): a failover raises the number, and a Sentinel
that has not heard of it yet has a lower one.  The rule: who says less than another said
last is not believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.kernel.cluster import Address

__all__ = ["CHANNELS", "Sighting", "Sightings"]

CHANNELS = ("+switch-master", "+promoted-slave")
"""What Sentinels publish when they name another master; one of them says the second before."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one Sentinel said.

    Attributes:
        address: where the master is.
        epoch: the number of the agreement on it; 0 when the Sentinel keeps it to itself.
        others: how many other Sentinels it knows; None likewise.
    """

    address: Address
    epoch: int = 0
    others: int | None = None

    @classmethod
    def parse(cls, state: list[bytes], address: list[bytes]) -> Sighting:
        """Read the replies to SENTINEL MASTER (it may be empty) and GET-MASTER-ADDR-BY-NAME."""
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
    """What each Sentinel said last."""

    def __init__(self) -> None:
        self._epochs: dict[int, int] = {}

    def believes(self, number: int, sighting: Sighting) -> bool:
        """Tell whether a Sentinel is up to date, as far as the others have said."""
        self._epochs[number] = sighting.epoch
        return sighting.epoch == max(self._epochs.copy().values())

    def forget(self, number: int) -> None:
        """A Sentinel does not answer: what it said last counts no more."""
        self._epochs.pop(number, None)
