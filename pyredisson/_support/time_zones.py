"""Time zones by name; the only module that reads the files of the time zone database."""

from __future__ import annotations

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

__all__ = ["zone"]


def zone(name: str) -> tzinfo:
    """Return a time zone.

    Args:
        name: a name in the time zone database, such as "Europe/Berlin"; "UTC" needs no database.

    Raises:
        TypeError: `name` is not a `str`.
        ValueError: this machine has no time zone of that name.
    """
    if not isinstance(name, str):
        raise TypeError(f"timezone must be a name such as 'Europe/Berlin', not {name!r}")
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(
            f"no time zone {name!r} on this machine; if the name is right, its time zone "
            "database is missing or old: pip install tzdata"
        ) from error
