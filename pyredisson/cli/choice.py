"""The options that choose what `dead` and `poison` change, and the question before `--all`."""

from __future__ import annotations

import sys

import click

from pyredisson.cli.options import Session

__all__ = ["ALL", "YES", "confirmed", "require"]

ALL = click.option("--all", "every", is_flag=True, help="All of them; asks first.")
YES = click.option("--yes", is_flag=True, help="With --all: do not ask.")


def require(action: str, given: dict[str, bool], allowed: tuple[str, ...]) -> None:
    """Raise a usage error for options that an action does not have.

    Args:
        action: its name.
        given: whether each option was given.
        allowed: those that it has.
    """
    for option, is_given in given.items():
        if is_given and option not in allowed:
            raise click.UsageError(f"`{action}` has no {option}")


def confirmed(session: Session, question: str, *, yes: bool) -> bool:
    """Return whether to go on with `--all`: `--yes`, or an answer on a terminal."""
    if yes:
        return True
    if session.output.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("--all asks on a terminal only: give --yes as well")
    return click.confirm(question)
