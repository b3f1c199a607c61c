"""`pyredisson transfer NAME...`: transfers due items of queues, whichever language uses them.

A sidecar that needs neither the codec nor the program that offers or takes. Any number of them may
run for the same queues, also beside Java. If Redis is down when it starts, it waits for Redis.
"""

from __future__ import annotations

import argparse
import logging
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from pyredisson import Hooks, Queue, Redisson
from pyredisson._runtime.concurrency import Event
from pyredisson._sync.waits.slices import is_transient
from pyredisson._transport.connections import refuses_tls
from pyredisson._transport.errors import WrongClientError
from pyredisson.cli.clients import Place
from pyredisson.cli.endpoints import Endpoints, Health
from pyredisson.cli.server_options import REFUSALS, add_arguments
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.server_errors import AuthenticationError, ReplyError

__all__ = ["REFUSALS", "add_parser", "run"]

_LONGEST_PAUSE = 5.0
_CHECK_SECONDS = 1.0


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its arguments."""
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
        help="maximum time between checks without a notification (default: %(default)s)",
    )
    transfer.add_argument(
        "--metrics",
        metavar="[HOST:]PORT",
        help="export metrics for Prometheus at this port, on all interfaces without HOST",
    )
    transfer.add_argument(
        "--health",
        metavar="[HOST:]PORT",
        help="answer /livez and /readyz at this port, on all interfaces without HOST; --metrics "
        "may have the same port",
    )
    transfer.add_argument("--verbose", action="store_true", help="log at level DEBUG")


class _Stop(Event):
    """The request to stop, which a signal makes for good."""

    requested = False

    def set(self) -> None:
        """Request the stop."""
        self.requested = True
        super().set()


def run(arguments: argparse.Namespace) -> int:
    """Transfer until SIGINT or SIGTERM."""
    logging.basicConfig(
        level=logging.DEBUG if arguments.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(message)s",
    )
    place = Place.of(vars(arguments))
    endpoints = Endpoints(Health(place))
    hooks = None if arguments.metrics is None else endpoints.serve_metrics(arguments.metrics)
    if arguments.health is not None:  # last: a probe succeeds only when the others can be asked
        endpoints.serve_health(arguments.health)
    stop = _Stop()

    def ask_to_stop(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, ask_to_stop)
    with place.with_remedy():
        _wait_and_transfer(endpoints.health, arguments, stop, hooks)
    return 0


def _wait_and_transfer(
    health: Health, arguments: argparse.Namespace, stop: _Stop, hooks: Hooks | None
) -> None:
    """Wait until Redis can be reached, then transfer."""
    place, backoff = Place.of(vars(arguments)), Pauses(longest=_LONGEST_PAUSE)
    is_logged = False
    while not stop.requested:
        try:
            _transfer(health, arguments, stop, hooks)
        except REFUSALS as error:
            if not _is_down(error):
                raise
            if not is_logged:
                print(f"pyredisson: waiting for {place}: {error}", file=sys.stderr, flush=True)
                is_logged = True
            stop.wait(backoff.pause())


def _transfer(
    health: Health, arguments: argparse.Namespace, stop: _Stop, hooks: Hooks | None
) -> None:
    """Transfer until `stop`; raise if Redis cannot be reached at the start."""
    client = Place.of(vars(arguments)).client()
    interval = arguments.safety_interval
    with client, Redisson(client, safety_interval=interval, hooks=hooks) as redisson:
        queues = [redisson.get_queue(name, codec=ByteArrayCodec()) for name in arguments.names]
        for queue in queues:  # first: a background task would only log the failure
            redisson.get_delayed_queue(queue, transfer=False).size()
        for queue in queues:
            pending = redisson.get_delayed_queue(queue).size()
            print(f"transferring {queue.name!r}: {pending} pending", flush=True)
        health.redisson = redisson
        while not stop.requested:
            redisson._context.ensure_running()  # a task that has died starts again
            if any(each.refused for each in redisson.transfer_stats()):
                _end_after_move(redisson, queues)
            stop.wait(_CHECK_SECONDS)
        health.redisson = None
    for done in redisson.transfer_stats():  # after the close, so no run is still in progress
        print(
            f"stopped {done.queue!r}: {done.runs} transfers, {done.failures} failures, "
            f"{done.poisoned} poisoned entries"
        )


def _end_after_move(redisson: Redisson, queues: Sequence[Queue[bytes]]) -> None:
    """Raise if a queue's slot has moved to another node of a cluster; no other error ends it."""
    for queue in queues:
        try:
            redisson.get_delayed_queue(queue, transfer=False).size()
        except WrongClientError:
            raise
        except REFUSALS:
            continue


def _is_down(error: BaseException) -> bool:
    """Return whether the error may pass, such as a server that is down; a rejection does not."""
    cause = error.__cause__
    if isinstance(cause, (AuthenticationError, ReplyError)) or refuses_tls(error):
        return False
    return is_transient(error)
