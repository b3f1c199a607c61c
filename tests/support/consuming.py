"""What tests of consumers look at in Redis."""

from typing import Any

from pyredisson.protocol.kernel.names import ConsumerNames

NAMES = ConsumerNames.of("q")


def texts(raw: Any, key: str = "q") -> list[str]:
    """What a list of texts holds."""
    return [value.decode() for value in raw.lrange(key, 0, -1)]


def traces(raw: Any) -> set[str]:
    """Our own keys that are there, but for the names of consumers, which vanish by themselves."""
    found = {key.decode().partition(":")[0].removeprefix("pyredisson_") for key in raw.keys("pyr*")}
    return found - {"consumers"}


def held(raw: Any) -> list[tuple[bytes, float]]:
    """The leases, each with its end."""
    return list(raw.zrange(NAMES.leases, 0, -1, withscores=True))


def end_leases(raw: Any) -> None:
    """Let all leases have ended, as if their time had passed."""
    for token, _ in held(raw):
        raw.zadd(NAMES.leases, {token: 1})
