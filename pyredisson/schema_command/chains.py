"""Finds the reference that causes most classes of a module to be included."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from .select import Selection

__all__ = ["Chain", "heaviest"]

_LONGEST = 6


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of references, and the number of classes that it includes."""

    count: int
    places: tuple[str, ...]


def heaviest(found: Selection) -> Chain | None:
    """Return the chain of references that includes most classes; None if none includes any."""
    counts: Counter[str | None] = Counter(found.classes.keys())
    below: dict[str | None, list[str]] = {}
    for name in reversed(found.reached):  # a class was reached after the one that refers to it
        referrer, _ = found.reached[name]
        counts[referrer] += counts[name]
        below.setdefault(referrer, []).append(name)
    named = [each for root in below.get(None, ()) for each in below.get(root, ())]
    if not named:
        return None
    first = name = max(named, key=counts.__getitem__)
    places = [found.reached[first][1]]
    while len(places) < _LONGEST and name in below:
        heavy = max(below[name], key=counts.__getitem__)
        if 2 * counts[heavy] < counts[name]:
            break
        name = heavy
        places.append(found.reached[name][1])
    return Chain(counts[first], tuple(places))
