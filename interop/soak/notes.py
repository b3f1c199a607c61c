"""What actors note: a letter and a value a line, each line one write.

`i` about to offer, `o` offered, `d` delivered, `f` put back, `x` rejected, `h` handled.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

__all__ = ["Notes", "read"]


class Notes:
    """One actor's file."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def put(self, letter: str, *values: str) -> None:
        """Note something of each value."""
        os.write(self._file, "".join(f"{letter} {value}\n" for value in values).encode())


def read(directory: Path) -> dict[str, Counter[str]]:
    """Return how often each letter stands before each value."""
    found: dict[str, Counter[str]] = {letter: Counter() for letter in "iodfxh"}
    for path in directory.glob("*.notes"):
        for line in path.read_text().splitlines():
            letter, value = line.split(" ", 1)
            found[letter][value] += 1
    return found
