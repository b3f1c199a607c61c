"""`pyredisson repair`: shows what it would repair, and repairs it after a yes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from pyredisson import Finding
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.check import document_of
from pyredisson.cli.options import Session, on_server
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.checks.finding import Orphans

__all__ = ["repair"]


@click.command()
@click.argument("name")
@click.option("--yes", is_flag=True, help="Repair without a question.")
@click.option(
    "--drop-orphans",
    is_flag=True,
    help="Drop entries that are only in the timeout set, as Java's retainAll leaves them; without "
    "this option they are delivered when they are due.",
)
@on_server()
def repair(session: Session, name: str, yes: bool, drop_orphans: bool) -> int:
    """Repair the problems that `check` reports, while others use the queue.

    It shows its plan first, and asks for a yes on a terminal; elsewhere give --yes. No item is
    dropped without --drop-orphans, and a repair that was killed can be repeated.

    Exit codes: 0 no problem remains; 1 some remain, or the answer was no; 2 it could not be asked.

    Examples:
      pyredisson repair orders
      pyredisson repair orders --yes --json
    """
    orphans: Orphans = "drop" if drop_orphans else "deliver"
    with session.connected() as redisson:
        queue = redisson.get_queue(name, codec=ByteArrayCodec())
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        plan = delayed.repair(dry_run=True, orphans=orphans)
        work = [each for each in plan if each.repairable]
        done: Sequence[Finding] = []
        if work:
            _show(session, f"{name!r}: would repair", work)
            if not (yes or _answered(session)):
                session.output.document(_document(name, [], plan))
                session.output.say("nothing was changed")
                return NO
            done = [
                each for each in delayed.repair(dry_run=False, orphans=orphans) if each.repairable
            ]
            _show(session, f"{name!r}: repaired", done)
        remaining = delayed.check()
    session.output.document(_document(name, done, remaining))
    _show(session, f"{name!r}: remains", remaining)
    if not work and not remaining:
        session.output.say(f"{name!r}: no problems")
    return NO if remaining else DONE


def _answered(session: Session) -> bool:
    if session.output.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("repair asks on a terminal only: give --yes to repair")
    return click.confirm("Repair?")


def _document(name: str, done: Sequence[Finding], remaining: Sequence[Finding]) -> dict[str, Any]:
    return {
        "queue": name,
        "findings": [document_of(each) for each in done],
        "remaining": [document_of(each) for each in remaining],
    }


def _show(session: Session, what: str, found: Sequence[Finding]) -> None:
    for each in found:
        session.output.say(f"{what}: {each.kind} of {each.key}: {each.count}; {each.text}")
