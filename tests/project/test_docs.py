"""The Python in the README and in docs/ runs as it stands, on a real server."""

import ast
import re
import signal
import tomllib
from pathlib import Path

import pytest
import redis

from tests.support.server import RedisServer

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEVELS = {each: each for each in ("debug", "info", "warning", "error")} | {
    "exception": "error",
    "log": "info|warning",  # the first line; repeated ones are for debugging
}
LINK = re.compile(r"\]\((?!https?://)([^)#]+)\)")


def blocks() -> list[tuple[str, str]]:
    """Return (page, code) of all examples."""
    found = [
        (page.relative_to(ROOT).as_posix(), code)
        for page in PAGES
        for code in BLOCK.findall(page.read_text("utf-8"))
    ]
    assert len(found) >= 6
    return found


@pytest.mark.parametrize(("page", "code"), blocks(), ids=lambda value: value[:40].split("\n")[0])
def test_example_runs(page: str, code: str, server: RedisServer, raw: redis.Redis) -> None:
    """An example ends without an error and leaves no delayed item behind that it did not offer."""
    adapted = code.replace("redis://127.0.0.1:6379/0", server.url)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        exec(compile(adapted, page, "exec"), {"__name__": "example"})
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Each relative link names a file that exists."""
    for target in LINK.findall(page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_quoted_errors_are_the_code_s() -> None:
    """The page's own example asserts each text that begins a row of its tables."""
    page = (ROOT / "docs" / "java-class-does-not-fit.md").read_text("utf-8")
    (code,) = BLOCK.findall(page)
    firsts = [line.split(" | ")[0] for line in page.splitlines() if line.startswith("| `")]
    quoted = [text for first in firsts for text in re.findall(r"`([^`]+)`", first)]
    assert len(quoted) >= 20
    assert [text for text in quoted if f'"{text}"' not in code] == []


def test_each_line_of_the_log_is_explained_with_its_level() -> None:
    """docs/logs.md has a row for each call of the package's logger, and no other."""
    page = (ROOT / "docs" / "logs.md").read_text("utf-8")
    rows = re.findall(r"^\| `(.+)` \| (\w+) \|", page, re.MULTILINE)
    said = {}
    for path in (ROOT / "pyredisson").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            match call:
                case ast.Call(func=ast.Attribute(value=ast.Name("log"), attr=level)) if (
                    level in LEVELS
                ):
                    text = call.args[level == "log"]
                    assert isinstance(text, ast.Constant), f"{path}:{call.lineno}"
                    said[text.value] = LEVELS[level]
    assert len(said) > 20
    assert set(said) == {text for text, _ in rows}
    assert [row for row in rows if not re.fullmatch(said[row[0]], row[1])] == []


def test_all_extras_are_all_but_the_server() -> None:
    """`[all]` installs neither a server nor test tools, and a page names each extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    (every,) = extras.pop("all")
    for_programs = [name for name in extras if name not in {"server", "pytest"}]
    assert every == f"pyredisson[{','.join(for_programs)}]"
    page = (ROOT / "docs" / "extras.md").read_text("utf-8")
    rows = re.findall(r"^\| (`.+?`) \|", page, re.MULTILINE)
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted([*extras, "all"])
