"""`pyredisson completion SHELL`: what a shell evaluates to complete the commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from pyredisson.cli.basic import DONE

__all__ = ["completion"]


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print a script that completes commands, options and codecs in a shell.

    Add the line for your shell to its start-up file:
      bash (~/.bashrc)                   eval "$(pyredisson completion bash)"
      zsh (~/.zshrc)                     eval "$(pyredisson completion zsh)"
      fish (~/.config/fish/config.fish)  pyredisson completion fish | source
    """
    root = ctx.find_root()
    made = get_completion_class(shell)
    assert made is not None  # noqa: S101 - `shell` is one of those that click knows
    click.echo(made(root.command, {}, "pyredisson", "_PYREDISSON_COMPLETE").source())
    return DONE
