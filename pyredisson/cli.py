"""The command line: `pyredisson transfer NAME...` and `pyredisson schema JAR CLASS`.

`transfer` moves due items, for any language's queues: a sidecar that needs neither the
codec nor the program that offers or takes; any number of them may run for the same
queues, beside Java's.  `schema` writes Python classes from Java's class files.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from types import FrameType

from redis import Redis, RedisCluster
from redis.exceptions import RedisClusterException, RedisError

from pyredisson import Redisson, RedissonError, __version__, schema_command
from pyredisson.codecs import ByteArrayCodec

__all__ = ["main"]

_URL = "redis://127.0.0.1:6379/0"

log = logging.getLogger("pyredisson")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pyredisson", description="Redisson's delayed queues without a JVM."
    )
    parser.add_argument("--version", action="version", version=f"pyredisson {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
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
    schema_command.add_parser(commands)
    return parser


def _transfer(arguments: argparse.Namespace) -> int:
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


def _schema(arguments: argparse.Namespace) -> int:
    try:
        return schema_command.run(arguments)
    except (ValueError, OSError) as error:
        print(f"pyredisson: {error}", file=sys.stderr)
        return 1


def main(words: Sequence[str] | None = None) -> int:
    """Run a command; 0 when it ended well, 1 when the server, a queue or a file refused."""
    arguments = _parser().parse_args(words)
    if arguments.command == "schema":
        return _schema(arguments)
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    try:
        return _transfer(arguments)
    except (RedisError, RedisClusterException, RedissonError, ValueError, OSError) as error:
        print(f"pyredisson: {error}", file=sys.stderr)
        return 1
