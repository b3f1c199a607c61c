"""Free ports, outside the range from which the system takes ports for outgoing connections.

A port from that range could be taken by somebody's connection while a server restarts on it.
Rule: no port is named twice, and the processes of a run have each their own share of the range.
"""

import os
import random
import socket
from collections.abc import Iterator
from itertools import cycle

_RANGE = range(12_000, 22_000)
_BUS_OFFSET = 10_000


def _shuffled() -> Iterator[int]:
    count = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    share = _RANGE[number % count :: count]
    return cycle(random.sample(share, len(share)))


_ports = _shuffled()


def is_free(port: int) -> bool:
    """Whether a server could listen on ``port`` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port that is free now; so is the one 10,000 above it, a cluster node's bus."""
    for _ in range(1000):
        port = next(_ports)
        if is_free(port) and is_free(port + _BUS_OFFSET):
            return port
    raise OSError("no free port found")
