"""The releases of Redisson: how a number is read, and which of them are known here.

The rule: a release is named by its three numbers, as in ``"3.27.2"``, and this is the one
place that reads them. One that is newer than `NEWEST` has the bytes of `NEWEST`, as far as
anybody can know; who names none gets what all from `FLOOR` on read alike.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["FLOOR", "NEWEST", "OLDEST", "Number", "parse_release", "parse_service"]

Number = tuple[int, int, int]

NEWEST = "4.7.0"
FLOOR = "3.21.1"
"""The oldest release that is written for where none is named: the first of today's members."""

OLDEST = "3.2.0"
"""The first release whose delayed queues are these."""


def parse_release(release: Any, what: str = "release") -> Number:
    """Read a Redisson release, as in ``"3.19.3"``; `what` is the argument's name.

    Raises:
        TypeError: not a text.
        ValueError: not three numbers.
    """
    if not isinstance(release, str):
        raise TypeError(
            f'{what} takes a Redisson release as a text such as "3.27.2", not {release!r}'
        )
    match = re.fullmatch(r"(\d{1,4})\.(\d{1,4})\.(\d{1,4})", release, re.ASCII)
    if match is None:
        raise ValueError(f"{what} is {release!r}, not a Redisson release such as {NEWEST!r}")
    return int(match[1]), int(match[2]), int(match[3])


def parse_service(release: Any) -> Number:
    """Read the release of a service with delayed queues.

    Raises:
        TypeError: not a text.
        ValueError: not a release, or one before `OLDEST`.
    """
    number = parse_release(release)
    if number < parse_release(OLDEST):
        raise ValueError(
            f"release is {release!r}; the first whose delayed queues are known is {OLDEST}"
        )
    return number
