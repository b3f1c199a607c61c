"""`pyredisson transfer NAME...`: moves what is due, for any language's queues.

A sidecar that needs neither the codec nor the program that offers or takes; any number of
them may run for the same queues, beside Java's.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import threading
from types import FrameType

from redis import Redis, RedisCluster
from redis.exceptions import RedisClusterException, RedisError

from pyredisson import Redisson, RedissonError
from pyredisson.codecs import ByteArrayCodec

__all__ = ["REFUSALS", "add_parser", "run"]

_URL = "redis://127.0.0.1:6379/0"

REFUSALS = (RedisError, RedisClusterException, RedissonError, ValueError, OSError)
"""What ends the command with a line instead of a traceback."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's words."""
    transfer = commands.add_parser(
        "transfer",
        help="move due items of delayed queues to their target queues until stopped",
        description="Move due items of delayed queues to their target queues until stopped "
        "(Ctrl-C or SIGTERM). Safe to run several times, and beside Java's own transfers.",
    )
    transfer.add_argument("names", nargs="+", metavar="NAME", help="the queue's name, as in Java")
    transfer.add_argument(
        "--url",
        default=os.environ.get("PYREDISSON_URL", _URL),
        help=f"redis://, rediss:// or unix:// (default: $PYREDISSON_URL or {_URL})",
    )
    transfer.add_argument("--cluster", action="store_true", help="the URL is a cluster's node")
    transfer.add_argument(
        "--safety-interval",
        type=float,
        default=5.0,
        metavar="SECONDS",
        help="look at least so often, even when no notification comes (default: %(default)s)",
    )
    transfer.add_argument("--verbose", action="store_true", help="log every change of connection")


def run(arguments: argparse.Namespace) -> int:
    """Transfer until a signal says stop."""
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    stop = threading.Event()

    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask_to_stop)
    make = RedisCluster if arguments.cluster else Redis
    client = make.from_url(arguments.url)
    with client, Redisson(client, safety_interval=arguments.safety_interval) as redisson:
        for name in arguments.names:
            queue = redisson.get_queue(name, codec=ByteArrayCodec())
            delayed = redisson.get_delayed_queue(queue)
            print(f"transferring {name!r}: {delayed.size()} pending", flush=True)
        stop.wait()
    for done in redisson.transfer_stats():  # closed, so nothing is under way that would count
        print(
            f"stopped {done.queue!r}: {done.runs} transfers, {done.failures} failures, "
            f"{done.poisoned} poisoned members"
        )
    return 0
