"""The prose of the source: docstrings and comments, also of Lua, as texts that tests can search."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tests.support.source_tree import BY_HAND, PACKAGE

SOURCES = [*BY_HAND, *sorted(PACKAGE.rglob("*.lua"))]

PRIVATE = re.compile(
    r"\b(who|whoever|whom|nobody|somebody|so long|so many|told|tells?|hears?|heard|news|go(es)? on"
    r"|in hand|lets? go|gives? back|given back|puts? back|comes? again|mend\w*|spell\w*"
    r"|(short|long) way|as usual|stragglers?|kin|ours|begun|no more|(is|are) (there|gone)|lacks?"
    r"|what is (left|wanted|taken|due|kept|here|there|sent|read))\b",
    re.IGNORECASE,
)
"""Words that hide the actor or the event: a sentence with one of them is often read twice."""

PYTHON = re.compile(r'(?ms)(^[ \t]*""".*?"""|(?<!\S)# [^\n]*)|""".*?"""')
LUA = re.compile(r"(?m)(^\s*--[^\n]*)")


@cache
def split(path: Path) -> tuple[str, str]:
    """Return the docstrings and comments of a file, and the rest of it."""
    pattern, text = LUA if path.suffix == ".lua" else PYTHON, path.read_text("utf-8")
    found = [match[1] for match in pattern.finditer(text) if match[1]]
    return "\n".join(found), pattern.sub(lambda match: "" if match[1] else match[0], text)
