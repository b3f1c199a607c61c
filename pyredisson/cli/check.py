"""`pyredisson check NAME...`: reports what is wrong with queues, and repairs it when asked to.

Others may use the queues meanwhile.  Exit codes: 0 nothing is wrong; 1 something is, or Redis
refuses; 2 the arguments are wrong.  What is only worth knowing is printed, and ends with 0.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from pyredisson import DelayedQueue, Finding, Redisson
from pyredisson.cli.clients import REFUSALS, add_arguments, client_of, telling_what_to_give
from pyredisson.cli.service import Service, look_at
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.checks.finding import Orphans

__all__ = ["REFUSALS", "add_parser", "run"]

_SHOWN = 60


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command's words."""
    check = commands.add_parser(
        "check",
        help="report what is wrong with delayed queues, and repair it",
        description="Say what is wrong with delayed queues and with what consumers keep beside "
        "them, and whether items are overdue because nobody transfers them. A queue that is "
        "paused, and a name that does not exist, are worth knowing and not wrong. Exit codes: 0 "
        "when nothing is wrong (any more), 1 when something is or Redis refuses (then stderr "
        "says why), 2 when the arguments are wrong.",
    )
    check.add_argument("names", nargs="+", metavar="NAME", help="the queue's name, as in Java")
    add_arguments(check)
    check.add_argument(
        "--repair", action="store_true", help="repair it; without it nothing changes"
    )
    check.add_argument(
        "--drop-orphans",
        action="store_true",
        help="a repair drops what stands in the timeout set alone, as Java's retainAll leaves it; "
        "without it, it is delivered at its time",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check, or repair and check again."""
    with telling_what_to_give(arguments):
        return _check(arguments)


def _check(arguments: argparse.Namespace) -> int:
    client, wrong = client_of(arguments), False
    with client, Redisson(client) as redisson:
        for name in arguments.names:
            queue = redisson.get_queue(name, codec=ByteArrayCodec())
            found = _look(redisson.get_delayed_queue(queue, transfer=False), arguments)
            seen = look_at(redisson, client, name)
            _show(name, found, seen)
            wrong = wrong or bool(found or seen.wrong)
    return int(wrong)


def _look(delayed: DelayedQueue[bytes], arguments: argparse.Namespace) -> Sequence[Finding]:
    """Return what is wrong, after the repair that was asked for."""
    if arguments.repair:
        orphans: Orphans = "drop" if arguments.drop_orphans else "deliver"
        for each in delayed.repair(dry_run=False, orphans=orphans):
            print(f"repaired {each.kind} of {each.key}: {each.count}")
    return delayed.check()


def _show(name: str, found: Sequence[Finding], seen: Service) -> None:
    if count := len(found) + len(seen.wrong):
        print(f"{name!r}: {count} wrong")
    elif seen.there:
        print(f"{name!r}: nothing wrong")
    for note in seen.notes:
        print(f"{name!r}: {note}")
    for wrong in seen.wrong:
        print(wrong)
    for each in found:
        print(f"{each.kind} of {each.key}: {each.count}; {each.text}")
        for example in each.examples:
            print(f"    {example[:_SHOWN]!r}{'...' if len(example) > _SHOWN else ''}")
    if repairable := sum(each.repairable for each in found):
        print(f"{name!r}: --repair repairs {repairable} of {count}")
