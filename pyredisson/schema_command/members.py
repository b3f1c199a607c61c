"""Writes an enum as Python source: its decorator, and its constants in Java's order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .describe import Description
from .layout import Group, lay_out
from .naming import is_plain
from .python_types import quoted

__all__ = ["enum_lines"]


def enum_lines(found: Description, name: str, interfaces: Sequence[str]) -> list[str]:
    """Return the lines of the Python class of a Java enum; `interfaces` are its base classes."""
    arguments: list[str | Group] = [quoted(found.name)]
    bodies = {
        each: found.file.bodies[each] for each in found.constants if each in found.file.bodies
    }
    if list(bodies.values()) == [f"{found.name}${place + 1}" for place in range(len(bodies))]:
        arguments += [Group("bodies=[", [quoted(each) for each in bodies], "]")] if bodies else []
    else:  # another compiler than javac has named the classes
        arguments.append(Group("bodies={", _entries(bodies), "}"))
    if found.constants_json:
        arguments.append(Group("json={", _entries(found.constants_json), "}"))
    lines = [
        *lay_out(Group("@java_enum(", arguments, ")")),
        *lay_out(Group(f"class {name}(", [*interfaces, "Enum"], "):")),
    ]
    lines += [f"    {_member(each)} = auto()" for each in found.constants]
    return lines if found.constants else [*lines, "    pass"]


def _entries(names: Mapping[str, str]) -> list[str]:
    return [f"{quoted(name)}: {quoted(value)}" for name, value in names.items()]


def _member(name: str) -> str:
    """Return the text left of ``=``; a member's name may not be a valid Python identifier."""
    return name if is_plain(name) else f"locals()[{quoted(name)}]"
