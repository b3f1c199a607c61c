"""The order of the classes in a module: superclasses first, then what others refer to.

So the module reads from the simple to the composed; only superclasses have to stand above.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .describe import Description
from .java_text import names_in

__all__ = ["in_order"]


def in_order(classes: Mapping[str, Description]) -> list[Description]:
    """Return the classes so that as many references as possible go upwards.

    Superclasses always stand above; in a circle of fields the class that was asked for
    first is the last.
    """
    done: dict[str, Description] = {}
    open_now: set[str] = set()
    stack: list[tuple[Description, Iterator[str]]] = []

    def enter(name: str) -> None:
        found = classes.get(name)
        if found is not None and name not in done and name not in open_now:
            open_now.add(name)
            stack.append((found, _needed(found)))

    for first in classes:
        enter(first)
        while stack:
            current, needed = stack[-1]
            following = next(needed, None)
            if following is None:
                stack.pop()
                done[current.name] = current
            else:
                enter(following)
    return _parents_first(done)


def _needed(found: Description) -> Iterator[str]:
    if found.parent is not None:
        yield found.parent.name
    for each in found.fields:
        yield from names_in(each.type)


def _parents_first(classes: Mapping[str, Description]) -> list[Description]:
    """Lift superclasses that a circle of references left below their subclasses."""
    placed: dict[str, Description] = {}
    for each in classes.values():
        chain: list[Description] = []
        current: Description | None = each
        while current is not None and current.name not in placed and current not in chain:
            chain.append(current)
            current = classes.get(current.parent.name) if current.parent else None
        placed.update((above.name, above) for above in reversed(chain))
    return list(placed.values())
