"""The order of test modules: first those that concern the last change, then the slow ones.

So a change that breaks a test is reported within a minute, and no slow module runs alone at the
end.
"""

import contextlib
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EVERYWHERE = {"interop", "protocol", "pyredisson", "support", "tests", "unit", "_async", "_sync"}


def begin_with(names: Sequence[str], items: list[pytest.Item]) -> None:
    """Sort items: first those that the change concerns, then the modules of these names."""
    concerned = concerns(changed())
    places = {name: place for place, name in enumerate(names)}

    def place(item: pytest.Item) -> tuple[bool, int]:
        found = {item.path.stem, item.path.parent.name} & concerned
        return not found, places.get(item.path.stem, len(places))

    items.sort(key=place)


def changed() -> list[str]:
    """Return the paths that the last commit or uncommitted work has changed; none without git."""
    paths = []
    for words in ("diff --name-only HEAD~1", "ls-files --others --exclude-standard"):
        with contextlib.suppress(OSError):
            command = ["git", "-C", str(ROOT), *words.split()]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            paths += done.stdout.splitlines()
    return paths


def concerns(paths: Sequence[str]) -> set[str]:
    """Return the names of test modules and folders that belong to these paths.

    >>> sorted(concerns(["pyredisson/_async/locks/fair_lock.py"]))
    ['fair_lock', 'locks', 'test_fair_lock']
    """
    parts = {part for path in paths for part in Path(path).with_suffix("").parts} - EVERYWHERE
    return parts | {f"test_{Path(path).stem}" for path in paths}
