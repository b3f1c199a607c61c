"""Decides which interfaces are base classes in Python: those that the module contains.

Java permits any order of interfaces; Python needs a consistent one. This module therefore creates
the classes as the generated module will. An interface that does not fit Python's order becomes an
argument of the decorator.
"""

from __future__ import annotations

from .describe import Description

__all__ = ["Supertypes"]


class Supertypes:
    """The classes that are written so far; supertypes must be written before their subclasses."""

    def __init__(self) -> None:
        self._made: dict[str, type] = {}
        self._written: dict[type, Description] = {}

    def interfaces(self, each: Description) -> list[str]:
        """Return the interfaces that are base classes of the next class."""
        parent = self._made.get(each.parent.name, object) if each.parent is not None else object
        bases: list[type] = []
        made = type("", (parent,), {})
        for name in each.interfaces:
            base = self._made.get(name)
            if base is None or issubclass(made, base):
                continue
            wider = [*(other for other in bases if not issubclass(base, other)), base]
            above = (parent, *wider) if parent is not object else tuple(wider)
            try:
                made = type("", above, {})
            except TypeError:  # Python finds no consistent order
                continue
            bases = wider
        self._made[each.name] = made
        self._written[made] = each
        return [self._written[base].name for base in bases]

    def not_inherited(self, each: Description) -> list[str]:
        """Return the interfaces of a written class that are not among its bases."""
        bases = self._made[each.name].__mro__[1:]
        above = [self._written[base] for base in bases if base in self._written]
        interfaces = [one for one in above if one.file.is_interface]
        inherited = {name for one in interfaces for name in (one.name, *one.interfaces)}
        return [name for name in each.interfaces if name not in inherited]
