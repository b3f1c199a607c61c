"""Reads a request's words: the slots of its keys, and whether it blocks."""

from collections.abc import Sequence

from pyredisson.protocol.kernel.names import slot

_BLOCKING = frozenset(
    {"BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP"}
)
_COUNTED = {"EVAL": 2, "EVALSHA": 2, "EVAL_RO": 2, "EVALSHA_RO": 2, "LMPOP": 1, "BLMPOP": 2}
"""Commands that contain the number of their keys, and its position."""
_SEVERAL = {
    "DEL": slice(1, None),
    "UNLINK": slice(1, None),
    "EXISTS": slice(1, None),
    "TOUCH": slice(1, None),
    "BLPOP": slice(1, -1),
    "BRPOP": slice(1, -1),
    "LMOVE": slice(1, 3),
    "BLMOVE": slice(1, 3),
    "RPOPLPUSH": slice(1, 3),
    "BRPOPLPUSH": slice(1, 3),
    "RENAME": slice(1, 3),
    "RENAMENX": slice(1, 3),
    "COPY": slice(1, 3),
}


def is_blocking(name: str) -> bool:
    """Return whether a command may block."""
    return name in _BLOCKING


def slots_of(name: str, words: Sequence[bytes]) -> set[int]:
    """Return the slots of the keys, for a command that may have several keys."""
    keys = words[_SEVERAL[name]] if name in _SEVERAL else ()
    if (place := _COUNTED.get(name)) is not None:
        keys = words[place + 1 : place + 1 + int(words[place])]
    return {slot(key.decode("latin-1")) for key in keys}
