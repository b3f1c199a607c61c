"""The commands that need `pyredisson[cli]`, and their exit codes.

A command of `VERBS` is loaded when it is called. Those of `BASIC` parse their arguments themselves,
so that they also work without the extra.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click
from click.shell_completion import CompletionItem

from pyredisson import __version__
from pyredisson.cli.basic import BASIC, DONE, REFUSED, parser_of, run_basic, shown
from pyredisson.cli.help import HelpContext
from pyredisson.cli.server_options import REFUSALS
from pyredisson.cli.verbs import VERBS
from pyredisson.server_errors import (
    AuthenticationError,
    LoadingError,
    ServerConnectionError,
    ServerTimeoutError,
)

__all__ = ["app", "main"]

_INTERRUPTED = 130


_SECTIONS = {
    "Look": ("queues", "stats", "top", "items", "decode", "dashboard"),
    "Change": ("offer", "take", "cancel", "reschedule", "pause", "resume"),
    "Find and repair problems": ("doctor", "check", "repair", "dead", "poison"),
    "Move": ("migrate",),
    "Run": ("transfer", "worker", "dev-server"),
    "Develop": ("schema", "completion"),
}


class _Commands(click.Group):
    """The group, which loads a command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*VERBS, *BASIC]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in VERBS:
            module = import_module(f"pyredisson.cli.{VERBS[name].module}")
            found: click.Command = getattr(module, VERBS[name].function)
            found.context_class = HelpContext
            return found
        return _basic(name) if name in BASIC else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        helps = {name: verb.help for name, verb in VERBS.items()}
        helps |= BASIC
        others = [name for name in helps if not any(name in some for some in _SECTIONS.values())]
        width = max(map(len, helps))
        for title, names in {**_SECTIONS, "Others": others}.items():
            if rows := [(name.ljust(width), helps[name]) for name in names if name in helps]:
                with formatter.section(title):
                    formatter.write_dl(rows)


class _Basic(click.Command):
    """A command that passes its words to a parser of the standard library."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep all words, also a `--` in front of a name that begins with a dash."""
        ctx.params["words"] = list(args)
        return []

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the parser's options that begin so."""
        parser = parser_of(str(self.name))
        return [
            CompletionItem(each, help=action.help)
            for action in parser._actions
            for each in action.option_strings
            if incomplete and each.startswith(incomplete)
        ]


def _basic(name: str) -> click.Command:
    @click.command(name, cls=_Basic, add_help_option=False, short_help=BASIC[name])
    def command(words: list[str]) -> int:
        return run_basic([name, *words])

    return command


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done; 1 the answer is no; 2 it could not be asked. Each option of a "
    "server has an environment variable: PYREDISSON_URL for --url, and so on.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def app() -> None:
    """Look at Redisson's delayed queues, repair and move them, without a JVM."""


def _remedy(error: BaseException) -> str:
    """Return what to do if no server answers; other errors say it themselves."""
    answered = isinstance(error, AuthenticationError | LoadingError)
    if answered or not isinstance(error, ServerConnectionError | ServerTimeoutError):
        return ""
    return " (start the server, or name another with --url or $PYREDISSON_URL)"


def main(words: Sequence[str]) -> int:
    """Run a command, and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a character that it cannot encode is shown as \\x..
            stream.reconfigure(errors="backslashreplace")
    try:
        status: Any = app.main(list(words), prog_name="pyredisson", standalone_mode=False)
    except click.UsageError as error:
        hint = f" (see `{error.ctx.command_path} --help`)" if error.ctx else ""
        print(f"pyredisson: {shown(error.format_message())}{hint}", file=sys.stderr)
        return REFUSED
    except click.ClickException as error:
        print(f"pyredisson: {shown(error.format_message())}", file=sys.stderr)
        return REFUSED
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED
    except BrokenPipeError:  # the reader of stdout has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except REFUSALS as error:
        print(f"pyredisson: {shown(str(error))}{_remedy(error)}", file=sys.stderr)
        return REFUSED
    return int(status or DONE)
