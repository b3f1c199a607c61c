"""Options for delays and moments."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from pyredisson.admin.times import duration_of, moment_of

__all__ = ["DURATION", "with_due"]


class _Parsed(click.ParamType[Any]):
    """A type of options that `parse` reads; its ValueErrors are errors of usage."""

    def __init__(self, name: str, parse: Callable[[str], Any]) -> None:
        self.name = name
        self._parse = parse

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return what the text means."""
        try:
            return self._parse(value) if isinstance(value, str) else value
        except ValueError as error:
            self.fail(str(error), param, ctx)


DURATION = _Parsed("duration", duration_of)

_DELAY = click.option(
    "--delay",
    type=DURATION,
    metavar="DURATION",
    help="Due so long from now: 90 (seconds), 500ms, 5m, 1h30m, 2d.",
)
_AT = click.option(
    "--at",
    type=_Parsed("time", moment_of),
    metavar="TIME",
    help="Due at this time: ISO 8601 with a zone, as 2026-01-31T12:00:00Z.",
)


def with_due(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--delay` and `--at` to a command, which gets them as `delay` and `at`; not both."""

    @wraps(command)
    def run(**given: Any) -> Any:
        if given["delay"] is not None and given["at"] is not None:
            raise click.UsageError("give either --delay or --at, not both")
        return command(**given)

    return _DELAY(_AT(run))
