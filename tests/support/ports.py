"""Free ports, outside the range from which the system takes ports for outgoing connections.

Another connection could take a port from that range while a server restarts on it.
Rule: a process returns each port once, until it has used all. Each process has its own share of the
range, also beside other test runs: it locks the share's file. The kernel releases the lock when the
process ends.
"""

import atexit
import random
import socket
from collections.abc import Iterator
from itertools import cycle

from tests.support.machine import lock_one_of

_RANGE = range(12_000, 22_000)
_SHARES = 32
_BUS_OFFSET = 10_000


def _shuffled() -> Iterator[int]:
    """Yield the ports of a free share in random order, or of the whole range if none is free."""
    shares = [f"ports-{number}" for number in range(_SHARES)]
    found = lock_one_of(random.sample(shares, _SHARES))
    share = _RANGE
    if found is not None:
        name, file = found
        atexit.register(file.close)
        share = _RANGE[shares.index(name) :: _SHARES]
    yield from cycle(random.sample(share, len(share)))


_ports = _shuffled()


def is_free(port: int) -> bool:
    """Return whether a server could listen on ``port`` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """Return a free port; the port 10,000 above it, a cluster node's bus, is also free."""
    for _ in range(1000):
        port = next(_ports)
        if is_free(port) and is_free(port + _BUS_OFFSET):
            return port
    raise OSError("no free port found")
