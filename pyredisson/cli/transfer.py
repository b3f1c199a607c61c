"""`pyredisson transfer NAME...`: moves what is due, for any language's queues.

A sidecar that needs neither the codec nor the program that offers or takes; any number of
them may run for the same queues, beside Java's.  One that starts before its Redis waits for it.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from types import FrameType

from pyredisson import Redisson
from pyredisson._runtime.concurrency import Event
from pyredisson._sync.waits.slices import passes
from pyredisson._transport.connections import refuses_tls
from pyredisson.cli.clients import (
    REFUSALS,
    add_arguments,
    client_of,
    place_of,
    telling_what_to_give,
)
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.server_errors import AuthenticationError, ReplyError

__all__ = ["REFUSALS", "add_parser", "run"]

_LONGEST_PAUSE = 5.0
_LONG = 3600.0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's words."""
    transfer = commands.add_parser(
        "transfer",
        help="move due items of delayed queues to their target queues until stopped",
        description="Move due items of delayed queues to their target queues until stopped "
        "(Ctrl-C or SIGTERM). Safe to run several times, and beside Java's own transfers.",
    )
    transfer.add_argument("names", nargs="+", metavar="NAME", help="the queue's name, as in Java")
    add_arguments(transfer)
    transfer.add_argument(
        "--safety-interval",
        type=float,
        default=5.0,
        metavar="SECONDS",
        help="look at least so often, even when no notification comes (default: %(default)s)",
    )
    transfer.add_argument("--verbose", action="store_true", help="log every change of connection")


class _Stop(Event):
    """What a signal says, once and for all."""

    heard = False

    def set(self) -> None:
        """Say it."""
        self.heard = True
        super().set()


def run(arguments: argparse.Namespace) -> int:
    """Transfer until a signal says stop."""
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    stop = _Stop()

    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask_to_stop)
    with telling_what_to_give(arguments):
        _transfer_once_it_is_there(arguments, stop)
    return 0


def _transfer_once_it_is_there(arguments: argparse.Namespace, stop: _Stop) -> None:
    """Transfer; wait for a Redis that is down."""
    place, backoff = place_of(arguments), Backoff(longest=_LONGEST_PAUSE)
    said = False
    while not stop.heard:
        try:
            _transfer(arguments, stop)
        except REFUSALS as error:
            if not _is_down(error):
                raise
            if not said:
                print(f"pyredisson: waiting for {place}: {error}", file=sys.stderr, flush=True)
                said = True
            stop.wait(backoff.pause())


def _transfer(arguments: argparse.Namespace, stop: _Stop) -> None:
    """Transfer, once Redis is there; raises when it is not."""
    client = client_of(arguments)
    with client, Redisson(client, safety_interval=arguments.safety_interval) as redisson:
        queues = [redisson.get_queue(name, codec=ByteArrayCodec()) for name in arguments.names]
        for queue in queues:  # before anything runs beside us and says that it failed
            redisson.get_delayed_queue(queue, transfer=False).size()
        for queue in queues:
            pending = redisson.get_delayed_queue(queue).size()
            print(f"transferring {queue.name!r}: {pending} pending", flush=True)
        while not stop.heard:
            stop.wait(_LONG)
    for done in redisson.transfer_stats():  # closed, so nothing is under way that would count
        print(
            f"stopped {done.queue!r}: {done.runs} transfers, {done.failures} failures, "
            f"{done.poisoned} poisoned members"
        )


def _is_down(error: BaseException) -> bool:
    """Tell whether Redis is not there (yet); what it refuses it refuses for good."""
    cause = error.__cause__
    if isinstance(cause, (AuthenticationError, ReplyError)) or refuses_tls(error):
        return False
    return passes(error)
