"""Settings of the documentation site; `scripts/site` builds it.

README.md, CONTRIBUTING.md and CHANGELOG.md stay in the root of the repository. Their pages here
are made from them, and links to files that have no page lead to the repository.
"""

import re
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

project = "pyredisson"
author = "the pyredisson developers"
release = metadata.version("pyredisson")
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
default_role = "code"
suppress_warnings = ["ref.python"]  # attributes of several classes have the same name
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "inherited-members": "Exception,tuple,int,str,object"}
autoclass_content = "class"
napoleon_use_ivar = True
copybutton_exclude = ".linenos, .gp"

html_theme = "furo"
html_title = "pyredisson"
html_show_copyright = False
html_show_sphinx = False

REPOSITORY = "https://github.com/pyredisson/pyredisson/blob/main/"
"""Where files that have no page are read."""

FROM_THE_ROOT = {
    "index": "README.md",
    "contributing": "CONTRIBUTING.md",
    "changelog": "CHANGELOG.md",
}
PAGES = {text: f"{name}.md" for name, text in FROM_THE_ROOT.items()}
LINK = re.compile(r"(\]\()(?!https?://|#)([^)#\s]+)(#[^)\s]*)?\)")


def to_the_site(page: Path, text: str) -> str:
    """Change the links of a page, which hold in the repository, to those of the site."""

    def target(match: re.Match[str]) -> str:
        path = (page.parent / match[2]).resolve().relative_to(ROOT)
        anchor = match[3] or ""
        if path.as_posix() in PAGES:
            return f"](/{PAGES[path.as_posix()]}{anchor})"
        if path.parts[0] == "docs" and path.suffix in {".md", ".png", ".svg"}:
            return f"](/{path.relative_to('docs').as_posix()}{anchor})"
        return f"]({REPOSITORY}{path.as_posix()}{anchor})"

    return LINK.sub(target, text)


def read(_app: Any, name: str, content: list[str]) -> None:
    """Put a page of the repository's root in its place, and change the links."""
    if name in FROM_THE_ROOT:
        page = ROOT / FROM_THE_ROOT[name]
        content[0] = page.read_text("utf-8") + "\n" + content[0]
    else:
        page = ROOT / "docs" / f"{name}.md"
    content[0] = to_the_site(page, content[0])


def without_context(
    _app: Any, _kind: str, _name: str, _object: Any, _options: Any, arguments: Any, returns: Any
) -> tuple[Any, Any]:
    """Hide the arguments of classes that only a client creates."""
    return ("" if "context: " in (arguments or "") else arguments), returns


def setup(app: Any) -> None:
    """Connect what is above."""
    app.connect("source-read", read)
    app.connect("autodoc-process-signature", without_context)
