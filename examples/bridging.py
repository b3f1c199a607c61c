"""Runs a bridge and a task queue's worker until they have handled some orders."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

from pyredisson import Redisson
from pyredisson.codecs import StringCodec

BRIDGE = [
    *(sys.executable, "-m", "pyredisson", "worker", "bridge:hand_over", "unpaid"),
    *("--codec", "string", "--pass-message"),
]


def demo(worker: list[str], bridge: list[str]) -> None:
    """Offer three orders, and print the lines of the worker about them.

    Args:
        worker: the module of the task queue, with its arguments.
        bridge: the command that hands orders over.
    """
    tasks = subprocess.Popen(
        [sys.executable, "-m", *worker],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    handing = subprocess.Popen(bridge, stderr=subprocess.DEVNULL)
    limit = threading.Timer(60, tasks.kill)
    limit.start()
    try:
        with Redisson.from_url(os.environ["PYREDISSON_URL"], codec=StringCodec()) as redisson:
            delayed = redisson.get_delayed_queue(redisson.get_queue("unpaid"), transfer=False)
            for number in (1, 2, 3):
                delayed.offer(f"order-{number}", delay=number)
                print(f"order-{number}: to pay within {number} s", flush=True)
        left, lines = 3, []
        assert tasks.stdout is not None
        for line in tasks.stdout:
            lines.append(line)
            if ": not paid in time" in line:
                print(line[line.index("order-") :].rstrip(), flush=True)
                left -= 1
            if not left:
                return
        sys.exit(f"the worker has ended:\n{''.join(lines)}")
    finally:
        limit.cancel()
        for process in (handing, tasks):
            process.terminate()
        for process in (handing, tasks):
            process.wait()
