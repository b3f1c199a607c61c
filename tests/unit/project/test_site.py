"""The reference of the documentation site has each public name once."""

import re
from collections import Counter
from pathlib import Path

import pyredisson
import pyredisson.testing

API = Path(__file__).resolve().parents[3] / "docs" / "api"


def test_each_public_name_is_in_the_reference() -> None:
    """Async classes are not listed, because they have the methods of the sync classes.

    Errors are not listed, because the reference shows their modules as a whole.
    """
    shown = Counter(
        name
        for page in API.glob("*.md")
        for name in re.findall(r"^\.\. autoclass:: (\w+)$", page.read_text("utf-8"), re.MULTILINE)
    )
    expected = {
        name
        for name in (*pyredisson.__all__, *pyredisson.testing.__all__)
        if not name.startswith("Async") and not name.endswith("Error")
    }
    assert shown == dict.fromkeys(expected, 1)
