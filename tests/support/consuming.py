"""Data in Redis that tests of consumers check."""

from typing import Any

from pyredisson.protocol.kernel.names import ConsumerNames

NAMES = ConsumerNames.of("q")


def texts(raw: Any, key: str = "q") -> list[str]:
    """Return the elements of a list of texts."""
    return [value.decode() for value in raw.lrange(key, 0, -1)]


def traces(raw: Any) -> set[str]:
    """Return the kinds of pyredisson's keys, except the names of consumers, which expire."""
    found = {key.decode().partition(":")[0].removeprefix("pyredisson_") for key in raw.keys("pyr*")}
    return found - {"consumers"}


def held(raw: Any) -> list[tuple[bytes, float]]:
    """Return the leases, each with its end."""
    return list(raw.zrange(NAMES.leases, 0, -1, withscores=True))


def end_leases(raw: Any) -> None:
    """End all leases, as if their time had passed."""
    for token, _ in held(raw):
        raw.zadd(NAMES.leases, {token: 1})
