"""Which modules begin: those that take long, or one process would be at them alone in the end."""

from collections.abc import Sequence

import pytest


def begin_with(names: Sequence[str], items: list[pytest.Item]) -> None:
    """Put the modules of these names in front, in this order."""
    places = {name: place for place, name in enumerate(names)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))
