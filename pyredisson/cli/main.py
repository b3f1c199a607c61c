"""The entry point: the commands of click, or without the extra the basic ones."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence
from importlib.util import find_spec

__all__ = ["main"]


def main(words: Sequence[str] | None = None) -> int:
    """Run a command.

    Args:
        words: the arguments; by default those of the process.

    Returns:
        The exit code: 0 done; 1 the answer is no: nothing was found, or `check` and `doctor` have
        findings; 2 it could not be asked: wrong arguments, an error of the server or of a file.
    """
    given = sys.argv[1:] if words is None else words
    if find_spec("click") is None or find_spec("rich") is None:
        from pyredisson.cli.basic import run_basic as run  # noqa: PLC0415 - one of two parsers
    else:
        from pyredisson.cli.app import main as run  # noqa: PLC0415 - needs the extra
    try:
        return run(given)
    except Exception:  # Python itself would exit with 1, which is an answer
        from pyredisson.cli.basic import without_passwords  # noqa: PLC0415 - seldom

        print(without_passwords(traceback.format_exc()), end="", file=sys.stderr)
        print("pyredisson: please report this error, with the lines above", file=sys.stderr)
        return 2
