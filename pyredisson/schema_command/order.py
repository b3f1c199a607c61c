"""Sorts the classes of a module: supertypes first, and other referenced classes if possible.

So simple classes precede composed ones. Only the order of supertypes is mandatory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from .describe import Description
from .java_text import names_in

__all__ = ["in_order"]


def in_order(classes: Mapping[str, Description]) -> list[Description]:
    """Return the classes in an order in which most references point to earlier classes.

    Supertypes always come first. If fields form a cycle, the class that was requested first comes
    last.
    """
    return list(_sorted(_sorted(classes, _needed), Description.supertypes).values())


def _sorted(
    classes: Mapping[str, Description], needed: Callable[[Description], Iterable[str]]
) -> dict[str, Description]:
    """Put the classes that a class needs in front of it, unless they form a cycle."""
    done: dict[str, Description] = {}
    open_now: set[str] = set()
    stack: list[tuple[Description, Iterator[str]]] = []

    def enter(name: str) -> None:
        found = classes.get(name)
        if found is not None and name not in done and name not in open_now:
            open_now.add(name)
            stack.append((found, iter(needed(found))))

    for first in classes:
        enter(first)
        while stack:
            current, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                done[current.name] = current
            else:
                enter(following)
    return done


def _needed(found: Description) -> Iterator[str]:
    yield from found.supertypes()
    for each in found.fields:
        yield from names_in(each.type)
