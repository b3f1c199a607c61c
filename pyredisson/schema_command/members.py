"""An enum's source: its decorator, and its constants in Java's order."""

from __future__ import annotations

from collections.abc import Mapping

from .describe import Description
from .layout import Group, lay_out
from .naming import is_plain
from .python_types import quoted

__all__ = ["enum_lines"]


def enum_lines(found: Description, name: str) -> list[str]:
    """Return the lines of a class that stands for a Java enum."""
    told: list[str | Group] = [f'"{found.name}"']
    bodies = [each for each in found.constants if each in found.file.bodies]
    if bodies:
        told.append(Group("bodies=[", [quoted(each) for each in bodies], "]"))
    if found.constants_json:
        told.append(Group("json={", _entries(found.constants_json), "}"))
    lines = [
        *lay_out(Group("@java_enum(", told, ")")),
        *lay_out(Group(f"class {name}(", ["Enum"], "):")),
    ]
    lines += [f"    {_member(each)} = auto()" for each in found.constants]
    return lines if found.constants else [*lines, "    pass"]


def _entries(names: Mapping[str, str]) -> list[str]:
    return [f"{quoted(name)}: {quoted(json)}" for name, json in names.items()]


def _member(name: str) -> str:
    """Return what stands left of ``=``: a member may have a name that Python's syntax has not."""
    return name if is_plain(name) else f"locals()[{quoted(name)}]"
