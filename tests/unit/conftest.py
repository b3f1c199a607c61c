"""The order of the unit tests, and which of them count as covering a branch."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage


def is_uncovered(item: pytest.Item) -> bool:
    """Return whether an item has the marker `no_cover`, or only reads the source."""
    return item.get_closest_marker("no_cover") is not None or item.path.parent.name == "project"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests that do not count last, because they fill caches and compile classes."""
    files: dict[Path, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(item.path, []).append(item)
    in_order = sorted(files.values(), key=lambda tests: all(map(is_uncovered, tests)))
    items[:] = [item for tests in in_order for item in sorted(tests, key=is_uncovered)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Run a test that does not count without tracing, in a third of the time."""
    measured = Coverage.current() if is_uncovered(item) else None
    if measured:
        measured.stop()
    try:
        return (yield)
    finally:
        if measured:
            measured.start()
