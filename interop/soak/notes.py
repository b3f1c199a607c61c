"""The notes of actors: a letter and a value a line, each line one write.

`i` about to offer, `u` offered again because the reply was lost, `o` offered; `d` delivered, and
`a` where it is the first attempt; `f` released, and `g` where that counts as no attempt; `x`
rejected, `h` handled. For items that are all equal `t` counts: `begun` and `offered`; `acking`, and
then `acked`, or `late` where the lease had ended.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

__all__ = ["Notes", "Offered", "read"]

_LETTERS = "iuodafgxht"


class Notes:
    """One actor's file."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def put(self, letters: str, *values: str) -> None:
        """Note something of each value."""
        lines = (f"{letter} {value}\n" for value in values for letter in letters)
        os.write(self._file, "".join(lines).encode())


class Offered:
    """Counts the offers of a running soak; reads each line once."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._read: dict[Path, int] = {}
        self._count = 0

    def count(self) -> int:
        """Return how many offers have been acknowledged by now."""
        for path in self._directory.glob("*.notes"):
            with path.open("rb") as file:
                file.seek(self._read.get(path, 0))
                new = file.read()
            whole = new[: new.rfind(b"\n") + 1]
            self._read[path] = self._read.get(path, 0) + len(whole)
            self._count += (b"\n" + whole).count(b"\no ")
        return self._count


def read(directory: Path) -> dict[str, Counter[str]]:
    """Return how often each letter stands before each value."""
    found: dict[str, Counter[str]] = {letter: Counter() for letter in _LETTERS}
    for path in directory.glob("*.notes"):
        with path.open() as lines:
            for line in lines:
                letter, value = line.split()
                found[letter][sys.intern(value)] += 1
    return found
