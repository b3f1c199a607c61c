"""Task queues of Python beside pyredisson: how late, how cheap to offer, how fast to drain.

Code that runs in the peers' own environments (`client`, `apps`) imports nothing of the suite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from benchmarks.measure import Bench

NAME = "peers"


def run(bench: Bench) -> None:
    """Measure every peer in each of its settings; one that fails is reported and left out."""
    from benchmarks.peers.part import measure  # noqa: PLC0415 - see above

    measure(bench)
