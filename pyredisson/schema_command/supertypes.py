"""Decides which interfaces are base classes in Python: those in the module.

Java allows any order of interfaces, Python needs a consistent one. So classes are created here as
the module will create them; an interface that does not fit Python's order stays an argument of the
decorator.
"""

from __future__ import annotations

from .describe import Description

__all__ = ["Supertypes"]


class Supertypes:
    """Knows the classes that were written so far; their supertypes come before them."""

    def __init__(self) -> None:
        self._made: dict[str, type] = {}
        self._written: dict[type, Description] = {}

    def interfaces(self, each: Description) -> list[str]:
        """Return the interfaces that the next class names as its bases."""
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
            except TypeError:  # there is no consistent order
                continue
            bases = wider
        self._made[each.name] = made
        self._written[made] = each
        return [self._written[base].name for base in bases]

    def unsaid(self, each: Description) -> list[str]:
        """Return the interfaces of a written class that are not among its bases."""
        bases = self._made[each.name].__mro__[1:]
        above = [self._written[base] for base in bases if base in self._written]
        interfaces = [one for one in above if one.file.is_interface]
        said = {name for one in interfaces for name in (one.name, *one.interfaces)}
        return [name for name in each.interfaces if name not in said]
