"""Free ports, outside the range from which the system takes ports for outgoing connections.

A port from that range could be taken by somebody's connection while a server restarts on it.
"""

import random
import socket

_RANGE = range(12_000, 22_000)
_BUS_OFFSET = 10_000


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
        port = random.choice(_RANGE)
        if is_free(port) and is_free(port + _BUS_OFFSET):
            return port
    raise OSError("no free port found")
