"""The shards of one logical queue: their names, and the shard of a key.

Each shard is an ordinary queue with a plain name, so Java needs only the name. The rule: neither
the names nor the shard of a key depend on the process or the caller.

A slot is linear in the last bytes of a name (CRC16). Therefore the distances between the slots of
the shards do not depend on the beginning of their names. Because the units precede the tens, the
first sixteen shards are in sixteen different sixteenths of all slots. The other shards fill the
gaps evenly.
"""

from __future__ import annotations

from binascii import crc32

from pyredisson.errors import InvalidNameError
from pyredisson.protocol.kernel.names import slot

__all__ = ["MAX_SHARDS", "require_spread", "shard_names", "shard_of"]

MAX_SHARDS = 100
"""The maximum number of shards: their numbers have two digits."""


def shard_names(name: object, shards: object) -> list[str]:
    """Return the names of shards, each with two digits, the units first (shard 3: ``name:30``).

    Raises:
        TypeError, ValueError: the name is not a str, or the number of shards is not valid.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a queue must be str, not {name!r}")
    if not isinstance(shards, int) or isinstance(shards, bool):
        raise TypeError(f"shards must be a whole number, not {shards!r}")
    if not 1 <= shards <= MAX_SHARDS:
        raise ValueError(f"shards must be from 1 to {MAX_SHARDS}, not {shards}")
    return [f"{name}:{number % 10}{number // 10}" for number in range(shards)]


def shard_of(key: str | bytes, shards: int) -> int:
    """Return the number of a key's shard: CRC-32 of its bytes (UTF-8 for a str) modulo `shards`.

    Raises:
        TypeError: the key is neither str nor bytes.
    """
    if not isinstance(key, str | bytes):
        raise TypeError(f"the key of a shard must be str or bytes, not {key!r}")
    return crc32(key.encode() if isinstance(key, str) else key) % shards


def require_spread(names: list[str]) -> None:
    """Reject names of shards that are all in one slot.

    Raises:
        InvalidNameError: all names are in one slot, because of a hash tag.
    """
    if len(names) > 1 and len({slot(name) for name in names}) == 1:
        raise InvalidNameError(
            f"the shards {names[0]!r} to {names[-1]!r} would all be in slot {slot(names[0])}, "
            "because of the '{' in their names; use a name without '{' for a queue with shards"
        )
