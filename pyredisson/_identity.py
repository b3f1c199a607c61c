"""How this process is called where somebody looks at the server: its connections, its consumers."""

from __future__ import annotations

import itertools
import os
import re
import socket
from collections.abc import Callable
from functools import cache, partial

from pyredisson.protocol.objects.in_flight import require_name

__all__ = ["connection_name", "consumer_namer"]

_numbers = itertools.count(1)


@cache
def _host() -> str:
    """Return the name of this machine, in what Redis allows in the name of a connection."""
    return re.sub(r"[^!-~]", "-", socket.gethostname()) or "localhost"


def connection_name() -> str:
    """Return what a connection of this process is called."""
    return f"pyredisson:{_host()}:{os.getpid()}"


def consumer_namer(given: str | None) -> Callable[[], str]:
    """Return what tells how a consumer is called; by default another name in a forked child.

    Raises:
        TypeError, ValueError: a name that none can have.
    """
    if given is not None:
        return partial(str, require_name(given))
    number = next(_numbers)
    return lambda: f"{_host()}:{os.getpid()}:{number}"
