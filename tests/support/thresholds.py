"""The transfer script with thresholds that short lists reach, so that tests run all branches."""

import re

from pyredisson.protocol.kernel.scripts import load

_SMALL = {
    "SHORT": 0,
    "LONG": 12,
    "SEARCH": 2,
    "FEW": 1,
    "PASSED": 12,
    "PAGE": 3,
    "HALF": 2,
    "WIDE": 5,
}


def transfer_with(**thresholds: int) -> str:
    """Return the script's text with other thresholds."""
    text = load("delayed/transfer").text
    for name, value in thresholds.items():
        text, count = re.subn(rf"local {name} = \d+\n", f"local {name} = {value}\n", text)
        assert count == 1
    return text


def small_transfer(**thresholds: int) -> str:
    """Return the script's text with small thresholds; the arguments override them."""
    return transfer_with(**{**_SMALL, **thresholds})
