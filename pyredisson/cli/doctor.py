"""`pyredisson doctor`: why nothing arrives, with the command that repairs each problem."""

from __future__ import annotations

from dataclasses import asdict

import click

from pyredisson.admin.doctor.diagnose import examine
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.options import Session, on_server

__all__ = ["doctor"]

_STYLES = {"error": "bold red", "warning": "yellow", "info": "cyan"}


@click.command()
@click.argument("name")
@on_server(codec=True)
def doctor(session: Session, name: str) -> int:
    """Find out why nothing arrives, or why something may soon not.

    It looks at the queue's keys, its transfer tasks, its consumers, its values, clocks, the server
    and the permissions of the user, changes nothing, and reads at most some thousand items. Each
    finding has the command that repairs it. With --codec or --release it also checks whether that
    codec reads the values.

    Exit codes: 0 nothing wrong; 1 there are errors or warnings; 2 it could not be asked.

    Examples:
      pyredisson doctor orders
      pyredisson doctor orders --codec json --json
    """
    output = session.output
    expected = session.codec if session.codec_name or session.release else None
    with session.connected() as redisson:
        found = examine(redisson, name, expected)
    rows = [asdict(each) | {"docs": each.docs} for each in found.findings]
    for note in found.notes:
        output.note(f"{name!r}: {note}")
    output.document({"queue": name, "findings": rows})
    for each in found.findings:
        output.say(f"{each.severity}: {each.kind}", _STYLES[each.severity])
        output.say(f"  {each.text}")
        if each.remedy:
            output.say(f"  repair: {each.remedy}")
        output.say(f"  read: {each.docs}")
    if not found.findings:
        output.say(f"{name!r}: nothing is wrong")
        for line in found.looked_at:
            output.say(f"  looked at {line}")
    return NO if any(each.severity != "info" for each in found.findings) else DONE
