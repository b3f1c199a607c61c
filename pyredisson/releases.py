"""The releases of Redisson: parsing, and the known releases.

A release is three numbers, as in ``"3.27.2"``. No other module parses releases. A release newer
than `NEWEST` is treated as `NEWEST`. Callers that specify no release get bytes that all releases
from `FLOOR` on can read.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["FLOOR", "NEWEST", "OLDEST", "Number", "parse_release", "parse_service"]

Number = tuple[int, int, int]

NEWEST = "4.7.0"
FLOOR = "3.21.1"
"""The first release with the present format of delayed queue entries. If no release is specified,
codecs write bytes that this release and all newer releases can read."""

OLDEST = "3.2.0"
"""The first release whose delayed queues pyredisson supports."""


def parse_release(release: Any, what: str = "release") -> Number:
    """Parse a Redisson release such as ``"3.19.3"``; `what` is the argument's name in errors.

    Raises:
        TypeError: `release` is not a `str`.
        ValueError: `release` is not three numbers.
    """
    if not isinstance(release, str):
        raise TypeError(
            f'{what} must be a Redisson release as a str, such as "3.27.2", got {release!r}'
        )
    match = re.fullmatch(r"(\d{1,4})\.(\d{1,4})\.(\d{1,4})", release, re.ASCII)
    if match is None:
        raise ValueError(f"{what} is {release!r}, not a Redisson release such as {NEWEST!r}")
    return int(match[1]), int(match[2]), int(match[3])


def parse_service(release: Any) -> Number:
    """Parse the release of a service with delayed queues.

    Raises:
        TypeError: `release` is not a `str`.
        ValueError: `release` is not three numbers, or is older than `OLDEST`.
    """
    number = parse_release(release)
    if number < parse_release(OLDEST):
        raise ValueError(
            f"release is {release!r}, but delayed queues are supported from {OLDEST} on"
        )
    return number
