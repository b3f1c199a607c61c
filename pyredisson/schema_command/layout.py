"""Source text in ruff's format: on one line if it fits, otherwise one item per line.

The last item of several lines has a comma, so that a formatter with longer lines keeps the lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["WIDTH", "Group", "lay_out"]

WIDTH = 88


@dataclass(frozen=True, slots=True)
class Group:
    """Items in brackets: the text up to the opening bracket, the items, the closing bracket."""

    opening: str
    items: Sequence[str | Group]
    closing: str

    def flat(self) -> str:
        """Return the group on one line."""
        items = (each if isinstance(each, str) else each.flat() for each in self.items)
        return f"{self.opening}{', '.join(items)}{self.closing}"


def lay_out(group: Group, after: str = "", indent: str = "") -> list[str]:
    """Return the lines of the group; `after` follows the closing bracket."""
    flat = f"{indent}{group.flat()}{after}"
    if len(flat) <= WIDTH or not group.items:
        return [flat]
    lines = [indent + group.opening]
    for each in group.items:
        if isinstance(each, str):
            lines.append(f"{indent}    {each},")
        else:
            lines.extend(lay_out(each, ",", f"{indent}    "))
    return [*lines, f"{indent}{group.closing}{after}"]
