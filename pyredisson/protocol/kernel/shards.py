"""The shards of one logical queue: what they are called, and which of them a key belongs to.

Each is a queue like any other, under a plain name, so that Java needs nothing but the name. The
rule: neither a name nor the shard of a key depends on the process, or on who asks.

A slot is linear in the last bytes of a name (CRC16): names of one length that end alike are laid
out alike, whatever they begin with. With the units before the tens, the first sixteen are in
sixteen different sixteenths of all slots, and more fill the gaps evenly.
"""

from __future__ import annotations

from binascii import crc32

from pyredisson.errors import InvalidNameError
from pyredisson.protocol.kernel.names import slot

__all__ = ["MOST", "require_spread", "shard_names", "shard_of"]

MOST = 100
"""Shards that a queue may have: their numbers have two digits."""


def shard_names(name: object, shards: object) -> list[str]:
    """Return what shards are called: their two digits, the units first (3 is ``name:30``).

    Raises:
        TypeError, ValueError: the name is no text, or a bad number of shards.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a queue must be str, not {name!r}")
    if not isinstance(shards, int) or isinstance(shards, bool):
        raise TypeError(f"shards is how many there are, not {shards!r}")
    if not 1 <= shards <= MOST:
        raise ValueError(f"shards must be from 1 to {MOST}, not {shards}")
    return [f"{name}:{number % 10}{number // 10}" for number in range(shards)]


def shard_of(key: str | bytes, shards: int) -> int:
    """Return the shard of a key: the CRC-32 of its bytes, of a text those in UTF-8, modulo shards.

    Raises:
        TypeError: the key is neither text nor bytes.
    """
    if not isinstance(key, str | bytes):
        raise TypeError(f"the key of a shard is text or bytes, not {key!r}")
    return crc32(key.encode() if isinstance(key, str) else key) % shards


def require_spread(names: list[str]) -> None:
    """Refuse names that are all in one slot.

    Raises:
        InvalidNameError: a hash tag keeps them together.
    """
    if len(names) > 1 and len({slot(name) for name in names}) == 1:
        raise InvalidNameError(
            f"the shards {names[0]!r} to {names[-1]!r} would all be in slot {slot(names[0])}, "
            "because of the '{' in their names; a queue with shards needs a name without"
        )
