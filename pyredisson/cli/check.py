"""`pyredisson check NAME...`: reports problems of queues, and repairs them if asked to.

Other programs may use the queues meanwhile. Exit codes: 0 no problems; 1 there are problems; 2 it
could not be asked. Notes are printed, and do not change the exit code.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from pyredisson import DelayedQueue, Finding, Redisson
from pyredisson.cli.clients import Place
from pyredisson.cli.server_options import REFUSALS, add_arguments
from pyredisson.cli.service import Service, service_of
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.checks.finding import Orphans

__all__ = ["REFUSALS", "add_parser", "document_of", "run"]

_SHOWN = 60


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its arguments."""
    check = commands.add_parser(
        "check",
        help="report problems of delayed queues, and repair them",
        description="Report problems of delayed queues and of the keys that consumers use beside "
        "them, and overdue items that no task transfers. Notes are no problems: a paused queue, a "
        "name that does not exist, dead letters, poison, and the like. Exit codes: 0 if there are "
        "no problems (after a repair, no remaining ones), 1 if there are problems, 2 if it could "
        "not be asked (stderr says why).",
    )
    check.add_argument("names", nargs="+", metavar="NAME", help="the queue's name, as in Java")
    add_arguments(check)
    check.add_argument(
        "--repair",
        action="store_true",
        help="repair the problems; without this option nothing is changed",
    )
    check.add_argument(
        "--drop-orphans",
        action="store_true",
        help="a repair drops entries that are only in the timeout set, as Java's retainAll leaves "
        "them; without this option they are delivered when they are due",
    )

    check.add_argument(
        "--json",
        action="store_true",
        help="print one JSON document to stdout, and all else to stderr",
    )


def document_of(finding: Finding) -> dict[str, Any]:
    """Return what JSON says of a finding."""
    return {
        "kind": str(finding.kind),
        "key": finding.key,
        "count": finding.count,
        "text": finding.text,
        "examples": [each.hex() for each in finding.examples],
        "repairable": finding.repairable,
    }


def run(arguments: argparse.Namespace) -> int:
    """Check, or repair and check again."""
    place = Place.of(vars(arguments))
    with place.with_remedy():
        return _check(place, arguments)


def _check(place: Place, arguments: argparse.Namespace) -> int:
    client, wrong = place.client(), False
    people, rows = sys.stderr if arguments.json else sys.stdout, []
    with client, Redisson(client) as redisson:
        for name in arguments.names:
            queue = redisson.get_queue(name, codec=ByteArrayCodec())
            delayed = redisson.get_delayed_queue(queue, transfer=False)
            found = _findings(delayed, arguments, people)
            seen = service_of(redisson, client, name)
            _show(name, found, seen, people)
            rows.append({"queue": name, "findings": _rows(found, seen)})
            wrong = wrong or bool(found or seen.wrong)
    if arguments.json:
        print(json.dumps(rows[0] if len(rows) == 1 else {"queues": rows}))
    return int(wrong)


def _rows(found: Sequence[Finding], seen: Service) -> list[dict[str, Any]]:
    rows = [document_of(each) for each in found]
    for each in seen.wrong:
        row: dict[str, Any] = {"kind": "overdue", "key": None, "count": None, "text": each}
        rows.append(row | {"examples": [], "repairable": False})
    return rows


def _findings(
    delayed: DelayedQueue[bytes], arguments: argparse.Namespace, people: TextIO
) -> Sequence[Finding]:
    """Repair if requested, and return the remaining problems."""
    if arguments.repair:
        orphans: Orphans = "drop" if arguments.drop_orphans else "deliver"
        for each in delayed.repair(dry_run=False, orphans=orphans):
            print(f"repaired {each.kind} of {each.key}: {each.count}", file=people)
    return delayed.check()


def _show(name: str, found: Sequence[Finding], seen: Service, people: TextIO) -> None:
    lines = []
    if count := len(found) + len(seen.wrong):
        lines.append(f"{name!r}: {count} {'problem' if count == 1 else 'problems'}")
    elif seen.exists:
        lines.append(f"{name!r}: no problems")
    lines += [f"{name!r}: {note}" for note in seen.notes]
    lines += seen.wrong
    for each in found:
        lines.append(f"{each.kind} of {each.key}: {each.count}; {each.text}")
        for example in each.examples:
            lines.append(f"    {example[:_SHOWN]!r}{'...' if len(example) > _SHOWN else ''}")
    if repairable := sum(each.repairable for each in found):
        lines.append(f"{name!r}: --repair repairs {repairable} of {count}")
    print("".join(f"{line}\n" for line in lines), end="", file=people)
