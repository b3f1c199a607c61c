"""What docstrings and comments may not hold: private words, and paths and names of nothing."""

from __future__ import annotations

import builtins
import re
from collections import Counter
from functools import cache
from pathlib import Path

from tests.support.prose import PRIVATE, SOURCES, split
from tests.support.source_tree import BY_HAND, HANDS_OFF, ROOT, TREES, each, label

PAGES = [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), ROOT / "interop" / "README.md"]
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`|(?<![\w./-])((?:\w+/)*\w+\.(?:py|lua))\b")
NAME = re.compile(r"(?<![`\w])`([\w.]+)(?:\(\))?`(?!`)")
OWN = re.compile(r"_?[a-z]+(_[a-z0-9]+)+|_\w+|Async[A-Z]\w+")
"""Names that look like the project's, not like Java's."""
EXAMPLES = {
    *("AsyncX", "x_async", "protocol/room/lua/operation.lua", "room/operation"),  # any names
    *("build/classes", "order_task.py", "shop.py", "spring_classes.py"),  # in a user's project
    *("result_ttl", "tcp_info"),  # of RQ and Linux
}


def room(path: Path) -> str:
    """Return the package, or the folder of tests, that a file belongs to."""
    parts = label(path).split("/")
    return "/".join(parts[: 3 if parts[1] in ("_async", "protocol") else 2][: len(parts) - 1])


def test_each_room_has_few_private_words() -> None:
    words, private = Counter[str](), Counter[str]()
    for path in SOURCES:
        text, _ = split(path)
        words[room(path)] += len(text.split())
        private[room(path)] += len(PRIVATE.findall(text))
    assert len(words) > 50
    assert {
        name: count for name, count in private.items() if count > max(2, 0.003 * words[name])
    } == {}


@cache
def places() -> set[str]:
    """Return the ends of all paths of the project, with and without the suffix."""
    found = set[str]()
    for tree in (*TREES, "deploy", "docs", ".github", "."):
        for path in (ROOT / tree).glob("*" if tree == "." else "**/*"):
            if not HANDS_OFF.intersection(path.parts):
                parts = label(path).split("/")
                ends = {"/".join(parts[start:]) for start in range(len(parts))}
                found |= ends | {end.rpartition(".")[0] for end in ends}
    return found


@each([*SOURCES, *PAGES])
def test_cited_path_exists(path: Path) -> None:
    text = path.read_text("utf-8") if path in PAGES else split(path)[0]
    cited = {(a or b).strip("/") for a, b in PATH.findall(text)}
    cited = {each for each in cited if not re.search("[A-Z]{2}", each)}  # ROOM/NAME.py: any
    assert cited - places() - EXAMPLES == set()


@cache
def names() -> set[str]:
    """Return all names and all words of strings in the project's code."""
    found = set(dir(builtins))
    for path in SOURCES:
        found.update(path.parts, [path.stem])
        found.update(re.findall(r"\w+", split(path)[1]))
    return found


@each(SOURCES)
def test_cited_name_exists(path: Path) -> None:
    found = NAME.findall(split(path)[0])
    cited = {part for name in found for part in name.split(".") if OWN.fullmatch(part)}
    assert cited - names() - EXAMPLES == set()


@each([path for path in BY_HAND if path.name.startswith("test_")])
def test_names_of_tests_have_an_actor(path: Path) -> None:
    text = path.read_text("utf-8")
    assert re.findall(r"def (test_(?:what|who|whom|one|where|nobody|it)_\w+)", text) == []
