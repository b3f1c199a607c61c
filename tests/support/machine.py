"""A folder that all test runs of a user on this machine share, and locks in it.

Rule: the kernel releases the lock of a file when the process that holds it ends, also by a kill.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

SHARED = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "pyredisson")


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Run the body while no other process holds the lock of that name."""
    with _opened(name) as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def lock_one_of(names: list[str]) -> tuple[str, IO[str]] | None:
    """Lock the first name that no other process has locked; closing the file releases the lock."""
    for name in names:
        file = _opened(name)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
        else:
            return name, file
    return None


def _opened(name: str) -> IO[str]:
    path = SHARED / "locks" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("w")
