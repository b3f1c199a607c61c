"""Writes the module's text: docstring, imports, missing classes, and the classes."""

from __future__ import annotations

import textwrap

from .classes import ClassWriter
from .imports import import_lines
from .layout import WIDTH
from .select import Selection

__all__ = ["render"]


def render(found: Selection, command: str) -> str:
    """Return the source of the module; `command` is the command line that wrote it."""
    writer = ClassWriter(found.classes)
    blocks = []
    for each in writer.ordered:
        notes = [line for note in each.notes for line in _comment(f"Note: {note}")]
        blocks.append("\n".join([*notes, *writer.lines(each)]))
    imports = import_lines(writer.used)
    head = [*_head(command), *([""] if imports else []), *imports, *_missing(found)]
    return "\n".join(head) + "\n" + "".join(f"\n\n{block}\n" for block in blocks)


def _head(command: str) -> list[str]:
    return [
        '"""Java classes as Python classes, for the codecs of pyredisson.',
        "",
        "Generated from class files. Do not edit; run the command again if a Java class changes.",
        '"""',
        "",
        *_comment(command),
        "# ruff: noqa: N801, N802, N815 - the names are Java's",
        "",
        "from __future__ import annotations",
    ]


def _missing(found: Selection) -> list[str]:
    lines: list[str] = []
    if found.missing:
        lines += ["", "# Not in the given jars and directories, so without a schema:"]
        for name, places in sorted(found.missing.items()):
            lines += _comment(f"- {name} ({', '.join(dict.fromkeys(places))})")
    if found.rejected:
        lines += ["", "# Left out:"]
        for name, reason in sorted(found.rejected.items()):
            lines += _comment(f"- {name}: {reason}")
    return lines


def _comment(text: str) -> list[str]:
    clean = "".join(each if each.isprintable() else "?" for each in text)
    wrapped = textwrap.wrap(
        clean,
        WIDTH - 2,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [f"# {line}" for line in wrapped]
