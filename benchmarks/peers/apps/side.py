"""The side channel: for each task a worker appends its number and the time to a file.

A write to a file opened for appending is whole, however many threads and processes write. It costs
2 us, and does not use the measured Redis.
"""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime

URL = os.environ["PEERS_URL"]

_file = os.open(os.environ["PEERS_RECEIVED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)


def received(number: int) -> None:
    """Be the task: note when it runs."""
    os.write(_file, b"%d %.6f\n" % (number, time.time()))


def moment(due: float) -> datetime:
    """Return the time as the aware datetime that most of the peers take."""
    return datetime.fromtimestamp(due, UTC)
