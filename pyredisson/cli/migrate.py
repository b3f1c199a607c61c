"""`pyredisson migrate NAME`: items in another format, codec, queue or server."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

from pyredisson import Redisson
from pyredisson.admin.codecs import codec_named, schemas_in
from pyredisson.admin.migration.order import Migrated, OnProgress, Order, Preview
from pyredisson.admin.migration.preview import preview
from pyredisson.admin.migration.run import migrate as move
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.clients import Place, sentinels_of
from pyredisson.cli.options import Session, on_server
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.migration.conversion import Conversion

__all__ = ["migrate"]

_NAMED, _SHOWN = 100, 60


@click.command()
@click.argument("name")
@click.option(
    "--to-release", metavar="VERSION", help="Write entries as this Redisson, as 3.21.0 or 4.7.0."
)
@click.option("--from-codec", metavar="NAME", help="Codec of the values.  [default: --codec]")
@click.option("--to-codec", metavar="NAME", help="New codec of the values.")
@click.option("--rename", metavar="NEW", help="Move the items to this queue.")
@click.option(
    "--to-url", metavar="URL", envvar="PYREDISSON_TO_URL", help="Move the items to this server."
)
@click.option("--to-cluster", is_flag=True, help="The server at --to-url is a node of a cluster.")
@click.option(
    "--to-sentinel",
    multiple=True,
    metavar="HOST:PORT",
    help="A Sentinel of the master that --to-url names.",
)
@click.option("--dry-run", is_flag=True, help="Count, and show three examples; change nothing.")
@click.option(
    "--force",
    is_flag=True,
    help="Go on although services are subscribed: they read the new items. Also if the server at "
    "--to-url has lost what was moved there.",
)
@click.option("--again", is_flag=True, help="Change the codec again, although that was done.")
@on_server(codec=True)
def migrate(session: Session, name: str, *, dry_run: bool, **given: Any) -> int:
    """Change the format or the codec of a queue's items, or move them.

    Pending items, ready ones and dead letters are moved, with their due times. Items that would
    change are named and stay. A run that was interrupted is continued by the next one with the
    same options; until then the other items are visible to no client.

    Examples:
      pyredisson migrate orders --to-release 4.7.0 --dry-run
      pyredisson migrate orders --from-codec kryo5 --to-codec json
      pyredisson migrate orders --rename orders-2
      pyredisson migrate orders --to-url redis://new-host:6379/0
    """
    conversion = _conversion(session, given)
    place = _target(session, given)
    if given["rename"] == "":
        raise click.UsageError("--rename needs a name")
    if conversion == Conversion() and place is None and given["rename"] in (None, name):
        raise click.UsageError("give --to-release, --to-codec, --rename or --to-url")
    with session.connected() as redisson, ExitStack() as stack:
        target = None
        if place is not None:
            stack.enter_context(place.with_remedy())
            target = stack.enter_context(Redisson(stack.enter_context(place.client())))
        options = _options(given, place)
        flags = {each: given[each] for each in ("force", "again")}
        order = Order(name, conversion, options, given["rename"], target, **flags)
        skips = _Skips(session)
        if dry_run:
            found: Migrated = preview(redisson, order, on_skip=skips)
        else:
            try:
                with _progress() as on_progress:
                    found = move(redisson, order, on_skip=skips, on_progress=on_progress)
            except KeyboardInterrupt:
                session.output.note(f"{name!r}: run it again with the same options to go on")
                raise
    return _report(session, name, found, skips)


def _conversion(session: Session, given: dict[str, Any]) -> Conversion:
    release, new = given["to_release"], given["to_codec"]
    old = given["from_codec"] or session.codec_name
    if (new is None) != (old is None):
        raise click.UsageError("--to-codec and --from-codec belong together")
    codecs = None
    if new is not None and old is not None:
        classes = schemas_in(session.schemas) if session.schemas else None
        codecs = (
            codec_named(old, release=session.release, schemas=classes),
            codec_named(new, release=release or session.release, schemas=classes),
        )
    return Conversion(None if release is None else WireFormat.of(release), codecs)


def _target(session: Session, given: dict[str, Any]) -> Place | None:
    if given["to_url"] is None:
        if given["to_cluster"] or given["to_sentinel"]:
            raise click.UsageError("--to-cluster and --to-sentinel need --to-url")
        return None
    asked = click.get_current_context().get_parameter_source("to_url")
    url_name = "$PYREDISSON_TO_URL" if asked is ParameterSource.ENVIRONMENT else "--to-url"
    urls = sentinels_of(given["to_sentinel"], "--to-sentinel")
    names, remap = (url_name, "--to-sentinel"), session.place.remap
    return Place(given["to_url"], given["to_cluster"], urls, names, remap)


def _options(given: dict[str, Any], place: Place | None) -> str:
    """Return the options that a run must share with the one that it continues."""
    names = ("to_release", "from_codec", "to_codec", "rename")
    words = [f"--{each.replace('_', '-')} {given[each]}" for each in names if given[each]]
    if place is not None:
        words.append(f"--to-url {place}, database {place.database}")
    return " ".join(words)


class _Skips:
    """Names the items that stay, the first ones of many."""

    def __init__(self, session: Session) -> None:
        self._note = session.output.note
        self._count = 0

    def __call__(self, kind: str, raw: bytes, why: str) -> None:
        self._count += 1
        if self._count <= _NAMED:
            shown = f" {_cut(raw)}" if raw else ""
            self._note(f"stays ({kind}){shown}: {why}")

    def end(self) -> None:
        """Say how many were not named."""
        if self._count > _NAMED:
            self._note(f"and {self._count - _NAMED} more stay")


def _cut(raw: bytes) -> str:
    return raw.hex() if len(raw) <= _SHOWN else f"{raw[:_SHOWN].hex()}..."


@contextmanager
def _progress() -> Iterator[OnProgress]:
    console = Console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("migrate", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _report(session: Session, name: str, found: Migrated, skips: _Skips) -> int:
    skips.end()
    output = session.output
    document = {
        "queue": name,
        "moved": found.moved,
        "skipped": found.skipped,
        "remaining": found.remaining,
    }
    if isinstance(found, Preview):
        document["examples"] = [
            {"state": kind, "before": before.hex(), "after": after.hex()}
            for kind, before, after in found.examples
        ]
        for kind, before, after in found.examples:
            output.say(f"{kind}: {before[:_SHOWN]!r}")
            output.say(f"{' ' * len(kind)}  {after[:_SHOWN]!r}")
        output.say(f"{name!r}: {found.remaining} to move, {found.skipped} would stay as they are")
        if found.refusal:
            output.note(f"it would be refused now: {found.refusal}")
    else:
        output.say(
            f"{name!r}: {found.moved} moved, {found.skipped} skipped, {found.remaining} remaining"
        )
        if found.ended:
            output.note("this was done in the last seven days: --again does it once more")
        if found.remaining:
            output.note("other clients have added items meanwhile: run it again")
    output.document(document)
    more = found.remaining and not isinstance(found, Preview)
    return NO if found.skipped or more else DONE
