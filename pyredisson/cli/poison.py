"""`pyredisson poison`: shows what could not be decoded, requeues and drops it."""

from __future__ import annotations

from typing import Any

import click

from pyredisson import PoisonList, Redisson
from pyredisson.admin.items import document_of_item, page_of_items
from pyredisson.admin.poison import requeue_all
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.choice import ALL, YES, confirmed, require
from pyredisson.cli.items import text_of_item
from pyredisson.cli.options import Session, on_server
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.kernel.replies import readable

__all__ = ["poison"]

_ALLOWED = {
    "list": ("--limit", "--after"),
    "requeue": ("--value", "--limit", "--all", "--yes", "--include-undecodable"),
    "drop": ("--value", "--limit", "--all", "--yes"),
}
_DONE = {"requeue": "requeued", "drop": "dropped"}


class _Hex(click.ParamType[bytes]):
    """Bytes in hex."""

    name = "hex"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> bytes:
        """Return the bytes."""
        try:
            return value if isinstance(value, bytes) else bytes.fromhex(value)
        except ValueError:
            self.fail(f"{value!r} is not hex, as `list` shows it", param, ctx)


@click.command()
@click.argument("name")
@click.argument("action", type=click.Choice(tuple(_ALLOWED)))
@click.option("--value", type=_Hex(), metavar="HEX", help="One value with these bytes.")
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    help="At most so many, the oldest first; of `list` 50 by default.",
)
@click.option("--after", metavar="CURSOR", help="List the page after this cursor.")
@click.option(
    "--include-undecodable", is_flag=True, help="Requeue also what --codec cannot decode."
)
@ALL
@YES
@on_server(codec=True)
def poison(session: Session, name: str, action: str, **given: Any) -> int:
    """List what could not be decoded, requeue or drop it.

    `requeue` moves values to the head of the queue, in their order. With --codec it moves only what
    that codec can decode now; without it, all that is chosen, which comes back here if consumers
    still cannot decode it. `drop` deletes for good. Both need a choice: --value, --limit or --all.

    Exit codes: 0 done; 1 nothing matched, or the answer was no; 2 it could not be asked.

    Examples:
      pyredisson poison orders list
      pyredisson poison orders requeue --all --codec json
      pyredisson poison orders drop --value fffe00
    """
    options = {
        "--value": given["value"] is not None,
        "--limit": given["limit"] is not None,
        "--after": given["after"] is not None,
        "--include-undecodable": given["include_undecodable"],
        "--all": given["every"],
        "--yes": given["yes"],
    }
    require(action, options, _ALLOWED[action])
    if action == "list":
        return _list(session, name, given["limit"] or 50, given["after"])
    if sum(options[each] for each in ("--value", "--limit", "--all")) != 1:
        raise click.UsageError(f"choose what to {action}: --value, --limit or --all")
    question = f"{action.capitalize()} all poison of {name!r}?"
    if given["every"] and not confirmed(session, question, yes=given["yes"]):
        session.output.say("nothing was changed")
        return NO
    with session.connected() as redisson:
        count = (_requeue if action == "requeue" else _drop)(session, redisson, name, given)
    session.output.document({"queue": name, _DONE[action]: count})
    nothing = f"nothing {_DONE[action]}: {name!r} has no such poison"
    if action == "requeue" and session.codec_name and not given["include_undecodable"]:
        nothing += " that this codec can decode"
    session.output.say(f"{_DONE[action]} {count} of {name!r}" if count else nothing)
    return DONE if count else NO


def _requeue(session: Session, redisson: Redisson, name: str, given: dict[str, Any]) -> int:
    codec = session.codec if session.codec_name else ByteArrayCodec()
    include = given["include_undecodable"]
    if given["every"]:
        return requeue_all(redisson, name, codec, include_undecodable=include)
    raw: bytes | None = given["value"]
    if raw is not None and not include and readable(codec, raw)[1] is not None:
        return 0
    found = redisson.get_poison_list(redisson.get_queue(name, codec=codec))
    return found.requeue(given["limit"], raw=raw, include_undecodable=include)


def _drop(_session: Session, redisson: Redisson, name: str, given: dict[str, Any]) -> int:
    queue = redisson.get_queue(name, codec=ByteArrayCodec())
    found: PoisonList[bytes] = redisson.get_poison_list(queue)
    return found.drop(given["limit"], raw=given["value"])


def _list(session: Session, name: str, limit: int, after: str | None) -> int:
    with session.connected() as redisson:
        page = page_of_items(
            redisson, name, session.reading_codec, "poison", limit=limit, after=after
        )
    found = [document_of_item(each) for each in page.items]
    session.output.document({"queue": name, "items": found, "next": page.next})
    if not found:
        session.output.say(f"{name!r} has no {'further ' if after else ''}poison")
        return NO
    rows = [[each.raw.hex(), text_of_item(each)] for each in page.items]
    session.output.table(("bytes", "value"), rows)
    if page.next is not None:
        session.output.say(f"more: --after {page.next}")
    return DONE
