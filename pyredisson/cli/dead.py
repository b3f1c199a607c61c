"""`pyredisson dead`: shows dead letters, redrives and drops them."""

from __future__ import annotations

from typing import Any, Literal

import click

from pyredisson import DeadLetter, Redisson
from pyredisson.admin.dead import letter_with_id, letters_of, page_of_letters, settle_by_reason
from pyredisson.admin.json_values import iso, jsonable_or_none, text_of
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.choice import ALL, YES, confirmed, require
from pyredisson.cli.options import Session, on_server

__all__ = ["dead"]

_ALLOWED = {
    "list": ("--reason", "--limit", "--after"),
    "show": ("ID", "--id"),
    "redrive": ("--id", "--reason", "--limit", "--all", "--yes"),
    "drop": ("--id", "--reason", "--limit", "--all", "--yes"),
}
_DONE = {"redrive": "redriven", "drop": "dropped"}


@click.command()
@click.argument("name")
@click.argument("action", type=click.Choice(tuple(_ALLOWED)))
@click.argument("letter_id", metavar="[ID]", required=False)
@click.option("--id", "ids", metavar="ID", multiple=True, help="This letter; can be repeated.")
@click.option("--reason", metavar="TEXT", help="Letters whose reason contains this text.")
@click.option(
    "--limit",
    type=click.IntRange(1),
    help="At most so many, those that failed first; of `list` 50 by default.",
)
@click.option("--after", metavar="CURSOR", help="List the page after this cursor.")
@ALL
@YES
@on_server(codec=True)
def dead(session: Session, name: str, action: str, **given: Any) -> int:
    """List dead letters, show one, redrive or drop them.

    A dead letter is a message that is no longer delivered, with the reason. `redrive` moves letters
    to the tail of their queue, where they start again with attempt 1. `drop` deletes them for good.
    Both need a choice: --id, --reason, --limit or --all.

    Exit codes: 0 done; 1 no such letter, or the answer was no; 2 it could not be asked.

    Examples:
      pyredisson dead orders list
      pyredisson dead orders show 0193f2...
      pyredisson dead orders redrive --reason ConnectionError
      pyredisson dead orders drop --limit 100
    """
    letter_id: str | None = given["letter_id"]
    ids: tuple[str, ...] = given["ids"]
    options = {
        "ID": letter_id is not None,
        "--id": bool(ids),
        "--reason": given["reason"] is not None,
        "--limit": given["limit"] is not None,
        "--after": given["after"] is not None,
        "--all": given["every"],
        "--yes": given["yes"],
    }
    require(action, options, _ALLOWED[action])
    if action == "list":
        return _list(session, name, given["reason"], given["limit"] or 50, given["after"])
    if action == "show":
        named = [*([letter_id] if letter_id else []), *ids]
        if len(named) != 1:
            raise click.UsageError("`show` needs the ID of one letter, as `list` shows it")
        return _show(session, name, named[0])
    _check_choice(action, options)
    if given["every"] and not confirmed(session, _question(name, action, given), yes=given["yes"]):
        session.output.say("nothing was changed")
        return NO
    with session.connected() as redisson:
        count = _settle(redisson, name, action, given)
    session.output.document({"queue": name, _DONE[action]: count})
    session.output.say(
        f"{_DONE[action]} {count} of {name!r}" if count else f"{name!r} has no such dead letter"
    )
    return DONE if count else NO


def _check_choice(action: str, given: dict[str, bool]) -> None:
    others = [each for each in ("--reason", "--limit", "--all") if given[each]]
    if not others and not given["--id"]:
        raise click.UsageError(f"choose what to {action}: --id, --reason, --limit or --all")
    if given["--id"] and others:
        raise click.UsageError(f"give either --id or {others[0]}")
    if given["--all"] and given["--limit"]:
        raise click.UsageError("give either --all or --limit")


def _question(name: str, action: str, given: dict[str, Any]) -> str:
    which = f" whose reason contains {given['reason']!r}" if given["reason"] is not None else ""
    end = " for good" if action == "drop" else ""
    return f"{action.capitalize()} all dead letters of {name!r}{which}{end}?"


def _settle(redisson: Redisson, name: str, action: str, given: dict[str, Any]) -> int:
    if given["reason"] is not None:
        verb: Literal["redrive", "drop"] = "drop" if action == "drop" else "redrive"
        return settle_by_reason(redisson, name, given["reason"], verb, given["limit"])
    letters = letters_of(redisson, name)
    settle = letters.drop if action == "drop" else letters.redrive
    if ids := given["ids"]:
        return sum(settle(id=each) for each in ids)
    return settle(given["limit"])


def _list(session: Session, name: str, reason: str | None, limit: int, after: str | None) -> int:
    with session.connected() as redisson:
        page = page_of_letters(
            redisson, name, session.reading_codec, reason=reason, limit=limit, after=after
        )
    found = [_document(each) for each in page.letters]
    session.output.document({"queue": name, "letters": found, "next": page.next})
    if not found:
        which = " with this reason" if reason is not None else ""
        session.output.say(f"{name!r} has no {'further ' if after else ''}dead letters{which}")
        return NO
    columns = ("failed", "id", "attempts", "reason", "text")
    rows = [[each["failed_at"], *(each[column] for column in columns[1:])] for each in found]
    session.output.table(columns, rows, right=("attempts",), cut=("reason", "text"))
    if page.next is not None:
        session.output.say(f"more: --after {page.next}")
    return DONE


def _show(session: Session, name: str, letter_id: str) -> int:
    with session.connected() as redisson:
        letter = letter_with_id(redisson, name, session.reading_codec, letter_id)
    found = [] if letter is None else [_document(letter)]
    session.output.document({"queue": name, "letters": found, "next": None})
    if letter is None:
        session.output.say(f"{name!r} has no dead letter {letter_id}")
        return NO
    if not session.output.json:
        rows = found[0] | {
            "first_received_at": iso(letter.first_received_at),
            "received_at": iso(letter.received_at),
            "bytes": letter.raw.hex(),
        }
        for label in ("id", "reason", "attempts", "first_received_at", "received_at", "failed_at"):
            session.output.say(f"{label}: {rows[label]}")
        for label in ("text", "error", "bytes"):
            if label in rows:
                session.output.say(f"{label}: {rows[label]}")
        for line in (letter.traceback or "no traceback").splitlines():
            session.output.say(line)
    return DONE


def _document(letter: DeadLetter[Any]) -> dict[str, Any]:
    value = jsonable_or_none(letter.value)
    shown = letter.value if value is None else value
    found = {
        "id": letter.id,
        "value": value,
        "text": text_of(shown) if letter.error is None else letter.raw.hex(),
        "reason": letter.reason,
        "attempts": letter.attempts,
        "failed_at": iso(letter.failed_at),
        "traceback": letter.traceback,
    }
    return found if letter.error is None else found | {"error": str(letter.error)}
