"""The transfer script with thresholds that short lists reach, so that tests see all its ways."""

import re

from pyredisson.protocol.kernel.scripts import load

_SMALL = {"SHORT": 0, "LONG": 12, "SEARCH": 2, "FEW": 1, "PAGE": 3, "HALF": 2, "WIDE": 5}


def small_transfer() -> str:
    """Return the script's text."""
    text = load("delayed/transfer").text
    for name, value in _SMALL.items():
        text, count = re.subn(rf"local {name} = \d+\n", f"local {name} = {value}\n", text)
        assert count == 1
    return text
