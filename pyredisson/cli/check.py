"""`pyredisson check NAME...`: says what is wrong with queues, and mends it when asked to.

Others may use the queues meanwhile.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from redis.exceptions import RedisClusterException, RedisError

from pyredisson import DelayedQueue, Finding, Redisson, RedissonError
from pyredisson.cli.clients import add_arguments, client_of
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.objects.finding import Orphans

__all__ = ["REFUSALS", "add_parser", "run"]

REFUSALS = (RedisError, RedisClusterException, RedissonError, ValueError, OSError)
"""What ends the command with a line instead of a traceback."""

_SHOWN = 60


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's words."""
    check = commands.add_parser(
        "check",
        help="say what is wrong with delayed queues, and mend it",
        description="Say what is wrong with delayed queues and with what consumers keep beside "
        "them. Ends with 0 when nothing is wrong (any more), with 1 otherwise.",
    )
    check.add_argument("names", nargs="+", metavar="NAME", help="the queue's name, as in Java")
    add_arguments(check)
    check.add_argument("--repair", action="store_true", help="mend it; without it nothing changes")
    check.add_argument(
        "--drop-orphans",
        action="store_true",
        help="a repair drops what stands in the timeout set alone, as Java's retainAll leaves it; "
        "without it, it is delivered at its time",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check, or repair and check again."""
    client, wrong = client_of(arguments), False
    with client, Redisson(client) as redisson:
        for name in arguments.names:
            queue = redisson.get_queue(name, codec=ByteArrayCodec())
            found = _look(redisson.get_delayed_queue(queue, transfer=False), arguments)
            _show(name, found)
            wrong = wrong or bool(found)
    return int(wrong)


def _look(delayed: DelayedQueue[bytes], arguments: argparse.Namespace) -> Sequence[Finding]:
    """Return what is wrong, after the repair that was asked for."""
    if arguments.repair:
        orphans: Orphans = "drop" if arguments.drop_orphans else "deliver"
        for each in delayed.repair(dry_run=False, orphans=orphans):
            print(f"mended {each.kind} of {each.key}: {each.count}")
    return delayed.check()


def _show(name: str, found: Sequence[Finding]) -> None:
    print(f"{name!r}: {len(found) or 'nothing'} wrong")
    for each in found:
        print(f"{each.kind} of {each.key}: {each.count}; {each.text}")
        for example in each.examples:
            print(f"    {example[:_SHOWN]!r}{'...' if len(example) > _SHOWN else ''}")
    if repairable := sum(each.repairable for each in found):
        print(f"{name!r}: --repair mends {repairable} of {len(found)}")
