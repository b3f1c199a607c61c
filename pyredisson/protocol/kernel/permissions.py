"""Names the permission that a rejected command needs: for the command, or for its keys.

The server's error names only the command, or nothing. The rule: if the permission for a command or
for keys is missing, the error names the command, the key or keys, and the permission. An error of a
command in a script has these words already (`lua/_errors.lua`).
"""

from __future__ import annotations

import re
from typing import Any

from pyredisson.protocol.kernel.command import Arg, Eval, Operation

__all__ = ["explain_missing", "keys_of"]

_NEEDS = ", which needs "
_KEY = re.compile(r"\baccess .*\bkeys?\b")
_COMMAND = re.compile(r"run the '([^' ]+)' command")

_PLACES = {
    "DEL": slice(1, None),
    "EXISTS": slice(1, None),
    "UNLINK": slice(1, None),
    "TOUCH": slice(1, None),
    "BLPOP": slice(1, -1),
    "BRPOP": slice(1, -1),
    "LMOVE": slice(1, 3),
    "BLMOVE": slice(1, 3),
    "RPOPLPUSH": slice(1, 3),
    "BRPOPLPUSH": slice(1, 3),
    "BLMPOP": slice(3, -3),
    "MIGRATE": slice(7, None),
}
"""The positions of the keys in the words of commands that have several keys."""


def keys_of(operation: Operation[Any]) -> tuple[Arg, ...]:
    """Return all keys of an operation, also of its `ahead`, each once."""
    words = operation.ahead if isinstance(operation, Eval) else operation.args
    keys: tuple[Arg, ...] = operation.keys if isinstance(operation, Eval) else (operation.key,)
    if words and words[0] in _PLACES:
        keys = (*words[_PLACES[str(words[0])]], *keys)
    return tuple(dict.fromkeys(keys))


def explain_missing(text: str, operation: Operation[Any]) -> str:
    """Return the text of a rejection with the command, its key or keys, and the permission.

    A text that has the permission already, or that is about neither a command nor keys, is returned
    unchanged.
    """
    if _NEEDS in text:
        return text
    if command := _COMMAND.search(text):
        name = command.group(1)
        what = f"{name.upper()} {operation.key}".rstrip()
        return f"{text} ({what}{_NEEDS}+{name})"
    if _KEY.search(text):
        commands = (*operation.ahead[:1], operation.request()[0])
        keys = " ".join(f"~{key!s}" for key in keys_of(operation))
        return f"{text} ({' and '.join(map(str, commands))}{_NEEDS}{keys})"
    return text
